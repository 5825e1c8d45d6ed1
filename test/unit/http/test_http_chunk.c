/* SPDX-License-Identifier: Apache-2.0 */
#include "http/http_chunk.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void lines(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_str bytes;
        enum yk_http_line want;
        const char *line;
    } cases[] = {
        {"a line", {"5\r\nrest", sizeof("5\r\nrest") - 1}, YK_HTTP_LINE_THERE, "5"},
        {"an empty line", {"\r\n", sizeof("\r\n") - 1}, YK_HTTP_LINE_THERE, ""},
        {"nothing yet", {"", sizeof("") - 1}, YK_HTTP_LINE_PARTIAL, NULL},
        {"no end yet", {"5;a", sizeof("5;a") - 1}, YK_HTTP_LINE_PARTIAL, NULL},
        {"half an end", {"5\r", sizeof("5\r") - 1}, YK_HTTP_LINE_PARTIAL, NULL},
        {"LF alone", {"5\n", sizeof("5\n") - 1}, YK_HTTP_LINE_BAD, NULL},
        {"CR alone", {"5\r5\r\n", sizeof("5\r5\r\n") - 1}, YK_HTTP_LINE_BAD, NULL},
        {"NUL", {"0\0junk\r\n", sizeof("0\0junk\r\n") - 1}, YK_HTTP_LINE_BAD, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str line = {0};
        size_t len = 0;
        enum yk_http_line got = yk_http_line(cases[i].bytes, &line, &len);
        if (got != cases[i].want)
            fail_msg("%s: %d", cases[i].what, got);
        if (got != YK_HTTP_LINE_THERE)
            continue;
        assert_true(yk_str_is(line, cases[i].line));
        assert_int_equal(len, line.len + 2);
    }
}

static void long_lines(void **state)
{
    char bytes[YK_HTTP_CHUNK_LINE_MAX + 1];
    struct yk_str line;
    size_t len;
    (void)state;
    memset(bytes, '1', sizeof(bytes));
    bytes[YK_HTTP_CHUNK_LINE_MAX - 2] = '\r';
    bytes[YK_HTTP_CHUNK_LINE_MAX - 1] = '\n';
    assert_int_equal(yk_http_line((struct yk_str){bytes, sizeof(bytes)}, &line, &len), YK_HTTP_LINE_THERE);
    bytes[YK_HTTP_CHUNK_LINE_MAX - 2] = '1';
    assert_int_equal(yk_http_line((struct yk_str){bytes, YK_HTTP_CHUNK_LINE_MAX - 1}, &line, &len),
                     YK_HTTP_LINE_BAD);
}

static void sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t want; /* -1: refused */
    } cases[] = {
        {"0", 0},          {"1f", 31},   {"FFFFFFFF", 0xffffffff},
        {"123456789", -1}, {"", -1},     {"x", -1},
        {"5 junk", -1},    {"5;a=b", 5}, {"5 ;a", 5},
        {"-1", -1},        {"0x5", -1},  {" 5", -1},
        {"5 ", -1},        {"5\t", -1},  {"0 \t ", -1},
        {"5;a ", -1},      {"5; ", -1},  {"5\t;\ta = b", 5},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        uint64_t size = 0;
        bool fine = yk_http_chunk_size(yk_str_from(cases[i].text), &size);
        if (fine != (cases[i].want >= 0) || (fine && size != (uint64_t)cases[i].want))
            fail_msg("'%s': %d %llu", cases[i].text, fine, (unsigned long long)size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
