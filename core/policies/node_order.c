/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/node_order.h"

#include "policies/policies_priv.h"

static struct yk_node *node_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_node, in_order);
}

static struct yk_node *node_of_signature(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_node, in_signature);
}

static int compare(const struct yk_node *a, const struct yk_node *b)
{
    if (a->score < b->score)
        return -1;
    if (a->score > b->score)
        return 1;
    return strcmp(a->id, b->id);
}

static int by_score(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return compare(node_of(a), node_of(b));
}

static int by_score_in_signature(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return compare(node_of_signature(a), node_of_signature(b));
}

/* The summary of a branch, as pointers into a node: the largest free amounts of the nodes in it. */
struct most {
    int64_t *free;    /* by dense type */
    uint32_t *set;    /* bit t is set if free[t] is not 0 */
    uint64_t *others; /* of types without a column, as in yk_resvec_others() */
};

static const struct yk_node nothing; /* a missing child */

static struct most most_of(struct yk_node *node)
{
    return (struct most){node->most_free, &node->most_free_set, &node->most_free_others};
}

static struct most most_of_signature(struct yk_node *node)
{
    return (struct most){node->most_free_of_signature, &node->most_free_of_signature_set,
                         &node->most_free_of_signature_others};
}

/* Computes the summary of a branch from its top node and the summaries of its children. Returns whether
 * it has changed. */
static bool summarize_into(const struct yk_node *node, const int64_t *left, const int64_t *right,
                           uint32_t below, uint64_t others, struct most most)
{
    uint32_t set = yk_resvec_dense_types(node->available) | below;
    others |= node->free_others;
    bool changed = set != *most.set || others != *most.others;
    yk_bits_foreach(t, set | *most.set)
    {
        int64_t amount = YK_MAX(yk_resvec_get(node->available, (int)t), left[t]);
        amount = YK_MAX(amount, right[t]);
        changed = changed || amount != most.free[t];
        most.free[t] = amount;
    }
    *most.set = set;
    *most.others = others;
    return changed;
}

static bool take_over(struct most most, const int64_t *free, uint32_t set, uint64_t others)
{
    yk_bits_foreach(t, set | *most.set) most.free[t] = free[t];
    *most.set = set;
    *most.others = others;
    return true;
}

static bool summarize(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    struct yk_node *node = node_of(link);
    if (same != NULL)
        return take_over(most_of(node), node_of(same)->most_free, node_of(same)->most_free_set,
                         node_of(same)->most_free_others);
    const struct yk_node *left = link->left != NULL ? node_of(link->left) : &nothing;
    const struct yk_node *right = link->right != NULL ? node_of(link->right) : &nothing;
    return summarize_into(node, left->most_free, right->most_free, left->most_free_set | right->most_free_set,
                          left->most_free_others | right->most_free_others, most_of(node));
}

static bool summarize_signature(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    struct yk_node *node = node_of_signature(link);
    if (same != NULL)
        return take_over(most_of_signature(node), node_of_signature(same)->most_free_of_signature,
                         node_of_signature(same)->most_free_of_signature_set,
                         node_of_signature(same)->most_free_of_signature_others);
    const struct yk_node *left = link->left != NULL ? node_of_signature(link->left) : &nothing;
    const struct yk_node *right = link->right != NULL ? node_of_signature(link->right) : &nothing;
    return summarize_into(node, left->most_free_of_signature, right->most_free_of_signature,
                          left->most_free_of_signature_set | right->most_free_of_signature_set,
                          left->most_free_of_signature_others | right->most_free_of_signature_others,
                          most_of_signature(node));
}

/* ---- weights ---- */

static void clear_weights(struct yk_node_order *order)
{
    free(order->weights);
    order->weights = NULL;
    order->weight_count = 0;
    yk_resvec_clear(&order->weighted);
}

static void add_weight(struct yk_node_order *order, int type, double weight)
{
    size_t at = 0;
    while (at < order->weight_count && order->weights[at].type < type)
        at++;
    if (at == order->weight_count || order->weights[at].type != type) {
        order->weights = yk_realloc_array(order->weights, order->weight_count + 1, sizeof(*order->weights));
        memmove(&order->weights[at + 1], &order->weights[at],
                (order->weight_count - at) * sizeof(*order->weights));
        order->weight_count++;
        yk_resvec_put(&order->weighted, type, 1);
    }
    order->weights[at] = (struct yk_node_weight){.type = type, .weight = weight};
}

