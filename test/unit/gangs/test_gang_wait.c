/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs that wait: who gives way to whom, that it is done as a whole or not at all, and that nothing is lost
 * when something goes meanwhile (scheduling.md 5.6 to 5.9).
 *
 * The resource manager of these tests ends a pod that has to end as soon as the test says so, and makes
 * the placeholders of a gang again when the test says so.
 */
#include "base/random.h"
#include "gangs/gang_order.h"
#include "gangs/gang_supply.h"
#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "lib/core_world.h"
#include "partition/move.h"
#include "report/outstanding.h"
#include "scheduler/kill.h"

#include <stdio.h>
#include <stdlib.h>

enum { GANGS = 6, MEMBERS = 8, ENDING = 256 };

struct scene {
    struct world world;
    struct {
        char app[16], key[24];
    } ending[ENDING];
    size_t ending_count;
    size_t preempted; /* placeholders and pods that were asked to end for others */
    size_t timed_out; /* placeholders of gang "ga" that ended with its time-out */
    int serial;
};

static void on_released(void *context, const char *key)
{
    struct scene *scene = context;
    if (scene->world.last_termination == YK_SI_TIMEOUT && strncmp(key, "ga-", 3) == 0)
        scene->timed_out++;
    if (scene->world.last_termination != YK_SI_PREEMPTED_BY_SCHEDULER || scene->ending_count == ENDING)
        return;
    (void)snprintf(scene->ending[scene->ending_count].app, 16, "%.*s", (int)strcspn(key, "-"), key);
    (void)snprintf(scene->ending[scene->ending_count++].key, 24, "%s", key);
    scene->preempted++;
}

/* `queues` below the root, in one line of YAML each; nodes of `cores`. */
static void scene_init(struct scene *scene, const char *queues, int nodes, int64_t cores)
{
    char config[2048];
    (void)snprintf(config, sizeof(config),
                   "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                   "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n%s",
                   queues);
    memset(scene, 0, sizeof(*scene));
    world_init(&scene->world, config);
    scene->world.watch_released = on_released;
    scene->world.watcher = scene;
    for (int i = 0; i < nodes; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&scene->world, id, cores * 1000, 65536);
    }
}

static void add_gang(struct scene *scene, const char *id, const char *queue, int members)
{
    struct yk_resvec total = world_size(1000, 10);
    yk_resvec_mul(&total, members);
    struct yk_si_new_app app = {.application_id = id,
                                .queue = queue,
                                .ugi = {.user = "joe"},
                                .placeholder_ask = &total,
                                .gang_style = YK_SI_GANG_HARD};
    assert_int_equal(yk_core_add_app(scene->world.core, "rm", &app), YK_OK);
}

static void add_placeholder(struct scene *scene, const char *app, const char *key, int32_t priority)
{
    struct yk_resvec size = world_size(1000, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = "tg",
                                   .placeholder = true,
                                   .priority = priority,
                                   .allow_preempt_self = true,
                                   .allow_preempt_other = true,
                                   .create_wall_ns = yk_clock_wall_ns(&scene->world.clock),
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
}

static uint64_t open_members(struct scene *scene, const char *id)
{
    const struct yk_app *app = yk_partition_find_app(world_partition(&scene->world), id);
    const struct yk_task_group *group =
        app == NULL || app->gang == NULL ? NULL : yk_strmap_get(&app->gang->by_name, YK_STR("tg"));
    return group == NULL ? 0 : yk_task_group_open(group);
}

/* As many placeholders as are missing. */
static void make_placeholders(struct scene *scene, const char *id, int members)
{
    while (open_members(scene, id) < (uint64_t)members) {
        char key[32];
        (void)snprintf(key, sizeof(key), "%s-%d", id, scene->serial++);
        add_placeholder(scene, id, key, 0);
    }
}

static void add_whole_gang(struct scene *scene, const char *id, const char *queue, int members)
{
    add_gang(scene, id, queue, members);
    make_placeholders(scene, id, members);
}

static void confirm_all(struct scene *scene)
{
    for (size_t i = 0; i < scene->ending_count; i++)
        world_release(&scene->world, scene->ending[i].app, scene->ending[i].key,
                      YK_SI_PREEMPTED_BY_SCHEDULER); /* or it has gone already */
    scene->ending_count = 0;
}

static void run(struct scene *scene, int64_t seconds)
{
    (void)world_schedule(&scene->world);
    for (int64_t s = 0; s < seconds; s++) {
        world_advance(&scene->world, 1);
        (void)world_schedule(&scene->world);
    }
}

static void remove_app(struct scene *scene, const char *id)
{
    assert_int_equal(yk_core_remove_app(scene->world.core, "rm", id, NULL), YK_OK);
}

static int64_t has(struct scene *scene, const char *id)
{
    return yk_resvec_get(&world_app(&scene->world, id)->allocated_placeholder, YK_RESTYPE_VCORE) / 1000;
}

static bool is_running(struct scene *scene, const char *id)
{
    return world_app(&scene->world, id)->state == YK_APP_RUNNING;
}

#define TWO "    - {name: a}\n    - {name: b}\n"

/* ---- gradual ---- */

/* Two gangs of four on six cores: each gets three, then one of them all four, in one step. */
static void the_first_in_order_starts_whole(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 2, 3);
    add_gang(&scene, "ga", "root.a", 4);
    world_advance(&scene.world, 1);
    add_gang(&scene, "gb", "root.b", 4);
    for (int i = 0; i < 4; i++) { /* in turns */
        make_placeholders(&scene, "ga", i + 1);
        make_placeholders(&scene, "gb", i + 1);
    }
    (void)world_schedule(&scene.world);
    assert_int_equal(has(&scene, "ga"), 3);
    assert_int_equal(has(&scene, "gb"), 3);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 1); /* no more than is needed */
    assert_string_equal(scene.ending[0].app, "gb");
    assert_int_equal(has(&scene, "ga"), 3); /* nothing before it has ended */
    /* Who comes in between gets nothing of it. */
    world_submit(&scene.world, "small", "root.b", "joe");
    world_ask(&scene.world, "small", "s", 1000, 10);
    (void)world_schedule(&scene.world);
    confirm_all(&scene);
    (void)world_schedule(&scene.world);
    assert_true(is_running(&scene, "ga"));
    assert_int_equal(has(&scene, "ga"), 4);
    assert_int_equal(has(&scene, "gb"), 2);
    /* The other one goes on waiting; it is placed whole when the first has gone. */
    make_placeholders(&scene, "gb", 4);
    run(&scene, 5);
    assert_true(scene.preempted <= 2); /* the small one, which is behind it, takes nothing more */
    remove_app(&scene, "ga");
    run(&scene, 3);
    assert_true(is_running(&scene, "gb"));
    world_done(&scene.world);
}

