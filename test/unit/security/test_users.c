/* SPDX-License-Identifier: Apache-2.0 */
#include "security/users.h"

#include "lib/fake_directory.h"
#include "lib/quiet.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S YK_NS_PER_S

/* Users of one partition, with a clock and a directory in the test's hands. */
struct world {
    struct yk_clock clock;
    struct yk_timers timers;
    struct fake_directory fake;
    struct yk_users *users;
};

static void begin(struct world *world, const char *type)
{
    *world = (struct world){0};
    yk_clock_virtual_init(&world->clock, 1700000000 * S);
    yk_timers_init(&world->timers, &world->clock);
    fake_directory_init(&world->fake);
    const struct yk_users_options options = {.timers = &world->timers, .directory = &world->fake.directory};
    world->users = yk_users_new(&options, yk_str_from(type));
}

static void end(struct world *world)
{
    yk_users_free(world->users);
    fake_directory_done(&world->fake);
    yk_timers_done(&world->timers);
}

static void pass(struct world *world, int64_t ns)
{
    yk_clock_advance(&world->clock, ns);
    (void)yk_timers_run(&world->timers); /* how many fired is not the question */
}

static void groups_text(const struct yk_user *user, struct yk_buf *to)
{
    yk_buf_clear(to);
    for (size_t g = 0; g < user->group_count; g++)
        yk_buf_printf(to, "%s,", user->groups[g]);
}

/* One who waits; what it was told. */
struct waiter {
    struct yk_user_wait wait;
    size_t told;
    struct yk_buf groups;
    char why[256];
};

static void on_resolved(struct yk_user_wait *wait, const struct yk_user *user, const char *why)
{
    struct waiter *waiter = YK_CONTAINER(wait, struct waiter, wait);
    waiter->told++;
    groups_text(user, &waiter->groups);
    (void)snprintf(waiter->why, sizeof(waiter->why), "%s", why != NULL ? why : "");
}

static enum yk_user_outcome submit(struct world *world, const char *user, bool forced, struct waiter *waiter)
{
    YK_CLEANUP(yk_user_done) struct yk_user got = {0};
    struct yk_err err = {0};
    const struct yk_user_request request = {.user = user, .forced = forced};
    enum yk_user_outcome outcome = yk_users_resolve(world->users, &request, &got, &err);
    *waiter = (struct waiter){.wait = {.resolved = on_resolved}};
    if (outcome == YK_USER_PENDING)
        yk_users_wait(world->users, &request, &waiter->wait);
    else
        on_resolved(&waiter->wait, &got, outcome == YK_USER_KNOWN ? NULL : err.text);
    return outcome;
}

/* `want`: the groups with a comma behind each, or NULL and part of the refusal. */
static void check_told(struct waiter *waiter, const char *what, const char *want, const char *want_why)
{
    if (waiter->told != 1)
        fail_msg("%s: told %zu times", what, waiter->told);
    if (want != NULL && (waiter->why[0] != '\0' || strcmp(yk_buf_cstr(&waiter->groups), want) != 0))
        fail_msg("%s: got %s, '%s'", what, yk_buf_cstr(&waiter->groups), waiter->why);
    if (want == NULL && strstr(waiter->why, want_why) == NULL)
        fail_msg("%s: got '%s'", what, waiter->why);
    yk_buf_done(&waiter->groups);
}

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
        struct world world;
        struct yk_user got = {0};
        struct yk_err err = {0};
        struct yk_buf groups = {0};
        size_t count = 0;
        begin(&world, "");
        while (count < 3 && cases[i].groups[count] != NULL)
            count++;
        const struct yk_user_request request = {cases[i].user, cases[i].groups, count, cases[i].forced};
        enum yk_user_outcome outcome = yk_users_resolve(world.users, &request, &got, &err);
        if (outcome != (cases[i].refusal != NULL ? YK_USER_REFUSED : YK_USER_KNOWN))
            fail_msg("%s: outcome %d %s", cases[i].what, (int)outcome, err.text);
        if (outcome == YK_USER_REFUSED && strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
        groups_text(&got, &groups);
        if (outcome == YK_USER_KNOWN && (strcmp(got.name, cases[i].want_user) != 0 ||
                                         strcmp(yk_buf_cstr(&groups), cases[i].want_groups) != 0))
            fail_msg("%s: got '%s' in %s", cases[i].what, got.name, yk_buf_cstr(&groups));
        yk_buf_done(&groups);
        yk_user_done(&got);
        end(&world);
    }
}

