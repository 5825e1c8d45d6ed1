/* SPDX-License-Identifier: Apache-2.0 */
/* The event of each thing that happens: docs/reference/scheduling.md, section 8. The root's maximum is
 * told as it is now, not as it was (D22). */
#include "lib/core_world.h"
#include "partition/move.h"
#include "scheduler/kill.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
static const char config[] = HEAD "    - {name: a, resources: {max: {vcore: 2}}}\n"
                                  "    - {name: b, maxapplications: 1}\n"
                                  "    - {name: l, limits: [{limit: '', users: [joe], maxresources: {vcore: "
                                  "1}}]}\n"
                                  "    - {name: dyn, parent: true, childtemplate: {resources: {max: {vcore: "
                                  "5}}}}\n";
static const char changed[] = HEAD "    - {name: a, resources: {max: {vcore: 4}, guaranteed: {vcore: 1}}}\n"
                                   "    - {name: b, parent: true, maxapplications: 1}\n"
                                   "    - {name: c}\n"
                                   "    - {name: dyn, parent: true}\n";

/* ---- how events read in this test ---- */

static void add_event(struct yk_buf *out, const struct yk_event *event)
{
    yk_buf_printf(out, "%d/%d/%d " YK_STR_FMT, (int)event->type, (int)event->change, (int)event->detail,
                  YK_STR_ARG(event->object_id));
    if (event->reference_id.len > 0)
        yk_buf_printf(out, " > " YK_STR_FMT, YK_STR_ARG(event->reference_id));
    if (event->message.len > 0)
        yk_buf_printf(out, " '" YK_STR_FMT "'", YK_STR_ARG(event->message));
    if (!yk_resvec_is_empty(&event->resource)) {
        yk_buf_text(out, " {");
        yk_resvec_print(&event->resource, out);
        yk_buf_text(out, "}");
    }
    yk_buf_text(out, "\n");
}

static uint64_t told(const struct world *world)
{
    return yk_ring_next(world->core->events.ring);
}

static void expect(const struct world *world, uint64_t from, const char *what, const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf got = {0};
    YK_EVENT(event);
    for (; from < told(world); from++) {
        assert_true(yk_ring_get(world->core->events.ring, from, &event));
        assert_in_range(event.wall_ns, 1700000000 * YK_NS_PER_S, yk_core_now(world->core));
        add_event(&got, &event);
    }
    yk_buf_text(&got, ""); /* terminated also when nothing was told */
    if (strcmp(yk_buf_cstr(&got), want) != 0)
        fail_msg("%s:\n%swanted:\n%s", what, yk_buf_cstr(&got), want);
}

/* ---- what happens ---- */

static void start(struct world *world)
{
    world_init(world, config);
    world_node(world, "n", 8000, 1024);
    world_submit(world, "app", "root.a", "ann");
    world_ask(world, "app", "k1", 1000, 8);
}

