/* SPDX-License-Identifier: Apache-2.0 */
/* Several resource managers beside each other, and one that registers again: scheduling.md 1.1, 1.2, 1.6, 10
 * (D01, D06). */
#include "lib/core_world.h"

#define QUEUES                                                                                               \
    "  placementrules: [{name: provided, create: true}]\n"                                                   \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n    - {name: q}\n"
static const char one[] = "partitions:\n- name: default\n" QUEUES;
static const char two[] = "partitions:\n- name: default\n" QUEUES "- name: gpu\n" QUEUES;

/* ---- a second resource manager, beside the world's own "rm" ---- */

struct ear {
    size_t allocated, released, rejected, app_rejected, app_updates, failed, node_accepted;
    char last_key[32], reason[128], message[64];
};

static void on_allocated(void *rm, const struct yk_si_allocated *allocation)
{
    struct ear *ear = rm;
    ear->allocated++;
    (void)snprintf(ear->last_key, sizeof(ear->last_key), "%s", allocation->key);
}
static void on_released(void *rm, const struct yk_si_released *release)
{
    (void)release;
    ((struct ear *)rm)->released++;
}
static void on_rejected(void *rm, const char *application_id, const char *key, const char *reason,
                        void *cookie)
{
    struct ear *ear = rm;
    (void)application_id;
    (void)key;
    (void)cookie;
    ear->rejected++;
    (void)snprintf(ear->reason, sizeof(ear->reason), "%s", reason);
}
static void on_app_rejected(void *rm, const char *application_id, const char *reason, void *cookie)
{
    struct ear *ear = rm;
    (void)application_id;
    (void)cookie;
    ear->app_rejected++;
    (void)snprintf(ear->reason, sizeof(ear->reason), "%s", reason);
}
static void on_app_updated(void *rm, const struct yk_si_app_update *update)
{
    struct ear *ear = rm;
    ear->app_updates++;
    if (update->state == YK_APP_FAILING) {
        ear->failed++;
        (void)snprintf(ear->message, sizeof(ear->message), "%s", update->message);
    }
}
static void on_node_accepted(void *rm, const char *node_id, void *cookie)
{
    (void)node_id;
    (void)cookie;
    ((struct ear *)rm)->node_accepted++;
}

static const struct yk_si_callbacks ears = {.allocated = on_allocated,
                                            .released = on_released,
                                            .allocation_rejected = on_rejected,
                                            .app_rejected = on_app_rejected,
                                            .app_updated = on_app_updated,
                                            .node_accepted = on_node_accepted};

static enum yk_status enrol(struct world *world, const char *rm_id, const char *config, struct ear *ear)
{
    struct yk_err err = {0};
    const struct yk_si_register request = {.rm_id = rm_id, .config = yk_str_from(config)};
    return yk_core_register(world->core, &request, &ears, ear, &err);
}

static void add_node(struct world *world, const char *rm_id, const char *partition, const char *id)
{
    struct yk_resvec capacity = world_size(4000, 4096);
    const struct yk_si_node node = {
        .node_id = id, .partition = partition, .action = YK_SI_NODE_CREATE, .capacity = &capacity};
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    assert_int_equal(yk_core_update_node(world->core, rm_id, &node), YK_OK);
}

static void add_app(struct world *world, const char *rm_id, const char *partition, const char *id)
{
    const struct yk_si_new_app app = {
        .application_id = id, .queue = "root.q", .partition = partition, .ugi = {.user = "joe"}};
    assert_int_equal(yk_core_add_app(world->core, rm_id, &app), YK_OK);
}

static void add_ask(struct world *world, const char *rm_id, const char *partition, const char *app,
                    const char *key, bool is_placeholder)
{
    struct yk_resvec size = world_size(1000, 10);
    const struct yk_si_allocation ask = {.key = key,
                                         .application_id = app,
                                         .partition = partition,
                                         .resource = &size,
                                         .placeholder = is_placeholder,
                                         .task_group = is_placeholder ? "tg" : NULL,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, rm_id, &ask), YK_OK);
}

static struct yk_partition *named(const struct world *world, const char *name)
{
    return yk_core_find_partition(world->core, yk_str_from(name));
}

/* ---- beside each other ---- */