/* A14, A15: a question per user, one answer for all who wait, remembered for 300 seconds. */
static void waiting_for_the_directory(void **state)
{
    (void)state;
    struct world world;
    struct waiter one, two, three;
    begin(&world, "test");
    assert_int_equal(submit(&world, "eve", false, &one), YK_USER_PENDING);
    assert_int_equal(submit(&world, "eve", true, &two), YK_USER_PENDING);
    assert_int_equal(submit(&world, "bob", false, &three), YK_USER_PENDING);
    assert_int_equal(world.fake.asked, 2);
    pass(&world, 10 * S);
    fake_directory_answer_all(&world.fake);
    check_told(&one, "the first", "guests,staff,dev,", NULL);
    check_told(&two, "the second", "guests,staff,dev,", NULL);
    check_told(&three, "the other", "staff,", NULL);
    pass(&world, 300 * S - 1);
    assert_int_equal(submit(&world, "eve", false, &one), YK_USER_KNOWN);
    check_told(&one, "A15: remembered", "guests,staff,dev,", NULL);
    pass(&world, 1);
    assert_int_equal(submit(&world, "eve", false, &one), YK_USER_PENDING);
    assert_int_equal(world.fake.asked, 3);
    yk_users_cancel(world.users, &one.wait);
    end(&world);
}

static void failures(void **state)
{
    (void)state;
    struct world world;
    struct waiter one, forced, odd;
    begin(&world, "ldap");
    assert_int_equal(submit(&world, "zoe", false, &one), YK_USER_PENDING);
    assert_int_equal(submit(&world, "zoe", true, &forced), YK_USER_PENDING);
    assert_int_equal(submit(&world, "z oe", true, &odd), YK_USER_PENDING);
    assert_true(fake_directory_fail(&world.fake, "zoe", "out of order"));
    assert_true(fake_directory_fail(&world.fake, "z oe", "out of order"));
    check_told(&one, "A13: a failure refuses", NULL, "out of order");
    check_told(&forced, "A13: what runs is placed", "nogroup,", NULL);
    check_told(&odd, "A13: then the name is checked", NULL, "invalid username");
    pass(&world, 30 * S - 1);
    assert_int_equal(submit(&world, "zoe", false, &one), YK_USER_REFUSED);
    check_told(&one, "A15: a failure is remembered", NULL, "out of order");
    assert_int_equal(submit(&world, "zoe", true, &forced), YK_USER_KNOWN);
    check_told(&forced, "A15: for what runs, too", "nogroup,", NULL);
    pass(&world, 1);
    assert_int_equal(submit(&world, "zoe", false, &one), YK_USER_PENDING);
    assert_true(fake_directory_answer(&world.fake, "zoe", "zoe,dev"));
    check_told(&one, "A15: for 30 seconds exactly", "zoe,dev,", NULL);
    end(&world);
}

/* A directory that never answers: what runs is placed after 30 seconds, the rest refused after 300. */
static void patience(void **state)
{
    (void)state;
    struct world world;
    struct waiter one, forced, late;
    begin(&world, "ldap");
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_PENDING);
    pass(&world, 5 * S);
    assert_int_equal(submit(&world, "ann", true, &forced), YK_USER_PENDING);
    assert_int_equal(submit(&world, "max", true, &late), YK_USER_PENDING);
    pass(&world, 30 * S - 1);
    assert_int_equal(forced.told, 0);
    pass(&world, 1);
    check_told(&forced, "what runs", "nogroup,", NULL);
    check_told(&late, "no other waits for its user", "nogroup,", NULL);
    assert_true(atomic_load(&((struct yk_question *)world.fake.open.items[1])->unwanted));
    assert_false(atomic_load(&((struct yk_question *)world.fake.open.items[0])->unwanted));
    assert_int_equal(one.told, 0);
    pass(&world, 265 * S);
    check_told(&one, "what does not", NULL, "in time");
    assert_true(fake_directory_answer(&world.fake, "ann", "much,too,late")); /* no application waits now */
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_PENDING);
    yk_users_cancel(world.users, &one.wait);
    assert_int_equal(one.told, 0);
    end(&world);
}