/* It gives way to a gang behind it once, then only to those before it. */
static void overtaken_once(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a}\n", 1, 6);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "big", "root.a", 6); /* fits once `busy` has ended */
    run(&scene, 1);
    assert_int_equal(has(&scene, "big"), 5);
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "late1", "root.a", 2);
    run(&scene, 3);
    confirm_all(&scene);
    run(&scene, 1);
    assert_true(is_running(&scene, "late1"));
    assert_int_equal(has(&scene, "big"), 3);
    make_placeholders(&scene, "big", 6);
    add_whole_gang(&scene, "late2", "root.a", 2);
    run(&scene, 130);
    assert_int_equal(scene.preempted, 2);
    assert_false(is_running(&scene, "late2"));
    assert_int_equal(has(&scene, "big"), 3);
    world_done(&scene.world);
}

/* What an ask before it in the order needs. */
static void an_ask_of_higher_priority_takes_what_it_needs(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 1, 4);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 4);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 3);
    world_submit(&scene.world, "urgent", "root.b", "joe");
    world_ask_full(&scene.world, "urgent", "u", 2000, 10, 10, YK_SI_CLASS_ANY, NULL);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 2);
    confirm_all(&scene);
    (void)world_schedule(&scene.world);
    assert_int_equal(yk_resvec_get(&world_app(&scene.world, "urgent")->allocated, YK_RESTYPE_VCORE), 2000);
    world_done(&scene.world);
}

/* The youngest go first, but those on a node that does not help stay. */
static void nothing_is_given_up_that_does_not_help(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 0, 0);
    world_node(&scene.world, "n0", 2000, 65536);
    world_node(&scene.world, "n1", 3000, 65536);
    world_node(&scene.world, "n2", 2000, 65536);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 7);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 6);
    world_submit(&scene.world, "urgent", "root.b", "joe");
    world_ask_full(&scene.world, "urgent", "u", 3000, 10, 10, YK_SI_CLASS_ANY, NULL);
    run(&scene, 2);
    const struct yk_node *n1 = yk_partition_find_node(world_partition(&scene.world), "n1");
    size_t on_n1 = 0;
    const struct yk_ask *ask;
    yk_list_foreach (ask, &n1->allocations, struct yk_ask, in_node)
        on_n1 += (ask->flags & YK_ASK_PREEMPTED) != 0;
    assert_true(on_n1 > 0);
    assert_int_equal(scene.ending_count, on_n1);
    world_done(&scene.world);
}

static void an_ask_behind_it_takes_nothing(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a}\n", 1, 4);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 4);
    run(&scene, 1);
    world_submit(&scene.world, "later", "root.a", "joe");
    world_ask(&scene.world, "later", "l", 1000, 10);
    run(&scene, 20);
    assert_int_equal(scene.preempted, 0);
    assert_int_equal(has(&scene, "g"), 3);
    world_done(&scene.world);
}

static void keep_is_as_before(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a, properties: {gang.placement: keep}}\n    - {name: b}\n", 1, 6);
    add_whole_gang(&scene, "ga", "root.a", 8); /* never */
    run(&scene, 1);
    world_submit(&scene.world, "small", "root.b", "joe");
    world_ask(&scene.world, "small", "s", 1000, 10);
    run(&scene, 20);
    assert_int_equal(scene.preempted, 0);
    assert_int_equal(has(&scene, "ga"), 6);
    world_done(&scene.world);
}

/* ---- what limits keep from others ---- */

static int64_t real_cores(struct scene *scene, const char *id)
{
    return yk_resvec_get(&world_app(&scene->world, id)->allocated, YK_RESTYPE_VCORE) / 1000;
}

/* The user may use four cores: a running pod has one, an incomplete gang three, and an ask before it needs
 * two. */
static void an_ask_that_its_user_s_limit_refuses(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene,
               "    - {name: a, limits: [{limit: l, users: [joe], maxresources: {vcore: 4}}]}\n"
               "    - {name: b}\n",
               1, 8);
    world_submit(&scene.world, "first", "root.a", "joe");
    world_ask(&scene.world, "first", "x", 1000, 10);
    run(&scene, 1);
    add_whole_gang(&scene, "g", "root.a", 4);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 3);
    world_ask(&scene.world, "first", "y", 2000, 10);
    run(&scene, 3);
    assert_int_equal(scene.preempted, 2);
    confirm_all(&scene);
    run(&scene, 1);
    assert_int_equal(real_cores(&scene, "first"), 3);
    world_done(&scene.world);
}

/* The ask waited for its queue before the gang came, and nothing tried it since. */
static void an_ask_that_waited_before_the_gang_came(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a, resources: {max: {vcore: 6}}}\n    - {name: b}\n", 1, 16);
    world_submit(&scene.world, "first", "root.a", "joe");
    world_ask(&scene.world, "first", "x", 2000, 10);
    world_ask(&scene.world, "first", "y", 1000, 10);
    run(&scene, 1);
    world_ask(&scene.world, "first", "z", 4000, 10);
    run(&scene, 1);
    add_whole_gang(&scene, "g", "root.a", 5);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 3);
    world_release(&scene.world, "first", "y", YK_SI_STOPPED_BY_RM);
    run(&scene, 3);
    assert_int_equal(scene.preempted, 4);
    confirm_all(&scene);
    run(&scene, 1);
    assert_int_equal(real_cores(&scene, "first"), 6);
    world_done(&scene.world);
}

