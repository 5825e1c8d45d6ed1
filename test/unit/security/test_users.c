/* SPDX-License-Identifier: Apache-2.0 */
#include "security/users.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void resolving(void **state)
{
    (void)state;
    static const struct {
        const char *what, *user;
        const char *groups[3]; /* up to the first NULL */
        bool forced;
        const char *want_user, *want_groups, *refusal;
    } cases[] = {
        {"A13: no user", "", {NULL}, false, NULL, NULL, "empty user cannot resolve"},
        {"A13: no user, but groups", NULL, {"g"}, false, NULL, NULL, "empty user cannot resolve"},
        {"A13: no user, forced", NULL, {NULL}, true, "nobody", "nogroup,", NULL},
        {"A13: no user, forced, its groups do not count", "", {"g"}, true, "nobody", "nogroup,", NULL},
        {"A14: without groups the user is its own group", "bob", {NULL}, false, "bob", "bob,", NULL},
        {"A13: without groups the name is not checked", "b b", {NULL}, false, "b b", "b b,", NULL},
        {"A13: groups as given, in order", "sue", {"z", "a.b c", "z"}, false, "sue", "z,a.b c,z,", NULL},
        {"A13: with groups the name is checked",
         "b b",
         {"g"},
         false,
         NULL,
         NULL,
         "invalid username, it contains invalid characters"},
        {"A13: forced or not", "b b", {"g"}, true, NULL, NULL, "invalid username"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_users_freep) struct yk_users *users = yk_users_new(YK_STR(""));
        struct yk_user got = {0};
        struct yk_err err = {0};
        size_t count = 0;
        while (count < 3 && cases[i].groups[count] != NULL)
            count++;
        enum yk_status st =
            yk_users_resolve(users, 0, cases[i].user, cases[i].groups, count, cases[i].forced, &got, &err);
        if ((st != YK_OK) != (cases[i].refusal != NULL))
            fail_msg("%s: status %d %s", cases[i].what, st, err.text);
        if (st != YK_OK && strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
        if (st == YK_OK) {
            struct yk_buf groups = {0};
            for (size_t g = 0; g < got.group_count; g++)
                yk_buf_printf(&groups, "%s,", got.groups[g]);
            if (strcmp(got.name, cases[i].want_user) != 0 ||
                strcmp(yk_buf_cstr(&groups), cases[i].want_groups) != 0)
                fail_msg("%s: got '%s' in %s", cases[i].what, got.name, yk_buf_cstr(&groups));
            yk_buf_done(&groups);
        }
        yk_user_done(&got);
    }
}

static void check_groups(struct yk_users *users, int64_t now, const char *want)
{
    struct yk_user got = {0};
    assert_int_equal(yk_users_resolve(users, now, "bob", NULL, 0, false, &got, NULL), YK_OK);
    assert_int_equal(got.group_count, 1);
    assert_string_equal(got.groups[0], want);
    yk_user_done(&got);
}

static void answers_are_remembered_for_a_while(void **state)
{
    (void)state;
    YK_CLEANUP(yk_users_freep) struct yk_users *users = yk_users_new(YK_STR("os"));
    struct yk_user got = {0};
    const char *const groups[] = {"dev"};
    check_groups(users, 0, "bob");
    assert_int_equal(yk_users_resolve(users, YK_NS_PER_S, "bob", groups, 1, false, &got, NULL), YK_OK);
    yk_user_done(&got);
    check_groups(users, 2 * YK_NS_PER_S, "dev"); /* A13: what was submitted before */
    check_groups(users, 300 * YK_NS_PER_S, "dev");
    check_groups(users, 301 * YK_NS_PER_S, "bob"); /* A15: for 300 seconds */
}

static void hostile_sizes(void **state)
{
    (void)state;
    YK_CLEANUP(yk_users_freep) struct yk_users *users = yk_users_new(YK_STR(""));
    struct yk_user got = {0};
    char *name = yk_alloc0(YK_USER_NAME_BYTES_MAX + 2);
    memset(name, 'a', YK_USER_NAME_BYTES_MAX + 1);
    const char *const groups[] = {name};
    assert_int_equal(yk_users_resolve(users, 0, name, NULL, 0, false, &got, NULL), YK_ERR_LIMIT);
    assert_int_equal(yk_users_resolve(users, 0, "bob", groups, 1, false, &got, NULL), YK_ERR_LIMIT);
    assert_int_equal(yk_users_resolve(users, 0, "bob", groups, YK_USER_GROUPS_MAX + 1, false, &got, NULL),
                     YK_ERR_LIMIT);
    free(name);
    for (int i = 0; i < YK_USERS_CACHED_MAX + 10; i++) {
        char user[32];
        (void)snprintf(user, sizeof(user), "u%d", i);
        assert_int_equal(yk_users_resolve(users, 0, user, NULL, 0, false, &got, NULL), YK_OK);
        yk_user_done(&got);
    }
}

static int quiet(void **state)
{
    (void)state;
    yk_log_set_stream(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolving),
        cmocka_unit_test(answers_are_remembered_for_a_while),
        cmocka_unit_test(hostile_sizes),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
