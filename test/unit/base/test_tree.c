/* SPDX-License-Identifier: Apache-2.0 */
/* The tree against a naive model, in long random runs; a failure prints the seed. */
#include "base/random.h"
#include "base/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

#define AT(link_pointer, T, member) YK_CONTAINER(link_pointer, T, member)

struct leaf {
    struct yk_tree_link link;
    int64_t key, id;
    int64_t largest; /* summary: the largest id in this branch */
};

static const struct leaf *leaf_of(const struct yk_tree_link *link)
{
    return AT(link, const struct leaf, link);
}

static int leaf_order(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct leaf *x = leaf_of(a), *y = leaf_of(b);
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int64_t largest_below(const struct yk_tree_link *link)
{
    int64_t largest = leaf_of(link)->id;
    if (link->left != NULL)
        largest = YK_MAX(largest, leaf_of(link->left)->largest);
    if (link->right != NULL)
        largest = YK_MAX(largest, leaf_of(link->right)->largest);
    return largest;
}

static bool summarize(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    struct leaf *leaf = AT(link, struct leaf, link);
    int64_t before = leaf->largest;
    leaf->largest = same != NULL ? leaf_of(same)->largest : largest_below(link);
    return leaf->largest != before;
}

static void check_tree(const struct yk_tree *tree, const struct leaf *leaves, uint64_t seed)
{
    size_t linked = 0, walked = 0;
    int64_t largest = -1;
    for (int i = 0; i < ITEMS; i++) {
        if (!yk_tree_linked(&leaves[i].link))
            continue;
        linked++;
        largest = YK_MAX(largest, leaves[i].id);
    }
    const struct leaf *before = NULL, *leaf;
    yk_tree_foreach (leaf, tree, const struct leaf, link) {
        if (before != NULL && leaf_order(&before->link, &leaf->link) >= 0)
            fail_msg("seed %llu: out of order", (unsigned long long)seed);
        if (leaf->largest != largest_below(&leaf->link))
            fail_msg("seed %llu: a summary is wrong", (unsigned long long)seed);
        before = leaf;
        walked++;
    }
    if (!yk_tree_valid(tree) || linked != tree->count || walked != tree->count)
        fail_msg("seed %llu: %zu linked, %zu walked, %zu counted", (unsigned long long)seed, linked, walked,
                 tree->count);
    if (tree->root != NULL && leaf_of(tree->root)->largest != largest)
        fail_msg("seed %llu: summary of the root is wrong", (unsigned long long)seed);
}

static void step_tree(struct yk_tree *tree, struct leaf *leaf, struct yk_random *random)
{
    if (!yk_tree_linked(&leaf->link)) {
        leaf->key = (int64_t)yk_random_below(random, 50);
        yk_tree_insert(tree, &leaf->link);
    } else if (yk_random_below(random, 2) == 0) {
        yk_tree_remove(tree, &leaf->link);
        assert_false(yk_tree_linked(&leaf->link));
    } else {
        leaf->key = (int64_t)yk_random_below(random, 50);
        yk_tree_moved(tree, &leaf->link);
    }
}

static void a_tree_stays_ordered_and_balanced(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct leaf leaves[ITEMS] = {0};
        struct yk_tree tree = {.order = leaf_order, .summarize = summarize};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int i = 0; i < ITEMS; i++)
            leaves[i].id = i;
        for (int step = 0; step < STEPS; step++) {
            step_tree(&tree, &leaves[yk_random_below(&random, ITEMS)], &random);
            if (step % 2 == 0)
                check_tree(&tree, leaves, seed);
        }
        while (yk_tree_first(&tree) != NULL)
            yk_tree_remove(&tree, yk_tree_first(&tree));
        check_tree(&tree, leaves, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_stays_ordered_and_balanced),
    };
    return cmocka_run_group_tests_name("base/tree", tests, NULL, NULL);
}
