/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap_text.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void filters(void **state)
{
    (void)state;
    static const struct {
        const char *what, *filter, *user, *want;
    } cases[] = {
        {"the name takes the place", "(uid=%s)", "bob", "(uid=bob)"},
        {"each place", "(|(uid=%s)(mail=%s@x))", "b", "(|(uid=b)(mail=b@x))"},
        {"no other directive means anything", "(a=%d%%)(uid=%s)%n", "b", "(a=%d%%)(uid=b)%n"},
        {"a wildcard is a character", "(uid=%s)", "*", "(uid=\\2a)"},
        {"brackets cannot be closed", "(uid=%s)", "x)(uid=*", "(uid=x\\29\\28uid=\\2a)"},
        {"an escape is a character", "(uid=%s)", "a\\2a", "(uid=a\\5c2a)"},
        {"bytes beyond ASCII and control characters", "(uid=%s)", "\xc3\xbc\n", "(uid=\\c3\\bc\\0a)"},
        {"what looks like a place in the name is none", "(uid=%s)", "%s", "(uid=%s)"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf got = {0};
        yk_ldap_filter(cases[i].filter, cases[i].user, &got);
        if (strcmp(yk_buf_cstr(&got), cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, yk_buf_cstr(&got));
    }
}

static void first_values(void **state)
{
    (void)state;
    static const struct {
        const char *what, *dn, *want; /* NULL: none */
    } cases[] = {
        {"A14: the first part", "cn=dev,ou=groups,dc=x", "dev"},
        {"A14: in any case", "CN=Dev Ops,OU=Groups,DC=x", "Dev Ops"},
        {"A14: whatever the attribute is", "ou=dev,dc=x", "dev"},
        {"spaces around it", "cn = dev ,dc=x", "dev"},
        {"an escaped comma", "cn=a\\, b,dc=x", "a, b"},
        {"an escaped byte", "cn=\\c3\\bc,dc=x", "\xc3\xbc"},
        {"a part with two values", "cn=a+uid=b,dc=x", "a"},
        {"one part only", "cn=a", "a"},
        {"no name at all", "dev", NULL},
        {"nothing", "", NULL},
        {"an empty value", "cn=,dc=x", NULL},
        {"a control character", "cn=a\\0ab,dc=x", NULL},
        {"a broken escape", "cn=\\", NULL},
        {"bytes in hexadecimal", "cn=#04024869,dc=x", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf got = {0};
        bool found = yk_ldap_first_value(yk_str_from(cases[i].dn), &got);
        if (found != (cases[i].want != NULL) || strcmp(yk_buf_cstr(&got), found ? cases[i].want : "") != 0)
            fail_msg("%s: got '%s'", cases[i].what, yk_buf_cstr(&got));
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf got = {.max = 3};
    assert_false(yk_ldap_first_value((struct yk_str){"cn=a\0b,dc=x", 11}, &got));
    assert_false(yk_ldap_first_value(YK_STR("cn=four"), &got)); /* longer than may be */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters),
        cmocka_unit_test(first_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