/* 1.6, 10: the same names in both, and nothing of one is the other's. */
static void two_with_the_same_names(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", two, &ear), YK_OK);
    assert_int_equal(world.core->rms.count, 2);
    world_node(&world, "n", 4000, 4096);
    add_node(&world, "west", "default", "n");
    assert_int_equal(world.node_accepted, 1);
    assert_int_equal(ear.node_accepted, 1);

    world_submit(&world, "app", "root.q", "joe");
    world_ask(&world, "app", "k", 1000, 10);
    add_app(&world, "west", "default", "app");
    add_ask(&world, "west", "default", "app", "k", false);
    assert_int_equal(world_schedule(&world), 2);
    assert_int_equal(world.allocated, 1);
    assert_int_equal(ear.allocated, 1);
    assert_int_equal(named(&world, "[rm]default")->allocation_count, 1);
    assert_int_equal(named(&world, "[west]default")->allocation_count, 1);

    const struct yk_si_release all = {.application_id = "app", .termination = YK_SI_STOPPED_BY_RM};
    assert_int_equal(yk_core_release(world.core, "west", &all), YK_OK);
    assert_int_equal(ear.released, 1);
    assert_int_equal(world.released, 0);
    assert_int_equal(named(&world, "[rm]default")->allocation_count, 1);
    assert_int_equal(named(&world, "[west]default")->allocation_count, 0);
    world_check(&world);
    world_done(&world);
}

/* 1.1: a bare name is the partition of who registered first, whatever came later. */
static void bare_names(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", two, &ear), YK_OK);
    assert_string_equal(named(&world, "default")->full_name, "[rm]default");
    assert_string_equal(named(&world, "[west]default")->full_name, "[west]default");
    assert_string_equal(named(&world, "gpu")->full_name, "[west]gpu"); /* only there */
    assert_null(world_reload(&world, two));
    assert_string_equal(named(&world, "gpu")->full_name, "[rm]gpu"); /* made later, of the first */
    assert_int_equal(enrol(&world, "rm", one, &ear), YK_OK);
    assert_string_equal(named(&world, "default")->full_name, "[west]default"); /* the first now */
    assert_null(named(&world, "[south]default"));
    world_done(&world);
}

/* D01: no manager acts for another one. */
static void nobody_speaks_for_another(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", one, &ear), YK_OK);
    add_app(&world, "west", "[rm]default", "app");
    assert_int_equal(ear.app_rejected, 1);
    assert_string_equal(ear.reason, "the partition does not exist");
    assert_null(world_app(&world, "app"));
    world_submit(&world, "app", "root.q", "joe");
    add_ask(&world, "west", "[rm]default", "app", "k", false);
    assert_int_equal(ear.rejected, 1);
    assert_int_equal(yk_core_remove_app(world.core, "west", "app", "[rm]default"), YK_OK);
    assert_non_null(world_app(&world, "app"));
    add_app(&world, "west", "[west]default", "mine"); /* its own name in brackets is fine */
    assert_int_equal(ear.app_rejected, 1);

    struct yk_err err = {0};
    struct yk_reload *reload = NULL;
    const struct yk_si_register stranger = {.rm_id = "south", .config = yk_str_from(two)};
    assert_int_equal(yk_core_update_config(world.core, &stranger, &err), YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "'south'"));
    assert_int_equal(yk_core_reload_begin(world.core, &stranger, &reload, &err), YK_ERR_NOT_FOUND);
    assert_null(reload);
    struct yk_si_new_app app = {.application_id = "x"};
    struct yk_si_node node = {.node_id = "n", .action = YK_SI_NODE_CREATE};
    struct yk_si_release release = {.application_id = "app"};
    struct yk_si_allocation ask = {.key = "k"};
    assert_int_equal(yk_core_add_app(world.core, "south", &app), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_core_remove_app(world.core, "south", "app", NULL), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_core_update_node(world.core, "south", &node), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_core_release(world.core, "south", &release), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_core_update_allocation(world.core, "south", &ask), YK_ERR_NOT_FOUND);
    world_check(&world);
    world_done(&world);
}