static void default_policy(struct yk_node_order *order)
{
    order->sort = YK_NODE_SORT_FAIR;
    clear_weights(order);
    add_weight(order, YK_RESTYPE_VCORE, 1);
    add_weight(order, YK_RESTYPE_MEMORY, 1);
}

static void compare_weights(struct yk_node_order *order)
{
    double largest = 0;
    for (size_t i = 0; i < order->weight_count; i++)
        largest = YK_MAX(largest, order->weights[i].weight);
    for (size_t i = 0; i < order->weight_count; i++)
        order->weights[i].part = order->weights[i].weight / largest;
}

double yk_node_order_weight(const struct yk_node_order *order, int type)
{
    for (size_t i = 0; i < order->weight_count; i++) {
        if (order->weights[i].type == type)
            return order->weights[i].weight;
    }
    return 0;
}

void yk_node_order_init(struct yk_node_order *order)
{
    memset(order, 0, sizeof(*order));
    order->tree = (struct yk_tree){.order = by_score, .summarize = summarize};
    yk_list_init(&order->draining);
    default_policy(order);
    compare_weights(order);
}

void yk_node_order_done(struct yk_node_order *order)
{
    YK_ASSERT(order->tree.count == 0 && order->signature_count == 0 && yk_list_empty(&order->draining));
    clear_weights(order);
    yk_vec_done(&order->signatures);
}

