/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct yk_object_name pod = {YK_STR("Pod"), YK_STR("n"), YK_STR("p")};

static void the_worst_comes_first(void **state)
{
    (void)state;
    static const struct yk_check rows[] = {{.id = "a", .severity = YK_SEVERITY_WARNING},
                                           {.id = "b", .severity = YK_SEVERITY_ERROR},
                                           {.id = "c", .severity = YK_SEVERITY_WARNING}};
    YK_CLEANUP(yk_findings_done) struct yk_findings findings = {0};
    const struct yk_object_name other = {YK_STR("Pod"), YK_STR("n"), YK_STR("o")};
    yk_findings_add(&findings, &rows[2], &pod, "third");
    yk_findings_add(&findings, &rows[0], &pod, "second");
    yk_findings_add(&findings, &rows[2], &other, "before third");
    yk_findings_add(&findings, &rows[1], &pod, "first");
    yk_findings_sort(&findings);
    static const char *const want[] = {"first", "second", "before third", "third"};
    for (size_t i = 0; i < YK_COUNT(want); i++)
        assert_string_equal(findings.items[i]->sentence, want[i]);
    assert_int_equal(yk_findings_of(&findings, YK_SEVERITY_WARNING), 3);
    assert_int_equal(yk_findings_of(&findings, YK_SEVERITY_ERROR), 1);
    assert_int_equal(yk_findings_of(&findings, YK_SEVERITY_INFO), 0);
}

static void texts_are_one_line_and_cut(void **state)
{
    (void)state;
    static const struct yk_check row = {.id = "a"};
    YK_CLEANUP(yk_findings_done) struct yk_findings findings = {0};
    char *longest = yk_alloc0(3 * YK_FINDING_TEXT_MAX);
    memset(longest, 'x', 3 * YK_FINDING_TEXT_MAX - 1);
    memcpy(longest + YK_FINDING_TEXT_MAX - 1, "\xc3\xa4", 2); /* across the end */
    struct yk_finding *finding = yk_findings_add(&findings, &row, &pod, "%s", longest);
    assert_int_equal(strlen(finding->sentence), YK_FINDING_TEXT_MAX - 1);
    finding = yk_findings_add(&findings, &row, &pod, "a\nb\x1b[2J");
    assert_string_equal(finding->sentence, "a\\nb\\x1b[2J");
    yk_finding_set_command(&findings, finding, "kubectl\n%d", 1);
    assert_string_equal(finding->command, "kubectl\\n1");
    yk_finding_set_values(&findings, NULL, "nothing to set");
    free(longest);
}

static void words_of_a_shell(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"deployment/a-b.c_1:2", "deployment/a-b.c_1:2"},
        {"", "''"},
        {"a b", "'a b'"},
        {"$(x)", "'$(x)'"},
        {"it's", "'it'\\''s'"},
        {"a\nb", "'a\nb'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf word = {0};
        yk_shell_word(&word, yk_str_from(cases[i].text));
        assert_string_equal(yk_buf_cstr(&word), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_comes_first),
        cmocka_unit_test(texts_are_one_line_and_cut),
        cmocka_unit_test(words_of_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
