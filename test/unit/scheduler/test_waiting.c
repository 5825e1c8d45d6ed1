/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits for room or for a slot: in order, at no cost, and told so (queues.md O1, R35 to R37, BUG-22;
 * scheduling.md 3.4, 3.9; docs/design.md, Invariants 5).
 */
#include "lib/core_world.h"
#include "report/outstanding.h"
#include "scheduler/cycle.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n"

enum { MANY = 1000 };

static void begin(struct world *world, const char *queues)
{
    char config[1024];
    (void)snprintf(config, sizeof(config), HEAD "%s", queues);
    world_init(world, config);
    world_node(world, "n1", 100000, 1000000);
}

/* An application with one ask, both called `id`. */
static void submit(struct world *world, const char *id, const char *queue, int64_t vcore, int32_t priority)
{
    world_submit(world, id, queue, "joe");
    world_ask_full(world, id, id, vcore, 1, priority, YK_SI_CLASS_ANY, NULL);
    world_advance(world, 1);
}

static void submit_many(struct world *world, const char *queue, int64_t vcore)
{
    for (int i = 0; i < MANY; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "m%04d", i);
        submit(world, id, queue, vcore, 0);
    }
}

/* Everything that can be decided; how many turns it took. */
static size_t turns(struct world *world, size_t *ret_decided)
{
    size_t count = 0;
    *ret_decided = 0;
    for (;;) {
        switch (yk_partition_turn(world_partition(world), &(struct yk_step_timer){.clock = NULL})) {
        case YK_TURN_IDLE:
            world_check(world);
            return count;
        case YK_TURN_DECIDED:
            (*ret_decided)++;
            break;
        case YK_TURN_PARKED:
            break;
        }
        count++;
    }
}

static void after_release(struct world *world, const char *gone, const char *next, size_t most_turns)
{
    size_t decided;
    world_release(world, gone, gone, YK_SI_STOPPED_BY_RM);
    world_advance(world, 31); /* an application without asks and allocations completes */
    size_t count = turns(world, &decided);
    if (decided != 1 || strcmp(world->last_key, next) != 0 || count > most_turns)
        fail_msg("after '%s' not '%s' but '%s', %zu decisions in %zu turns", gone, next, world->last_key,
                 decided, count);
}

/* R36: who may not start keeps its place; one slot is one attempt, whatever waits. */
static void a_slot_is_for_the_first(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, maxapplications: 1}]\n");
    submit_many(&world, "root.q", 10);
    assert_int_equal(world_schedule(&world), 1);
    after_release(&world, "m0000", "m0001", 3);
    after_release(&world, "m0001", "m0002", 3);
    submit(&world, "urgent", "root.q", 10, 5);
    assert_int_equal(world_schedule(&world), 0);
    after_release(&world, "m0002", "urgent", 3);
    after_release(&world, "urgent", "m0003", 3);
    world_done(&world);
}

/* Those who have started go on while others wait for a slot. */
static void who_runs_needs_no_slot(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, maxapplications: 1}]\n");
    submit(&world, "one", "root.q", 10, 0);
    submit(&world, "two", "root.q", 10, 9);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "two");
    world_ask(&world, "two", "two-2", 10, 1);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "two-2");
    assert_null(world_reload(&world, HEAD "    queues: [{name: q, maxapplications: 2}]\n"));
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "one");
    world_done(&world);
}

/* R35: the number counts below a parent; a slot goes to the leaf whose turn it is. */
static void a_slot_of_the_parent(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: p, maxapplications: 2, queues: [{name: a, maxapplications: 2}, "
                  "{name: b, maxapplications: 1}]}]\n");
    submit(&world, "a1", "root.p.a", 10, 0);
    submit(&world, "a2", "root.p.a", 10, 0);
    assert_int_equal(world_schedule(&world), 2);
    submit(&world, "a3", "root.p.a", 10, 0);
    submit(&world, "b1", "root.p.b", 10, 0);
    submit(&world, "b2", "root.p.b", 10, 9);
    assert_int_equal(world_schedule(&world), 0);
    after_release(&world, "a1", "b2", 6);
    after_release(&world, "a2", "a3", 6); /* b is at its own number */
    after_release(&world, "b2", "b1", 6);
    world_done(&world);
}

