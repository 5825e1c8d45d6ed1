/* SPDX-License-Identifier: Apache-2.0 */
/* The node order against a plain search over all nodes (queues.md O11, O12). */
#include "base/random.h"
#include "base/vec.h"
#include "policies/node_order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { NODES = 300, STEPS = 4000, KINDS = 16, TYPES = 11 }; /* more types than a branch summarises */

struct rig {
    struct yk_node_order order;
    struct yk_vec nodes;
    struct yk_class few, many;
    struct yk_random random;
    double weights[TYPES]; /* 0: none */
    bool binpacking;
    int types[TYPES];
};

static struct yk_resvec random_amounts(struct rig *rig, uint64_t most)
{
    struct yk_resvec amounts = {0};
    for (int i = 0; i < TYPES; i++) {
        if (yk_random_below(&rig->random, 3) != 0)
            yk_resvec_put(&amounts, rig->types[i], (int64_t)yk_random_below(&rig->random, most));
    }
    return amounts;
}

static void rig_init(struct rig *rig, uint64_t seed)
{
    memset(rig, 0, sizeof(*rig));
    yk_random_init(&rig->random, seed);
    yk_node_order_init(&rig->order);
    for (int i = 0; i < TYPES; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), i == 0 ? "vcore" : i == 1 ? "memory" : "type-%d", i);
        assert_int_equal(yk_restype_add(yk_str_from(name), &rig->types[i], NULL), YK_OK);
    }
    rig->weights[0] = rig->weights[1] = 1;
    for (uint32_t i = 0; i < NODES; i++) {
        char id[48];
        YK_CLEANUP(yk_resvec_done) struct yk_resvec capacity = random_amounts(rig, 50);
        /* Most have something in common; some differ in their ends only, and one is another one. */
        const char *what = i % 4 == 3 ? "node-of-a-long-name-" : i == NODES / 2 ? "m" : "node-";
        (void)snprintf(id, sizeof(id), "%s%u", what, i);
        struct yk_node *node = yk_node_new(id, &capacity, NULL, 0, NULL);
        node->index = i;
        node->schedulable = true;
        yk_vec_append(&rig->nodes, node);
        yk_bitset_assign(&rig->few.feasible, i, yk_random_below(&rig->random, 40) == 0);
        yk_bitset_assign(&rig->many.feasible, i, yk_random_below(&rig->random, 2) == 0);
        yk_node_order_update(&rig->order, node);
    }
    rig->few.filled = rig->many.filled = true;
    rig->many.tolerates_drain = true;
}

static void rig_done(struct rig *rig)
{
    struct yk_node *node;
    yk_vec_foreach (node, &rig->nodes) {
        yk_node_order_remove(&rig->order, node);
        yk_node_free(node);
    }
    yk_node_order_done(&rig->order);
    yk_vec_done(&rig->nodes);
    yk_bitset_done(&rig->few.feasible);
    yk_bitset_done(&rig->many.feasible);
}

static double naive_score(const struct rig *rig, const struct yk_node *node)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < TYPES; i++) {
        double total = (double)yk_resvec_get(node->total, rig->types[i]);
        if (rig->weights[i] <= 0 || total <= 0)
            continue;
        sum += rig->weights[i] * (1 - (double)yk_resvec_get(node->available, rig->types[i]) / total);
        weights += rig->weights[i];
    }
    double used = weights > 0 ? sum / weights : 0;
    return rig->binpacking ? 1 - used : used;
}

/* Refuses whole signatures of nodes, and every so many of the others. */
struct taste {
    uint32_t signatures; /* bit set: refused */
    uint32_t every;      /* 0: none of the others */
};

static bool signature_may_fit(void *context, struct yk_node *node)
{
    const struct taste *taste = context;
    return (taste->signatures >> node->signature & 1) == 0;
}

static bool accepts(void *context, struct yk_node *node)
{
    const struct taste *taste = context;
    return signature_may_fit(context, node) && (taste->every == 0 || node->index % taste->every != 0);
}

/* Only a hint. */
static bool excludes_signatures(void *context)
{
    const struct taste *taste = context;
    return taste->every % 2 == 0;
}

static int32_t score(void *context, const struct yk_node *node)
{
    const struct taste *taste = context;
    return (int32_t)(taste->signatures >> (node->signature + 8) & 1) -
           (int32_t)(taste->every * node->signature % 3);
}

