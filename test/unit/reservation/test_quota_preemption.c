/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of quota preemption (queues.md R43, R44; scheduling.md 6.3): when it starts, moves, stops and is
 * due. */
#include "lib/core_world.h"
#include "reservation/quota_preemption.h"

#define HEAD(flag)                                                                                           \
    "partitions:\n- name: default\n  preemption: {quotapreemptionenabled: " flag "}\n"                       \
    "  placementrules: [{name: provided, create: true}]\n"                                                   \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"

/* Queue a with that many cores (0: no maximum), MiB (0: none) and delay; 4 cores and 4 x 100 MiB are in
 * use. */
static const char *config(int vcore, int memory_mib, const char *delay)
{
    static char text[1024];
    char max[128] = "";
    if (vcore > 0 && memory_mib > 0)
        (void)snprintf(max, sizeof(max), "resources: {max: {vcore: %d, memory: %dMi}}, ", vcore, memory_mib);
    else if (vcore > 0)
        (void)snprintf(max, sizeof(max), "resources: {max: {vcore: %d}}, ", vcore);
    (void)snprintf(text, sizeof(text),
                   HEAD("true") "    - {name: a, %sproperties: {quota.preemption.delay: %s}}\n", max, delay);
    return text;
}

static void must_reload(struct world *world, const char *text)
{
    const char *refusal = world_reload(world, text);
    if (refusal != NULL)
        fail_msg("refused: %s", refusal);
}

static void use_four(struct world *world, const char *text)
{
    world_init(world, text);
    world_node(world, "n1", 16000, 16384);
    world_submit(world, "app", "root.a", "joe");
    const char *keys[] = {"1", "2", "3", "4"};
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        world_ask(world, "app", keys[i], 1000, 100);
    assert_int_equal(world_schedule(world), 4);
}

/* Seconds until it is due, or -1. */
static int64_t due_in(struct world *world)
{
    const struct yk_queue *queue = world_queue(world, "root.a");
    if (!yk_list_linked(&queue->quota.in_due))
        return -1;
    return (queue->quota.due_mono_ns - yk_clock_mono_ns(&world->clock)) / YK_NS_PER_S;
}

static void what_starts_moves_and_stops_it(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct {
            int vcore, memory;
            const char *delay;
        } before, first, second; /* delay NULL: no such reload */
        int64_t want;            /* 3 s after the first reload */
    } cases[] = {
        {"lowered below usage", {8, 0, "60s"}, {2, 0, "60s"}, {0, 0, NULL}, 57},
        {"lowered but not below", {8, 0, "60s"}, {5, 0, "60s"}, {0, 0, NULL}, -1},
        {"a first maximum (BUG-20)", {0, 0, "60s"}, {2, 0, "60s"}, {0, 0, NULL}, 57},
        {"one type down, one up (BUG-20)", {8, 500, "60s"}, {2, 900, "60s"}, {0, 0, NULL}, 57},
        {"a type more", {8, 0, "60s"}, {8, 200, "60s"}, {0, 0, NULL}, 57},
        {"no delay", {8, 0, "0s"}, {2, 0, "0s"}, {0, 0, NULL}, -1},
        {"delay turned on while above", {8, 0, "0s"}, {2, 0, "0s"}, {2, 0, "60s"}, 60},
        {"lowered again: kept", {8, 0, "60s"}, {3, 0, "60s"}, {2, 0, "60s"}, 57},
        {"longer delay: shifted", {8, 0, "60s"}, {3, 0, "60s"}, {3, 0, "90s"}, 87},
        {"shorter delay and lowered: shifted", {8, 0, "60s"}, {3, 0, "60s"}, {2, 0, "40s"}, 37},
        {"delay turned off (BUG-23)", {8, 0, "60s"}, {3, 0, "60s"}, {3, 0, "0s"}, -1},
        {"maximum removed", {8, 0, "60s"}, {3, 0, "60s"}, {0, 0, "60s"}, -1},
        {"raised above usage", {8, 0, "60s"}, {3, 0, "60s"}, {5, 0, "60s"}, -1},
        {"raised, still above: kept", {8, 0, "60s"}, {2, 0, "60s"}, {3, 0, "60s"}, 57},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        use_four(&world, config(cases[i].before.vcore, cases[i].before.memory, cases[i].before.delay));
        must_reload(&world, config(cases[i].first.vcore, cases[i].first.memory, cases[i].first.delay));
        world_advance(&world, 3);
        if (cases[i].second.delay != NULL)
            must_reload(&world, config(cases[i].second.vcore, cases[i].second.memory, cases[i].second.delay));
        if (due_in(&world) != cases[i].want)
            fail_msg("%s: due in %lld s, not %lld", cases[i].what, (long long)due_in(&world),
                     (long long)cases[i].want);
        world_done(&world);
    }
}

