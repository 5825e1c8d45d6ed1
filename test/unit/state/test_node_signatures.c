/* SPDX-License-Identifier: Apache-2.0 */
#include "state/node_signatures.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { NODES = 300, KINDS = 40, STEPS = 4000, NONE = -1 };

struct model {
    int kind_of[NODES];
    bool passes[KINDS];
    unsigned asked[KINDS];
};

static bool passes(void *context, uint32_t node_index)
{
    struct model *model = context;
    assert_in_range(node_index, 0, NODES - 1);
    int kind = model->kind_of[node_index];
    assert_int_not_equal(kind, NONE);
    model->asked[kind]++;
    return model->passes[kind];
}

static void check(struct yk_node_signatures *kinds, struct model *model, struct yk_bitset *found)
{
    size_t ones = 0;
    memset(model->asked, 0, sizeof(model->asked));
    yk_node_signatures_select(kinds, passes, model, found);
    for (uint32_t i = 0; i < NODES; i++) {
        bool want = model->kind_of[i] != NONE && model->passes[model->kind_of[i]];
        assert_int_equal(yk_bitset_test(found, i), want);
        ones += want;
    }
    assert_int_equal(found->ones, ones);
    for (size_t kind = 0; kind < KINDS; kind++)
        assert_in_range(model->asked[kind], 0, 1);
}

static void all_nodes_of_a_kind_get_its_answer(void **state)
{
    (void)state;
    struct yk_node_signatures kinds = {0};
    struct yk_bitset found = {0};
    struct model model = {.asked = {0}};
    struct yk_random random;
    yk_random_init(&random, 7);
    for (size_t i = 0; i < NODES; i++)
        model.kind_of[i] = NONE;
    for (size_t step = 0; step < STEPS; step++) {
        uint32_t node = (uint32_t)yk_random_below(&random, 1 + step * NODES / STEPS); /* more and more */
        bool goes = yk_random_below(&random, 4) == 0;
        model.kind_of[node] = goes ? NONE : (int)yk_random_below(&random, KINDS);
        model.passes[yk_random_below(&random, KINDS)] = yk_random_below(&random, 2) == 0;
        if (goes)
            yk_node_signatures_forget(&kinds, node);
        else
            yk_node_signatures_set(&kinds, node, (uint32_t)model.kind_of[node]);
        if (step % 16 == 0)
            check(&kinds, &model, &found);
    }
    yk_bitset_done(&found);
    yk_node_signatures_done(&kinds);
}

static void what_was_found_before_is_replaced(void **state)
{
    (void)state;
    struct yk_node_signatures kinds = {0};
    struct yk_bitset found = {0};
    yk_bitset_set(&found, 5);
    yk_bitset_set(&found, 5000); /* no node was ever there */
    yk_node_signatures_select(&kinds, passes, NULL, &found);
    assert_int_equal(found.ones, 0);
    struct model model = {.kind_of = {2}, .passes = {[2] = true}};
    yk_node_signatures_set(&kinds, 0, 2);
    yk_bitset_set(&found, 5000);
    yk_node_signatures_select(&kinds, passes, &model, &found);
    assert_int_equal(found.ones, 1);
    assert_true(yk_bitset_test(&found, 0));
    yk_bitset_done(&found);
    yk_node_signatures_done(&kinds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_nodes_of_a_kind_get_its_answer),
        cmocka_unit_test(what_was_found_before_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
