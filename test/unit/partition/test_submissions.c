/* SPDX-License-Identifier: Apache-2.0 */
/* Applications that wait until the directory knows the groups of their user. */
#include "lib/core_world.h"

#include "lib/fake_directory.h"
#include "partition/submissions.h"

/* Who is in the group dev may use `work`; everybody else `play`. */
#define CONFIG_OF(type)                                                                                      \
    "partitions:\n"                                                                                          \
    "  - name: default\n"                                                                                    \
    "    usergroupresolver:\n"                                                                               \
    "      type: '" type "'\n"                                                                               \
    "    queues:\n"                                                                                          \
    "      - name: root\n"                                                                                   \
    "        queues:\n"                                                                                      \
    "          - name: work\n"                                                                               \
    "            submitacl: ' dev'\n"                                                                        \
    "          - name: play\n"                                                                               \
    "            submitacl: '*'\n"

struct stage {
    struct fake_directory fake;
    struct world world;
};

static void begin(struct stage *stage, const char *config)
{
    fake_directory_init(&stage->fake);
    world_init_with(&stage->world, config, &stage->fake.directory);
}

static void end(struct stage *stage)
{
    world_check(&stage->world);
    world_done(&stage->world);
    fake_directory_done(&stage->fake);
}

static void submit_forced(struct world *world, const char *id, const char *queue, const char *user)
{
    const struct yk_si_tag tags[] = {{"namespace", "ns"}, {YK_SI_TAG_FORCE_CREATE, "true"}};
    const struct yk_si_new_app app = {
        .application_id = id, .queue = queue, .ugi = {.user = user}, .tags = tags, .tag_count = 2};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

static void answered_late(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    char queue[] = "root.work", user[] = "ann";
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", queue, user);
    memset(queue, 'x', sizeof(queue) - 1); /* what was passed is borrowed for the call */
    memset(user, 'x', sizeof(user) - 1);
    world_submit(world, "b", "root.work", "bob");
    world_advance(world, 20);
    assert_int_equal(world->app_accepted + world->app_rejected, 0);
    assert_null(world_app(world, "a"));
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_accepted, 1);
    assert_int_equal(world->app_rejected, 1); /* bob is not in dev */
    assert_string_equal(world_app(world, "a")->queue_path, "root.work");
    assert_string_equal(world_app(world, "a")->groups[1], "dev");
    assert_null(world_app(world, "b"));
    world_node(world, "n", 1000, 1024);
    world_ask(world, "a", "k", 100, 1);
    assert_int_equal(world_schedule(world), 1);
    end(&stage);
}

static void one_question_for_a_user(void **state)
{
    (void)state;
    struct stage stage;
    begin(&stage, CONFIG_OF("test"));
    for (int i = 0; i < 50; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        world_submit(&stage.world, id, "root.work", "eve");
    }
    assert_int_equal(stage.fake.asked, 1);
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(stage.world.app_accepted, 50);
    end(&stage);
}

/* However many wait for one answer, a slice of scheduling stays short. */
static void placed_in_slices(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("os"));
    for (int i = 0; i < 1000; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        world_submit(world, id, "root.work", "eve");
    }
    assert_true(fake_directory_answer(&stage.fake, "eve", "dev"));
    assert_in_range(world->app_accepted, 1, 500);
    assert_int_equal(yk_core_remove_app(world->core, "rm", "app-999", "default"), YK_OK);
    world_advance(world, 0);
    size_t accepted = world->app_accepted;
    assert_in_range(accepted, 2, 998);
    assert_null(world_reload(world, CONFIG_OF("ldap"))); /* R16: the rest is asked again */
    assert_int_equal(stage.fake.asked, 2);
    world_advance(world, 0);
    assert_int_equal(world->app_accepted, accepted);
    assert_true(fake_directory_answer(&stage.fake, "eve", "dev"));
    for (int i = 0; i < 10; i++)
        world_advance(world, 0);
    assert_int_equal(world->app_accepted, 999);
    assert_null(world_app(world, "app-999"));
    end(&stage);
}

static void failing(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", "root.play", "zoe");
    submit_forced(world, "f", "root.play", "zoe");
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_rejected, 1);
    assert_string_equal(world->last_reason, "user is not known");
    assert_int_equal(world->app_accepted, 1); /* A13 */
    assert_string_equal(world_app(world, "f")->groups[0], "nogroup");
    assert_string_equal(world_app(world, "f")->user, "zoe");
    assert_non_null(yk_tags_get(&world_app(world, "f")->tags, "namespace"));
    end(&stage);
}

