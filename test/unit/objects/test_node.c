/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/amounts.h"
#include "objects/node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct yk_resvec amounts(int type, int64_t amount)
{
    struct yk_resvec r = {0};
    yk_resvec_put(&r, type, amount);
    return r;
}

/* Types that a node did not have room for at first: booked on it without being offered, or offered later. */
static void a_node_takes_types_that_come_later(void **state)
{
    (void)state;
    enum { LATE = YK_RESTYPE_MAX - 1, MIDDLE = YK_RESTYPE_MAX / 2 };
    struct yk_resvec capacity = amounts(YK_RESTYPE_VCORE, 10), size = {0};
    struct yk_node *node = yk_node_new("n", &capacity, NULL, 0, NULL);

    set_amounts(&size, amounts(MIDDLE, 3));
    yk_node_resize_allocation(node, &size);
    assert_int_equal(yk_resvec_get(node->available, MIDDLE), -3);
    assert_int_equal(yk_resvec_get(node->available, YK_RESTYPE_VCORE), 10);

    yk_resvec_put(&capacity, LATE, 7);
    yk_node_set_capacity(node, &capacity);
    set_amounts(&size, amounts(LATE, 2));
    assert_true(yk_node_has_capacity(node, &size));
    yk_node_resize_allocation(node, &size);
    assert_int_equal(yk_resvec_get(node->available, LATE), 5);
    assert_int_equal(yk_resvec_get(node->available, MIDDLE), -3);

    set_amounts(&size, amounts(MIDDLE, -3)); /* neither there nor used: its name may be given back */
    yk_node_resize_allocation(node, &size);
    assert_false(yk_resvec_has(node->available, MIDDLE));

    set_amounts(&capacity, amounts(YK_RESTYPE_VCORE, 4)); /* what is used of the others stays used */
    yk_node_set_capacity(node, &capacity);
    assert_int_equal(yk_resvec_get(node->available, LATE), -2);
    assert_int_equal(yk_resvec_get(node->available, YK_RESTYPE_VCORE), 4);
    yk_node_free(node);
    yk_resvec_done(&size);
    yk_resvec_done(&capacity);
}

static void a_node_of_nothing(void **state)
{
    (void)state;
    const struct yk_resvec nothing = {0}, some = amounts(YK_RESTYPE_MEMORY, 1);
    struct yk_node *node = yk_node_new("n", &nothing, NULL, 0, NULL);
    assert_true(yk_resvec_is_empty(node->available));
    assert_true(yk_node_has_capacity(node, &nothing));
    assert_false(yk_node_has_capacity(node, &some));
    yk_node_free(node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_takes_types_that_come_later),
        cmocka_unit_test(a_node_of_nothing),
    };
    return cmocka_run_group_tests_name("objects/node", tests, NULL, NULL);
}
