/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and settings whose names say that they hold a secret. */
#include "web/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void names(void **state)
{
    (void)state;
    static const char *const secret[] = {"password", "ldap.bindPassword", "API_TOKEN", "mySecretThing",
                                         "credentials"};
    static const char *const open_[] = {"", "service.web.port", "passw", "service.schedulerACL", "tok"};
    for (size_t i = 0; i < YK_COUNT(secret); i++)
        assert_true(yk_is_secret_name(yk_str_from(secret[i])));
    for (size_t i = 0; i < YK_COUNT(open_); i++)
        assert_false(yk_is_secret_name(yk_str_from(open_[i])));
}

static void flags(void **state)
{
    (void)state;
    static const struct {
        const char *what, *arguments, *want;
        size_t len;
    } cases[] = {
#define CASE(what, arguments, want) {what, arguments, want, sizeof(arguments) - 1}
        CASE("nothing", "", ""),
        CASE("no flags", "yunikorn\0scheduler\0", ""),
        CASE("both forms",
             "y\0scheduler\0--web-port\0"
             "9080\0--namespace=a=b\0",
             "web-port=9080\nnamespace=a=b\n"),
        CASE("without a value", "y\0-v\0--quiet\0", "v\nquiet\n"),
        CASE("masked", "y\0--token\0abc\0--x-password=abc\0-q\0", "token=***\nx-password=***\nq\n"),
        CASE("a secret that begins with a dash", "y\0--token\0-abc\0-q\0", "token=***\nq\n"),
        CASE("a dash is a value", "y\0--file\0-\0", "file=-\n"),
        CASE("words after a value are left out",
             "y\0--a\0"
             "1\0secret\0",
             "a=1\n"),
#undef CASE
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        yk_put_flags((struct yk_str){cases[i].arguments, cases[i].len}, &out);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%s: '%s'", cases[i].what, yk_buf_cstr(&out));
    }
}

static void arguments_are_masked_in_place(void **state)
{
    (void)state;
    char arguments[] = "y\0--token\0abc\0--x-password=ab\0--web-port\0\x39\0--secret";
    static const char want[] = "y\0--token\0***\0--x-password=**\0--web-port\0\x39\0--secret";
    yk_mask_secret_flags(arguments, sizeof(arguments) - 1);
    assert_memory_equal(arguments, want, sizeof(want));
    yk_mask_secret_flags(arguments, 0);
    char dashed[] = "y\0--token\0--secret\0-q";
    static const char dashed_want[] = "y\0--token\0********\0-q";
    yk_mask_secret_flags(dashed, sizeof(dashed) - 1);
    assert_memory_equal(dashed, dashed_want, sizeof(dashed_want));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(flags),
                                       cmocka_unit_test(arguments_are_masked_in_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
