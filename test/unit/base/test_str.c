/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static void views_compare(void **state)
{
    (void)state;
    assert_true(yk_str_eq(YK_STR("a"), YK_STR("a")));
    assert_true(yk_str_eq((struct yk_str){0}, YK_STR(""))); /* absent and empty differ only in p */
    assert_false(yk_str_eq(YK_STR("a"), YK_STR("ab")));
    assert_true(yk_str_cmp(YK_STR("a"), YK_STR("ab")) < 0);
    assert_true(yk_str_cmp(YK_STR("b"), YK_STR("ab")) > 0);
    assert_int_equal(yk_str_cmp((struct yk_str){0}, YK_STR("")), 0);
    assert_true(yk_str_cmp(YK_STR("\xff"), YK_STR("a")) > 0);
    assert_true(yk_str_is_nocase(YK_STR("Keep-Alive"), "keep-alive"));
    assert_true(yk_str_is_nocase((struct yk_str){0}, ""));
    assert_false(yk_str_is_nocase(YK_STR("keep"), "keep-alive"));
    assert_false(yk_str_is_nocase(YK_STR("keep-alive"), "keep"));
    assert_true(yk_str_starts(YK_STR("root.a"), "root.") && !yk_str_starts(YK_STR("roo"), "root"));
    assert_true(yk_str_ends(YK_STR("a.yaml"), ".yaml") && !yk_str_ends(YK_STR("yaml"), ".yaml"));
    assert_true(yk_str_is(yk_str_trim(YK_STR(" \t\r\nx y\v\f ")), "x y"));
    assert_int_equal(yk_str_trim(YK_STR(" \n ")).len, 0);
    YK_CLEANUP(yk_freep) char *lower = yk_str_lower(YK_STR("AbZ-\xc3\x84"));
    assert_string_equal(lower, "abz-\xc3\x84");
}

static void characters_are_those_of_utf8(void **state)
{
    (void)state;
    static const struct {
        struct yk_str text;
        size_t bytes;
    } cases[] = {
        {{0}, 0},
        {YK_STR("ab"), 1},
        {YK_STR("\0"), 1},
        {YK_STR("\x7f"), 1},
        {YK_STR("\xc2\x80"), 2},
        {YK_STR("\xe0\xa0\x80"), 3},
        {YK_STR("\xed\x9f\xbf"), 3},
        {YK_STR("\xf4\x8f\xbf\xbfz"), 4},
        {YK_STR("\x80"), 0},     /* no beginning */
        {YK_STR("\xe2\x82"), 0}, /* cut short */
        {YK_STR("\xc3z"), 0},
        {YK_STR("\xc1\xbf"), 0}, /* overlong */
        {YK_STR("\xe0\x9f\xbf"), 0},
        {YK_STR("\xf0\x8f\xbf\xbf"), 0},
        {YK_STR("\xed\xa0\x80"), 0},     /* a surrogate */
        {YK_STR("\xf4\x90\x80\x80"), 0}, /* beyond U+10FFFF */
        {YK_STR("\xf5\x80\x80\x80"), 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++)
        assert_int_equal(yk_utf8_bytes(cases[i].text), cases[i].bytes);
}

static void texts_split(void **state)
{
    (void)state;
    static const struct {
        const char *text, *parts[4];
    } cases[] = {
        {"a..b", {"a", "", "b", NULL}}, {"", {"", NULL}},        {"a", {"a", NULL}},
        {".", {"", "", NULL}},          {"a.", {"a", "", NULL}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str rest = yk_str_from(cases[i].text), part;
        size_t at = 0;
        for (; yk_str_split(&rest, '.', &part); at++) {
            if (cases[i].parts[at] == NULL || !yk_str_is(part, cases[i].parts[at]))
                fail_msg("'%s', part %zu", cases[i].text, at);
        }
        assert_null(cases[i].parts[at]);
    }
}

static void numbers_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_signed, is_unsigned;
        int64_t i;
        uint64_t u;
    } cases[] = {
        {"0", true, true, 0, 0},
        {"007", true, true, 7, 7},
        {"+7", true, false, 7, 0},
        {"-7", true, false, -7, 0},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", false, true, 0, UINT64_C(9223372036854775808)},
        {"-9223372036854775808", true, false, INT64_MIN, 0},
        {"-9223372036854775809", false, false, 0, 0},
        {"18446744073709551615", false, true, 0, UINT64_MAX},
        {"18446744073709551616", false, false, 0, 0},
        {"", false, false, 0, 0},
        {"-", false, false, 0, 0},
        {" 1", false, false, 0, 0},
        {"1x", false, false, 0, 0},
        {"0x10", false, false, 0, 0},
        {"1.0", false, false, 0, 0},
    };
    for (size_t n = 0; n < YK_COUNT(cases); n++) {
        int64_t i = 0;
        uint64_t u = 0;
        bool is_signed = yk_str_to_i64(yk_str_from(cases[n].text), &i) == YK_OK;
        bool is_unsigned = yk_str_to_u64(yk_str_from(cases[n].text), &u) == YK_OK;
        if (is_signed != cases[n].is_signed || is_unsigned != cases[n].is_unsigned || i != cases[n].i ||
            u != cases[n].u)
            fail_msg("'%s': %lld %llu", cases[n].text, (long long)i, (unsigned long long)u);
    }
    bool truth = false;
    assert_true(yk_str_to_bool(YK_STR("True"), &truth) == YK_OK && truth);
    assert_true(yk_str_to_bool(YK_STR("f"), &truth) == YK_OK && !truth);
    assert_int_equal(yk_str_to_bool(YK_STR("yes"), &truth), YK_ERR_INVALID);
    assert_int_equal(yk_str_to_bool(YK_STR(""), &truth), YK_ERR_INVALID);
}