/* A directory that is down must not lose what runs: placed within the time that si.h promises. */
static void never_answered(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("ldap"));
    submit_forced(world, "f", "root.work", "ann");
    world_submit(world, "a", "root.work", "ann");
    world_advance(world, YK_SI_FORCED_APP_ANSWER_NS / YK_NS_PER_S - 1);
    assert_int_equal(world->app_accepted, 0);
    world_advance(world, 1);
    assert_int_equal(world->app_accepted, 1);
    /* nogroup may not use root.work: the recovery queue takes it. */
    assert_string_equal(world_app(world, "f")->queue_path, "root.@recovery@");
    world_advance(world, (YK_SI_APP_ANSWER_NS - YK_SI_FORCED_APP_ANSWER_NS) / YK_NS_PER_S);
    assert_int_equal(world->app_rejected, 1);
    end(&stage);
}

static void removed_while_waiting(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", "root.work", "ann");
    assert_int_equal(yk_core_remove_app(world->core, "rm", "a", "default"), YK_OK);
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_accepted + world->app_rejected, 0);
    world_submit(world, "a", "root.play", "bob"); /* the id is free again */
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_accepted, 1);
    end(&stage);
}

static void the_id_is_taken(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    const char *const groups[] = {"dev"};
    const struct yk_si_new_app known = {.application_id = "a",
                                        .queue = "root.play",
                                        .ugi = {.user = "max", .groups = groups, .group_count = 1}};
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", "root.work", "ann");
    world_submit(world, "a", "root.play", "bob"); /* would wait */
    assert_int_equal(world->app_rejected, 1);
    assert_string_equal(world->last_reason, "application 'a' is submitted already");
    assert_int_equal(yk_core_add_app(world->core, "rm", &known), YK_OK); /* would not */
    assert_int_equal(world->app_rejected, 2);
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_accepted, 1);
    assert_string_equal(world_app(world, "a")->user, "ann");
    world_submit(world, "a", "root.play", "bob");
    assert_int_equal(world->app_rejected, 3);
    assert_int_equal(stage.fake.open.count, 0); /* no question without need */
    end(&stage);
}

/* What comes of it is decided by the queues as they are when the answer comes. */
static void reload_in_between(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", "root.late", "ann");
    world_submit(world, "b", "root.work", "ann");
    const char *refusal = world_reload(world, "partitions:\n"
                                              "  - name: default\n"
                                              "    usergroupresolver: {type: 'test'}\n"
                                              "    queues:\n"
                                              "      - name: root\n"
                                              "        queues:\n"
                                              "          - name: late\n"
                                              "            submitacl: '*'\n");
    assert_null(refusal);
    assert_int_equal(stage.fake.asked, 1);
    fake_directory_answer_all(&stage.fake);
    assert_int_equal(world->app_accepted, 1);
    assert_int_equal(world->app_rejected, 1);
    assert_string_equal(world_app(world, "a")->queue_path, "root.late");
    end(&stage);
}

/* R16: what waits is asked again; without a resolver it need not wait. */
static void reload_with_another_resolver(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("os"));
    world_submit(world, "a", "root.work", "ann");
    world_submit(world, "b", "root.play", "bob");
    assert_null(world_reload(world, CONFIG_OF("ldap")));
    assert_int_equal(stage.fake.asked, 4);
    assert_true(fake_directory_answer(&stage.fake, "ann", "ops")); /* os */
    assert_int_equal(world->app_accepted + world->app_rejected, 0);
    assert_true(fake_directory_answer(&stage.fake, "ann", "ann,dev")); /* ldap */
    assert_int_equal(world->app_accepted, 1);
    assert_null(world_reload(world, CONFIG_OF("")));
    assert_int_equal(world->app_accepted, 2);
    assert_string_equal(world_app(world, "b")->groups[0], "bob");
    world_submit(world, "c", "root.work", "ann"); /* its cached groups went with the resolver */
    assert_int_equal(world->app_rejected, 1);
    end(&stage);
}