/* A queue became a parent while a gang waits in it: that goes before what is below (queues.md R15). */
static void a_gang_in_a_queue_that_became_a_parent(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a}\n", 1, 4);
    add_whole_gang(&scene, "ga", "root.a", 4);
    add_whole_gang(&scene, "other", "root.a", 3);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask_full(&scene.world, "busy", "x", 2000, 10, 5, YK_SI_CLASS_ANY, NULL);
    (void)world_schedule(&scene.world);
    assert_int_equal(has(&scene, "ga"), 2);
    assert_null(world_reload(
        &scene.world, "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                      "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                      "    - {name: a, parent: true, queues: [{name: x}]}\n"));
    add_whole_gang(&scene, "gx", "root.a.x", 2);
    run(&scene, 3);
    struct yk_claim above = {world_app(&scene.world, "ga"), 0}, below = {world_app(&scene.world, "gx"), 0};
    assert_true(yk_gang_order(&above, &below) < 0);
    assert_true(yk_gang_order(&below, &above) > 0);
    world_done(&scene.world);
}

/* Its last running pod ends while its next one waits for what a gang gives up, for longer than an application
 * that has nothing left would be kept. */
static void an_application_lives_while_others_end_for_it(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 1, 4);
    world_submit(&scene.world, "urgent", "root.b", "joe");
    world_ask_full(&scene.world, "urgent", "x", 1000, 10, 10, YK_SI_CLASS_ANY, NULL);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 4);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 3);
    world_ask_full(&scene.world, "urgent", "y", 2000, 10, 10, YK_SI_CLASS_ANY, NULL);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 2);
    world_release(&scene.world, "urgent", "x", YK_SI_STOPPED_BY_RM);
    run(&scene, 40);
    assert_non_null(world_app(&scene.world, "urgent"));
    assert_true(is_running(&scene, "urgent"));
    confirm_all(&scene);
    run(&scene, 1);
    assert_int_equal(real_cores(&scene, "urgent"), 2);
    world_done(&scene.world);
}

/* The gang's queue uses more than its maximum, which was lowered: what does not help the taker stays. */
static void what_is_above_a_lowered_maximum_is_not_given_up_for_others(void **state)
{
    (void)state;
    static const char lowered[] =
        "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
        "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
        "    - {name: a, resources: {max: {vcore: 1}}}\n    - {name: b}\n";
    struct scene scene;
    scene_init(&scene, TWO, 0, 0);
    world_node(&scene.world, "n0", 2000, 65536);
    world_node(&scene.world, "n1", 3000, 65536);
    world_node(&scene.world, "n2", 2000, 65536);
    add_whole_gang(&scene, "g", "root.a", 8);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 7);
    assert_null(world_reload(&scene.world, lowered));
    world_submit(&scene.world, "urgent", "root.b", "joe");
    world_ask_full(&scene.world, "urgent", "u", 3000, 10, 10, YK_SI_CLASS_ANY, NULL);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 3);
    world_done(&scene.world);
}

/* Its application is killed while others end for a gang: it gets nothing more. */
static void a_gang_that_was_killed_gets_nothing(void **state)
{
    (void)state;
    struct scene scene;
    struct yk_err err = {0};
    scene_init(&scene, TWO, 2, 3);
    add_gang(&scene, "ga", "root.a", 4);
    make_placeholders(&scene, "ga", 3);
    (void)world_schedule(&scene.world);
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "gb", "root.b", 4);
    (void)world_schedule(&scene.world);
    make_placeholders(&scene, "ga", 4);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 1);
    assert_int_equal(yk_app_kill(world_app(&scene.world, "ga"), "ann", &err), YK_OK);
    world_node(&scene.world, "n9", 4000, 65536); /* a reason to look at the gangs */
    run(&scene, 2);
    assert_int_equal(world_app(&scene.world, "ga")->pending_groups.count, 0);
    confirm_all(&scene);
    run(&scene, 2);
    assert_true(has(&scene, "ga") <= 3);
    world_check(&scene.world);
    world_done(&scene.world);
}

/* The time-out comes while others end for the gang, and one of its asks has gone: those that have no node yet
 * are dropped once, and none is asked to end as if it had one. */
static void time_is_up_while_others_end(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 1, 6);
    add_gang(&scene, "ga", "root.a", 4);
    make_placeholders(&scene, "ga", 1);
    (void)world_schedule(&scene.world);
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "huge", "root.b", 7);
    (void)world_schedule(&scene.world);
    assert_int_equal(has(&scene, "huge"), 5);
    make_placeholders(&scene, "ga", 4);
    run(&scene, 2);
    assert_int_equal(scene.ending_count, 3);
    char key[32];
    (void)snprintf(key, sizeof(key), "ga-%d", scene.serial - 1);
    world_release(&scene.world, "ga", key, YK_SI_STOPPED_BY_RM);
    world_advance(&scene.world, 15 * 60);
    (void)world_schedule(&scene.world);
    assert_int_equal(scene.timed_out, 3); /* one was allocated, two were not */
    world_done(&scene.world);
}

/* A stateaware leaf starts one application at a time, gangs that are placed whole included (queues.md O7). */
static void one_at_a_time_in_a_stateaware_leaf(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene,
               "    - {name: a, properties: {gang.placement: whole, application.sort.policy: stateaware}}\n"
               "    - {name: b}\n",
               1, 8);
    add_gang(&scene, "first", "root.a", 4);
    make_placeholders(&scene, "first", 2); /* the others are not made yet */
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "second", "root.a", 4);
    run(&scene, 20);
    assert_int_equal(has(&scene, "second"), 0);
    make_placeholders(&scene, "first", 4);
    run(&scene, 7);
    assert_int_equal(has(&scene, "first"), 4);
    world_done(&scene.world);
}

/* An application of a stateaware leaf has its node and waits for what ends there: it is being started, and
 * the next one of its leaf waits. */
static void others_end_for_one_of_a_stateaware_leaf(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene,
               "    - {name: a}\n    - {name: s, properties: {application.sort.policy: stateaware}}\n", 2, 4);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "b1", 1500, 10);
    world_ask(&scene.world, "busy", "b2", 1500, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 5);
    run(&scene, 1);
    assert_int_equal(has(&scene, "g"), 4); /* 0.5 cores are left on each node */
    world_submit(&scene.world, "urgent", "root.s", "joe");
    world_ask_full(&scene.world, "urgent", "y", 1000, 10, 10, YK_SI_CLASS_ANY, NULL);
    world_advance(&scene.world, 1);
    world_submit(&scene.world, "later", "root.s", "joe");
    world_ask(&scene.world, "later", "z", 500, 10);
    run(&scene, 3);
    assert_int_equal(scene.ending_count, 1);
    assert_false(is_running(&scene, "later"));
    assert_int_equal(world_app(&scene.world, "later")->allocation_count, 0);
    confirm_all(&scene);
    run(&scene, 1);
    assert_int_equal(real_cores(&scene, "urgent"), 1);
    assert_int_equal(world_app(&scene.world, "later")->allocation_count, 0); /* urgent is Starting */
    world_done(&scene.world);
}

