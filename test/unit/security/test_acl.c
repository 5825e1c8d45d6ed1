/* SPDX-License-Identifier: Apache-2.0 */
#include "security/acl.h"

#include "lib/quiet.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void who_may(void **state)
{
    (void)state;
    static const struct {
        const char *what, *acl, *user, *group; /* group NULL: none */
        bool want;
    } cases[] = {
        {"A1: an empty list denies", "", "bob", "dev", false},
        {"A1: a single blank denies", " ", "bob", "dev", false},
        {"A2: the wildcard", "*", "bob", NULL, true},
        {"A2: the wildcard with white space around", " \t*", "bob", NULL, true},
        {"A2: a wildcard of users ignores the groups", "* dev", "x", NULL, true},
        {"A2: a wildcard of groups", "bob *", "x", NULL, true},
        {"A2: only groups, by a leading blank", " dev", "x", "dev", true},
        {"A2: then users are not groups", " dev", "dev", NULL, false},
        {"A2: a wildcard among names is an invalid name", "bob,*", "x", NULL, false},
        {"A2: the rest of that list holds", "bob,*", "bob", NULL, true},
        {"A2: no trimming around commas", "bob,\tsue", "sue", NULL, false},
        {"A2: empty items are skipped", ",bob,, dev,", "bob", NULL, true},
        {"A2: invalid names are dropped", "b(b,sue", "b(b", NULL, false},
        {"A4: a user", "bob,sue", "sue", NULL, true},
        {"A4: another user", "bob,sue", "ann", NULL, false},
        {"A4: a group", "bob dev,ops", "ann", "ops", true},
        {"A4: case matters", "Bob", "bob", NULL, false},
        {"A4: the user's name is not its group", "bob dev", "dev", "bob", false},
        {"A4: no user at all", "bob", NULL, NULL, false},
        {"A6, BUG-17: service accounts by name", "system:serviceaccount:ns:sa", "system:serviceaccount:ns:sa",
         NULL, true},
        {"A6: a slash and a hash", "a/b#c", "a/b#c", NULL, true},
        {"A6: a machine account", "host$", "host$", NULL, true},
        {"A6: groups with a colon", " system:authenticated", "x", "system:authenticated", true},
        {"A6: groups with a dot are refused", " a.b", "x", "a.b", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_acl acl = {0};
        struct yk_err err = {0};
        if (yk_acl_parse(yk_str_from(cases[i].acl), &acl, &err) != YK_OK)
            fail_msg("%s: refused: %s", cases[i].what, err.text);
        const char *groups[] = {"other", cases[i].group};
        bool got = yk_acl_allows(&acl, cases[i].user, groups, cases[i].group != NULL ? 2 : 1);
        if (got != cases[i].want)
            fail_msg("%s: got %d", cases[i].what, got);
        yk_acl_done(&acl);
    }
}

static void more_than_two_fields(void **state)
{
    (void)state;
    static const char *const cases[] = {"a b c", "a  b", " a b", "a b ", "   "};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_acl acl = {0};
        struct yk_err err = {0};
        if (yk_acl_parse(yk_str_from(cases[i]), &acl, &err) != YK_ERR_INVALID)
            fail_msg("A2: '%s' accepted", cases[i]);
        assert_non_null(strstr(err.text, cases[i]));
    }
}

static void zeroed_and_absent(void **state)
{
    (void)state;
    struct yk_acl acl = {0};
    assert_false(yk_acl_allows(&acl, "bob", NULL, 0));
    assert_int_equal(yk_acl_parse((struct yk_str){0}, &acl, NULL), YK_OK);
    assert_false(yk_acl_allows(&acl, "bob", NULL, 0));
    yk_acl_done(&acl);
    yk_acl_done(&acl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_may),
        cmocka_unit_test(more_than_two_fields),
        cmocka_unit_test(zeroed_and_absent),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