static bool is_before(const struct taste *taste, const struct yk_node *a, const struct yk_node *b)
{
    if (b != NULL && taste != NULL &&
        score((void *)(uintptr_t)taste, a) != score((void *)(uintptr_t)taste, b))
        return score((void *)(uintptr_t)taste, a) > score((void *)(uintptr_t)taste, b);
    return b == NULL || a->score < b->score || (a->score <= b->score && strcmp(a->id, b->id) < 0);
}

static void compare_with_plain_search(struct rig *rig)
{
    struct yk_class *const classes[] = {NULL, &rig->few, &rig->many};
    struct yk_shape shape = {.class_ = classes[yk_random_below(&rig->random, 3)],
                             .size = random_amounts(rig, yk_random_below(&rig->random, 2) == 0 ? 30 : 3)};
    struct taste taste = {(uint32_t)yk_random_u64(&rig->random) | (uint32_t)yk_random_u64(&rig->random),
                          (uint32_t)yk_random_below(&rig->random, 4)};
    bool picky = yk_random_below(&rig->random, 2) == 0,
         knows_signatures = yk_random_below(&rig->random, 4) != 0,
         has_preferences = yk_random_below(&rig->random, 3) == 0;
    const struct yk_node_query query = {
        .shape = &shape,
        .accept = picky ? accepts : NULL,
        .signature_may_fit = picky && knows_signatures ? signature_may_fit : NULL,
        .excludes_signatures = yk_random_below(&rig->random, 2) == 0 ? excludes_signatures : NULL,
        .score = has_preferences ? score : NULL,
        .context = &taste};
    struct yk_node *node;
    const struct yk_node *best = NULL, *draining = NULL;
    const struct yk_node *found = yk_node_order_find(&rig->order, rig->nodes.items, &query);
    yk_vec_foreach (node, &rig->nodes) {
        bool allowed = (!picky || accepts(&taste, node)) &&
                       (shape.class_ == NULL || yk_bitset_test(&shape.class_->feasible, node->index));
        bool stands = node->schedulable || node->draining;
        if (stands && !(fabs(node->score - naive_score(rig, node)) < 1e-9))
            fail_msg("score of %s is %g, not %g", node->id, node->score, naive_score(rig, node));
        if (!allowed || !yk_resvec_fit(node->available, &shape.size))
            continue;
        if (node->schedulable && is_before(has_preferences ? &taste : NULL, node, best))
            best = node;
        if (node->draining && is_before(NULL, node, draining))
            draining = node;
    }
    if (best == NULL && shape.class_ != NULL && shape.class_->tolerates_drain)
        best = draining;
    if (found != best)
        fail_msg("found %s, the plain search %s", found != NULL ? found->id : "none",
                 best != NULL ? best->id : "none");
    yk_resvec_done(&shape.size);
}

static void reconfigure(struct rig *rig)
{
    struct yk_config_partition config = {0};
    __typeof__(*config.node_sort_weights) weights[TYPES];
    config.node_sort_weights = weights;
    rig->binpacking = yk_random_below(&rig->random, 2) == 0;
    config.node_sort_type = rig->binpacking ? YK_STR("binpacking") : YK_STR("fair");
    double unit = yk_random_below(&rig->random, 4) == 0 ? 1e307 : 1; /* sums would be infinite */
    for (int i = 0; i < TYPES; i++) {
        rig->weights[i] = (double)yk_random_below(&rig->random, 3);
        weights[i].type = yk_str_from(yk_restype_name(rig->types[i]));
        weights[i].weight = rig->weights[i] * unit;
    }
    config.node_sort_weight_count = TYPES;
    yk_node_order_configure(&rig->order, &config);
}

static void change_node(struct rig *rig, struct yk_node *node)
{
    YK_CLEANUP(yk_resvec_done) struct yk_resvec amounts = random_amounts(rig, 50);
    switch (yk_random_below(&rig->random, 5)) {
    case 4:
        yk_node_order_set_signature(&rig->order, node, (uint32_t)yk_random_below(&rig->random, KINDS));
        return;
    case 0:
        yk_node_set_capacity(node, &amounts); /* may leave less than nothing free */
        break;
    case 1:
        node->schedulable = yk_random_below(&rig->random, 2) == 0;
        node->draining = !node->schedulable && yk_random_below(&rig->random, 2) == 0;
        break;
    default:
        yk_resvec_copy(node->available, node->total);
        yk_node_resize_allocation(node, &amounts);
        break;
    }
    yk_node_order_update(&rig->order, node);
}