/* BUG-22: an application that leaves without having run gives its slot back to all of its queues. */
static void who_never_ran_leaves_no_slot_taken(void **state)
{
    (void)state;
    static const char *const queues[] = {"root.p.a", "root.p.b"};
    struct world world;
    begin(&world, "    maxapplications: 1\n    queues: [{name: p, maxapplications: 1, queues: "
                  "[{name: a, maxapplications: 1}, {name: b, maxapplications: 1}]}]\n");
    for (int i = 0; i < 6; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "g%d", i);
        world_submit(&world, id, queues[i % 2], "joe");
        const struct yk_resvec size = world_size(10, 1);
        const struct yk_si_allocation placeholder = {.key = id,
                                                     .application_id = id,
                                                     .resource = &size,
                                                     .placeholder = true,
                                                     .task_group = "tg",
                                                     .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &placeholder), YK_OK);
        assert_int_equal(world_schedule(&world), 1);
        assert_int_equal(world_queue(&world, "root")->allocating_accepted, 1);
        assert_int_equal(world_app(&world, id)->state, YK_APP_ACCEPTED);
        assert_int_equal(yk_core_remove_app(world.core, "rm", id, NULL), YK_OK);
        for (const struct yk_queue *q = world_queue(&world, queues[i % 2]); q != NULL; q = q->parent)
            assert_int_equal(q->allocating_accepted + q->running_apps, 0);
    }
    world_done(&world);
}

/* O1: room goes to the first in order, and costs what it can start. */
static void room_is_for_the_first(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, resources: {max: {vcore: 20m}}}]\n");
    submit_many(&world, "root.q", 10);
    assert_int_equal(world_schedule(&world), 2);
    after_release(&world, "m0000", "m0002", 4);
    after_release(&world, "m0001", "m0003", 4);
    submit(&world, "urgent", "root.q", 10, 5);
    assert_int_equal(world_schedule(&world), 0);
    after_release(&world, "m0002", "urgent", 4);
    submit(&world, "late", "root.q", 10, 0);
    after_release(&world, "urgent", "m0004", 5);
    world_done(&world);
}

/* What fits is found behind what does not, and larger ones get their chance before smaller ones. */
static void different_sizes(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, resources: {max: {vcore: 60m}}}]\n");
    submit(&world, "ten", "root.q", 10, 0);
    submit(&world, "fifty", "root.q", 50, 0);
    assert_int_equal(world_schedule(&world), 2);
    submit(&world, "forty", "root.q", 40, 0);
    submit(&world, "twenty", "root.q", 20, 0);
    submit(&world, "small", "root.q", 5, 0);
    submit(&world, "tiny", "root.q", 5, 0);
    submit(&world, "last", "root.q", 5, 0);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "ten", "ten", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 2);
    assert_string_equal(world.last_key, "tiny");
    world_release(&world, "fifty", "fifty", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "forty");
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "last"); /* 5 of 10 */
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "forty", "forty", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "twenty");
    world_done(&world);
}