/* What is used above the capacity of one node is not missing on the others. */
static void an_overcommitted_node_holds_up_no_gang(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a, properties: {gang.placement: whole}}\n    - {name: b}\n", 1, 8);
    world_submit(&scene.world, "busy", "root.b", "joe");
    world_ask(&scene.world, "busy", "x", 8000, 10);
    (void)world_schedule(&scene.world);
    struct yk_resvec capacity = world_size(1000, 65536);
    struct yk_si_node update = {.node_id = "n0", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(scene.world.core, "rm", &update), YK_OK);
    world_node(&scene.world, "n1", 4000, 65536);
    add_whole_gang(&scene, "g", "root.a", 4);
    run(&scene, 10);
    assert_true(is_running(&scene, "g"));
    world_done(&scene.world);
}

/* ---- gangs that never fit ---- */

/* Five members on nodes for two: at first, with one placeholder, it looked as if it fitted. */
static void one_whose_members_come_later(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a}\n", 5, 1);
    world_node(&scene.world, "n9", 900, 65536);
    world_node(&scene.world, "n8", 900, 65536);
    add_gang(&scene, "g", "root.a", 6);
    make_placeholders(&scene, "g", 1);
    run(&scene, 2);
    assert_false(world_app(&scene.world, "g")->gang->never_fits);
    make_placeholders(&scene, "g", 6);
    run(&scene, 2);
    assert_true(world_app(&scene.world, "g")->gang->never_fits);
    world_done(&scene.world);
}

static size_t times_told(const struct world *world, const char *what)
{
    const struct yk_ring *ring = world->core->events.ring;
    size_t count = 0;
    for (uint64_t at = yk_ring_lowest(ring); at < yk_ring_next(ring); at++) {
        YK_EVENT(event);
        char text[512];
        if (!yk_ring_get(ring, at, &event))
            continue;
        (void)snprintf(text, sizeof(text), YK_STR_FMT, YK_STR_ARG(event.message));
        count += strstr(text, what) != NULL;
    }
    return count;
}

static void one_that_never_fits_says_so_and_gives_way(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 2, 3);
    add_whole_gang(&scene, "huge", "root.a", 7);
    run(&scene, 1);
    assert_int_equal(times_told(&scene.world, "can never start: it is larger than what the nodes offer"), 1);
    assert_int_equal(has(&scene, "huge"), 6);
    yk_outstanding_report(world_partition(&scene.world));
    assert_int_equal(scene.world.told_failed, 1); /* more nodes would help */
    assert_string_equal(scene.world.last_reason,
                        "the gang can never start: it is larger than what the nodes offer; it needs 7 cores, "
                        "the nodes offer 6 cores; after its timeout of 15 min the application fails");
    world_submit(&scene.world, "small", "root.a", "joe"); /* behind it, in the same leaf */
    world_ask(&scene.world, "small", "s0", 1000, 10);
    world_ask(&scene.world, "small", "s1", 1000, 10);
    run(&scene, 2);
    confirm_all(&scene);
    (void)world_schedule(&scene.world);
    assert_int_equal(yk_resvec_get(&world_app(&scene.world, "small")->allocated, YK_RESTYPE_VCORE), 2000);
    /* New ones do not count earlier failures. */
    make_placeholders(&scene, "huge", 7);
    world_release(&scene.world, "small", "s0", YK_SI_STOPPED_BY_RM);
    run(&scene, 3);
    assert_int_equal(has(&scene, "huge"), 4);
    /* Until a node comes. */
    world_node(&scene.world, "n9", 3000, 65536);
    run(&scene, 130);
    assert_true(is_running(&scene, "huge"));
    world_done(&scene.world);
}

/* It gets no placeholders again, so only the timeout ends its wait. */
static void its_timeout_runs_on_when_it_has_given_way(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 2, 3);
    add_whole_gang(&scene, "huge", "root.a", 7);
    run(&scene, 1);
    world_submit(&scene.world, "small", "root.a", "joe");
    for (int i = 0; i < 6; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "s%d", i);
        world_ask(&scene.world, "small", key, 1000, 10);
    }
    run(&scene, 5);
    confirm_all(&scene);
    (void)world_schedule(&scene.world);
    assert_int_equal(has(&scene, "huge"), 0);
    assert_int_equal(world_app(&scene.world, "huge")->state, YK_APP_ACCEPTED);
    world_advance(&scene.world, 15 * 60);
    (void)world_schedule(&scene.world);
    assert_null(world_app(&scene.world, "huge")); /* it has failed, because its style is Hard */
    world_done(&scene.world);
}

/* More nodes would not help: the report names the limit, as for a quota. */
static void one_that_a_limit_never_lets_start(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene,
               "    - name: a\n      limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]\n"
               "    - {name: b}\n",
               2, 3);
    add_whole_gang(&scene, "huge", "root.a", 5);
    run(&scene, 1);
    for (int i = 0; i < 2; i++)
        yk_outstanding_report(world_partition(&scene.world));
    assert_int_equal(scene.world.told_failed, 0);
    assert_int_equal(scene.world.told_skipped, 5 - has(&scene, "huge"));
    assert_string_equal(scene.world.last_reason,
                        "gang can never start: it is larger than the limit of its user");
    world_check(&scene.world);
    world_done(&scene.world);
}

/* A gang that is placed as a whole, below the quota of its namespace. */
static void one_whose_namespace_gets_a_larger_quota(void **state)
{
    (void)state;
    static const char *const quotas[] = {"{\"resources\":{\"vcore\":{\"value\":3000}}}",
                                         "{\"resources\":{\"vcore\":{\"value\":5000}}}"};
    struct scene scene;
    scene_init(&scene,
               "    - {name: dyn, parent: true, childtemplate: {properties: {gang.placement: whole}}}\n", 2,
               3);
    add_gang(&scene, "g", "root.dyn.ns", 4);
    for (size_t i = 0; i < YK_COUNT(quotas); i++) {
        const struct yk_si_tag tag = {"namespace.resourcequota", quotas[i]};
        assert_int_equal(yk_core_namespace_changed(scene.world.core, "rm", "g", "default", &tag, 1), YK_OK);
        make_placeholders(&scene, "g", 4);
        run(&scene, 5);
        assert_int_equal(world_app(&scene.world, "g")->gang->never_fits, i == 0);
        assert_int_equal(is_running(&scene, "g"), i == 1);
    }
    world_done(&scene.world);
}