/* A13: what is submitted with groups while the question is open is newer than its answer. */
static void submitted_groups_win(void **state)
{
    (void)state;
    struct world world;
    struct waiter one, two;
    struct yk_user got = {0};
    const char *const groups[] = {"given"};
    const struct yk_user_request request = {.user = "ann", .groups = groups, .group_count = 1};
    begin(&world, "test");
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_PENDING);
    assert_int_equal(yk_users_resolve(world.users, &request, &got, NULL), YK_USER_KNOWN);
    yk_user_done(&got);
    fake_directory_answer_all(&world.fake);
    check_told(&one, "who asked before", "staff,dev,", NULL);
    assert_int_equal(submit(&world, "ann", false, &two), YK_USER_KNOWN);
    check_told(&two, "who asks after", "given,", NULL);
    end(&world);
}

/* R16: another resolver starts from nothing; the same one goes on. */
static void another_type(void **state)
{
    (void)state;
    struct world world;
    struct waiter one, two, three;
    begin(&world, "os");
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_PENDING);
    assert_true(fake_directory_answer(&world.fake, "ann", "local"));
    check_told(&one, "from the first", "local,", NULL);
    assert_int_equal(submit(&world, "bob", false, &two), YK_USER_PENDING);
    yk_users_set_type(world.users, YK_STR("os"));
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_KNOWN);
    check_told(&one, "the same type remembers", "local,", NULL);
    assert_int_equal(world.fake.asked, 2);

    yk_users_set_type(world.users, YK_STR("ldap"));
    assert_int_equal(world.fake.asked, 3); /* for bob, again */
    assert_int_equal(submit(&world, "ann", false, &three), YK_USER_PENDING);
    assert_true(fake_directory_answer(&world.fake, "bob", "stale")); /* the first question */
    assert_int_equal(two.told, 0);
    assert_true(fake_directory_answer(&world.fake, "bob", "fresh"));
    check_told(&two, "the new type answers what waited", "fresh,", NULL);

    yk_users_set_type(world.users, YK_STR(""));
    check_told(&three, "without a resolver none waits", "ann,", NULL);
    yk_users_set_type(world.users, YK_STR("nis")); /* it is not supported */
    assert_int_equal(submit(&world, "bob", false, &one), YK_USER_KNOWN);
    check_told(&one, "an unknown type acts as none", "bob,", NULL);
    end(&world);
}

static void types_that_cannot_be_used(void **state)
{
    (void)state;
    struct fake_directory fake;
    struct yk_err err = {0};
    fake_directory_init(&fake);
    fake.unusable = "ldap";
    assert_int_equal(yk_users_check_type(&fake.directory, YK_STR("ldap"), &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "'ldap': no settings"));
    assert_int_equal(yk_users_check_type(&fake.directory, YK_STR("os"), &err), YK_OK);
    assert_int_equal(yk_users_check_type(&fake.directory, YK_STR(""), &err), YK_OK);
    assert_int_equal(yk_users_check_type(&fake.directory, YK_STR("nis"), &err), YK_OK); /* a warning only */
    assert_int_equal(yk_users_check_type(NULL, YK_STR("ldap"), &err), YK_OK);
    fake_directory_done(&fake);
}

static void answers_are_remembered_for_a_while(void **state)
{
    (void)state;
    struct world world;
    struct waiter one;
    struct yk_user got = {0};
    const char *const groups[] = {"dev"};
    const struct yk_user_request request = {.user = "bob", .groups = groups, .group_count = 1};
    begin(&world, "");
    assert_int_equal(submit(&world, "bob", false, &one), YK_USER_KNOWN);
    check_told(&one, "A14", "bob,", NULL);
    assert_int_equal(yk_users_resolve(world.users, &request, &got, NULL), YK_USER_KNOWN);
    yk_user_done(&got);
    pass(&world, 300 * S - 1);
    assert_int_equal(submit(&world, "bob", false, &one), YK_USER_KNOWN);
    check_told(&one, "A13: what was submitted before", "dev,", NULL);
    pass(&world, 1);
    assert_int_equal(submit(&world, "bob", false, &one), YK_USER_KNOWN);
    check_told(&one, "A15: for 300 seconds", "bob,", NULL);
    end(&world);
}

