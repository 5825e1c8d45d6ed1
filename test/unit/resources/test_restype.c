/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/restype.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void slots_are_given_once_and_bounded(void **state)
{
    (void)state;
    struct yk_err err = {0};
    int type = -1, again = -1;
    assert_int_equal(yk_restype_find(YK_STR("vcore")), YK_RESTYPE_VCORE);
    assert_int_equal(yk_restype_find(YK_STR("nvidia.com/gpu")), YK_RESTYPE_UNKNOWN);
    assert_int_equal(yk_restype_add(YK_STR("nvidia.com/gpu"), &type, &err), YK_OK);
    assert_int_equal(type, YK_RESTYPE_WELL_KNOWN);
    assert_int_equal(yk_restype_add(YK_STR("nvidia.com/gpu"), &again, &err), YK_OK);
    assert_int_equal(again, type);
    assert_int_equal(yk_restype_find(YK_STR("nvidia.com/gpu")), type);
    assert_string_equal(yk_restype_name(type), "nvidia.com/gpu");

    char name[YK_RESTYPE_NAME_MAX + 1];
    memset(name, 'n', sizeof(name));
    assert_int_equal(yk_restype_add((struct yk_str){name, sizeof(name)}, &again, &err), YK_ERR_LIMIT);
    assert_int_equal(yk_restype_add(YK_STR(""), &again, &err), YK_ERR_LIMIT);
    for (int i = yk_restype_count(); i < YK_RESTYPE_MAX; i++) {
        (void)snprintf(name, sizeof(name), "type-%02d", YK_RESTYPE_MAX - i);
        assert_int_equal(yk_restype_add(yk_str_from(name), &again, &err), YK_OK);
        assert_int_equal(again, i);
    }
    assert_int_equal(yk_restype_add(YK_STR("one-too-many"), &again, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "one-too-many"));
    assert_int_equal(yk_restype_find(YK_STR("one-too-many")), YK_RESTYPE_UNKNOWN);
}

static void types_are_sorted_by_name(void **state)
{
    (void)state;
    int types[YK_RESTYPE_MAX], count = yk_restype_sorted(types);
    assert_int_equal(count, yk_restype_count());
    for (int i = 1; i < count; i++)
        assert_true(strcmp(yk_restype_name(types[i - 1]), yk_restype_name(types[i])) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_given_once_and_bounded),
        cmocka_unit_test(types_are_sorted_by_name),
    };
    return cmocka_run_group_tests_name("resources/restype", tests, NULL, NULL);
}
