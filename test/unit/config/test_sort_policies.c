/* SPDX-License-Identifier: Apache-2.0 */
#include "config/sort_policies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void names_lead_to_policies_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < YK_NODE_SORT_COUNT; i++) {
        enum yk_node_sort sort = YK_NODE_SORT_COUNT;
        assert_true(yk_node_sort_of(yk_str_from(yk_node_sort_name((enum yk_node_sort)i)), &sort));
        assert_int_equal(sort, i);
    }
    for (int i = 0; i < YK_APP_SORT_COUNT; i++) {
        enum yk_app_sort sort = YK_APP_SORT_COUNT;
        assert_true(yk_app_sort_of(yk_str_from(yk_app_sort_name((enum yk_app_sort)i)), &sort));
        assert_int_equal(sort, i);
    }
}

static void other_names_are_refused(void **state)
{
    static const char *const others[] = {"", "Fair", "fair ", "fai", "unknown"};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        enum yk_node_sort node = YK_NODE_SORT_COUNT;
        enum yk_app_sort app = YK_APP_SORT_COUNT;
        assert_false(yk_node_sort_of(yk_str_from(others[i]), &node));
        assert_false(yk_app_sort_of(yk_str_from(others[i]), &app));
        assert_int_equal(node, YK_NODE_SORT_COUNT);
        assert_int_equal(app, YK_APP_SORT_COUNT);
    }
}

static void messages_name_all(void **state)
{
    (void)state;
    char quoted[64];
    for (int sort = 0; sort < YK_NODE_SORT_COUNT; sort++) {
        (void)snprintf(quoted, sizeof(quoted), "'%s'", yk_node_sort_name((enum yk_node_sort)sort)); /* fits */
        assert_non_null(strstr(yk_node_sorts_neither, quoted));
    }
    for (int sort = 0; sort < YK_APP_SORT_COUNT; sort++) {
        (void)snprintf(quoted, sizeof(quoted), "'%s'", yk_app_sort_name((enum yk_app_sort)sort)); /* fits */
        assert_non_null(strstr(yk_app_sorts_either, quoted));
    }
    assert_int_equal(strncmp(yk_node_sorts_neither, "neither 'fair'", 14), 0);
    assert_non_null(strstr(yk_node_sorts_neither, " nor 'binpacking'"));
    assert_int_equal(strncmp(yk_app_sorts_either, "'fifo', 'fair'", 14), 0);
    assert_non_null(strstr(yk_app_sorts_either, " or 'stateaware'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_policies_and_back),
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(messages_name_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