static void a_buffer_never_grows_beyond_its_maximum(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf buf = {.max = 10};
    assert_string_equal(yk_buf_cstr(&buf), "");
    yk_buf_text(&buf, "12345");
    yk_buf_printf(&buf, "%d", 678);
    assert_false(buf.failed);
    yk_buf_text(&buf, "too much");
    assert_true(buf.failed);
    assert_string_equal(yk_buf_cstr(&buf), "12345678"); /* all of it was left out */
    yk_buf_text(&buf, "90");
    assert_int_equal(buf.len, 10);
    assert_null(yk_buf_reserve(&buf, 1));
    assert_null(yk_buf_reserve(&buf, SIZE_MAX));
    yk_buf_consume(&buf, 4);
    assert_string_equal(yk_buf_cstr(&buf), "567890");
    yk_buf_clear(&buf);
    assert_false(buf.failed);
    char *taken = yk_buf_take(&buf);
    assert_string_equal(taken, "");
    free(taken);
    yk_buf_printf(&buf, "%s", "a longer line than the maximum");
    assert_true(buf.failed);
    struct yk_buf large = {0};
    yk_buf_printf(&large, "%*d", 1000, 7); /* longer than any buffer on the stack */
    assert_int_equal(large.len, 1000);
    yk_buf_done(&large);
}

