/* SPDX-License-Identifier: Apache-2.0 */
#include "client/url.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Tokens are sent to this machine without encryption, so another host must not look like it. */
static void addresses_of_this_machine(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        bool want;
    } cases[] = {
        {"http://localhost", true},
        {"http://localhost:9080/x", true},
        {"localhost:9080", true},
        {"http://127.0.0.1:9080", true},
        {"https://127.1.2.3/", true},
        {"http://[::1]:9080", true},
        {"http://[::1]", true},
        {"http://localhost.example.org", false},
        {"http://127.example.org", false},
        {"http://127.0.0.1.example.org", false},
        {"http://[::1].example.org", false},
        {"http://localhost:1@example.org", false},
        {"http://128.0.0.1", false},
        {"http://[::2]", false},
        {"http://[::1", false},
        {"http://", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (yk_url_is_loopback(cases[i].url) != cases[i].want)
            fail_msg("%s", cases[i].url);
    }
}

static void where_tokens_may_go(void **state)
{
    (void)state;
    assert_true(yk_url_may_have_token("https://example.org"));
    assert_true(yk_url_may_have_token("http://127.0.0.1:9080"));
    assert_false(yk_url_may_have_token("http://example.org"));
    assert_false(yk_url_may_have_token("http://localhost.example.org"));
    assert_false(yk_url_may_have_token("example.org"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_this_machine),
        cmocka_unit_test(where_tokens_may_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