static void reload_with_an_unusable_resolver(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    begin(&stage, CONFIG_OF("os"));
    stage.fake.unusable = "ldap";
    const char *refusal = world_reload(world, CONFIG_OF("ldap"));
    assert_non_null(refusal);
    assert_string_equal(
        refusal,
        "line 4, column 13: partition 'default': user group resolver 'ldap': no settings for 'ldap'");
    world_submit(world, "a", "root.work", "ann");
    assert_string_equal(((struct yk_question *)stage.fake.open.items[0])->type, "os"); /* the old one stays */
    end(&stage);
}

/* BUG-4: each partition has a resolver and a memory of its own. */
static void partitions(void **state)
{
    (void)state;
    static const char both[] = "partitions:\n"
                               "  - name: default\n"
                               "    usergroupresolver: {type: 'os'}\n"
                               "    queues: [{name: root, submitacl: '*', queues: [{name: q}]}]\n"
                               "  - name: other\n"
                               "    usergroupresolver: {type: 'ldap'}\n"
                               "    queues: [{name: root, submitacl: '*', queues: [{name: q}]}]\n";
    static const char one[] = "partitions:\n"
                              "  - name: default\n"
                              "    usergroupresolver: {type: 'os'}\n"
                              "    queues: [{name: root, submitacl: '*', queues: [{name: q}]}]\n";
    struct stage stage;
    struct world *world = &stage.world;
    struct yk_si_new_app there = {
        .application_id = "a", .partition = "other", .queue = "root.q", .ugi = {.user = "ann"}};
    begin(&stage, both);
    world_submit(world, "a", "root.q", "ann");
    assert_int_equal(yk_core_add_app(world->core, "rm", &there), YK_OK);
    assert_int_equal(stage.fake.asked, 2);
    assert_true(fake_directory_answer(&stage.fake, "ann", "here"));
    assert_true(fake_directory_answer(&stage.fake, "ann", "there"));
    assert_string_equal(world_app(world, "a")->groups[0], "here");
    there.application_id = "b";
    there.ugi.user = "bob";
    assert_int_equal(yk_core_add_app(world->core, "rm", &there), YK_OK);
    assert_int_equal(world->app_rejected, 0);
    assert_null(world_reload(world, one)); /* its partition goes while it waits */
    assert_int_equal(world->app_rejected, 1);
    assert_string_equal(world->last_reason, "the partition is removed");
    assert_true(fake_directory_answer(&stage.fake, "bob", "too late")); /* and nothing happens */
    assert_int_equal(world->app_accepted, 2);
    end(&stage);
}

/* A new life of the resource manager drops what waits without a word. */
static void registered_again(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    const struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(CONFIG_OF("test"))};
    const struct yk_si_callbacks none = {.app_rejected = NULL};
    begin(&stage, CONFIG_OF("test"));
    world_submit(world, "a", "root.work", "ann");
    assert_int_equal(yk_core_register(world->core, &request, &none, world, NULL), YK_OK);
    assert_int_equal(world->app_rejected, 0);
    fake_directory_answer_all(&stage.fake);
    assert_null(world_app(world, "a"));
    end(&stage);
}

static void too_many(void **state)
{
    (void)state;
    struct stage stage;
    struct world *world = &stage.world;
    char id[32];
    begin(&stage, CONFIG_OF("test"));
    for (int i = 0; i < YK_SUBMISSIONS_MAX; i++) {
        (void)snprintf(id, sizeof(id), "app-%d", i);
        world_submit(world, id, "root.work", "ann");
    }
    assert_int_equal(world->app_rejected, 0);
    world_submit(world, "one-more", "root.work", "ann");
    assert_int_equal(world->app_rejected, 1);
    submit_forced(world, "runs", "root.work", "ann"); /* never refused for its number */
    assert_int_equal(world->app_rejected, 1);
    world_done(world); /* with all of them waiting */
    fake_directory_done(&stage.fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answered_late),
        cmocka_unit_test(one_question_for_a_user),
        cmocka_unit_test(placed_in_slices),
        cmocka_unit_test(failing),
        cmocka_unit_test(never_answered),
        cmocka_unit_test(removed_while_waiting),
        cmocka_unit_test(the_id_is_taken),
        cmocka_unit_test(reload_in_between),
        cmocka_unit_test(reload_with_another_resolver),
        cmocka_unit_test(reload_with_an_unusable_resolver),
        cmocka_unit_test(partitions),
        cmocka_unit_test(registered_again),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