static void base64_is_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want; /* NULL: refused */
    } cases[] = {
        {"", ""},      {"YQ==", "a"}, {"YWI=", "ab"},      {"YWJj", "abc"}, {"YWJj\nZGVm", "abcdef"},
        {"YQ=", NULL}, {"Y", NULL},   {"YQ==YQ==!", NULL}, {"$$$$", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = 100};
        struct yk_err err = {0};
        bool ok = yk_base64_decode(yk_str_from(cases[i].text), &out, &err) == YK_OK;
        if (ok != (cases[i].want != NULL) || (ok && strcmp(yk_buf_cstr(&out), cases[i].want) != 0))
            fail_msg("'%s': '%s' %s", cases[i].text, yk_buf_cstr(&out), err.text);
    }
    for (size_t i = 0; i < 4; i++) { /* and back */
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8};
        yk_buf_char(&text, '>');
        yk_base64_encode(yk_str_from(cases[i].want), &text);
        assert_string_equal(yk_buf_cstr(&text) + 1, cases[i].text);
        assert_int_equal(text.len, strlen(cases[i].text) + 1);
        yk_base64_encode(YK_STR("abcdef"), &text);
        assert_true(text.failed);
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf exact = {.max = 8}; /* all bytes of `max` can be used */
    yk_base64_encode(YK_STR("abcdef"), &exact);
    assert_false(exact.failed);
    assert_string_equal(yk_buf_cstr(&exact), "YWJjZGVm");
    YK_CLEANUP(yk_buf_done) struct yk_buf small = {.max = 2};
    assert_int_equal(yk_base64_decode(YK_STR("YWJj"), &small, NULL), YK_ERR_LIMIT);
}

static void files_are_bounded(void **state)
{
    (void)state;
    struct yk_err err = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf buf = {.max = 4};
    assert_int_equal(yk_file_read("/nonexistent/file", &buf, &err), YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/nonexistent/file"));
    char path[] = "/tmp/yk-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "12345", 5), 5);
    assert_int_equal(yk_file_read(path, &buf, &err), YK_ERR_LIMIT);
    YK_CLEANUP(yk_buf_done) struct yk_buf whole = {.max = 5};
    assert_int_equal(yk_file_read(path, &whole, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&whole), "12345");
    YK_CLEANUP(yk_buf_done) struct yk_buf usual = {0}; /* the maximum of 64 MiB is in the message */
    assert_int_equal(ftruncate(fd, (64 << 20) + 1), 0);
    assert_int_equal(yk_file_read(path, &usual, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "is larger than 67108864 bytes"));
    (void)close(fd);
    (void)unlink(path);
}

static void errors_collect_prefixes(void **state)
{
    (void)state;
    struct yk_err err = {0};
    assert_int_equal(yk_fail(&err, YK_ERR_INVALID, "'%s' is no number", "x"), YK_ERR_INVALID);
    assert_int_equal(yk_fail_in(&err, YK_ERR_INVALID, "line %d", 3), YK_ERR_INVALID);
    assert_string_equal(err.text, "line 3: 'x' is no number");
    assert_int_equal(yk_fail(NULL, YK_ERR_IO, "no listener"), YK_ERR_IO);
    for (int i = 0; i < 400; i++)
        (void)yk_fail_in(&err, YK_ERR_INVALID, "deeper"); /* cut, never overrun */
    assert_true(strlen(err.text) < YK_ERR_TEXT_MAX);
}

static void a_line_has_no_marks_of_direction(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"a\xE2\x80\xAE"
         "b",
         "a\\u202eb"},
        {"\xE2\x80\xAA\xE2\x81\xA6\xE2\x81\xA9", "\\u202a\\u2066\\u2069"},
        {"\xE2\x80\xA8\x1b[31m\n", "\\u2028\\x1b[31m\\n"},
        {"\xE2\x80\xA6 \xE2\x82\xAC \xE2\x81\xA5", "\xE2\x80\xA6 \xE2\x82\xAC \xE2\x81\xA5"}, /* no marks */
        {"\xE2\x80", "\xE2\x80"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
        yk_buf_line(&line, yk_str_from(cases[i].text));
        assert_string_equal(yk_buf_cstr(&line), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_compare),
        cmocka_unit_test(characters_are_those_of_utf8),
        cmocka_unit_test(texts_split),
        cmocka_unit_test(numbers_are_checked),
        cmocka_unit_test(a_buffer_never_grows_beyond_its_maximum),
        cmocka_unit_test(base64_is_decoded),
        cmocka_unit_test(files_are_bounded),
        cmocka_unit_test(errors_collect_prefixes),
        cmocka_unit_test(a_line_has_no_marks_of_direction),
    };
    return cmocka_run_group_tests_name("base/str", tests, NULL, NULL);
}