/* Enough in total, and not for members of that size. */
static void pieces_are_not_enough(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 0, 0);
    for (int i = 0; i < 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&scene.world, id, 1500, 65536);
    }
    add_whole_gang(&scene, "g", "root.a", 5); /* 6 cores, in four pieces */
    run(&scene, 1);
    assert_int_equal(times_told(&scene.world, "can never start"), 1);
    world_done(&scene.world);
}

/* The resource manager says that the gang is smaller. */
static void a_gang_that_changes_may_start(void **state)
{
    (void)state;
    struct scene scene;
    struct yk_resvec total = world_size(1000, 10);
    scene_init(&scene, TWO, 1, 4);
    yk_resvec_mul(&total, 3);
    add_gang(&scene, "g", "root.a", 5);
    make_placeholders(&scene, "g", 3);
    run(&scene, 3);
    assert_true(world_app(&scene.world, "g")->gang->never_fits);
    assert_int_equal(yk_core_gang_changed(scene.world.core, "rm", "g", NULL, &total), YK_OK);
    assert_int_equal(yk_core_gang_changed(scene.world.core, "rm", "unknown", NULL, &total), YK_OK);
    assert_int_equal(yk_core_gang_changed(scene.world.core, "other", "g", NULL, &total), YK_ERR_NOT_FOUND);
    run(&scene, 3);
    assert_false(world_app(&scene.world, "g")->gang->never_fits);
    world_done(&scene.world);
}

/* ---- whole ---- */

static void submit_single(struct scene *scene, const char *id, int64_t cores)
{
    struct yk_resvec size = world_size(cores * 1000, 10);
    struct yk_si_new_app app = {
        .application_id = id, .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &size};
    struct yk_si_allocation ask = {.key = id,
                                   .application_id = id,
                                   .resource = &size,
                                   .task_group = "tg",
                                   .placeholder = true,
                                   .create_wall_ns = yk_clock_wall_ns(&scene->world.clock),
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_add_app(scene->world.core, "rm", &app), YK_OK);
    assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
    world_advance(&scene->world, 1);
}

/* 30 gangs lack capacity on single nodes only, so each of their dry runs fails. The last one in the order can
 * start. */
static void many_that_cannot_start_hold_up_none_behind_them(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a, properties: {gang.placement: whole}}\n    - {name: b}\n", 4, 4);
    world_submit(&scene.world, "real", "root.b", "joe");
    for (int i = 0; i < 4; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "r%d", i);
        world_ask(&scene.world, "real", key, 2000, 10);
    }
    (void)world_schedule(&scene.world);
    for (int i = 0; i < 30; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "g%02d", i);
        submit_single(&scene, id, 3);
    }
    submit_single(&scene, "last", 1);
    run(&scene, 31);
    assert_true(is_running(&scene, "last"));
    assert_int_equal(has(&scene, "g00"), 0);
    world_done(&scene.world);
}

static void nothing_is_placed_before_all_fit(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, "    - {name: a, properties: {gang.placement: whole}}\n    - {name: b}\n", 2, 3);
    world_submit(&scene.world, "busy", "root.b", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_gang(&scene, "g", "root.a", 6);
    make_placeholders(&scene, "g", 3);
    run(&scene, 3);
    assert_int_equal(has(&scene, "g"), 0); /* not all of them are there */
    make_placeholders(&scene, "g", 6);
    run(&scene, 3);
    assert_int_equal(has(&scene, "g"), 0);
    world_release(&scene.world, "busy", "x", YK_SI_STOPPED_BY_RM);
    run(&scene, 2);
    assert_true(is_running(&scene, "g"));
    assert_int_equal(scene.preempted, 0);
    world_done(&scene.world);
}

static void whole_within_queues_and_users(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene,
               "    - {name: a, properties: {gang.placement: whole}, resources: {max: {vcore: 5}},\n"
               "       limits: [{limit: x, users: ['*'], maxresources: {vcore: 4}}]}\n    - {name: b}\n",
               2, 4);
    world_submit(&scene.world, "busy", "root.a", "joe");
    world_ask(&scene.world, "busy", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_whole_gang(&scene, "g", "root.a", 4); /* the queue has room for it, the user has not */
    run(&scene, 3);
    assert_int_equal(has(&scene, "g"), 0);
    world_release(&scene.world, "busy", "x", YK_SI_STOPPED_BY_RM);
    run(&scene, 2);
    assert_true(is_running(&scene, "g"));
    world_done(&scene.world);
}

/* ---- preemption ---- */

static void preemption_is_for_whole_gangs(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int members;
        const char *budget;
        size_t victims;
    } cases[] = {
        {"within the guarantee", 4, "100", 4},
        {"more than the guarantee", 5, "100", 0},
        {"within the budget", 4, "4", 4},
        {"more than the budget", 4, "3", 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct scene scene;
        char queues[256];
        (void)snprintf(
            queues, sizeof(queues),
            "    - {name: a, properties: {preemption.delay: 5s}, resources: {guaranteed: {vcore: 4}}}\n"
            "    - {name: b, properties: {preemption.budget: '%s'}}\n",
            cases[i].budget);
        scene_init(&scene, queues, 2, 4);
        world_submit(&scene.world, "fill", "root.b", "joe");
        for (int k = 0; k < 8; k++) {
            char key[16];
            struct yk_resvec size = world_size(1000, 10);
            (void)snprintf(key, sizeof(key), "fill-%d", k);
            struct yk_si_allocation ask = {.key = key,
                                           .application_id = "fill",
                                           .resource = &size,
                                           .allow_preempt_self = true,
                                           .scheduling_class = YK_SI_CLASS_ANY};
            assert_int_equal(yk_core_update_allocation(scene.world.core, "rm", &ask), YK_OK);
        }
        (void)world_schedule(&scene.world);
        add_whole_gang(&scene, "g", "root.a", cases[i].members);
        run(&scene, 60);
        if (scene.preempted != cases[i].victims)
            fail_msg("%s: %zu victims", cases[i].what, scene.preempted);
        confirm_all(&scene);
        run(&scene, 2);
        if (is_running(&scene, "g") != (cases[i].victims > 0))
            fail_msg("%s: running is wrong", cases[i].what);
        world_done(&scene.world);
    }
}

