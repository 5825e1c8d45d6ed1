/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/node_order.h"

static struct yk_node *node_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_node, in_order);
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

static const struct yk_node nobody; /* the missing child: nothing is free there */

static bool summarize(struct yk_tree_link *link)
{
    struct yk_node *node = node_of(link);
    const struct yk_node *left = link->left != NULL ? node_of(link->left) : &nobody,
                         *right = link->right != NULL ? node_of(link->right) : &nobody;
    int types = yk_restype_count();
    bool changed = false;
    for (int t = 0; t < YK_NODE_SUMMARY_TYPES && t < types; t++) {
        int64_t most = YK_MAX(yk_resvec_get(&node->available, t), left->most_free[t]);
        most = YK_MAX(most, right->most_free[t]);
        changed = changed || most != node->most_free[t];
        node->most_free[t] = most;
    }
    return changed;
}

void yk_node_order_init(struct yk_node_order *order)
{
    *order = (struct yk_node_order){.tree = {.order = by_score, .summarize = summarize}};
    order->weighted = 1u << YK_RESTYPE_VCORE | 1u << YK_RESTYPE_MEMORY;
    order->weights[YK_RESTYPE_VCORE] = order->weights[YK_RESTYPE_MEMORY] = 1;
    order->largest_weight = 1;
}

const char *yk_node_sort_name(enum yk_node_sort sort)
{
    return sort == YK_NODE_SORT_FAIR ? "fair" : "binpacking";
}

static double used_share(const struct yk_node_order *order, const struct yk_node *node)
{
    double sum = 0, weights = 0;
    yk_resvec_foreach(t, order->weighted & node->total.set)
    {
        if (node->total.v[t] == 0)
            continue;
        double free_share = (double)yk_resvec_get(&node->available, (int)t) / (double)node->total.v[t];
        double weight = order->weights[t] / order->largest_weight; /* sums stay finite */
        sum += weight * (1 - free_share);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

static double score_of(const struct yk_node_order *order, const struct yk_node *node)
{
    double used = used_share(order, node);
    return order->sort == YK_NODE_SORT_FAIR ? used : 1 - used;
}

void yk_node_order_update(struct yk_node_order *order, struct yk_node *node)
{
    if (!node->schedulable || !yk_list_empty(&node->reservations)) {
        yk_node_order_remove(order, node);
        return;
    }
    node->score = score_of(order, node);
    if (yk_tree_linked(&node->in_order))
        yk_tree_moved(&order->tree, &node->in_order);
    else
        yk_tree_insert(&order->tree, &node->in_order);
}

void yk_node_order_remove(struct yk_node_order *order, struct yk_node *node)
{
    if (yk_tree_linked(&node->in_order))
        yk_tree_remove(&order->tree, &node->in_order);
}

struct yk_node *yk_node_order_first(const struct yk_node_order *order)
{
    struct yk_tree_link *first = yk_tree_first(&order->tree);
    return first != NULL ? node_of(first) : NULL;
}

/* Takes all nodes out, rescoring each, and puts them back under the new policy. */
static void sort_anew(struct yk_node_order *order)
{
    struct yk_tree old = order->tree;
    order->tree.root = NULL;
    order->tree.count = 0;
    while (old.root != NULL) {
        struct yk_node *node = node_of(old.root);
        yk_tree_remove(&old, &node->in_order);
        yk_node_order_update(order, node);
    }
}

void yk_node_order_configure(struct yk_node_order *order, const struct yk_config_partition *config)
{
    struct yk_tree tree = order->tree;
    yk_node_order_init(order);
    order->tree = tree;
    if (yk_str_is(config->node_sort_type, "binpacking"))
        order->sort = YK_NODE_SORT_BINPACKING;
    if (config->node_sort_weight_count > 0) {
        order->weighted = 0;
        order->largest_weight = 0;
    }
    for (uint32_t i = 0; i < config->node_sort_weight_count; i++) {
        int type;
        double weight = config->node_sort_weights[i].weight;
        /* The nodes that offer the type may come later. No slot left for it: then no node can offer it. */
        if (!(weight > 0) || yk_restype_add(config->node_sort_weights[i].type, &type, NULL) != YK_OK)
            continue;
        order->weighted |= UINT32_C(1) << type;
        order->weights[type] = weight;
        order->largest_weight = YK_MAX(order->largest_weight, weight);
    }
    sort_anew(order);
}

struct search {
    const struct yk_shape *shape;
    uint32_t summary_types; /* asked for and summarised */
    bool (*accept)(void *context, struct yk_node *node);
    void *context;
};

static bool branch_may_fit(const struct search *search, const struct yk_node *top)
{
    yk_resvec_foreach(t, search->summary_types)
    {
        if (search->shape->size.v[t] > YK_MAX(top->most_free[t], 0))
            return false;
    }
    return true;
}

static bool node_fits(const struct search *search, struct yk_node *node)
{
    const struct yk_class *class_ = search->shape->class_;
    if (class_ != NULL && !yk_bitset_test(&class_->feasible, node->index))
        return false;
    return yk_node_has_room(node, &search->shape->size) &&
           (search->accept == NULL || search->accept(search->context, node));
}

/* Depth is that of a balanced tree: recursion is bounded by 1.44 log2(nodes). */
static struct yk_node *find_in_branch(const struct search *search, struct yk_tree_link *link)
{
    if (link == NULL)
        return NULL;
    struct yk_node *top = node_of(link);
    if (!branch_may_fit(search, top))
        return NULL;
    struct yk_node *found = find_in_branch(search, link->left);
    if (found != NULL)
        return found;
    if (node_fits(search, top))
        return top;
    return find_in_branch(search, link->right);
}

/* For classes that few nodes satisfy: look at those only. */
static struct yk_node *find_among_few(const struct search *search, void *const *nodes,
                                      const struct yk_bitset *feasible)
{
    struct yk_node *best = NULL;
    yk_bitset_foreach (index, feasible) {
        struct yk_node *node = nodes[index];
        if (node == NULL || !yk_tree_linked(&node->in_order) || (best != NULL && compare(best, node) <= 0))
            continue;
        if (node_fits(search, node))
            best = node;
    }
    return best;
}

enum { FEW_NODES = 64, FEW_SHARE = 32 }; /* fewer than this, or one in this many of all */

struct yk_node *yk_node_order_find(const struct yk_node_order *order, void *const *nodes,
                                   const struct yk_shape *shape,
                                   bool (*accept)(void *context, struct yk_node *node), void *context)
{
    const uint32_t summarised = (UINT32_C(1) << YK_NODE_SUMMARY_TYPES) - 1;
    struct search search = {shape, shape->size.set & summarised, accept, context};
    const struct yk_class *class_ = shape->class_;
    if (class_ != NULL && class_->feasible.ones < order->tree.count &&
        class_->feasible.ones <= YK_MAX((size_t)FEW_NODES, order->tree.count / FEW_SHARE))
        return find_among_few(&search, nodes, &class_->feasible);
    return find_in_branch(&search, order->tree.root);
}
