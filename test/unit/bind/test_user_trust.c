/* SPDX-License-Identifier: Apache-2.0 */
/* Which users that pods name are believed: service.trustUserInfo (docs/reference/kubernetes.md, P06). */
#include "api/json_reader.h"
#include "bind/user_trust.h"
#include "shim/world.h"

#include "lib/cmocka_headers.h"

#define GUARD(policy)                                                                                        \
    "{\"name\":\"admission-webhook.yunikorn.mutate-pods\",\"failurePolicy\":\"Ignore\"},"                    \
    "{\"name\":\"" YK_GUARD_WEBHOOK_NAME "\",\"failurePolicy\":\"" policy "\"}"

static struct yk_object *webhooks(struct world *world, const char *items)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "{\"metadata\":{\"name\":\"" YK_WEBHOOKS_NAME
                  "\",\"uid\":\"uid-w\",\"resourceVersion\":\"%s\"},"
                  "\"webhooks\":[%s]}",
                  next_version(world), items);
    if (yk_object_from_json(YK_KIND_MUTATING_WEBHOOKS, yk_buf_view(&text), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    return object;
}

/* Everything but pods is listed; `items` NULL: the configuration does not exist. */
static void start_with(struct world *world, const char *setting, const char *items)
{
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, "service.trustUserInfo", setting));
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    empty_list(world, YK_KIND_NAMESPACE);
    empty_list(world, YK_KIND_PRIORITY_CLASS);
    empty_list(world, YK_KIND_NODE);
    if (world->api.sinks[YK_KIND_MUTATING_WEBHOOKS] == NULL)
        return;
    assert_null(
        world->api.sinks[YK_KIND_POD]); /* pods are judged when they are read: the webhooks come first */
    list(world, YK_KIND_MUTATING_WEBHOOKS, YK_WATCH_REPLACE_BEGIN);
    if (items != NULL)
        upsert(world, webhooks(world, items));
    list(world, YK_KIND_MUTATING_WEBHOOKS, YK_WATCH_REPLACE_END);
}

/* A pod of an application of its own, with a user in annotation and label; the user that the core gets. */
static const char *user_of(struct world *world, const char *name, bool annotated)
{
    struct yk_pod *object = make_pod("ns", name, next_version(world));
    add_container(object, "c", "cpu=1");
    add_pair(&object->object, &object->object.labels, "applicationId", name);
    add_pair(&object->object, &object->object.labels, "yunikorn.apache.org/username", "by-label");
    if (annotated)
        add_pair(&object->object, &object->object.annotations, "yunikorn.apache.org/user.info",
                 "{\"user\":\"ann\",\"groups\":[\"staff\"]}");
    upsert(world, object);
    settle(world);
    return world->core.last_user;
}

static void settings(void **state)
{
    static const struct {
        const char *what, *setting, *items;
        const char *annotated, *labelled; /* users */
    } cases[] = {
        {"any", "any", NULL, "ann", "by-label"},
        {"none", "none", GUARD("Fail"), "nobody", "nobody"},
        {"webhook, guarded", "webhook", GUARD("Fail"), "ann", "nobody"},
        {"webhook, no configuration", "webhook", NULL, "nobody", "nobody"},
        {"webhook, that of YuniKorn 1.9", "webhook",
         "{\"name\":\"admission-webhook.yunikorn.mutate-pods\",\"failurePolicy\":\"Ignore\"}", "nobody",
         "nobody"},
        {"webhook, fails open", "webhook", GUARD("Ignore"), "nobody", "nobody"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (i > 0)
            assert_int_equal(set_up(state), 0);
        struct world *world = *state;
        start_with(world, cases[i].setting, cases[i].items);
        empty_list(world, YK_KIND_POD);
        settle(world);
        assert_true(yk_shim_is_ready(world->shim));
        const char *user = user_of(world, "annotated", true);
        if (strcmp(user, cases[i].annotated) != 0)
            fail_msg("%s: annotation gives %s", cases[i].what, user);
        user = user_of(world, "labelled", false);
        if (strcmp(user, cases[i].labelled) != 0)
            fail_msg("%s: label gives %s", cases[i].what, user);
        if (i + 1 < YK_COUNT(cases))
            assert_int_equal(tear_down(state), 0);
    }
}

/* The guard may come and go while the scheduler runs. */
static void the_guard_changes(void **state)
{
    struct world *world = *state;
    start_with(world, "webhook", NULL);
    empty_list(world, YK_KIND_POD);
    settle(world);
    assert_string_equal(user_of(world, "before", true), "nobody");
    upsert(world, webhooks(world, GUARD("Fail")));
    assert_string_equal(user_of(world, "guarded", true), "ann");
    upsert(world, webhooks(world, GUARD("Ignore")));
    assert_string_equal(user_of(world, "open", true), "nobody");
    upsert(world, webhooks(world, GUARD("Fail")));
    assert_string_equal(user_of(world, "again", true), "ann");
    removed(world, webhooks(world, GUARD("Fail")));
    assert_string_equal(user_of(world, "after", true), "nobody");
}

/* Installations without the controller need no right to read webhooks. */
static void webhooks_are_watched_only_when_needed(void **state)
{
    struct world *world = *state;
    start_with(world, "any", NULL);
    assert_null(world->api.sinks[YK_KIND_MUTATING_WEBHOOKS]);
    assert_non_null(world->api.sinks[YK_KIND_POD]);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(settings),
        CASE(the_guard_changes),
        CASE(webhooks_are_watched_only_when_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