static void hostile_sizes(void **state)
{
    (void)state;
    struct world world;
    struct waiter one;
    struct yk_user got = {0};
    char *name = yk_alloc0(YK_USER_NAME_BYTES_MAX + 2);
    memset(name, 'a', YK_USER_NAME_BYTES_MAX + 1);
    const char *const groups[] = {name};
    const struct yk_user_request long_user = {.user = name},
                                 long_group = {.user = "bob", .groups = groups, .group_count = 1},
                                 many_groups = {
                                     .user = "bob", .groups = groups, .group_count = YK_USER_GROUPS_MAX + 1};
    begin(&world, "test");
    assert_int_equal(yk_users_resolve(world.users, &long_user, &got, NULL), YK_USER_REFUSED);
    assert_int_equal(yk_users_resolve(world.users, &long_group, &got, NULL), YK_USER_REFUSED);
    assert_int_equal(yk_users_resolve(world.users, &many_groups, &got, NULL), YK_USER_REFUSED);
    size_t bytes = 0;
    assert_false(yk_user_add_group(&got, yk_str_from(name), &bytes));
    for (size_t i = 0; i < YK_USER_GROUPS_BYTES_MAX / YK_USER_NAME_BYTES_MAX; i++)
        assert_true(yk_user_add_group(&got, (struct yk_str){name, YK_USER_NAME_BYTES_MAX}, &bytes));
    assert_false(yk_user_add_group(&got, YK_STR("a"), &bytes));
    yk_user_done(&got);
    free(name);
    /* The oldest answers make room; the newest stay. */
    for (int i = 0; i < YK_USERS_CACHED_MAX + 10; i++) {
        char user[32];
        (void)snprintf(user, sizeof(user), "u%d", i);
        assert_int_equal(submit(&world, user, false, &one), YK_USER_PENDING);
        assert_true(fake_directory_answer(&world.fake, user, "g"));
        check_told(&one, user, "g,", NULL);
    }
    assert_int_equal(submit(&world, "u10", false, &one), YK_USER_KNOWN);
    check_told(&one, "u10", "g,", NULL);
    assert_int_equal(submit(&world, "u9", false, &one), YK_USER_PENDING);
    yk_users_cancel(world.users, &one.wait);
    pass(&world, 300 * S);
    assert_int_equal(yk_timers_next_ns(&world.timers), INT64_MAX); /* nothing is kept */
    end(&world);
}

/* Many failures with long names drop older failures, but no groups of known users. */
static void failures_displace_no_groups(void **state)
{
    (void)state;
    enum { FAILURES = YK_USERS_CACHED_MAX };
    struct world world;
    struct waiter one;
    char *name = yk_alloc0(YK_USER_NAME_BYTES_MAX + 1);
    memset(name, 'a', YK_USER_NAME_BYTES_MAX);
    begin(&world, "test");
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_PENDING);
    assert_true(fake_directory_answer(&world.fake, "ann", "dev"));
    check_told(&one, "ann", "dev,", NULL);
    for (int i = 0; i < FAILURES; i++) {
        char digits[16];
        (void)snprintf(digits, sizeof(digits), "%08d", i);
        memcpy(name, digits, 8);
        assert_int_equal(submit(&world, name, false, &one), YK_USER_PENDING);
        assert_true(fake_directory_fail(&world.fake, name, "unknown"));
        check_told(&one, "a failure", NULL, "unknown");
    }
    assert_int_equal(submit(&world, name, false, &one), YK_USER_REFUSED); /* the newest */
    check_told(&one, "the newest failure", NULL, "unknown");
    assert_int_equal(submit(&world, "bob", false, &one), YK_USER_PENDING);
    assert_true(fake_directory_answer(&world.fake, "bob", "dev"));
    check_told(&one, "bob", "dev,", NULL);
    assert_int_equal(submit(&world, "ann", false, &one), YK_USER_KNOWN);
    check_told(&one, "ann, from the cache", "dev,", NULL);
    memcpy(name, "00000000", 8);
    assert_int_equal(submit(&world, name, false, &one), YK_USER_PENDING); /* the oldest */
    yk_users_cancel(world.users, &one.wait);
    free(name);
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolving),
        cmocka_unit_test(waiting_for_the_directory),
        cmocka_unit_test(failures),
        cmocka_unit_test(patience),
        cmocka_unit_test(submitted_groups_win),
        cmocka_unit_test(another_type),
        cmocka_unit_test(types_that_cannot_be_used),
        cmocka_unit_test(answers_are_remembered_for_a_while),
        cmocka_unit_test(hostile_sizes),
        cmocka_unit_test(failures_displace_no_groups),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
