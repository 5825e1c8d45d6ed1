/* SPDX-License-Identifier: Apache-2.0 */
/* Trackers of users and groups: what they count, when they go, what they tell (L6, L10, L12, L15, L17,
 * R38). */
#include "lib/core_world.h"
#include "pending/limit_gate.h"
#include "pending/limit_wait.h"
#include "report/outstanding.h"

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: '*', limits: [{users: [ann], maxapplications: 2}, {users: ['*'], maxresources: {vcore: 5}}], "
    "queues: [{name: leaf, limits: [{groups: [dev], maxresources: {vcore: 3}}]}, {name: dyn, parent: "
    "true}]}]}]";

static void start(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 100000, 100000);
}

static const struct yk_usage *entry(struct world *world, bool group, const char *name, const char *queue)
{
    const struct yk_tracker *tracker =
        yk_usages_find(&world_partition(world)->usages, group, yk_str_from(name));
    return tracker == NULL ? NULL : yk_tracker_entry(tracker, world_queue(world, queue));
}

static int64_t vcores(struct world *world, bool group, const char *name, const char *queue)
{
    const struct yk_usage *usage = entry(world, group, name, queue);
    return usage == NULL ? -1 : yk_resvec_get(&usage->allocated, YK_RESTYPE_VCORE);
}

/* ---- what is counted ---- */

static void placeholders_count(void **state)
{
    (void)state;
    struct world world;
    struct yk_resvec size = world_size(2000, 1);
    struct yk_si_allocation placeholder = {
        .key = "p1", .application_id = "a", .resource = &size, .placeholder = true, .task_group = "tg"};
    start(&world);
    world_submit_in_group(&world, "a", "root.leaf", "ann", "dev");
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &placeholder), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(vcores(&world, false, "ann", "root"), 2000);
    assert_int_equal(vcores(&world, true, "dev", "root.leaf"), 2000);
    assert_int_equal(entry(&world, true, "dev", "root")->running, 1); /* still Accepted, but it counts */
    world_release(&world, "a", "p1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(vcores(&world, false, "ann", "root"), 0);
    assert_int_equal(entry(&world, false, "ann", "root")->running, 0);
    world_done(&world);
}