static void check_trees(const struct rig *rig)
{
    const struct yk_tree *tree;
    size_t nodes = 0;
    assert_true(yk_tree_valid(&rig->order.tree));
    yk_vec_foreach (tree, &rig->order.signatures) {
        assert_true(tree == NULL || yk_tree_valid(tree));
        nodes += tree != NULL ? tree->count : 0;
    }
    assert_int_equal(nodes, rig->order.keeps_signatures ? rig->order.tree.count : 0);
}

static void finds_what_a_plain_search_finds(void **state)
{
    (void)state;
    uint64_t seed = yk_random_system_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    struct rig rig;
    rig_init(&rig, seed);
    for (int step = 0; step < STEPS; step++) {
        if (yk_random_below(&rig.random, 100) == 0)
            reconfigure(&rig);
        change_node(&rig, rig.nodes.items[yk_random_below(&rig.random, NODES)]);
        compare_with_plain_search(&rig);
        if (step % 50 == 0)
            check_trees(&rig);
    }
    assert_true(rig.order.keeps_signatures);
    rig_done(&rig);
}

struct tastes { /* of an ask that prefers nodes with high indexes */
    size_t asked;
    uint32_t refused_below, disliked_below;
};

static int32_t likes_high_indexes(void *context, const struct yk_node *node)
{
    struct tastes *tastes = context;
    tastes->asked++;
    return node->index < tastes->disliked_below ? -1 : (int32_t)node->index;
}

static bool refuses_low_indexes(void *context, struct yk_node *node)
{
    return node->index >= ((const struct tastes *)context)->refused_below;
}

/* Open, called after its index, with 10 vcores. */
static struct yk_node *numbered_node(uint32_t index)
{
    char id[16];
    YK_RESVEC(capacity);
    (void)snprintf(id, sizeof(id), "n%04u", index);
    yk_resvec_put(&capacity, YK_RESTYPE_VCORE, 10);
    struct yk_node *node = yk_node_new(id, &capacity, NULL, 0, NULL);
    node->index = index;
    node->schedulable = true;
    return node;
}

static void remove_nodes(struct yk_node_order *order, struct yk_node **nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        yk_node_order_remove(order, nodes[i]);
        yk_node_free(nodes[i]);
    }
}

/* Each node is a kind of its own: what is liked is not looked for among all of them. */
static void many_kinds_are_not_all_asked(void **state)
{
    enum { MANY = 2000 };
    (void)state;
    struct yk_node_order order;
    struct yk_node *nodes[MANY];
    struct yk_shape shape = {0};
    struct tastes tastes = {0};
    yk_resvec_put(&shape.size, YK_RESTYPE_VCORE, 4);
    yk_node_order_init(&order);
    for (uint32_t i = 0; i < MANY; i++) {
        nodes[i] = numbered_node(i);
        yk_resvec_put(nodes[i]->available, YK_RESTYPE_VCORE, i % 100 == 0 ? 10 : i % 2 == 0 ? 4 : 3);
        yk_node_order_set_signature(&order, nodes[i], i);
        yk_node_order_update(&order, nodes[i]);
    }
    const struct yk_node_query query = {
        .shape = &shape, .accept = refuses_low_indexes, .score = likes_high_indexes, .context = &tastes};
    /* First in order are the 20 empty ones, then those with 4 free, by their names. */
    const struct yk_node *found = yk_node_order_find(&order, (void *const *)nodes, &query);
    assert_ptr_equal(found, nodes[1900]);
    assert_in_range(tastes.asked, 1, 64);
    tastes.refused_below = 1000; /* 10 of the empty ones are left, and 22 others from n1002 on */
    assert_ptr_equal(yk_node_order_find(&order, (void *const *)nodes, &query), nodes[1900]);
    tastes.refused_below = 1901; /* 49 with 4 free, of which the first 32 are compared */
    found = yk_node_order_find(&order, (void *const *)nodes, &query);
    assert_ptr_equal(found, nodes[1964]);
    tastes.refused_below = MANY;
    assert_null(yk_node_order_find(&order, (void *const *)nodes, &query));
    tastes =
        (struct tastes){.disliked_below = 1901}; /* nearly 1,000 come first that it would rather not have */
    assert_ptr_equal(yk_node_order_find(&order, (void *const *)nodes, &query), nodes[1964]);
    tastes = (struct tastes){.disliked_below = MANY}; /* better than none */
    assert_ptr_equal(yk_node_order_find(&order, (void *const *)nodes, &query), nodes[0]);
    assert_in_range(tastes.asked, 900, 1024 + 64);
    remove_nodes(&order, nodes, MANY);
    yk_node_order_done(&order);
}