/* ---- what may come in between ---- */

enum between {
    ASK_GOES,
    TAKER_GOES,
    TAKER_IS_KILLED,
    GIVER_GOES,
    NODE_GOES,
    NODE_DRAINED,
    TAKER_MOVES,
    TIME_IS_UP,
    BETWEEN_COUNT
};

static void happens(struct scene *scene, enum between what)
{
    struct world *world = &scene->world;
    struct yk_err err = {0};
    switch (what) {
    case ASK_GOES:
        world_release(world, "ga", "ga-6", YK_SI_STOPPED_BY_RM);
        break;
    case TAKER_GOES:
        remove_app(scene, "ga");
        break;
    case TAKER_IS_KILLED:
        assert_int_equal(yk_app_kill(world_app(world, "ga"), "root", &err), YK_OK);
        break;
    case GIVER_GOES:
        remove_app(scene, "gb");
        break;
    case NODE_GOES:
        world_node_action(world, "n0", YK_SI_NODE_DECOMMISSION);
        break;
    case NODE_DRAINED:
        world_node_action(world, "n0", YK_SI_NODE_DRAIN);
        world_node_action(world, "n1", YK_SI_NODE_DRAIN);
        break;
    case TAKER_MOVES:
        assert_int_equal(yk_app_move(world_app(world, "ga"), world_queue(world, "root.c"), "root", &err),
                         YK_OK);
        break;
    case TIME_IS_UP:
        world_advance(world, 20 * 60);
        break;
    case BETWEEN_COUNT:
        break;
    }
}

static void whatever_comes_in_between(void **state)
{
    (void)state;
    for (enum between what = 0; what < BETWEEN_COUNT; what++) {
        struct scene scene;
        scene_init(&scene, TWO "    - {name: c}\n", 2, 3);
        add_gang(&scene, "ga", "root.a", 4);
        world_advance(&scene.world, 1);
        add_gang(&scene, "gb", "root.b", 4);
        for (int i = 0; i < 4; i++) {
            make_placeholders(&scene, "ga", i + 1);
            make_placeholders(&scene, "gb", i + 1);
        }
        run(&scene, 2);
        assert_int_equal(scene.ending_count, 1);
        happens(&scene, what);
        (void)world_schedule(&scene.world);
        confirm_all(&scene);
        run(&scene, 5);
        assert_true(yk_list_empty(&world_partition(&scene.world)->gang_waits.settled));
        world_done(&scene.world);
    }
}

/* ---- the order ---- */

static void count_gangs(struct yk_partition *partition)
{
    const struct yk_gang *gang;
    yk_gang_order_begin(partition);
    yk_list_foreach (gang, &partition->gang_waits.gangs, struct yk_gang, in_waiting) {
        if (yk_gang_is_incomplete(gang))
            yk_gang_order_count(gang);
    }
}

/* It is strict and total, and does not change when a gang gets or gives up placeholders. */
static void the_order_stays_when_placeholders_come_and_go(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene, TWO, 2, 4);
    world_submit(&scene.world, "run", "root.a", "joe");
    world_ask(&scene.world, "run", "x", 1000, 10);
    (void)world_schedule(&scene.world);
    add_gang(&scene, "ga", "root.a", 6);
    add_gang(&scene, "gb", "root.b", 6);
    make_placeholders(&scene, "gb", 1);
    make_placeholders(&scene, "ga", 1);
    struct yk_claim a = yk_gang_claim(world_app(&scene.world, "ga")->gang),
                    b = yk_gang_claim(world_app(&scene.world, "gb")->gang);
    count_gangs(world_partition(&scene.world));
    int order = yk_gang_order(&a, &b);
    assert_true(order > 0); /* something runs in its queue already */
    for (int i = 2; i <= 6; i++) {
        make_placeholders(&scene, i % 2 == 0 ? "ga" : "gb", i);
        (void)yk_core_schedule(scene.world.core, SIZE_MAX, INT64_MAX);
        count_gangs(world_partition(&scene.world));
        assert_int_equal(yk_gang_order(&a, &b) > 0, 1);
        assert_int_equal(yk_gang_order(&b, &a) < 0, 1);
    }
    world_done(&scene.world);
}

/* By time the first is before the second and that before the third; where their paths part the third is
 * before the first, for its queue has the higher priority. */
static void no_three_are_in_a_circle(void **state)
{
    (void)state;
    static const char *const ids[] = {"ga", "gb", "gc"};
    struct scene scene;
    struct yk_claim claims[3];
    scene_init(&scene,
               "    - {name: p, parent: true, properties: {application.sort.priority: disabled,\n"
               "       priority.policy: fence}, queues: [{name: x, properties: {priority.offset: '-1'}}, "
               "{name: y}]}\n"
               "    - {name: q}\n",
               2, 4);
    add_whole_gang(&scene, "ga", "root.p.x", 2);
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "gb", "root.q", 2);
    world_advance(&scene.world, 1);
    add_whole_gang(&scene, "gc", "root.p.y", 2);
    count_gangs(world_partition(&scene.world));
    for (int i = 0; i < 3; i++)
        claims[i] = yk_gang_claim(world_app(&scene.world, ids[i])->gang);
    bool ab = yk_gang_order(&claims[0], &claims[1]) < 0, bc = yk_gang_order(&claims[1], &claims[2]) < 0,
         ca = yk_gang_order(&claims[2], &claims[0]) < 0;
    assert_true(ca);
    assert_false(ab && bc);
    world_done(&scene.world);
}

/* ---- at random ---- */

struct random_gang {
    char id[16];
    int members;
    bool there;
};