/* L10: what exists already is booked even above the limit; a resize moves the difference. */
static void recovery_and_resize(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    world_submit_in_group(&world, "a", "root.leaf", "bob", "dev");
    world_ask_full(&world, "a", "k1", 9000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_check(&world);
    assert_int_equal(vcores(&world, true, "dev", "root"), 9000);
    world_ask(&world, "a", "k2", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    world_ask_full(&world, "a", "k1", 2000, 1, 0, YK_SI_CLASS_ANY, "n1");
    assert_int_equal(vcores(&world, true, "dev", "root.leaf"), 2000);
    assert_int_equal(vcores(&world, false, "bob", "root"), 2000);
    assert_int_equal(world_schedule(&world), 1); /* the resize woke it */
    world_release(&world, "a", "k2", YK_SI_SCHEDULING_FAILED_ON_RM);
    assert_int_equal(vcores(&world, true, "dev", "root.leaf"), 2000);
    assert_int_equal(world_schedule(&world), 1);
    world_done(&world);
}

/* A placeholder that the resource manager placed itself starts what was held back. */
static void placed_while_held_back(void **state)
{
    (void)state;
    struct world world;
    struct yk_resvec size = world_size(1000, 1);
    struct yk_si_allocation placed = {.key = "p1",
                                      .application_id = "c",
                                      .resource = &size,
                                      .placeholder = true,
                                      .task_group = "tg",
                                      .node_id = "n1"};
    start(&world);
    world_submit_in_group(&world, "a", "root.leaf", "ann", "x");
    world_submit_in_group(&world, "b", "root.leaf", "ann", "x");
    world_submit_in_group(&world, "c", "root.leaf", "ann", "x");
    world_ask(&world, "a", "k1", 1000, 1);
    world_ask(&world, "b", "k2", 1000, 1);
    assert_int_equal(world_schedule(&world), 2);
    world_ask(&world, "c", "k3", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &placed), YK_OK);
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(entry(&world, false, "ann", "root")->running, 3);
    world_done(&world);
}

/* A8: usage, place and group follow an application to another queue, and what it leaves is free again. */
static void usage_follows_a_move(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    world_submit_in_group(&world, "x", "root.dyn.x", "eve", "x"); /* makes the queue */
    world_submit_in_group(&world, "a", "root.leaf", "ann", "dev");
    world_submit_in_group(&world, "b", "root.leaf", "bob", "dev");
    world_ask(&world, "a", "k1", 3000, 1);
    assert_int_equal(world_schedule(&world), 1);
    world_ask(&world, "b", "k2", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    struct yk_app *app = world_app(&world, "a");
    const struct yk_group *waiting = yk_app_find_ask(world_app(&world, "b"), YK_STR("k2"))->group;
    yk_limit_gate_move(app, world_queue(&world, "root.dyn.x"));
    assert_true(yk_limit_wait_has_work(world_partition(&world))); /* tried at its turn */
    assert_null(entry(&world, false, "ann", "root.leaf"));
    assert_int_equal(vcores(&world, false, "ann", "root.dyn.x"), 3000);
    assert_int_equal(vcores(&world, false, "ann", "root"), 3000);
    assert_int_equal(entry(&world, false, "ann", "root.dyn")->running, 1);
    assert_null(app->limit.group); /* no group is named on the new path */
    assert_int_equal(vcores(&world, true, "dev", "root.leaf"), 0);
    yk_limit_gate_move(app, world_queue(&world, "root.leaf")); /* the queues' own sums have stayed */
    assert_int_equal(vcores(&world, true, "dev", "root.leaf"), 3000);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(waiting->wait, YK_WAIT_USER_QUOTA);
    world_done(&world);
}

/* L12: refused by the quota is not attempted; the text is what clients know. */
static void refused_is_not_attempted(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    world_submit_in_group(&world, "a", "root.leaf", "ann", "dev");
    world_ask(&world, "a", "k1", 4000, 1);
    assert_int_equal(world_schedule(&world), 0);
    const struct yk_ask *ask = yk_app_find_ask(world_app(&world, "a"), YK_STR("k1"));
    assert_int_equal(ask->flags & YK_ASK_ATTEMPTED, 0);
    assert_string_equal(yk_wait_text(ask->group->wait), "Not enough user quota");
    assert_false(yk_core_has_work(world.core)); /* it waits without being tried */
    world_done(&world);
}

/* L12: nodes are wanted only for what user and group may still use. */
static void autoscaling_respects_the_quota(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_submit_in_group(&world, "a", "root.leaf", "bob", "dev");
    for (int i = 0; i < 5; i++) {
        char key[8];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "a", key, 1000, 1);
    }
    assert_int_equal(world_schedule(&world), 0);
    yk_outstanding_report(world_partition(&world));
    int reported = 0;
    const struct yk_ask *ask;
    yk_text_set_foreach (ask, &world_app(&world, "a")->asks)
        reported += (ask->flags & YK_ASK_SCALE_UP) != 0;
    assert_int_equal(reported, 3); /* the group's limit; the user's is 5 */
    world_done(&world);
}

/* ---- when they go (L15) ---- */

static void nobody_is_kept(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    for (int i = 0; i < 500; i++) {
        char id[16], user[16], queue[32];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(user, sizeof(user), "user%d", i);
        (void)snprintf(queue, sizeof(queue), "root.dyn.q%d", i % 7);
        world_submit_in_group(&world, id, queue, user, "x");
        world_ask(&world, id, id, 100, 1);
        if (i % 50 == 0)
            (void)world_schedule(&world); /* some run, some only wait */
    }
    const struct yk_usages *usages = &world_partition(&world)->usages;
    assert_int_equal(usages->users.count, 501); /* the wildcard limits them, but does not keep them */
    for (int i = 0; i < 500; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        assert_int_equal(yk_core_remove_app(world.core, "rm", id, NULL), YK_OK);
    }
    world_check(&world);
    assert_int_equal(usages->users.count, 1); /* named in the configuration */
    assert_non_null(entry(&world, false, "ann", "root"));
    assert_non_null(entry(&world, true, "dev", "root.leaf"));
    world_advance(&world, 30);
    assert_null(world_queue(&world, "root.dyn.q1")); /* and no entry holds a queue */
    assert_null(
        world_reload(&world, "partitions: [{name: default, queues: [{name: root, submitacl: '*'}]}]"));
    assert_int_equal(usages->users.count + usages->groups.count, 0);
    assert_int_equal(usages->pinned_levels, 0);
    world_done(&world);
}

/* However many names a configuration has: what is kept for them is bounded, and the limits hold. */
static void many_names(void **state)
{
    (void)state;
    struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text,
                "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, "
                "limits: [{maxresources: {vcore: 1}, users: [u0");
    for (int i = 1; i < 60000; i++)
        yk_buf_printf(&text, ",u%d", i);
    yk_buf_text(&text, "]}]}]}]}]");
    world_init(&world, yk_buf_cstr(&text));
    const struct yk_usages *usages = &world_partition(&world)->usages;
    assert_int_equal(usages->pinned_levels, 100000);
    assert_int_equal(usages->users.count, 50000);
    world_node(&world, "n1", 100000, 100000);
    world_submit_in_group(&world, "a", "root.leaf", "u59999", "x");
    world_ask(&world, "a", "k1", 2000, 1);
    assert_int_equal(yk_core_schedule(world.core, SIZE_MAX, INT64_MAX), 0);
    assert_int_equal(yk_app_find_ask(world_app(&world, "a"), YK_STR("k1"))->group->wait, YK_WAIT_USER_QUOTA);
    world_done(&world);
}

