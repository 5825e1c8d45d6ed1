/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/yaml_scalar.h"

static void collections_nest(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_buf_text(&out, "# before\n");
    struct yk_yaml_writer *yaml = yk_yaml_writer_new(&out);
    yk_yaml_map_begin(yaml);
    yk_yaml_put_text(yaml, YK_STR("empty"));
    yk_yaml_list_begin(yaml);
    yk_yaml_list_end(yaml);
    yk_yaml_put_text(yaml, YK_STR("list"));
    yk_yaml_list_begin(yaml);
    yk_yaml_put_plain(yaml, "12");
    yk_yaml_map_begin(yaml);
    yk_yaml_put_text(yaml, YK_STR("a"));
    yk_yaml_put_plain(yaml, "true");
    yk_yaml_put_text(yaml, YK_STR("b"));
    yk_yaml_map_begin(yaml);
    yk_yaml_map_end(yaml);
    yk_yaml_map_end(yaml);
    yk_yaml_list_end(yaml);
    yk_yaml_map_end(yaml);
    assert_true(yk_yaml_writer_end(yaml));
    assert_string_equal(yk_buf_cstr(&out), "# before\n"
                                           "empty: []\n"
                                           "list:\n"
                                           "- 12\n"
                                           "- a: true\n"
                                           "  b: {}\n");
}

static void write_text(struct yk_str text, struct yk_buf *out)
{
    struct yk_yaml_writer *yaml = yk_yaml_writer_new(out);
    yk_yaml_map_begin(yaml);
    yk_yaml_put_text(yaml, text);
    yk_yaml_put_text(yaml, text);
    yk_yaml_map_end(yaml);
    assert_true(yk_yaml_writer_end(yaml));
}

static bool is_text(const struct yk_yaml_node *node, struct yk_str want)
{
    return node != NULL && node->kind == YK_YAML_SCALAR && yk_str_eq(node->u.text, want) &&
           !(node->plain && yk_yaml_scalar_needs_quotes(want));
}

/* As a key and as a value. */
static void expect_same_text(struct yk_str text, struct yk_str want)
{
    static const struct yk_yaml_limits limits = {.nodes = 100, .memory_bytes = 1 << 20, .depth = 10};
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_arena arena = {0};
    struct yk_yaml_node *root = NULL;
    struct yk_err err = {0};
    write_text(text, &out);
    for (size_t i = 0; i < out.len; i++)
        assert_true(out.p[i] == '\n' || (out.p[i] >= ' ' && out.p[i] <= '~'));
    if (yk_yaml_parse(yk_buf_view(&out), &limits, &arena, &root, &err) != YK_OK)
        fail_msg("%s: %s", yk_buf_cstr(&out), err.text);
    if (!is_text(root->u.children.first, want) || !is_text(root->u.children.last, want))
        fail_msg("%s", yk_buf_cstr(&out));
    yk_arena_done(&arena);
}

static void texts_read_back_as_they_were(void **state)
{
    (void)state;
    static const struct yk_str texts[] = {YK_STR(""),
                                          YK_STR("a"),
                                          YK_STR("no"),
                                          YK_STR("~"),
                                          YK_STR("010"),
                                          YK_STR("-1"),
                                          YK_STR("2001-01-01"),
                                          YK_STR("a: b"),
                                          YK_STR("#c"),
                                          YK_STR("a #c"),
                                          YK_STR("- z"),
                                          YK_STR("*a"),
                                          YK_STR("&b"),
                                          YK_STR("<<"),
                                          YK_STR("="),
                                          YK_STR("{a}"),
                                          YK_STR("it's"),
                                          YK_STR(" x"),
                                          YK_STR("y "),
                                          YK_STR("a\nb"),
                                          YK_STR("\na\n\n"),
                                          YK_STR("a\tb"),
                                          YK_STR("a\0b"),
                                          YK_STR("\x7f\xc2\x85"),
                                          YK_STR("\xef\xbb\xbf"),
                                          YK_STR("!tag"),
                                          YK_STR("%"),
                                          YK_STR("@ `"),
                                          YK_STR("\xe2\x82\xac"),
                                          YK_STR("\xf0\x9f\x98\x80"),
                                          YK_STR("? a"),
                                          YK_STR("---"),
                                          YK_STR("..."),
                                          YK_STR("\"q\""),
                                          YK_STR("\\")};
    for (size_t i = 0; i < YK_COUNT(texts); i++)
        expect_same_text(texts[i], texts[i]);
    char long_text[3000]; /* longer than a key may be on one line */
    memset(long_text, 'k', sizeof(long_text));
    expect_same_text((struct yk_str){long_text, sizeof(long_text)},
                     (struct yk_str){long_text, sizeof(long_text)});
}

static void bytes_that_are_no_text_are_replaced(void **state)
{
    (void)state;
    expect_same_text(YK_STR("a\xff"), YK_STR("a\xef\xbf\xbd"));
    expect_same_text(YK_STR("\xc3"), YK_STR("\xef\xbf\xbd"));
}

static void what_does_not_fit_shows(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = 100};
    struct yk_yaml_writer *yaml = yk_yaml_writer_new(&out);
    yk_yaml_list_begin(yaml);
    for (int i = 0; i < 100000; i++) /* more than the emitter keeps */
        yk_yaml_put_plain(yaml, "1");
    yk_yaml_list_end(yaml);
    assert_false(yk_yaml_writer_end(yaml));
    assert_true(out.failed && out.len <= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collections_nest),
        cmocka_unit_test(texts_read_back_as_they_were),
        cmocka_unit_test(bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(what_does_not_fit_shows),
    };
    return cmocka_run_group_tests_name("base/yaml_writer", tests, NULL, NULL);
}
