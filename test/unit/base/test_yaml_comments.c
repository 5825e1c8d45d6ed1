/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_comments.h"
#include "lib/cmocka_headers.h"

static void comments_go_and_lines_stay(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"nothing", "", ""},
        {"no text", NULL, ""},
        {"no comment", "a: 1\nb: [c, 'd']\n", "a: 1\nb: [c, 'd']\n"},
        {"behind a value", "a: 1 \t# secret\nb: 2\n", "a: 1\nb: 2\n"},
        {"a whole line", "a:\n  # secret\n  b: 2\n", "a:\n\n  b: 2\n"},
        {"first and last", "# one\na: 1\n# two", "\na: 1\n"},
        {"only comments", "# one\n\n# two\n", "\n\n\n"},
        {"no comment without a blank", "a: root.a#b\n", "a: root.a#b\n"},
        {"in quotes", "a: 'x # y' # z\nb: \"x # y\"#z\n", "a: 'x # y'\nb: \"x # y\"\n"},
        {"in a quoted text of two lines", "a: 'x # y\n  # z' # secret\n", "a: 'x # y\n  # z'\n"},
        {"in a flow list", "a: [b, # secret\n  c]\n", "a: [b,\n  c]\n"},
        {"in a block text it is text", "a: |\n  x # y\n  # z\nb: 1 # secret\n",
         "a: |\n  x # y\n  # z\nb: 1\n"},
        {"behind the head of a block text", "a: >- # secret\n  x # y\nb: 1\n", "a: >-\n  x # y\nb: 1\n"},
        {"behind a block text", "a: |\n  x\n# secret\nb: 1\n", "a: |\n  x\n\nb: 1\n"},
        {"anchors, tags and merges", "a: &x {b: !!str c} # 1\nd: {<<: *x} # 2\n",
         "a: &x {b: !!str c}\nd: {<<: *x}\n"},
        {"directive and documents", "%YAML 1.1 # 1\n--- # 2\na: 1\n... # 3\n", "%YAML 1.1\n---\na: 1\n...\n"},
        {"characters of several bytes", "ä: 'ö # €' # secret ü\n日本: x # y\n", "ä: 'ö # €'\n日本: x\n"},
        {"a byte order mark",
         "\xEF\xBB\xBF"
         "a: 1 # secret\n",
         "\xEF\xBB\xBF"
         "a: 1\n"},
        {"ends of lines of Windows", "a: 1 # secret\r\nb: 2\r\n", "a: 1\r\nb: 2\r\n"},
        {"sequences without indentation", "a:\n- b # 1\n# 2\n- c\n", "a:\n- b\n\n- c\n"},
        {"not YAML: every # begins one", "a: 1 # x\n\tb: 'c # d\ne: f#g\n", "a: 1\n\tb: 'c\ne: f\n"},
        {"not UTF-8", "a: 1 # x\nb: \xFF # y\n", "a: 1\nb: \xFF\n"},
        {"UTF-16 is not UTF-8",
         "\xFF\xFE"
         "a # b\n",
         "\xFF\xFE"
         "a\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        yk_yaml_strip_comments(yk_str_from(cases[i].text), &out);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%s: \"%s\"", cases[i].what, yk_buf_cstr(&out));
        assert_int_equal(strlen(yk_buf_cstr(&out)), out.len);
    }
}

/* The scanner looks at all open collections for each token: without a bound this takes minutes. */
static void deep_text_costs_little(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, out = {0};
    for (int i = 0; i < 1 << 19; i++)
        yk_buf_text(&text, "[{");
    yk_buf_text(&text, " # secret");
    yk_yaml_strip_comments(yk_buf_view(&text), &out);
    assert_int_equal(out.len, 1 << 20);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_go_and_lines_stay),
        cmocka_unit_test(deep_text_costs_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