/* C21, BUG-4 of 1.9: a partition's limits and usage are its own. */
static void partitions_do_not_share(void **state)
{
    (void)state;
    struct world world;
    world_init(
        &world,
        "partitions:\n"
        "- {name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, limits: [{users: "
        "[ann], maxresources: {vcore: 1}}]}]}]}\n"
        "- {name: two, queues: [{name: root, submitacl: '*', queues: [{name: leaf, limits: [{users: "
        "[ann], maxresources: {vcore: 7}}]}]}]}\n");
    const struct yk_partition *two = yk_core_find_partition(world.core, YK_STR("two"));
    const struct yk_tracker *mine = yk_usages_find(&world_partition(&world)->usages, false, YK_STR("ann"));
    const struct yk_tracker *theirs = yk_usages_find(&two->usages, false, YK_STR("ann"));
    assert_non_null(mine);
    assert_non_null(theirs);
    const struct yk_usage *here = yk_tracker_entry(mine, world_queue(&world, "root.leaf"));
    const struct yk_usage *there = yk_tracker_entry(theirs, yk_queue_find(two->root, YK_STR("root.leaf")));
    assert_int_equal(yk_resvec_get(&here->limit->resources, YK_RESTYPE_VCORE), 1000);
    assert_int_equal(yk_resvec_get(&there->limit->resources, YK_RESTYPE_VCORE), 7000);
    world_done(&world);
}

/* ---- what they tell ---- */

/* "5/2/603 ann root.leaf" and so on, of one type of events; a space in front of each. */
static void tell(const struct world *world, enum yk_event_type type, uint64_t from, struct yk_buf *out)
{
    const struct yk_ring *ring = world->core->events.ring;
    YK_EVENT(event);
    for (uint64_t n = YK_MAX(from, yk_ring_lowest(ring)); n < yk_ring_next(ring); n++) {
        if (!yk_ring_get(ring, n, &event) || event.type != type)
            continue;
        yk_buf_printf(out, "%d/%d/%d " YK_STR_FMT " " YK_STR_FMT "\n", event.type, event.change, event.detail,
                      YK_STR_ARG(event.object_id), YK_STR_ARG(event.reference_id));
    }
}

