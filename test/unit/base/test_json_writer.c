/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_writer.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void commas_and_nesting(void **state)
{
    (void)state;
    struct yk_buf out = {0};
    struct yk_json json;
    yk_json_init(&json, &out);
    yk_json_object_begin(&json);
    yk_json_key(&json, "empty");
    yk_json_array_begin(&json);
    yk_json_array_end(&json);
    yk_json_key(&json, "list");
    yk_json_array_begin(&json);
    yk_json_int(&json, INT64_MIN);
    yk_json_uint(&json, UINT64_MAX);
    yk_json_bool(&json, true);
    yk_json_bool(&json, false);
    yk_json_null(&json);
    yk_json_object_begin(&json);
    yk_json_object_end(&json);
    yk_json_raw(&json, YK_STR("[1,2]"));
    yk_json_text(&json, "a");
    yk_json_text(&json, NULL);
    yk_json_double(&json, 0.5);
    yk_json_array_end(&json);
    yk_json_key_str(&json, YK_STR("k\"ey"));
    yk_json_object_begin(&json);
    yk_json_key(&json, "x");
    yk_json_int(&json, 0);
    yk_json_object_end(&json);
    yk_json_object_end(&json);
    assert_string_equal(
        yk_buf_cstr(&out),
        "{\"empty\":[],\"list\":[-9223372036854775808,18446744073709551615,true,false,null,{},[1,2],"
        "\"a\",\"\",0.5],\"k\\\"ey\":{\"x\":0}}");
    assert_false(out.failed);
    assert_int_equal(json.depth, 0);
    yk_buf_done(&out);
}

static void members_in_one_call(void **state)
{
    (void)state;
    struct yk_buf out = {0};
    struct yk_json json;
    yk_json_init(&json, &out);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "text", NULL);
    yk_json_add_int(&json, "int", INT64_MIN);
    yk_json_add_uint(&json, "uint", UINT64_MAX);
    yk_json_add_double(&json, "double", 0.5);
    yk_json_add_bool(&json, "bool", false);
    yk_json_object_end(&json);
    assert_string_equal(yk_buf_cstr(&out),
                        "{\"text\":\"\",\"int\":-9223372036854775808,\"uint\":18446744073709551615,"
                        "\"double\":0.5,\"bool\":false}");
    yk_buf_done(&out);
}

static void strings_are_escaped_and_repaired(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_str in;
        const char *want;
    } cases[] = {
        {"plain text stays", YK_STR("root.a/b"), "\"root.a/b\""},
        {"an empty text", YK_STR(""), "\"\""},
        {"quote and backslash", YK_STR("a\"b\\c"), "\"a\\\"b\\\\c\""},
        {"short escapes", YK_STR("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
        {"other control characters, also NUL", YK_STR("\x01\x1f\0x"), "\"\\u0001\\u001f\\u0000x\""},
        {"delete stands for itself", YK_STR("\x7f"), "\"\x7f\""},
        {"what HTML reads is escaped", YK_STR("<a&b>"), "\"\\u003ca\\u0026b\\u003e\""},
        {"line and paragraph separator", YK_STR("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa"),
         "\"\\u2028\\u2029\xe2\x80\xaa\""},
        {"two, three and four byte characters stay", YK_STR("\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"),
         "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"a lone continuation byte", YK_STR("a\x80z"), "\"a\\ufffdz\""},
        {"an overlong slash", YK_STR("\xc0\xaf"), "\"\\ufffd\\ufffd\""},
        {"an overlong three byte form", YK_STR("\xe0\x80\xaf"), "\"\\ufffd\\ufffd\\ufffd\""},
        {"a surrogate half", YK_STR("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""},
        {"above U+10FFFF", YK_STR("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
        {"no lead byte starts with 0xf5", YK_STR("\xf5"), "\"\\ufffd\""},
        {"cut at the end of the text", YK_STR("x\xe2\x82"), "\"x\\ufffd\\ufffd\""},
        {"cut by the next character", YK_STR("\xe2\x82x"), "\"\\ufffd\\ufffdx\""},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf out = {0};
        yk_json_put_string(&out, cases[i].in);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%s: got %s", cases[i].what, yk_buf_cstr(&out));
        yk_buf_done(&out);
    }
}

static void doubles_come_out_as_in_go(void **state)
{
    (void)state;
    static const struct {
        double in;
        const char *want;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.30000000000000004, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100"},
        {123456789, "123456789"},
        {1e20, "100000000000000000000"},
        {1e21, "1e+21"},
        {1.5e300, "1.5e+300"},
        {0.000001, "0.000001"},
        {0.00000123, "0.00000123"},
        {1e-7, "1e-7"},
        {1.25e-10, "1.25e-10"},
        {5e-324, "5e-324"},
        {2.2250738585072011e-308, "2.225073858507201e-308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {9007199254740993.0, "9007199254740992"},
        {(double)NAN, "null"},
        {(double)INFINITY, "null"},
        {-(double)INFINITY, "null"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf out = {0};
        yk_json_put_double(&out, cases[i].in);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("want %s: got %s", cases[i].want, yk_buf_cstr(&out));
        yk_buf_done(&out);
    }
}

static void too_deep_is_refused_not_overrun(void **state)
{
    (void)state;
    struct yk_buf out = {0};
    struct yk_json json;
    yk_json_init(&json, &out);
    for (int i = 0; i < YK_JSON_DEPTH_MAX; i++)
        yk_json_array_begin(&json);
    assert_false(out.failed);
    size_t len = out.len;
    for (int i = 0; i < 10; i++) {
        yk_json_object_begin(&json);
        yk_json_key(&json, "k");
        yk_json_int(&json, 1);
    }
    assert_true(out.failed);
    assert_int_equal(out.len, len);
    for (int i = 0; i < 10; i++)
        yk_json_object_end(&json);
    for (int i = 0; i < YK_JSON_DEPTH_MAX; i++)
        yk_json_array_end(&json);
    assert_int_equal(json.depth, 0);
    assert_int_equal(out.len, 2 * YK_JSON_DEPTH_MAX);
    yk_buf_done(&out);
}

static void a_full_buffer_shows(void **state)
{
    (void)state;
    struct yk_buf out = {.max = 8};
    struct yk_json json;
    yk_json_init(&json, &out);
    yk_json_array_begin(&json);
    yk_json_text(&json, "longer than eight bytes");
    yk_json_array_end(&json);
    assert_true(out.failed);
    assert_true(out.len <= 8);
    yk_buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_and_nesting),
        cmocka_unit_test(members_in_one_call),
        cmocka_unit_test(strings_are_escaped_and_repaired),
        cmocka_unit_test(doubles_come_out_as_in_go),
        cmocka_unit_test(too_deep_is_refused_not_overrun),
        cmocka_unit_test(a_full_buffer_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