/* 1.6: each has its own configuration; the same text of two is not "the same". */
static void configurations_are_apart(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    struct yk_err err = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", one, &ear), YK_OK);
    assert_non_null(named(&world, "[west]default"));
    const struct yk_si_register more = {.rm_id = "west", .config = yk_str_from(two)};
    assert_int_equal(yk_core_update_config(world.core, &more, &err), YK_OK);
    assert_non_null(named(&world, "[west]gpu"));
    assert_null(named(&world, "[rm]gpu"));
    assert_int_equal(yk_core_find_rm(world.core, "west")->config->partition_count, 2);
    assert_int_equal(yk_core_find_rm(world.core, "rm")->config->partition_count, 1);

    /* one that is refused: the other one's is not touched, either */
    const struct yk_si_register bad = {.rm_id = "west", .config = YK_STR("partitions: 5")};
    assert_int_equal(yk_core_update_config(world.core, &bad, &err), YK_ERR_INVALID);
    assert_int_equal(yk_core_find_rm(world.core, "west")->config->partition_count, 2);

    /* prepared for one while the other one changes: not in its way */
    struct yk_reload *reload = NULL;
    const struct yk_si_register less = {.rm_id = "west", .config = yk_str_from(one)};
    assert_int_equal(yk_core_reload_begin(world.core, &less, &reload, &err), YK_OK);
    yk_reload_prepare(reload);
    assert_null(world_reload(&world, two));
    assert_int_equal(yk_core_reload_finish(world.core, reload, NULL, &err), YK_OK);
    yk_reload_free(reload);
    assert_null(named(&world, "[west]gpu"));
    assert_non_null(named(&world, "[rm]gpu"));
    world_check(&world);
    world_done(&world);
}

/* 1.6, 9: what concerns the whole process is said by the first; the others' settings are their own. */
static void the_first_sets_the_process(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    struct yk_err err = {0};
    world_init(&world, one);
    const struct yk_si_tag tags[] = {{"health.checkInterval", "7s"}, {"event.requestCapacity", "3"}};
    const struct yk_si_register west = {
        .rm_id = "west", .config = yk_str_from(one), .extra_config = tags, .extra_count = 2};
    assert_int_equal(yk_core_register(world.core, &west, &ears, &ear, &err), YK_OK);
    assert_int_equal(world.core->health_interval_ns, 30 * YK_NS_PER_S);
    assert_int_equal(world.core->events.settings.request_capacity, 1000);
    assert_string_equal(
        yk_tags_get(&yk_core_find_rm(world.core, "west")->extra_config, "health.checkInterval"), "7s");
    assert_int_equal(enrol(&world, "rm", "partitions: 5", &ear), YK_ERR_INVALID); /* the first goes */
    assert_int_equal(world.core->rms.count, 1);
    assert_int_equal(world.core->health_interval_ns, 7 * YK_NS_PER_S);
    assert_int_equal(world.core->events.settings.request_capacity, 3);
    world_done(&world);
}

/* 3.2: partitions are independent: who was cut off by the number of decisions comes first the next time. */
static void partitions_take_turns(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", one, &ear), YK_OK);
    world_node(&world, "n", 4000, 4096);
    add_node(&world, "west", NULL, "n");
    world_submit(&world, "app", "root.q", "joe");
    add_app(&world, "west", NULL, "app");
    for (int i = 0; i < 3; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 1000, 10);
        add_ask(&world, "west", NULL, "app", key, false);
    }
    for (size_t i = 1; i <= 3; i++) {
        assert_int_equal(yk_core_schedule(world.core, 1, INT64_MAX), 1);
        assert_int_equal(yk_core_schedule(world.core, 1, INT64_MAX), 1);
        assert_int_equal(world.allocated, i);
        assert_int_equal(ear.allocated, i);
    }
    assert_false(yk_core_has_work(world.core));
    world_done(&world);
}

/* ---- again ---- */

static void fill_with_everything(struct world *world, struct ear *ear)
{
    struct yk_resvec gang = world_size(2000, 20);
    assert_int_equal(enrol(world, "west", two, ear), YK_OK);
    add_node(world, "west", "default", "w1");
    add_node(world, "west", "gpu", "w2");
    add_app(world, "west", "default", "runs");
    add_ask(world, "west", "default", "runs", "r1", false);
    add_ask(world, "west", "default", "runs", "r2", false);
    const struct yk_si_new_app app = {.application_id = "gang",
                                      .queue = "root.q",
                                      .partition = "default",
                                      .ugi = {.user = "joe"},
                                      .placeholder_ask = &gang};
    assert_int_equal(yk_core_add_app(world->core, "west", &app), YK_OK);
    add_ask(world, "west", "default", "gang", "p1", true); /* arms the gang's timer once allocated */
    add_app(world, "west", "gpu", "waits");
    add_ask(world, "west", "gpu", "waits", "x", false);
    add_app(world, "west", "gpu", "completing");
    add_ask(world, "west", "gpu", "completing", "c", false);
    assert_true(world_schedule(world) >= 4);
    const struct yk_si_release gone = {
        .application_id = "completing", .partition = "gpu", .key = "c", .termination = YK_SI_STOPPED_BY_RM};
    assert_int_equal(yk_core_release(world->core, "west", &gone), YK_OK);
    struct yk_resvec size = world_size(100, 1);
    const struct yk_si_allocation foreign = {.key = "f", .resource = &size, .node_id = "w1", .foreign = true};
    assert_int_equal(yk_core_update_allocation(world->core, "west", &foreign), YK_OK);
}