static void expect_events(const struct world *world, enum yk_event_type type, uint64_t *from,
                          const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    tell(world, type, *from, &text);
    *from = yk_ring_next(world->core->events.ring);
    assert_string_equal(yk_buf_cstr(&text), want);
}

static void usage_events(void **state)
{
    (void)state;
    struct world world;
    uint64_t from = 0;
    start(&world);
    expect_events(&world, YK_EVENT_USER_GROUP, &from,
                  "5/1/600 ann root\n5/1/600 * root\n5/1/601 dev root.leaf\n");
    world_submit_in_group(&world, "a", "root.leaf", "ann", "dev");
    world_ask(&world, "a", "k1", 2000, 1);
    assert_int_equal(world_schedule(&world), 1);
    expect_events(&world, YK_EVENT_USER_GROUP, &from,
                  "5/1/602 dev a\n5/2/603 ann root.leaf\n5/2/604 dev root.leaf\n");
    world_ask_full(&world, "a", "k1", 1000, 1, 0, YK_SI_CLASS_ANY, "n1");
    expect_events(&world, YK_EVENT_USER_GROUP, &from, "5/3/603 ann root.leaf\n5/3/604 dev root.leaf\n");
    world_release(&world, "a", "k1", YK_SI_STOPPED_BY_RM);
    expect_events(&world, YK_EVENT_USER_GROUP, &from,
                  "5/3/603 ann root.leaf\n5/3/604 dev root.leaf\n5/3/602 dev a\n");
    assert_null(world_reload(&world, config));
    expect_events(&world, YK_EVENT_USER_GROUP, &from, ""); /* nothing changed */
    assert_null(world_reload(&world,
                             "partitions: [{name: default, queues: [{name: root, submitacl: '*', limits: "
                             "[{users: [ann], maxapplications: 3}], queues: [{name: leaf}]}]}]"));
    expect_events(&world, YK_EVENT_USER_GROUP, &from,
                  "5/3/600 * root\n5/1/600 ann root\n5/3/601 dev root.leaf\n");
    world.core->events.on = false;
    world_submit_in_group(&world, "b", "root.leaf", "ann", "dev");
    world_ask(&world, "b", "k1", 2000, 1);
    assert_int_equal(world_schedule(&world), 1);
    expect_events(&world, YK_EVENT_USER_GROUP, &from, "");
    world_done(&world);
}

/* L18: usage that moves to another group is reported for both groups. */
static void events_of_another_group(void **state)
{
    (void)state;
    static const char
        two[] = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: "
                "leaf, limits: [{groups: [dev, x], maxapplications: 3}]}]}]}]",
        one[] = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: "
                "leaf, limits: [{groups: [x], maxapplications: 3}]}]}]}]";
    const char *groups[] = {"x", "dev"};
    struct yk_si_new_app app = {.application_id = "a",
                                .queue = "root.leaf",
                                .ugi = {.user = "ann", .groups = groups, .group_count = 2}};
    struct world world;
    world_init(&world, two);
    world_node(&world, "n1", 100000, 100000);
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    world_ask(&world, "a", "k1", 2000, 1);
    assert_int_equal(world_schedule(&world), 1);
    uint64_t from = yk_ring_next(world.core->events.ring);
    assert_null(world_reload(&world, one));
    expect_events(&world, YK_EVENT_USER_GROUP, &from,
                  "5/3/601 dev root.leaf\n5/3/604 dev root.leaf\n5/3/602 dev a\n"
                  "5/1/602 x a\n5/2/604 x root.leaf\n");
    world_check(&world);
    world_done(&world);
}

