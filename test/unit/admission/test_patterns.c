/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/patterns.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void lists_match_unanchored(void **state)
{
    (void)state;
    static const struct {
        const char *list, *name;
        bool want;
    } cases[] = {
        {"", "a", false},
        {" , ,", "a", false},
        {"b", "abc", true},
        {"^b", "abc", false},
        {"^x$, ^abc$", "abc", true},
        {"^x$,^y$", "abc", false},
        {"^system:sa:", "system:sa:x", true},
        {"(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false},
        {"^$", "", true},
        {"x", "\xff", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_patterns_freep) struct yk_patterns *patterns = NULL;
        assert_int_equal(yk_patterns_new(yk_str_from(cases[i].list), &patterns, NULL), YK_OK);
        if (yk_patterns_match(patterns, yk_str_from(cases[i].name)) != cases[i].want)
            fail_msg("'%s' in '%s'", cases[i].list, cases[i].name);
    }
}

static void faulty_lists_are_refused(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf many = {0}, longest = {0};
    struct yk_patterns *patterns = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_patterns_new(YK_STR("a,(b"), &patterns, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "(b"));
    for (int i = 0; i <= YK_PATTERNS_MAX; i++)
        yk_buf_text(&many, "a,");
    assert_int_equal(yk_patterns_new(yk_buf_view(&many), &patterns, &err), YK_ERR_LIMIT);
    assert_null(patterns);
    assert_int_equal(yk_patterns_new(YK_STR("a"), &patterns, &err), YK_OK);
    for (int i = 0; i <= YK_PATTERN_SUBJECT_MAX; i++)
        yk_buf_char(&longest, 'a');
    assert_false(yk_patterns_match(patterns, yk_buf_view(&longest)));
    yk_patterns_free(patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_match_unanchored),
                                       cmocka_unit_test(faulty_lists_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