/* 1.6, D06: everything of the old one goes in one step; its callbacks hear nothing, its timers are gone. */
static void registering_again(void **state)
{
    (void)state;
    struct world world;
    struct ear old = {0}, new_ = {0};
    world_init(&world, one);
    world_node(&world, "n", 4000, 4096);
    world_submit(&world, "app", "root.q", "joe");
    world_ask(&world, "app", "k", 1000, 10);
    fill_with_everything(&world, &old);
    struct ear before = old;
    uint64_t from = yk_ring_next(world.core->events.ring);
    assert_int_equal(enrol(&world, "west", one, &new_), YK_OK);
    assert_memory_equal(&before, &old, sizeof(old));
    assert_int_equal(new_.app_updates + new_.released, 0);

    /* each application failed for that reason, which the events still say */
    size_t failing = 0;
    YK_EVENT(event);
    for (; yk_ring_get(world.core->events.ring, from, &event); from++) {
        if (event.detail != YK_EVENT_APP_FAILING)
            continue;
        failing++;
        assert_true(yk_str_is(event.message, "PartitionRemoved"));
    }
    assert_int_equal(failing, 3); /* a completing one completes anyway */

    assert_null(named(&world, "[west]gpu"));
    const struct yk_partition *fresh = named(&world, "[west]default");
    assert_int_equal(fresh->apps.count + fresh->node_count + fresh->foreign.count, 0);
    assert_int_equal(fresh->allocation_count, 0);
    assert_true(yk_resvec_is_zero(&fresh->root->allocated));
    world_check(&world);
    world_advance(&world, 4 * 24 * 3600); /* a timer of what is gone would fire into freed memory */
    assert_memory_equal(&before, &old, sizeof(old));

    /* and it works, beside the other one, which felt nothing */
    assert_int_equal(named(&world, "[rm]default")->allocation_count, 1);
    add_node(&world, "west", NULL, "w1");
    add_app(&world, "west", NULL, "runs");
    add_ask(&world, "west", NULL, "runs", "r1", false);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(new_.last_key, "r1");
    world_check(&world);
    world_done(&world);
}

/* 1.6: a partition that a configuration drops: the callbacks are there, and hear why. */
static void a_partition_that_is_dropped(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    struct yk_err err = {0};
    world_init(&world, one);
    fill_with_everything(&world, &ear);
    size_t released = ear.released;
    const struct yk_si_register less = {.rm_id = "west", .config = yk_str_from(one)};
    assert_int_equal(yk_core_update_config(world.core, &less, &err), YK_OK);
    assert_int_equal(ear.failed, 1);
    assert_string_equal(ear.message, "PartitionRemoved");
    assert_int_equal(ear.released, released + 1);
    assert_null(named(&world, "[west]gpu"));
    assert_int_equal(named(&world, "[west]default")->allocation_count, 3); /* untouched */
    world_advance(&world, 60);
    world_check(&world);
    world_done(&world);
}

/* 1.2: a registration that fails installs nothing, and the id can register later. */
static void a_registration_that_fails(void **state)
{
    (void)state;
    struct world world;
    struct ear ear = {0};
    world_init(&world, one);
    assert_int_equal(enrol(&world, "west", "partitions: 5", &ear), YK_ERR_INVALID);
    assert_null(yk_core_find_rm(world.core, "west"));
    assert_int_equal(world.core->rms.count, 1);
    assert_int_equal(enrol(&world, "", one, &ear), YK_ERR_INVALID);
    assert_int_equal(enrol(&world, "west", "", &ear), YK_OK); /* the built-in configuration */
    assert_non_null(named(&world, "[west]default"));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_with_the_same_names),    cmocka_unit_test(bare_names),
        cmocka_unit_test(nobody_speaks_for_another),  cmocka_unit_test(configurations_are_apart),
        cmocka_unit_test(the_first_sets_the_process), cmocka_unit_test(partitions_take_turns),
        cmocka_unit_test(registering_again),          cmocka_unit_test(a_partition_that_is_dropped),
        cmocka_unit_test(a_registration_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