static void usage_moves_it_too(void **state)
{
    (void)state;
    struct world world;
    use_four(&world, config(8, 0, "60s"));
    must_reload(&world, config(3, 0, "60s"));
    assert_int_equal(due_in(&world), 60);
    world_release(&world, "app", "1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(due_in(&world), -1); /* back at the maximum */
    world_advance(&world, 5);
    world_ask_full(&world, "app", "5", 1000, 100, 0, YK_SI_CLASS_ANY, "n1"); /* R30: placed by the RM */
    assert_int_equal(due_in(&world), 60);
    world_ask_full(&world, "app", "5", 100, 100, 0, YK_SI_CLASS_ANY, "n1"); /* resized */
    assert_int_equal(due_in(&world), 60);                                   /* 3.1 of 3 */
    world_release(&world, "app", "5", YK_SI_STOPPED_BY_RM);
    assert_int_equal(due_in(&world), -1);
    world_ask_full(&world, "app", "2", 1100, 100, 0, YK_SI_CLASS_ANY, "n1");
    assert_int_equal(due_in(&world), 60);
    world_check(&world);
    world_done(&world);
}

/* R43: when the time has come, once; the flag of the partition decides. */
static void it_is_due_once(void **state)
{
    (void)state;
    struct world world;
    use_four(&world, config(8, 0, "10s"));
    world.core->events.on = true;
    must_reload(&world, config(2, 0, "10s"));
    world_advance(&world, 9);
    assert_int_equal(world_events(&world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 0);
    assert_int_equal(due_in(&world), 1);
    world_advance(&world, 2);
    assert_int_equal(due_in(&world), -1);
    assert_int_equal(world_events(&world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 1);
    world_advance(&world, 60);
    assert_int_equal(world_events(&world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 1);
    assert_false(world_queue(&world, "root.a")->quota.is_running);
    assert_int_equal(yk_resvec_get(&world_queue(&world, "root.a")->allocated, YK_RESTYPE_VCORE), 4000);
    world_done(&world);
}

static void the_flag_of_the_partition_decides(void **state)
{
    (void)state;
    static const char off[] = HEAD(
        "false") "    - {name: a, resources: {max: {vcore: 2}}, properties: {quota.preemption.delay: 10s}}\n";
    struct world world;
    use_four(&world, config(8, 0, "10s"));
    must_reload(&world, off);
    world_advance(&world, 30);
    assert_true(yk_list_linked(&world_queue(&world, "root.a")->quota.in_due));
    assert_false(yk_timer_armed(&world_partition(&world)->reservation.quota_timer));
    must_reload(&world, config(2, 0, "10s"));
    world_advance(&world, 1);
    assert_int_equal(due_in(&world), -1);
    world_done(&world);
}

/* Below a queue that runs, nothing does in the same second; dynamic queues have no clock. */
static void parents_come_first(void **state)
{
    (void)state;
    struct world world;
    static const char wide[] = HEAD("true") "    - {name: p, parent: true, properties: "
                                            "{quota.preemption.delay: 10s}, queues: [{name: a}]}\n";
    static const char narrow[] = HEAD(
        "true") "    - {name: p, parent: true, properties: {quota.preemption.delay: 10s},\n"
                "       resources: {max: {vcore: 2}}, queues: [{name: a, resources: {max: {vcore: 1}}}]}\n";
    world_init(&world, wide);
    world_node(&world, "n1", 16000, 16384);
    world_submit(&world, "app", "root.p.a", "joe");
    world_submit(&world, "dyn", "root.p.d", "joe");
    world_ask(&world, "app", "1", 3000, 10);
    world_ask(&world, "dyn", "2", 1000, 10);
    assert_int_equal(world_schedule(&world), 2);
    world.core->events.on = true;
    must_reload(&world, narrow);
    assert_false(yk_list_linked(&world_queue(&world, "root.p.d")->quota.in_due));
    yk_clock_advance(&world.clock, 10 * YK_NS_PER_S);
    yk_quota_preemption_evaluate(world_partition(&world));
    assert_int_equal(world_events(&world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 1);
    assert_false(yk_list_linked(&world_queue(&world, "root.p")->quota.in_due));
    assert_true(yk_list_linked(&world_queue(&world, "root.p.a")->quota.in_due));
    yk_quota_preemption_evaluate(world_partition(&world));
    assert_int_equal(world_events(&world, YK_EVENT_QUEUE_QUOTA_PREEMPTION), 2);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_starts_moves_and_stops_it),
        cmocka_unit_test(usage_moves_it_too),
        cmocka_unit_test(it_is_due_once),
        cmocka_unit_test(the_flag_of_the_partition_decides),
        cmocka_unit_test(parents_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