/* Two queues refuse the same leaf: each that has more room is enough for whom it alone refused. */
static void two_queues_refuse(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: p, resources: {max: {vcore: 100m}}, queues: [{name: a, resources: "
                  "{max: {vcore: 50m, memory: 10Mi}}}, {name: b}]}]\n");
    submit(&world, "b1", "root.p.b", 60, 0);
    submit(&world, "a1", "root.p.a", 40, 0);
    assert_int_equal(world_schedule(&world), 2);
    world_submit(&world, "mem", "root.p.a", "joe");
    world_ask(&world, "mem", "mem", 0, 11); /* never in a */
    submit(&world, "a2", "root.p.a", 10, 0);
    submit(&world, "a3", "root.p.a", 20, 0);
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "b1", "b1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1); /* a has room for 10 */
    assert_string_equal(world.last_key, "a2");
    submit(&world, "b2", "root.p.b", 50, 0);
    assert_int_equal(world_schedule(&world), 1);
    world_release(&world, "a1", "a1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "a3");
    world_done(&world);
}

/* An application that has something else to try is asked again for what had no room. */
static void what_waits_beside_what_is_tried(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, resources: {max: {vcore: 30m}}}]\n");
    submit(&world, "first", "root.q", 20, 0);
    assert_int_equal(world_schedule(&world), 1);
    world_submit(&world, "app", "root.q", "joe");
    world_ask_full(&world, "app", "large", 20, 1, 3, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app", "small", 5, 1, 1, YK_SI_CLASS_ANY, NULL);
    world_ask_full(&world, "app", "small-2", 5, 1, 1, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "small");
    world_release(&world, "first", "first", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "large"); /* O14: before what was left to try */
    assert_int_equal(world_schedule_one(&world), 1);
    assert_string_equal(world.last_key, "small-2");
    world_done(&world);
}

/* 3.9: SKIPPED for want of a queue's room, FAILED for want of a node, each when it changes. */
static void asks_are_told_what_they_wait_for(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, resources: {max: {vcore: 200}}}, {name: full, resources: {max: "
                  "{vcore: 10m}}}]\n");
    submit(&world, "one", "root.full", 10, 0);
    submit(&world, "two", "root.full", 10, 0);
    assert_int_equal(world_schedule(&world), 1);
    for (int i = 0; i < 3; i++) {
        yk_outstanding_report(world_partition(&world));
        assert_int_equal(world.told_skipped, 1);
        assert_int_equal(world.told_failed, 0);
    }
    assert_string_equal(world.last_key, "two");
    assert_string_equal(world.last_reason, "quota of queue 'root.full' has been exceeded");
    world_ask(&world, "two", "two-2", 10, 1); /* joins the other one */
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_skipped, 2);
    submit(&world, "big", "root.q", 150000, 0);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 3; i++) {
        yk_outstanding_report(world_partition(&world));
        assert_int_equal(world.told_failed, 1);
    }
    assert_string_equal(world.last_key, "big");
    assert_null(world_reload(&world, HEAD "    queues: [{name: q, resources: {max: {vcore: 20}}}, {name: "
                                          "full, resources: {max: {vcore: 10m}}}]\n"));
    world_ask(&world, "big", "big-2", 150000, 1); /* wakes nothing: there is still no node */
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_failed, 1);  /* the queue would not take it now */
    assert_int_equal(world.told_skipped, 4); /* its headroom leaves no room for either */
    assert_string_equal(world.last_reason, "quota of queue 'root.q' has been exceeded");
    world_node(&world, "n2", 150000, 1000);
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_skipped, 4); /* now it was the queue that refused: nothing new */
    world_node_action(&world, "n2", YK_SI_NODE_DECOMMISSION);
    assert_null(world_reload(&world, HEAD "    queues: [{name: q, resources: {max: {vcore: 200}}}, {name: "
                                          "full, resources: {max: {vcore: 10m}}}]\n"));
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_failed, 2); /* one of the two: they share the headroom */
    assert_int_equal(world.told_skipped, 4);
    world_done(&world);
}

/* 3.9: the limit that holds an ask is named, of whatever kind it is. */
static void the_limit_that_holds_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *queue, *want;
        size_t skipped, failed;
    } cases[] = {
        {"{name: q, maxapplications: 1}",
         "maximum of running applications of queue 'root.q' has been reached", 3, 0},
        {"{name: q, limits: [{limit: l, users: [joe], maxapplications: 1}]}",
         "maximum of running applications of user 'joe' in queue 'root.q' has been reached", 3, 0},
        {"{name: q, limits: [{limit: l, groups: [joe], maxapplications: 1}]}",
         "maximum of running applications of group 'joe' in queue 'root.q' has been reached", 3, 0},
        {"{name: q, limits: [{limit: l, users: [joe], maxresources: {vcore: 10m}}]}",
         "limit of user 'joe' in queue 'root.q' has been exceeded", 3, 0},
        {"{name: q, limits: [{limit: l, groups: [joe], maxresources: {vcore: 10m}}]}",
         "limit of group 'joe' in queue 'root.q' has been exceeded", 3, 0},
        {"{name: q, resources: {max: {vcore: 10m}}}", "quota of queue 'root.q' has been exceeded", 3, 0},
        /* Nodes take one, and the headroom two of the others. */
        {"{name: q, resources: {max: {vcore: 30m}}}", "quota of queue 'root.q' has been exceeded", 1, 2},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char config[1024];
        (void)snprintf(config, sizeof(config), HEAD "    queues: [%s]\n", cases[i].queue);
        world_init(&world, config);
        world_node(&world, "n1", cases[i].failed > 0 ? 15 : 1000, 1000);
        submit(&world, "a", "root.q", 10, 0);
        submit(&world, "b", "root.q", 10, 0);
        world_ask(&world, "b", "b-2", 10, 1);
        world_ask(&world, "b", "b-3", 10, 1);
        assert_int_equal(world_schedule(&world), 1);
        for (int n = 0; n < 3; n++)
            yk_outstanding_report(world_partition(&world));
        if (world.told_skipped != cases[i].skipped || world.told_failed != cases[i].failed ||
            strcmp(world.last_reason, cases[i].want) != 0)
            fail_msg("%s: %zu skipped, %zu failed, '%s'", cases[i].queue, (size_t)world.told_skipped,
                     (size_t)world.told_failed, world.last_reason);
        world_check(&world);
        world_done(&world);
    }
}