double yk__node_used_share(const struct yk_node_order *order, const struct yk_node *node)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < order->weight_count; i++) {
        int type = order->weights[i].type;
        int64_t total = yk_resvec_get(node->total, type);
        if (total == 0)
            continue;
        double free_share = (double)yk_resvec_get(node->available, type) / (double)total;
        double weight = order->weights[i].part;
        sum += weight * (1 - free_share);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

#define ROW(symbol, name) [YK_NODE_SORT_##symbol] = yk__node_score_##name,
static double (*const scores[])(const struct yk_node_order *order,
                                const struct yk_node *node) = {YK_NODE_SORTS(ROW, ROW, ROW)};
#undef ROW

static double score_of(const struct yk_node_order *order, const struct yk_node *node)
{
    return scores[order->sort](order, node);
}

/* ---- signatures ---- */

static struct yk_tree *signature_tree(struct yk_node_order *order, uint32_t signature)
{
    while (order->signatures.count <= signature)
        yk_vec_append(&order->signatures, NULL);
    struct yk_tree *tree = order->signatures.items[signature];
    if (tree == NULL) {
        tree = yk_new0(struct yk_tree);
        *tree = (struct yk_tree){.order = by_score_in_signature, .summarize = summarize_signature};
        order->signatures.items[signature] = tree;
        order->signature_count++;
    }
    return tree;
}

static void update_in_signature(struct yk_node_order *order, struct yk_node *node)
{
    struct yk_tree *tree = signature_tree(order, node->signature);
    if (yk_tree_linked(&node->in_signature))
        yk_tree_moved(tree, &node->in_signature);
    else
        yk_tree_insert(tree, &node->in_signature);
}

static void remove_from_signature(struct yk_node_order *order, struct yk_node *node)
{
    struct yk_tree *tree;
    if (!yk_tree_linked(&node->in_signature))
        return;
    tree = order->signatures.items[node->signature];
    yk_tree_remove(tree, &node->in_signature);
    if (tree->count > 0)
        return;
    free(tree);
    order->signatures.items[node->signature] = NULL;
    order->signature_count--;
}

static void keep_signatures(struct yk_node_order *order)
{
    struct yk_node *node;
    if (order->keeps_signatures)
        return;
    order->keeps_signatures = true;
    yk_tree_foreach (node, &order->tree, struct yk_node, in_order)
        update_in_signature(order, node);
}

void yk_node_order_set_signature(struct yk_node_order *order, struct yk_node *node, uint32_t signature)
{
    bool stands = yk_tree_linked(&node->in_signature);
    if (node->signature == signature)
        return;
    remove_from_signature(order, node);
    node->signature = signature;
    if (stands)
        update_in_signature(order, node);
}

/* ---- upkeep ---- */

void yk_node_order_update(struct yk_node_order *order, struct yk_node *node)
{
    node->free_others = yk_resvec_others(node->available);
    if (!node->schedulable || !yk_list_empty(&node->reservations)) {
        yk_node_order_remove(order, node);
        if (node->draining && !node->leaving && yk_list_empty(&node->reservations))
            yk_list_append(&order->draining, &node->in_draining);
        node->score = score_of(order, node);
        return;
    }
    node->score = score_of(order, node);
    if (yk_tree_linked(&node->in_order)) {
        yk_tree_moved(&order->tree, &node->in_order);
    } else {
        yk_list_remove(&node->in_draining);
        yk_tree_insert(&order->tree, &node->in_order);
    }
    if (order->keeps_signatures)
        update_in_signature(order, node);
}

void yk_node_order_remove(struct yk_node_order *order, struct yk_node *node)
{
    yk_list_remove(&node->in_draining);
    if (yk_tree_linked(&node->in_order))
        yk_tree_remove(&order->tree, &node->in_order);
    remove_from_signature(order, node);
}

static struct yk_node *node_order_first(const struct yk_node_order *order)
{
    struct yk_tree_link *first = yk_tree_first(&order->tree);
    return first != NULL ? node_of(first) : NULL;
}

static void sort_anew(struct yk_node_order *order)
{
    struct yk_tree old = order->tree;
    struct yk_node *node;
    yk_tree_foreach (node, &old, struct yk_node, in_order)
        remove_from_signature(order, node);
    order->tree.root = NULL;
    order->tree.count = 0;
    while (old.root != NULL) {
        node = node_of(old.root);
        yk_tree_remove(&old, &node->in_order);
        yk_node_order_update(order, node);
    }
    yk_list_foreach (node, &order->draining, struct yk_node, in_draining)
        node->score = score_of(order, node);
}

void yk_node_order_configure(struct yk_node_order *order, const struct yk_config_partition *config)
{
    default_policy(order);
    (void)yk_node_sort_of(config->node_sort_type, &order->sort); /* "" is no policy: the default stays */
    if (config->node_sort_weight_count > 0)
        clear_weights(order);
    for (uint32_t i = 0; i < config->node_sort_weight_count; i++) {
        int type;
        double weight = config->node_sort_weights[i].weight;
        /* Nodes that offer the type may come later. If the table of types is full, there is no weight. */
        if (!(weight > 0) || yk_restype_add(config->node_sort_weights[i].type, &type, NULL) != YK_OK)
            continue;
        add_weight(order, type, weight);
    }
    compare_weights(order);
    sort_anew(order);
}

struct search {
    const struct yk_node_query *query;
    uint64_t others;     /* yk_resvec_others() of the size */
    uint32_t patience;   /* how many more nodes with capacity may be refused before the search ends */
    uint32_t choices;    /* how many more nodes that fit are compared by their scores */
    uint32_t reluctance; /* how many more nodes with a negative score do not count against `choices` */
};

static bool branch_may_fit(const struct search *search, const int64_t *most_free, uint64_t others)
{
    const struct yk_resvec *size = &search->query->shape->size;
    yk_bits_foreach(t, yk_resvec_dense_types(size))
    {
        if (yk_resvec_get(size, (int)t) > YK_MAX(most_free[t], 0))
            return false;
    }
    return (search->others & ~others) == 0;
}

static bool suits(const struct yk_node_query *query, struct yk_node *node)
{
    const struct yk_class *class_ = query->shape->class_;
    return (class_ == NULL || yk_bitset_test(&class_->feasible, node->index)) &&
           (query->accept == NULL || query->accept(query->context, node));
}

static bool node_fits(struct search *search, struct yk_node *node)
{
    if (!yk_node_has_capacity(node, &search->query->shape->size))
        return false;
    if (suits(search->query, node))
        return true;
    search->patience--;
    return false;
}

/* The first node of the branch that fits. The tree is balanced, so recursion is at most 1.44 log2(nodes)
 * deep. */
static struct yk_node *find_in_branch(struct search *search, struct yk_tree_link *link)
{
    if (link == NULL)
        return NULL;
    struct yk_node *top = node_of(link);
    if (!branch_may_fit(search, top->most_free, top->most_free_others))
        return NULL;
    struct yk_node *found = find_in_branch(search, link->left);
    if (found != NULL || search->patience == 0)
        return found;
    if (node_fits(search, top))
        return top;
    return search->patience > 0 ? find_in_branch(search, link->right) : NULL;
}

static struct yk_node *find_in_signature(struct search *search, struct yk_tree_link *link)
{
    if (link == NULL)
        return NULL;
    struct yk_node *top = node_of_signature(link);
    if (!branch_may_fit(search, top->most_free_of_signature, top->most_free_of_signature_others))
        return NULL;
    struct yk_node *found = find_in_signature(search, link->left);
    if (found != NULL)
        return found;
    return node_fits(search, top) ? top : find_in_signature(search, link->right);
}

struct choice {
    struct yk_node *node; /* NULL: none yet */
    int32_t score;
};

static int32_t preference_of(const struct yk_node_query *query, const struct yk_node *node)
{
    return query->score != NULL ? query->score(query->context, node) : 0;
}

static bool is_better(const struct choice *best, const struct yk_node *node, int32_t score)
{
    if (best->node == NULL || score != best->score)
        return best->node == NULL || score > best->score;
    return compare(node, best->node) < 0;
}

/* The best node, found by a search in the tree of each signature that may fit. */
static struct yk_node *find_by_signature(const struct yk_node_order *order, struct search *search)
{
    const struct yk_node_query *query = search->query;
    const struct yk_tree *tree;
    struct choice best = {0};
    yk_vec_foreach (tree, &order->signatures) {
        if (tree == NULL)
            continue;
        struct yk_node *of_it = node_of_signature(tree->root);
        int32_t score = preference_of(query, of_it);
        if (!is_better(&best, node_of_signature(yk_tree_first(tree)), score) ||
            (query->signature_may_fit != NULL && !query->signature_may_fit(query->context, of_it)))
            continue;
        struct yk_node *found = find_in_signature(search, tree->root);
        if (found != NULL && is_better(&best, found, score))
            best = (struct choice){found, score};
    }
    return best.node;
}

/* Sets `best` to the node with the highest score among the first nodes in order that fit. */
static void find_liked(struct search *search, struct yk_tree_link *link, struct choice *best)
{
    if (link == NULL || search->choices == 0)
        return;
    struct yk_node *top = node_of(link);
    if (!branch_may_fit(search, top->most_free, top->most_free_others))
        return;
    find_liked(search, link->left, best);
    if (search->choices > 0 && node_fits(search, top)) {
        int32_t score = preference_of(search->query, top);
        if (score < 0 &&
            search->reluctance > 0) /* asks avoid such nodes, so many of them are first in order */
            search->reluctance--;
        else
            search->choices--;
        if (is_better(best, top, score))
            *best = (struct choice){top, score};
    }
    find_liked(search, link->right, best);
}

/* The best node, for a class with few feasible nodes: looks at these only. */
static struct yk_node *find_among_few(const struct yk_node_query *query, void *const *nodes,
                                      const struct yk_bitset *feasible)
{
    struct choice best = {0};
    yk_bitset_foreach (index, feasible) {
        struct yk_node *node = nodes[index];
        if (node == NULL || !yk_tree_linked(&node->in_order))
            continue;
        int32_t score = preference_of(query, node);
        if (is_better(&best, node, score) && yk_node_has_capacity(node, &query->shape->size) &&
            suits(query, node))
            best = (struct choice){node, score};
    }
    return best.node;
}

static struct yk_node *find_draining(const struct yk_node_order *order, const struct yk_node_query *query)
{
    struct yk_node *node, *best = NULL;
    yk_list_foreach (node, &order->draining, struct yk_node, in_draining) {
        if ((best == NULL || compare(node, best) < 0) && yk_node_has_capacity(node, &query->shape->size) &&
            suits(query, node))
            best = node;
    }
    return best;
}

enum {
    FEW_NODES = 64,     /* feasible nodes are few if there are at most this number of them, */
    FEW_SHARE = 32,     /* or at most the number of all nodes divided by this number */
    PATIENCE = 24,      /* nodes with capacity that may at first be refused before a search by signature */
    IMPATIENCE_MAX = 4, /* how often PATIENCE is halved at most */
    NODES_PER_SIGNATURE = 8, /* least nodes per signature, on average, for a search by signature */
    FEW_SIGNATURES = 64,     /* up to this number, each signature is asked for its score in any case */
    CHOICES = 32,            /* nodes that are compared by their scores if there are more signatures */
    DISLIKED = 1024,         /* nodes with a negative score that do not count against CHOICES */
};

static struct yk_node *find_by_liking(struct yk_node_order *order, struct search *search)
{
    struct choice best = {0};
    keep_signatures(order);
    search->patience = UINT32_MAX;
    if (order->signature_count <= YK_MAX((size_t)FEW_SIGNATURES, order->tree.count / NODES_PER_SIGNATURE))
        return find_by_signature(order, search);
    search->choices = CHOICES;
    search->reluctance = DISLIKED;
    find_liked(search, order->tree.root, &best);
    return best.node;
}

/* Whether a search by signature may be faster: all nodes of a signature may be refused together, and
 * signatures are few enough. */
static bool searches_by_signature(const struct yk_node_order *order, const struct yk_node_query *query)
{
    const struct yk_class *class_ = query->shape->class_;
    if (class_ == NULL || query->signature_may_fit == NULL ||
        (order->keeps_signatures && order->signature_count > order->tree.count / NODES_PER_SIGNATURE))
        return false;
    return order->tree.count > class_->feasible.ones + PATIENCE || query->excludes_signatures == NULL ||
           query->excludes_signatures(query->context);
}

/* How many nodes may be refused before a search by signature. The more often the class needed such a search,
 * the fewer; but at least as many as there are signatures, and at most PATIENCE. */
static uint32_t patience_of(const struct yk_node_order *order, const struct yk_class *class_)
{
    uint32_t learnt = (uint32_t)PATIENCE >> class_->impatience;
    return order->keeps_signatures ? YK_MIN((uint32_t)PATIENCE, YK_MAX(learnt, order->signature_count))
                                   : PATIENCE;
}

/* Searches in order until too many nodes were refused, then by signature. */
static struct yk_node *find_patiently(struct yk_node_order *order, struct search *search,
                                      struct yk_class *class_)
{
    const uint32_t patience = search->patience = patience_of(order, class_);
    struct yk_node *found = find_in_branch(search, order->tree.root);
    if (search->patience > 0) {
        if (search->patience < patience && class_->impatience > 0)
            class_->impatience--;
        return found;
    }
    keep_signatures(order);
    search->patience = UINT32_MAX;
    found = find_by_signature(order, search);
    if (UINT32_MAX - search->patience >= PATIENCE)
        class_->impatience = 0; /* nodes were refused whose signature may fit: the search did not save time */
    else if (class_->impatience < IMPATIENCE_MAX)
        class_->impatience++;
    return found;
}

static struct yk_node *find_open(struct yk_node_order *order, void *const *nodes,
                                 const struct yk_node_query *query)
{
    struct yk_class *class_ = query->shape->class_;
    if (class_ != NULL && class_->feasible.ones < order->tree.count &&
        class_->feasible.ones <= YK_MAX((size_t)FEW_NODES, order->tree.count / FEW_SHARE))
        return find_among_few(query, nodes, &class_->feasible);
    struct search search = {.query = query, .others = yk_resvec_others(&query->shape->size)};
    if (query->score != NULL)
        return find_by_liking(order, &search);
    struct yk_node *found = node_order_first(order);
    if (found != NULL && yk_node_has_capacity(found, &query->shape->size) && suits(query, found))
        return found; /* the usual case */
    if (searches_by_signature(order, query))
        return find_patiently(order, &search, class_);
    search.patience = UINT32_MAX;
    return find_in_branch(&search, order->tree.root);
}

struct yk_node *yk_node_order_find(struct yk_node_order *order, void *const *nodes,
                                   const struct yk_node_query *query)
{
    struct yk_node *found = find_open(order, nodes, query);
    if (found == NULL && query->shape->class_ != NULL && query->shape->class_->tolerates_drain)
        found = find_draining(order, query);
    return found;
}