static void submit(struct world *world)
{
    world_submit(world, "new", "root.dyn.x", "ann");
}
static void submit_twice(struct world *world)
{
    world_submit(world, "app", "root.a", "ann");
}
static void ask(struct world *world)
{
    world_ask(world, "app", "k2", 500, 4);
}
static void schedule(struct world *world)
{
    assert_int_equal(world_schedule(world), 1);
}
static void stop(struct world *world)
{
    world_release(world, "app", "k1", YK_SI_STOPPED_BY_RM);
}
static void complete(struct world *world)
{
    world_advance(world, 31);
}
static void preempted(struct world *world)
{
    world_ask(world, "app", "k3", 1000, 8);
    (void)world_schedule(world);
    world_release(world, "app", "k3", YK_SI_PREEMPTED_BY_SCHEDULER);
}
static void bind_fails(struct world *world)
{
    world_release(world, "app", "k1", YK_SI_SCHEDULING_FAILED_ON_RM);
}
static void recover(struct world *world)
{
    world_ask_full(world, "app", "bound", 100, 1, 0, YK_SI_CLASS_ANY, "n");
}
static void foreign_pod(struct world *world)
{
    struct yk_resvec size = world_size(100, 1);
    struct yk_si_allocation pod = {.key = "f", .resource = &size, .node_id = "n", .foreign = true};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &pod), YK_OK);
    world_release(world, NULL, "f", YK_SI_STOPPED_BY_RM);
}
static void new_node(struct world *world)
{
    world_node(world, "m", 1000, 1);
}
static void same_node_again(struct world *world)
{
    world_node(world, "n", 1000, 1);
}
static void drain_node(struct world *world)
{
    world_node_action(world, "n", YK_SI_NODE_DRAIN);
}
static void remove_node(struct world *world)
{
    world_node_action(world, "n", YK_SI_NODE_DECOMMISSION);
}
static void resize_node(struct world *world)
{
    struct yk_resvec capacity = world_size(9000, 1024);
    struct yk_si_node node = {.node_id = "n", .action = YK_SI_NODE_UPDATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK); /* the same again: nothing */
}
static void reload(struct world *world)
{
    assert_null(world_reload(world, changed));
}
static void reload_nothing(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "%s# the same\n", config);
    assert_null(world_reload(world, yk_buf_cstr(&text)));
}
static void clean(struct world *world)
{
    world_submit(world, "short", "root.dyn.x", "ann");
    assert_int_equal(yk_core_remove_app(world->core, "rm", "short", "default"), YK_OK);
}
static void cleaner_runs(struct world *world)
{
    world_advance(world, 11);
}
static void move(struct world *world)
{
    struct yk_err err;
    assert_int_equal(yk_app_move(world_app(world, "app"), world_queue(world, "root.b"), "joe", &err), YK_OK);
}
static void kill(struct world *world)
{
    struct yk_err err;
    assert_int_equal(yk_app_kill(world_app(world, "app"), "joe", &err), YK_OK);
}
static void too_large_for_queue(struct world *world)
{
    world_ask(world, "app", "big", 2000, 1);
    (void)world_schedule(world);
    (void)world_schedule(world);
}
static void room_in_queue(struct world *world)
{
    world_release(world, "app", "k1", YK_SI_STOPPED_BY_RM);
    (void)world_schedule(world);
}
static void too_large_for_nodes(struct world *world)
{
    world_ask(world, "app", "wide", 10, 1500);
    (void)world_schedule(world);
    (void)world_schedule(world); /* waits for an event of a node, and is not told again */
}
static void second_node(struct world *world)
{
    world_node(world, "m", 1000, 1024);
}
static void above_quota(struct world *world)
{
    world_submit(world, "q", "root.l", "joe");
    world_ask(world, "q", "q1", 1500, 1);
    (void)world_schedule(world);
}
static void second_application(struct world *world)
{
    world_submit(world, "b1", "root.b", "ann");
    world_submit(world, "b2", "root.b", "ann");
    world_ask(world, "b1", "b1-1", 10, 1);
    world_ask(world, "b2", "b2-1", 10, 1);
    (void)world_schedule(world);
}

#define K1    "{memory:8388608 pods:1 vcore:1000}"
#define K2    "{memory:4194304 pods:1 vcore:500}"
#define BOUND "{memory:1048576 pods:1 vcore:100}"