static void random_step(struct scene *scene, struct yk_random *random, struct random_gang *gangs)
{
    struct random_gang *gang = &gangs[yk_random_below(random, GANGS)];
    static const char *const queues[] = {"root.a", "root.b", "root.w", "root.g"};
    struct world *world = &scene->world;
    char key[32];
    switch (yk_random_below(random, 12)) {
    case 0:
    case 1:
    case 2:
        if (!gang->there) {
            gang->members = 1 + (int)yk_random_below(random, MEMBERS);
            (void)snprintf(gang->id, sizeof(gang->id), "g%d", scene->serial++);
            add_gang(scene, gang->id, queues[yk_random_below(random, 4)], gang->members);
            gang->there = true;
        }
        if (yk_partition_find_app(world_partition(world), gang->id) != NULL &&
            world_app(world, gang->id)->state != YK_APP_FAILING)
            make_placeholders(scene, gang->id, 1 + (int)yk_random_below(random, (uint64_t)gang->members));
        break;
    case 3:
    case 4:
        if (gang->there && yk_partition_find_app(world_partition(world), gang->id) != NULL &&
            world_app(world, gang->id)->state != YK_APP_FAILING)
            make_placeholders(scene, gang->id, gang->members);
        break;
    case 5:
        if (gang->there)
            remove_app(scene, gang->id);
        gang->there = false;
        break;
    case 6:
        (void)snprintf(key, sizeof(key), "s%d", scene->serial++);
        world_submit(world, key, queues[yk_random_below(random, 4)], "joe");
        world_ask_full(world, key, key, 1000 * (1 + (int64_t)yk_random_below(random, 3)), 10,
                       (int32_t)yk_random_below(random, 2), YK_SI_CLASS_ANY, NULL);
        break;
    case 7:
        (void)snprintf(key, sizeof(key), "n%d", (int)yk_random_below(random, 4));
        if (yk_partition_find_node(world_partition(world), key) == NULL)
            world_node(world, key, 4000, 65536);
        else
            world_node_action(world, key,
                              yk_random_below(random, 2) == 0 ? YK_SI_NODE_DECOMMISSION
                                                              : YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
        break;
    case 8:
        if (gang->there) { /* some pod of it goes */
            (void)snprintf(key, sizeof(key), "%s-%d", gang->id,
                           (int)yk_random_below(random, (uint64_t)scene->serial + 1));
            world_release(world, gang->id, key, YK_SI_STOPPED_BY_RM);
        }
        break;
    case 9:
        confirm_all(scene);
        break;
    default:
        world_advance(world, (int64_t)yk_random_below(random, 4));
        break;
    }
    world_check(world);
    if (yk_random_below(random, 2) == 0) /* a few steps only: what comes next comes in the midst of a look */
        (void)yk_core_schedule(world->core, SIZE_MAX, INT64_MAX - 1);
    else
        (void)yk_core_schedule(world->core, 1 + yk_random_below(random, 20), INT64_MAX);
    world_check(world);
}

/* Gangs that each fit alone all start, whatever happened before. */
static void they_all_start_in_the_end(struct scene *scene, struct random_gang *gangs)
{
    struct world *world = &scene->world;
    for (int i = 0; i < 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "n%d", i);
        if (yk_partition_find_node(world_partition(world), id) == NULL)
            world_node(world, id, 4000, 65536);
        else
            world_node_action(world, id, YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    }
    for (int i = 0; i < scene->serial; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "s%d", i);
        if (yk_partition_find_app(world_partition(world), id) != NULL)
            remove_app(scene, id);
    }
    for (int round = 0; round < 40; round++) {
        for (int g = 0; g < GANGS; g++) {
            const struct yk_app *app =
                gangs[g].there ? yk_partition_find_app(world_partition(world), gangs[g].id) : NULL;
            if (app != NULL && app->state == YK_APP_ACCEPTED)
                make_placeholders(scene, gangs[g].id, gangs[g].members);
            if (app != NULL && app->state == YK_APP_RUNNING) { /* it has done its work */
                remove_app(scene, gangs[g].id);
                gangs[g].there = false;
            }
        }
        confirm_all(scene);
        run(scene, 5);
    }
    for (int g = 0; g < GANGS; g++) {
        const struct yk_app *app =
            gangs[g].there ? yk_partition_find_app(world_partition(world), gangs[g].id) : NULL;
        if (app != NULL && app->state == YK_APP_ACCEPTED)
            fail_msg("gang %s of %d never started", gangs[g].id, gangs[g].members);
    }
}

static void at_random(void **state)
{
    (void)state;
    uint64_t seed = getenv("YK_SEED") != NULL ? strtoull(getenv("YK_SEED"), NULL, 10) : 1;
    for (uint64_t i = 0; i < 60; i++) {
        struct scene scene;
        struct yk_random random;
        struct random_gang gangs[GANGS] = {0};
        yk_random_init(&random, seed + i);
        print_message("YK_SEED=%llu\n", (unsigned long long)(seed + i));
        scene_init(
            &scene,
            TWO "    - {name: w, properties: {gang.placement: whole}}\n"
                "    - {name: g, properties: {preemption.delay: 1s}, resources: {guaranteed: {vcore: 4}}}\n",
            3, 4);
        for (int step = 0; step < 300; step++)
            random_step(&scene, &random, gangs);
        they_all_start_in_the_end(&scene, gangs);
        world_done(&scene.world);
    }
}

/* ---- costs ---- */

enum { MANY = 300, MANY_NODES = 1400, STEP_GANGS = 64, STEP_NODES = 512 };

/* Each of them has all its placeholders but one on nodes, and that one fits nowhere. */
static void add_many_gangs(struct scene *scene)
{
    for (int i = 0; i < MANY; i++) {
        char id[16], key[24];
        struct yk_resvec total = world_size(5000, 20);
        struct yk_si_new_app app = {
            .application_id = id, .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &total};
        (void)snprintf(id, sizeof(id), "g%d", i);
        assert_int_equal(yk_core_add_app(scene->world.core, "rm", &app), YK_OK);
        for (int member = 0; member < 2; member++) {
            struct yk_resvec size = world_size(member == 0 ? 1000 : 4000, 10);
            struct yk_si_allocation ask = {.key = key,
                                           .application_id = id,
                                           .resource = &size,
                                           .task_group = member == 0 ? "tg" : "whole",
                                           .placeholder = true,
                                           .scheduling_class = YK_SI_CLASS_ANY};
            (void)snprintf(key, sizeof(key), "%s-%d", id, member);
            assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
        }
    }
}

struct seen {
    size_t gangs, nodes, failed;
    uint64_t steps;
};

static struct seen see(const struct yk_gang_waits *waits)
{
    return (struct seen){waits->look.order.count, waits->look.next_node, waits->look.failed, waits->steps};
}

