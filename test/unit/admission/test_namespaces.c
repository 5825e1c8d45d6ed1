/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/namespaces.h"
#include "admission/reviewer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define K "yunikorn.apache.org/namespace."

static void annotations_have_three_states(void **state)
{
    (void)state;
    static const struct {
        const char *value; /* NULL: none */
        bool in_kube_system, elsewhere;
    } cases[] = {{NULL, false, true}, {"true", true, true},   {"false", false, false},
                 {"", false, false},  {"True", false, false}, {"1", false, false}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_admission_settings settings;
        struct yk_marks marks = {0};
        struct yk_pair pair = {YK_STR(K "enableYuniKorn"), yk_str_from(cases[i].value)};
        struct yk_object object = {.annotations = {&pair, cases[i].value != NULL}};
        yk_admission_settings_init(&settings);
        object.name = YK_STR("kube-system");
        assert_int_equal(yk_namespaces_put(&marks, &object, NULL), YK_OK);
        object.name = YK_STR("dev");
        assert_int_equal(yk_namespaces_put(&marks, &object, NULL), YK_OK);
        if (yk_namespace_is_processed(&marks, &settings, YK_STR("kube-system")) != cases[i].in_kube_system ||
            yk_namespace_is_processed(&marks, &settings, YK_STR("dev")) != cases[i].elsewhere)
            fail_msg("value '%s'", cases[i].value);
        assert_true(yk_namespace_is_labelled(&marks, &settings, YK_STR("dev")));
        yk_marks_done(&marks);
        yk_admission_settings_done(&settings);
    }
}

static void marks_are_bounded(void **state)
{
    (void)state;
    struct yk_marks marks = {0};
    char name[300];
    for (int i = 0; i < YK_REVIEWER_OBJECTS_MAX; i++) {
        (void)snprintf(name, sizeof(name), "n%d", i);
        assert_int_equal(yk_marks_set(&marks, yk_str_from(name), 1, NULL), YK_OK);
    }
    assert_int_equal(yk_marks_set(&marks, YK_STR("more"), 1, NULL), YK_ERR_LIMIT);
    assert_int_equal(yk_marks_set(&marks, YK_STR("more"), 0, NULL), YK_OK);
    yk_marks_forget(&marks, YK_STR("n5"));
    yk_marks_forget(&marks, YK_STR("n5"));
    assert_int_equal(yk_marks_set(&marks, YK_STR("more"), 2, NULL), YK_OK);
    assert_int_equal(yk_marks_get(&marks, YK_STR("more")), 2);
    yk_marks_forget(&marks, YK_STR("n6"));
    memset(name, 'a', sizeof(name));
    assert_int_equal(yk_marks_set(&marks, (struct yk_str){name, 254}, 1, NULL), YK_ERR_LIMIT);
    yk_marks_done(&marks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(annotations_have_three_states),
                                       cmocka_unit_test(marks_are_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
