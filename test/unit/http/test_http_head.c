/* SPDX-License-Identifier: Apache-2.0 */
#include "http/http_head.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int parse(const char *text, struct yk_http_head *head)
{
    return yk_http_head_parse(yk_str_from(text), head);
}

static void refused_and_accepted(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int want;
    } cases[] = {
        {"the usual", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 0},
        {"bare line feeds", "GET / HTTP/1.1\nHost: x\n\n", 0},
        {"1.0 needs no host", "GET / HTTP/1.0\r\n\r\n", 0},
        {"an empty host is one", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 0},
        {"1.1 needs a host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        {"no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"two blanks", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"no version", "GET /\r\nHost: x\r\n\r\n", 400},
        {"other version", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505},
        {"garbage", "\x16\x03\x01\x02 a b\r\n\r\n", 400},
        {"a control character in the target", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"a method with a slash", "G/T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"a folded line", "GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n", 400},
        {"a blank before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400},
        {"no colon", "GET / HTTP/1.1\r\nHost: x\r\nfoo\r\n\r\n", 400},
        {"a NUL-like control in a value", "GET / HTTP/1.1\r\nHost: x\x02\r\n\r\n", 400},
        {"a length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 0},
        {"a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 400},
        {"a length with a plus", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\n", 400},
        {"a length out of range",
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
        {"the same length twice",
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", 0},
        {"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400},
        {"chunked", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n", 0},
        {"chunked and a length",
         "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400},
        {"chunked in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"another encoding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
        {"another expectation", "POST / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n", 417},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_http_head head;
        int status = parse(cases[i].text, &head);
        if (status != cases[i].want)
            fail_msg("%s: %d, not %d", cases[i].what, status, cases[i].want);
    }
}

static void what_is_read(void **state)
{
    (void)state;
    struct yk_http_head head;
    assert_int_equal(parse("POST /a?b HTTP/1.1\r\nhOST: x\r\naccept:  text/a \r\nAccept: text/b\r\n"
                           "Accept-Encoding: gzip\r\nContent-Length: 17\r\nExpect: 100-Continue\r\n\r\n",
                           &head),
                     0);
    assert_true(yk_str_is(head.method, "POST"));
    assert_true(yk_str_is(head.target, "/a?b"));
    assert_true(yk_str_is(head.accept, "text/a"));
    assert_true(yk_str_is(head.accept_encoding, "gzip"));
    assert_int_equal(head.length, 17);
    assert_true(head.wants_continue);
    assert_true(head.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: foo, Close\r\n\r\n", &head), 0);
    assert_false(head.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.0\r\n\r\n", &head), 0);
    assert_false(head.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &head), 0);
    assert_true(head.keep_alive);
}

static void too_many_fields(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_http_head head;
    yk_buf_text(&text, "GET / HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < YK_HTTP_FIELDS_MAX; i++)
        yk_buf_printf(&text, "x-%d: y\r\n", i);
    yk_buf_text(&text, "\r\n");
    assert_int_equal(yk_http_head_parse(yk_buf_view(&text), &head), 431);
}

/* However the bytes arrive, the end is found, and only then. */
static void end_is_found_in_pieces(void **state)
{
    (void)state;
    static const char *const heads[] = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\nHost: x\n\n",
                                        "GET / HTTP/1.1\r\nHost: x\n\r\n"};
    for (size_t i = 0; i < YK_COUNT(heads); i++) {
        size_t scanned = 0, len = strlen(heads[i]);
        for (size_t there = 1; there < len; there++)
            assert_int_equal(yk_http_head_end((struct yk_str){heads[i], there}, &scanned), 0);
        assert_int_equal(yk_http_head_end((struct yk_str){heads[i], len}, &scanned), len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_and_accepted),
        cmocka_unit_test(what_is_read),
        cmocka_unit_test(too_many_fields),
        cmocka_unit_test(end_is_found_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