/* Zones, one of which is closed, and nodes that refuse one by one. */
struct zones {
    size_t asked, kinds_asked;
    uint32_t closed, refused_below;
};

static bool zone_is_open(void *context, struct yk_node *node)
{
    struct zones *zones = context;
    zones->kinds_asked++;
    return zones->closed != node->signature;
}

static bool zone_lets_in(void *context, struct yk_node *node)
{
    struct zones *zones = context;
    zones->asked++;
    return node->signature != zones->closed && node->index >= zones->refused_below;
}

static bool never_closes(void *context)
{
    (void)context;
    return false;
}

static size_t asked_for(struct yk_node_order *order, struct yk_node **nodes,
                        const struct yk_node_query *query, const struct yk_node *want)
{
    struct zones *zones = query->context;
    zones->asked = 0;
    assert_ptr_equal(yk_node_order_find(order, (void *const *)nodes, query), want);
    return zones->asked;
}

/* All first ones refuse: that is found out once more slowly each time, and forgotten when it is not so. */
static void it_is_learnt_whom_to_ask(void **state)
{
    enum { MANY = 600, FIRST_ZONE = 200, PATIENCE = 24 };
    (void)state;
    struct yk_node_order order;
    struct yk_node *nodes[MANY];
    struct yk_class class_ = {0};
    struct yk_shape shape = {.class_ = &class_};
    struct zones zones = {.closed = 0};
    yk_node_order_init(&order);
    for (uint32_t i = 0; i < MANY; i++) {
        nodes[i] = numbered_node(i);
        yk_bitset_set(&class_.feasible, i);
        yk_node_order_set_signature(&order, nodes[i], i / FIRST_ZONE);
        yk_node_order_update(&order, nodes[i]);
    }
    struct yk_node_query query = {
        .shape = &shape, .accept = zone_lets_in, .signature_may_fit = zone_is_open, .context = &zones};
    assert_in_range(asked_for(&order, nodes, &query, nodes[FIRST_ZONE]), PATIENCE, PATIENCE + 4);
    for (int i = 0; i < 4; i++)
        (void)asked_for(&order, nodes, &query, nodes[FIRST_ZONE]); /* learns */
    assert_in_range(asked_for(&order, nodes, &query, nodes[FIRST_ZONE]), 1, 8);
    zones = (struct zones){.closed = 9, .refused_below = 2};
    for (int i = 0; i < 4; i++)
        assert_in_range(asked_for(&order, nodes, &query, nodes[2]), 1, 4);
    zones = (struct zones){.closed = 0};
    assert_in_range(asked_for(&order, nodes, &query, nodes[FIRST_ZONE]), PATIENCE, PATIENCE + 4);
    (void)asked_for(&order, nodes, &query, nodes[FIRST_ZONE]); /* learns a little */
    zones = (struct zones){.closed = 9, .refused_below = 150}; /* single ones: signatures were no use */
    (void)asked_for(&order, nodes, &query, nodes[150]);
    zones = (struct zones){.closed = 0};
    assert_in_range(asked_for(&order, nodes, &query, nodes[FIRST_ZONE]), PATIENCE, PATIENCE + 4);
    zones = (struct zones){.closed = 9, .refused_below = 150};
    query.excludes_signatures = never_closes;
    assert_int_equal(asked_for(&order, nodes, &query, nodes[150]), 152); /* the first one twice */
    assert_int_equal(zones.kinds_asked, 0);
    for (uint32_t i = 0; i < 30; i++)
        yk_bitset_clear(&class_.feasible, i); /* more than a few: of signatures that may be closed for good */
    (void)asked_for(&order, nodes, &query, nodes[150]);
    assert_in_range(zones.kinds_asked, 1, 3);
    remove_nodes(&order, nodes, MANY);
    yk_bitset_done(&class_.feasible);
    yk_node_order_done(&order);
}

/* The configuration comes before the nodes, and so before the types that they bring. */
static void weight_of_a_type_that_comes_later_counts(void **state)
{
    (void)state;
    struct yk_node_order order;
    struct yk_config_partition config = {0};
    __typeof__(*config.node_sort_weights) weight = {.type = YK_STR("later.example/gpu"), .weight = 2};
    int type;
    config.node_sort_weights = &weight;
    config.node_sort_weight_count = 1;
    yk_node_order_init(&order);
    yk_node_order_configure(&order, &config);
    assert_int_equal(yk_restype_add(YK_STR("later.example/gpu"), &type, NULL), YK_OK);
    YK_RESVEC(capacity);
    yk_resvec_put(&capacity, type, 4);
    struct yk_node *node = yk_node_new("n", &capacity, NULL, 0, NULL);
    yk_resvec_put(node->available, type, 1);
    node->schedulable = true;
    yk_node_order_update(&order, node);
    assert_true(node->score > 0.74 && node->score < 0.76);
    yk_node_order_remove(&order, node);
    yk_node_free(node);
    yk_node_order_done(&order);
}