static const struct {
    const char *what;
    void (*before[3])(struct world *world);
    void (*action)(struct world *world);
    const char *want;
} cases[] = {
    {"application, in a new dynamic leaf",
     {NULL},
     submit,
     "2/2/203 new\n"
     "4/2/401 root.dyn.x\n"
     "4/1/403 root.dyn.x {vcore:5000}\n"
     "4/2/405 root.dyn.x > new\n"},
    {"application refused",
     {NULL},
     submit_twice,
     "2/2/203 app\n"
     "2/1/202 app 'application 'app' is active already'\n"},
    {"ask", {NULL}, ask, "2/2/201 app > k2 " K2 "\n"},
    {"decision: node, user, application, state",
     {NULL},
     schedule,
     "3/2/303 n > k1 " K1 "\n"
     "5/2/603 ann > root.a " K1 "\n"
     "2/2/200 app > k1 " K1 "\n"
     "2/1/206 app\n"},
    {"allocation ends, and its ask with it",
     {schedule},
     stop,
     "5/3/603 ann > root.a " K1 "\n"
     "3/3/303 n > k1 " K1 "\n"
     "2/3/500 app > k1 " K1 "\n"
     "2/3/100 app > k1 " K1 "\n"
     "2/1/207 app\n"},
    {"nothing comes afterwards",
     {schedule, stop},
     complete,
     "4/3/405 root.a > app\n"
     "2/3/0 app\n"
     "2/1/208 app\n"},
    {"preempted",
     {schedule},
     preempted,
     "2/2/201 app > k3 " K1 "\n"
     "3/2/303 n > k3 " K1 "\n"
     "5/2/603 ann > root.a " K1 "\n"
     "2/2/200 app > k3 " K1 "\n"
     "5/3/603 ann > root.a " K1 "\n"
     "3/3/303 n > k3 " K1 "\n"
     "2/3/501 app > k3 " K1 "\n"},
    {"the binding failed",
     {schedule},
     bind_fails,
     "5/3/603 ann > root.a " K1 "\n"
     "3/3/303 n > k1 " K1 "\n"
     "2/3/500 app > k1 " K1 "\n"},
    {"bound before we came",
     {NULL},
     recover,
     "3/2/303 n > bound " BOUND "\n"
     "5/2/603 ann > root.a " BOUND "\n"
     "2/2/200 app > bound " BOUND "\n"
     "2/1/206 app\n"},
    {"foreign pod comes and goes",
     {NULL},
     foreign_pod,
     "3/2/303 n > f " BOUND "\n"
     "3/3/303 n > f " BOUND "\n"},
    {"node",
     {NULL},
     new_node,
     "3/1/302 m 'schedulable: true'\n"
     "3/2/0 m 'Node added to the scheduler' {memory:1048576 pods:110 vcore:1000}\n"
     "4/1/403 root {memory:1074790400 pods:220 vcore:9000}\n"},
    {"node refused", {NULL}, same_node_again, ""},
    {"node drained", {NULL}, drain_node, "3/1/302 n 'schedulable: false'\n"},
    {"node removed with its allocations",
     {schedule},
     remove_node,
     "3/1/302 n 'schedulable: false'\n"
     "5/3/603 ann > root.a " K1 "\n"
     "3/3/303 n > k1 " K1 "\n"
     "2/3/504 app > k1 " K1 "\n"
     "2/1/207 app\n"
     "3/3/300 n 'Node removed from the scheduler'\n"
     "4/1/403 root\n"},
    {"capacity",
     {NULL},
     resize_node,
     "3/1/304 n {memory:1073741824 pods:1 vcore:9000}\n"
     "4/1/403 root {memory:1073741824 pods:1 vcore:9000}\n"},
    {"another configuration",
     {NULL},
     reload,
     "5/3/600 joe > root.l\n"
     "4/1/400 root.l 'draining'\n"
     "4/1/403 root.a {vcore:4000}\n"
     "4/1/404 root.a {vcore:1000}\n"
     "4/1/402 root.b 'leaf queue: false'\n"
     "4/2/0 root.c\n"},
    {"the same configuration", {NULL}, reload_nothing, ""},
    {"application removed",
     {NULL},
     clean,
     "2/2/203 short\n"
     "4/2/401 root.dyn.x\n"
     "4/1/403 root.dyn.x {vcore:5000}\n"
     "4/2/405 root.dyn.x > short\n"
     "4/3/405 root.dyn.x > short\n"
     "2/3/0 short\n"},
    {"dynamic and drained queues are removed",
     {reload, clean},
     cleaner_runs,
     "4/3/0 root.l\n"
     "4/3/401 root.dyn.x\n"},
    {"moved",
     {schedule},
     move,
     "5/3/603 ann > root.a " K1 "\n"
     "5/2/603 ann > root.b " K1 "\n"
     "4/3/405 root.a > app 'moved from queue 'root.a' to 'root.b' by user 'joe''\n"
     "4/2/405 root.b > app 'moved from queue 'root.a' to 'root.b' by user 'joe''\n"
     "2/1/0 app > root.b 'moved from queue 'root.a' to 'root.b' by user 'joe''\n"},
    {"killed", {schedule}, kill, "2/1/209 app 'ApplicationKilled: killed by user 'joe''\n"},
    {"a queue has no room: once",
     {schedule},
     too_large_for_queue,
     "2/2/201 app > big {memory:1048576 pods:1 vcore:2000}\n"
     "1/0/0 big > app 'Request 'big' does not fit in queue 'root.a' (requested map[memory:1048576 pods:1 "
     "vcore:2000], available map[memory:1065353216 pods:109 vcore:1000])' {memory:1048576 pods:1 "
     "vcore:2000}\n"},
    {"the queue has room again",
     {schedule, too_large_for_queue},
     room_in_queue,
     "5/3/603 ann > root.a " K1 "\n"
     "3/3/303 n > k1 " K1 "\n"
     "2/3/500 app > k1 " K1 "\n"
     "2/3/100 app > k1 " K1 "\n"
     "1/0/0 big > app 'Request 'big' has become schedulable in queue 'root.a'' {memory:1048576 pods:1 "
     "vcore:2000}\n"
     "3/2/303 n > big {memory:1048576 pods:1 vcore:2000}\n"
     "5/2/603 ann > root.a {memory:1048576 pods:1 vcore:2000}\n"
     "2/2/200 app > big {memory:1048576 pods:1 vcore:2000}\n"},
    {"no node: once",
     {schedule, second_node},
     too_large_for_nodes,
     "2/2/201 app > wide {memory:1572864000 pods:1 vcore:10}\n"
     "1/0/0 wide > app 'Unschedulable request 'wide': not enough capacity, or refused for what runs there "
     "(2x)' "
     "{memory:1572864000 pods:1 vcore:10}\n"},
    {"above the quota of its user",
     {schedule},
     above_quota,
     "2/2/203 q\n"
     "4/2/405 root.l > q\n"
     "2/1/204 q\n"
     "2/2/201 q > q1 {memory:1048576 pods:1 vcore:1500}\n"
     "1/0/0 q1 > q 'Request 'q1' exceeds the available user quota (requested map[memory:1048576 pods:1 "
     "vcore:1500], available map[vcore:1000])' {memory:1048576 pods:1 vcore:1500}\n"},
    {"held back by its queue",
     {schedule},
     second_application,
     "2/2/203 b1\n"
     "4/2/405 root.b > b1\n"
     "2/2/203 b2\n"
     "4/2/405 root.b > b2\n"
     "2/1/204 b1\n"
     "2/2/201 b1 > b1-1 {memory:1048576 pods:1 vcore:10}\n"
     "2/1/204 b2\n"
     "2/2/201 b2 > b2-1 {memory:1048576 pods:1 vcore:10}\n"
     "3/2/303 n > b1-1 {memory:1048576 pods:1 vcore:10}\n"
     "5/2/603 ann > root.b {memory:1048576 pods:1 vcore:10}\n"
     "2/2/200 b1 > b1-1 {memory:1048576 pods:1 vcore:10}\n"
     "2/1/206 b1\n"
     "2/0/213 b2\n"},
};

/* All that comes before the action; returns what was told by then. */
static uint64_t start_case(struct world *world, size_t i)
{
    start(world);
    for (size_t j = 0; j < YK_COUNT(cases[i].before) && cases[i].before[j] != NULL; j++)
        cases[i].before[j](world);
    return told(world);
}

static void each_action_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        uint64_t from = start_case(&world, i);
        cases[i].action(&world);
        expect(&world, from, cases[i].what, cases[i].want);
        world_done(&world);
    }
}

/* They take the new settings, which say on. */
static bool reloads(void (*action)(struct world *world))
{
    return action == reload || action == reload_nothing || action == too_large_for_nodes;
}

static void nothing_while_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        uint64_t from = start_case(&world, i);
        world.core->events.on = false;
        cases[i].action(&world);
        if (told(&world) != from && !reloads(cases[i].action))
            fail_msg("%s: told", cases[i].what);
        world_done(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action_is_told),
        cmocka_unit_test(nothing_while_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