/* A look visits a bounded number of gangs and nodes, or makes one dry run, and then the caller goes on. */
static void a_look_is_made_in_steps(void **state)
{
    (void)state;
    static struct scene scene;
    scene_init(&scene, "    - {name: a}\n    - {name: b}\n", MANY_NODES, 4);
    world_submit(&scene.world, "fill", "root.b", "joe");
    for (int i = 0; i < MANY_NODES; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "f%d", i);
        world_ask(&scene.world, "fill", key, 2000, 10);
    }
    (void)world_schedule(&scene.world);
    add_many_gangs(&scene);
    (void)world_schedule(&scene.world);
    struct yk_gang_waits *waits = &world_partition(&scene.world)->gang_waits;
    assert_int_equal(waits->look.order.count, MANY);
    world_advance(&scene.world, 1);
    yk_gang_wait_note(world_partition(&scene.world));
    uint64_t looks = waits->looks, first = waits->steps;
    do {
        struct seen before = see(waits);
        (void)yk_core_schedule(scene.world.core, SIZE_MAX, INT64_MAX - 1);
        struct seen after = see(waits);
        assert_int_equal(after.steps, before.steps + 1);
        assert_true(after.gangs <= before.gangs + STEP_GANGS && before.gangs <= after.gangs + STEP_GANGS);
        assert_true(after.nodes <= before.nodes + STEP_NODES);
        assert_true(after.failed <= before.failed + 1);
    } while (waits->look.phase != YK_GANG_NO_LOOK);
    assert_int_equal(waits->looks, looks + 1);
    assert_true(waits->steps - first >= 3 * (MANY / STEP_GANGS));
    world_done(&scene.world);
}

/* The tree of gangs in order stays in order when a placeholder of another priority comes, and when the
 * application of a gang moves. */
static void what_orders_gangs_changes(void **state)
{
    (void)state;
    static struct scene scene;
    scene_init(&scene, "    - {name: a}\n    - {name: b}\n", 4, 1);
    add_many_gangs(&scene);
    (void)world_schedule(&scene.world);
    const struct yk_tree *order = &world_partition(&scene.world)->gang_waits.look.order;
    struct yk_app *first = YK_CONTAINER(yk_tree_first(order), struct yk_gang, in_order)->app;
    assert_true(order->count > 1);
    add_placeholder(&scene, first->id, "low", -5);
    assert_true(yk_tree_valid(order));
    assert_ptr_not_equal(YK_CONTAINER(yk_tree_first(order), struct yk_gang, in_order), first->gang);
    struct yk_err err = {0};
    assert_int_equal(yk_app_move(first, world_queue(&scene.world, "root.b"), "ann", &err), YK_OK);
    assert_false(yk_tree_linked(&first->gang->in_order));
    assert_true(yk_tree_valid(order));
    world_done(&scene.world);
}

/* Dry runs take no placeholders from nodes that are too small without them, too. */
static void only_useful_placeholders_are_taken(void **state)
{
    (void)state;
    static struct scene scene;
    scene_init(&scene, "    - {name: a}\n    - {name: b}\n", 0, 4);
    for (int i = 0; i < MANY; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&scene.world, id, i == 7 ? 3000 : 1000, 65536);
    }
    add_many_gangs(&scene);
    (void)world_schedule(&scene.world);
    struct yk_partition *partition = world_partition(&scene.world);
    struct yk_bitset nodes = {0};
    struct yk_resvec size = world_size(3000, 10), large = world_size(3001, 10);
    world_submit(&scene.world, "first", "root.b", "joe");
    const struct yk_claim claim = {world_app(&scene.world, "first"), 0};
    yk_gang_supply_find_nodes(partition, &claim, false, &size, &nodes);
    assert_int_equal(nodes.ones, 1);
    assert_true(yk_bitset_test(&nodes, yk_partition_find_node(partition, "n7")->index));
    yk_bitset_clear_all(&nodes);
    yk_gang_supply_find_nodes(partition, &claim, false, &large, &nodes);
    assert_int_equal(nodes.ones, 0);
    yk_bitset_done(&nodes);
    world_done(&scene.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_in_order_starts_whole),
        cmocka_unit_test(overtaken_once),
        cmocka_unit_test(an_ask_of_higher_priority_takes_what_it_needs),
        cmocka_unit_test(nothing_is_given_up_that_does_not_help),
        cmocka_unit_test(an_ask_behind_it_takes_nothing),
        cmocka_unit_test(keep_is_as_before),
        cmocka_unit_test(an_ask_that_its_user_s_limit_refuses),
        cmocka_unit_test(an_ask_that_waited_before_the_gang_came),
        cmocka_unit_test(a_gang_in_a_queue_that_became_a_parent),
        cmocka_unit_test(an_application_lives_while_others_end_for_it),
        cmocka_unit_test(what_is_above_a_lowered_maximum_is_not_given_up_for_others),
        cmocka_unit_test(a_gang_that_was_killed_gets_nothing),
        cmocka_unit_test(time_is_up_while_others_end),
        cmocka_unit_test(one_at_a_time_in_a_stateaware_leaf),
        cmocka_unit_test(others_end_for_one_of_a_stateaware_leaf),
        cmocka_unit_test(an_overcommitted_node_holds_up_no_gang),
        cmocka_unit_test(one_whose_members_come_later),
        cmocka_unit_test(one_that_never_fits_says_so_and_gives_way),
        cmocka_unit_test(its_timeout_runs_on_when_it_has_given_way),
        cmocka_unit_test(one_that_a_limit_never_lets_start),
        cmocka_unit_test(one_whose_namespace_gets_a_larger_quota),
        cmocka_unit_test(pieces_are_not_enough),
        cmocka_unit_test(a_gang_that_changes_may_start),
        cmocka_unit_test(many_that_cannot_start_hold_up_none_behind_them),
        cmocka_unit_test(nothing_is_placed_before_all_fit),
        cmocka_unit_test(whole_within_queues_and_users),
        cmocka_unit_test(preemption_is_for_whole_gangs),
        cmocka_unit_test(whatever_comes_in_between),
        cmocka_unit_test(the_order_stays_when_placeholders_come_and_go),
        cmocka_unit_test(no_three_are_in_a_circle),
        cmocka_unit_test(a_look_is_made_in_steps),
        cmocka_unit_test(what_orders_gangs_changes),
        cmocka_unit_test(only_useful_placeholders_are_taken),
        cmocka_unit_test(at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