/* The events about running or not, whatever else others tell about applications. */
static void expect_gates(const struct world *world, uint64_t *from, const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const struct yk_ring *ring = world->core->events.ring;
    YK_EVENT(event);
    for (; *from < yk_ring_next(ring); (*from)++) {
        if (yk_ring_get(ring, *from, &event) && event.type == YK_EVENT_APP &&
            event.detail >= YK_EVENT_APP_CANNOT_RUN_QUEUE && event.detail <= YK_EVENT_APP_RUNNABLE_QUOTA)
            yk_buf_printf(&text, "%d " YK_STR_FMT "\n", event.detail, YK_STR_ARG(event.object_id));
    }
    assert_string_equal(yk_buf_cstr(&text), want);
}

static void gate_events(void **state)
{
    (void)state;
    struct world world;
    uint64_t from = 0;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, "
               "maxapplications: 2, limits: [{users: [ann], maxapplications: 1}]}]}]}]");
    world_node(&world, "n1", 100000, 100000);
    static const char *const ids[] = {"a", "b", "c"}, *const users[] = {"ann", "ann", "bob"};
    for (size_t i = 0; i < YK_COUNT(ids); i++) {
        world_submit_in_group(&world, ids[i], "root.leaf", users[i], "x");
        world_ask(&world, ids[i], "k", 1000, 1);
    }
    assert_int_equal(world_schedule(&world), 2);
    expect_gates(&world, &from, "215 b\n");
    world_submit_in_group(&world, "d", "root.leaf", "eve", "x");
    world_ask(&world, "d", "k", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    expect_gates(&world, &from, "213 d\n");
    world_ask(&world, "b", "k2", 1000, 1);
    assert_int_equal(world_schedule(&world), 0);
    expect_gates(&world, &from, ""); /* told once */
    world_release(&world, "a", "k", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    assert_int_equal(world_schedule(&world), 2);
    expect_gates(&world, &from, "216 b\n");
    world_done(&world);
}

/* Each change of an ask's answer is reported once. */
static void quota_events(void **state)
{
    (void)state;
    struct world world;
    YK_EVENT(event);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    start(&world);
    world_submit_in_group(&world, "a", "root.leaf", "ann", "dev");
    world_ask(&world, "a", "k1", 3000, 1);
    assert_int_equal(world_schedule(&world), 1);
    world_ask(&world, "a", "k2", 2000, 1);
    assert_int_equal(world_schedule(&world), 0);
    world_ask_full(&world, "a", "k1", 2000, 1, 0, YK_SI_CLASS_ANY, "n1"); /* not enough yet */
    assert_int_equal(world_schedule(&world), 0);
    world_release(&world, "a", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_ring *ring = world.core->events.ring;
    for (uint64_t n = yk_ring_lowest(ring); n < yk_ring_next(ring); n++) {
        if (yk_ring_get(ring, n, &event) && event.type == YK_EVENT_REQUEST &&
            yk_str_is(event.object_id, "k2"))
            yk_buf_printf(&text, YK_STR_FMT "\n", YK_STR_ARG(event.message));
    }
    assert_string_equal(yk_buf_cstr(&text),
                        "Request 'k2' exceeds the available user quota (requested map[memory:1048576 pods:1 "
                        "vcore:2000], available map[vcore:0])\n"
                        "Request 'k2' fits in the available user quota\n");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholders_count),
        cmocka_unit_test(recovery_and_resize),
        cmocka_unit_test(placed_while_held_back),
        cmocka_unit_test(usage_follows_a_move),
        cmocka_unit_test(refused_is_not_attempted),
        cmocka_unit_test(autoscaling_respects_the_quota),
        cmocka_unit_test(nobody_is_kept),
        cmocka_unit_test(many_names),
        cmocka_unit_test(partitions_do_not_share),
        cmocka_unit_test(usage_events),
        cmocka_unit_test(events_of_another_group),
        cmocka_unit_test(gate_events),
        cmocka_unit_test(quota_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
