/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that asks the operating system and LDAP, and the users of this machine. */
#include "security/name_service.h"

#include "base/actor.h"
#include "lib/quiet.h"
#include "security/fake_settings.h"
#include "security/os_groups.h"
#include "security/users.h"

#include <grp.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* A thread that asks, and what it was told. */
struct asker {
    struct yk_actor actor;
    struct yk_name_service *service;
    struct yk_users *users;
    struct yk_user_wait wait;
    char groups[256], why[256];
    struct fake_settings settings;
};

static void on_resolved(struct yk_user_wait *wait, const struct yk_user *user, const char *why)
{
    struct asker *asker = YK_CONTAINER(wait, struct asker, wait);
    (void)snprintf(asker->why, sizeof(asker->why), "%s", why != NULL ? why : "");
    (void)snprintf(asker->groups, sizeof(asker->groups), "%s",
                   why == NULL && user->group_count > 0 ? user->groups[0] : "");
    yk_actor_stop(&asker->actor);
}

static void begin(struct asker *asker, const char *type)
{
    *asker = (struct asker){.wait = {.resolved = on_resolved}};
    fake_settings_init(&asker->settings);
    yk_actor_init(&asker->actor, &yk_clock_real, 16);
    const struct yk_name_service_options options = {.answers = &asker->actor.inbox,
                                                    .ldap_folder = asker->settings.folder};
    assert_int_equal(yk_name_service_new(&options, &asker->service, NULL), YK_OK);
    const struct yk_users_options of_users = {.timers = &asker->actor.timers,
                                              .directory = yk_name_service_directory(asker->service)};
    asker->users = yk_users_new(&of_users, yk_str_from(type));
}

static void end(struct asker *asker)
{
    assert_true(yk_name_service_stop(asker->service, 60 * YK_NS_PER_S));
    yk_users_free(asker->users);
    yk_actor_done(&asker->actor);
    yk_name_service_free(asker->service);
    fake_settings_done(&asker->settings);
}

static void ask(struct asker *asker, const char *user)
{
    struct yk_user got = {0};
    const struct yk_user_request request = {.user = user};
    assert_int_equal(yk_users_resolve(asker->users, &request, &got, NULL), YK_USER_PENDING);
    yk_users_wait(asker->users, &request, &asker->wait);
    atomic_store(&asker->actor.stopping, false);
    yk_actor_run(&asker->actor);
}

static void asked_from_another_thread(void **state)
{
    (void)state;
    struct asker asker;
    begin(&asker, "os");
    ask(&asker, "root");
    assert_string_equal(asker.groups, "root");
    ask(&asker, "no-such-user-here");
    assert_non_null(strstr(asker.why, "'no-such-user-here' is not known"));
    yk_users_set_type(asker.users, YK_STR("ldap"));
    ask(&asker, "root"); /* no server listens at port 1 */
    assert_non_null(strstr(asker.why, "LDAP server '127.0.0.1', port 1: cannot log in"));
    end(&asker);
}

static void stopped_with_questions_open(void **state)
{
    (void)state;
    struct asker asker;
    struct yk_user_wait waits[50];
    begin(&asker, "os");
    for (size_t i = 0; i < YK_COUNT(waits); i++) {
        char user[32];
        (void)snprintf(user, sizeof(user), "user-%zu", i);
        const struct yk_user_request request = {.user = user};
        waits[i].resolved = on_resolved;
        yk_users_wait(asker.users, &request, &waits[i]);
    }
    for (size_t i = 0; i < YK_COUNT(waits); i++)
        yk_users_cancel(asker.users, &waits[i]);
    end(&asker);
}

static void settings_are_looked_at(void **state)
{
    (void)state;
    struct fake_settings settings;
    struct yk_mailbox box;
    struct yk_name_service *service = NULL;
    struct yk_err err = {0};
    fake_settings_init(&settings);
    fake_settings_put(&settings, "Filter", "(uid=me)");
    yk_mailbox_init(&box, 16);
    const struct yk_name_service_options options = {.answers = &box, .ldap_folder = settings.folder};
    assert_int_equal(yk_name_service_new(&options, &service, NULL), YK_OK);
    const struct yk_directory *directory = yk_name_service_directory(service);
    assert_int_equal(yk_users_check_type(directory, YK_STR("os"), &err), YK_OK);
    assert_int_equal(yk_users_check_type(directory, YK_STR("nis"), &err), YK_OK);
    assert_int_equal(yk_users_check_type(directory, YK_STR("ldap"), &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "user group resolver 'ldap': LDAP setting 'Filter'"));
    assert_int_equal(directory->serves(directory->context, "nis", NULL), YK_DIRECTORY_UNKNOWN);
    /* Once mended, one more attempt makes it look again: it was asked above, so it has by the time it
     * stops. */
    fake_settings_put(&settings, "Filter", "(uid=%s)");
    assert_int_equal(yk_users_check_type(directory, YK_STR("ldap"), &err), YK_ERR_INVALID);
    while (yk_users_check_type(directory, YK_STR("ldap"), &err) != YK_OK)
        continue; /* ctest ends a test that never gets there */
    assert_true(yk_name_service_stop(service, 60 * YK_NS_PER_S));
    yk_name_service_free(service);
    yk_mailbox_done(&box);
    fake_settings_done(&settings);
}

/* A14: the primary group first, then the others, none twice. */
static void groups_of_this_machine(void **state)
{
    (void)state;
    const struct passwd *entry;
    size_t users = 0;
    setpwent();
    while ((entry = getpwent()) != NULL && users < 20) {
        struct yk_user user = {.name = yk_strdup(entry->pw_name)};
        struct yk_err err = {0};
        gid_t primary = entry->pw_gid, list[256];
        int count = YK_COUNT(list);
        assert_true(getgrouplist(user.name, primary, list, &count) >= 0);
        if (yk_os_groups(&user, &err) != YK_OK)
            fail_msg("%s", err.text);
        const struct group *group = getgrgid(primary);
        assert_int_equal(user.group_count, count);
        if (group != NULL)
            assert_string_equal(user.groups[0], group->gr_name);
        yk_user_done(&user);
        users++;
    }
    endpwent();
    assert_true(users > 0);
    struct yk_user unknown = {.name = yk_strdup("no such user")};
    struct yk_err err = {0};
    assert_int_equal(yk_os_groups(&unknown, &err), YK_ERR_NOT_FOUND);
    assert_int_equal(unknown.group_count, 0);
    yk_user_done(&unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asked_from_another_thread),
        cmocka_unit_test(stopped_with_questions_open),
        cmocka_unit_test(settings_are_looked_at),
        cmocka_unit_test(groups_of_this_machine),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