/* O11, O12: one node per row in the order that is wanted; equal ones stand by id. */
static void table_of_scores(void **state)
{
    (void)state;
    static const struct {
        const char *what, *policy;
        double vcore_weight, memory_weight;
        struct {
            int64_t vcore[2], memory[2]; /* total, available */
            double score;
        } nodes[3];
    } cases[] = {
        {"the least used first",
         "fair",
         1,
         1,
         {{{10, 10}, {10, 8}, 0.1}, {{10, 5}, {10, 8}, 0.35}, {{10, 0}, {10, 0}, 1}}},
        {"the most used first",
         "binpacking",
         1,
         1,
         {{{10, 0}, {10, 0}, 0}, {{10, 5}, {10, 8}, 0.65}, {{10, 10}, {10, 8}, 0.9}}},
        {"weights count",
         "fair",
         3,
         1,
         {{{10, 8}, {10, 0}, 0.4}, {{10, 4}, {10, 8}, 0.5}, {{10, 0}, {10, 10}, 0.75}}},
        {"a type of weight 0 does not",
         "fair",
         0,
         1,
         {{{10, 0}, {10, 10}, 0}, {{10, 10}, {10, 9}, 0.1}, {{10, 10}, {10, 5}, 0.5}}},
        {"a node without a type is what its other one says",
         "fair",
         1,
         1,
         {{{0, 0}, {0, 0}, 0}, {{0, 0}, {10, 9}, 0.1}, {{10, 7}, {0, 0}, 0.3}}},
        {"ties by id", "fair", 1, 1, {{{10, 5}, {10, 5}, 0.5}, {{4, 2}, {8, 4}, 0.5}, {{2, 1}, {0, 0}, 0.5}}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        static const char *const ids[] = {"n1", "n10", "n2"}; /* bytes, not numbers */
        struct yk_node_order order;
        struct yk_node *nodes[3];
        struct yk_config_partition config = {.node_sort_type = yk_str_from(cases[i].policy)};
        __typeof__(*config.node_sort_weights) weights[] = {
            {.type = YK_STR("vcore"), .weight = cases[i].vcore_weight},
            {.type = YK_STR("memory"), .weight = cases[i].memory_weight}};
        config.node_sort_weights = weights;
        config.node_sort_weight_count = 2;
        yk_node_order_init(&order);
        yk_node_order_configure(&order, &config);
        for (int n = 2; n >= 0; n--) {
            YK_RESVEC(capacity);
            yk_resvec_put(&capacity, YK_RESTYPE_VCORE, cases[i].nodes[n].vcore[0]);
            yk_resvec_put(&capacity, YK_RESTYPE_MEMORY, cases[i].nodes[n].memory[0]);
            nodes[n] = yk_node_new(ids[n], &capacity, NULL, 0, NULL);
            yk_resvec_put(nodes[n]->available, YK_RESTYPE_VCORE, cases[i].nodes[n].vcore[1]);
            yk_resvec_put(nodes[n]->available, YK_RESTYPE_MEMORY, cases[i].nodes[n].memory[1]);
            nodes[n]->schedulable = true;
            yk_node_order_update(&order, nodes[n]);
        }
        struct yk_tree_link *at = yk_tree_first(&order.tree);
        for (int n = 0; n < 3; n++, at = yk_tree_next(at)) {
            if (at != &nodes[n]->in_order || fabs(nodes[n]->score - cases[i].nodes[n].score) > 1e-9)
                fail_msg("%s: place %d, '%s' scores %f", cases[i].what, n,
                         YK_CONTAINER(at, struct yk_node, in_order)->id, nodes[n]->score);
        }
        for (int n = 0; n < 3; n++) {
            yk_node_order_remove(&order, nodes[n]);
            yk_node_free(nodes[n]);
        }
        yk_node_order_done(&order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_plain_search_finds),
        cmocka_unit_test(many_kinds_are_not_all_asked),
        cmocka_unit_test(it_is_learnt_whom_to_ask),
        cmocka_unit_test(weight_of_a_type_that_comes_later_counts),
        cmocka_unit_test(table_of_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