/* A report is repeated when another limit refuses; an ask that joins is reported with the others. */
static void another_limit_is_told(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, maxapplications: 1}]\n");
    submit(&world, "a", "root.q", 10, 0);
    submit(&world, "b", "root.q", 10, 0);
    assert_int_equal(world_schedule(&world), 1);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_skipped, 1);
    world_ask(&world, "b", "b-2", 10, 1);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_skipped, 2);
    assert_string_equal(world.last_key, "b-2");
    assert_null(world_reload(&world, HEAD "    queues: [{name: q, resources: {max: {vcore: 10m}}}]\n"));
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_skipped, 4);
    assert_string_equal(world.last_reason, "quota of queue 'root.q' has been exceeded");
    assert_null(world_reload(&world, HEAD "    queues: [{name: q}]\n"));
    assert_int_equal(world_schedule(&world), 2);
    world_done(&world);
}

/* Many that wait for one slot are reported in steps, each once. */
static void many_are_told_in_steps(void **state)
{
    (void)state;
    struct world world;
    begin(&world, "    queues: [{name: q, maxapplications: 1}]\n");
    submit_many(&world, "root.q", 10);
    assert_int_equal(world_schedule(&world), 1);
    size_t reports = 0;
    for (size_t before = 0;; reports++) {
        yk_outstanding_report(world_partition(&world));
        size_t told = (size_t)world.told_skipped - before;
        if (told == 0 && reports > 5)
            break;
        assert_in_range(told, 0, 150);
        before = (size_t)world.told_skipped;
    }
    assert_int_equal(world.told_skipped, MANY - 1);
    world_done(&world);
}

/* 3.9: what is collected reduces the headroom of the others. */
static void outstanding_asks_share_the_headroom(void **state)
{
    (void)state;
    struct world world;
    begin(&world,
          "    queues: [{name: p, resources: {max: {vcore: 500}}, queues: [{name: a}, {name: b}]}]\n");
    for (int i = 0; i < 3; i++) {
        char key[8];
        if (i == 0) {
            world_submit(&world, "x", "root.p.a", "joe");
            world_submit(&world, "y", "root.p.b", "joe");
        }
        (void)snprintf(key, sizeof(key), "x%d", i);
        world_ask(&world, "x", key, 120000, 1);
        (void)snprintf(key, sizeof(key), "y%d", i);
        world_ask(&world, "y", key, 130000, 1);
    }
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_failed, 3); /* b waits for more and is first: 110 are left, too few for a */
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_failed, 3);  /* those told still take their part */
    assert_int_equal(world.told_skipped, 3); /* the others */
    world_check(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_is_for_the_first),
        cmocka_unit_test(who_runs_needs_no_slot),
        cmocka_unit_test(a_slot_of_the_parent),
        cmocka_unit_test(who_never_ran_leaves_no_slot_taken),
        cmocka_unit_test(room_is_for_the_first),
        cmocka_unit_test(different_sizes),
        cmocka_unit_test(two_queues_refuse),
        cmocka_unit_test(what_waits_beside_what_is_tried),
        cmocka_unit_test(asks_are_told_what_they_wait_for),
        cmocka_unit_test(the_limit_that_holds_is_named),
        cmocka_unit_test(another_limit_is_told),
        cmocka_unit_test(many_are_told_in_steps),
        cmocka_unit_test(outstanding_asks_share_the_headroom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
