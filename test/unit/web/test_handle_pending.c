/* SPDX-License-Identifier: Apache-2.0 */
/* What REST says about asks that wait (docs/reference/rest.md 12.2): each reason once, positions, windows,
 * limits, nodes. */
#include "report/outstanding.h"
#include "reservation/reservations.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] =
    "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: a, resources: {max: {vcore: 4, memory: 8Gi}}}\n"
    "    - {name: few, maxapplications: 1}\n"
    "    - {name: one, properties: {application.sort.policy: stateaware}}\n"
    "    - {name: rests, properties: {application.unschedasks.backoff: '1'}}\n"
    "    - name: limited\n      limits:\n"
    "      - {limit: '', users: [joe], maxresources: {vcore: 1}}\n"
    "      - {limit: '', users: [sue], maxapplications: 1}\n"
    "    - {name: b}\n";

static void begin(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 8000, 16384);
    world_node(world, "n2", 4000, 8192);
}

/* Decides and lets what waits be reported. */
static void settle(struct world *world)
{
    (void)world_schedule(world);
    world_advance(world, 2);
    (void)world_schedule(world); /* whatever comes of it */
}

static void has_metric(struct world *world, const char *line)
{
    struct yk_answer answer = browse(world, "/metrics", 200);
    if (strstr(yk_buf_cstr(&answer.body), line) == NULL)
        fail_msg("no '%s'", line);
    yk_answer_done(&answer);
}

/* The first entry of what waits in the queue. */
static void expect_first(struct world *world, const char *queue, const char *reason, const char *message)
{
    char url[128];
    (void)snprintf(url, sizeof(url), P "/queue/%s/pending", queue);
    json_t *json = browse_json(world, url);
    if (strcmp(look_text(json, "pending.0.reason"), reason) != 0)
        fail_msg("%s: %s, not %s (%s)", queue, look_text(json, "pending.0.reason"), reason,
                 look_text(json, "pending.0.message"));
    assert_string_equal(look_text(json, "pending.0.message"), message);
    assert_string_equal(look_text(json, "queueName"), queue);
    json_decref(json);
}

static void a_full_queue(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.a", "ann");
    world_submit(&world, "waits", "root.a", "bob");
    world_ask(&world, "runs", "r1", 3500, 1024);
    settle(&world);
    world_ask(&world, "waits", "w1", 1000, 1024);
    settle(&world);
    expect_first(
        &world, "root.a", "QueueQuota",
        "needs 1 core, queue root.a has 0.5 of 4 cores free; ann's application runs holds 3.5 cores");
    json_t *json = browse_json(&world, P "/application/waits/allocation/w1/explain");
    assert_string_equal(look_text(json, "limit.kind"), "queue");
    assert_string_equal(look_text(json, "limit.name"), "root.a");
    assert_int_equal(look_int(json, "limit.max.vcore"), 4000);
    assert_int_equal(look_int(json, "limit.used.vcore"), 3500);
    assert_int_equal(look_int(json, "limit.requested.vcore"), 1000);
    assert_int_equal(look_int(json, "limit.missing.vcore"), 500);
    assert_null(look(json, "limit.missing.memory"));
    assert_string_equal(look_text(json, "limits.0.queueName"), "root.a");
    assert_null(look(json, "nodes"));
    assert_int_equal(look_int(json, "positionInQueue"), 0);
    assert_string_equal(look_text(json, "estimate.state"), "unknown");
    json_decref(json);
    world_done(&world);
}

static void more_than_a_maximum(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "waits", "root.a", "bob");
    world_ask(&world, "waits", "w1", 6000, 1024);
    settle(&world);
    expect_first(&world, "root.a", "ExceedsMaxCapacity",
                 "needs 6 cores, queue root.a may have 4 cores in all: it can never start");
    world_done(&world);
}

/* Nothing else is said of asks that would fit, or that a limit refuses. */
static void a_stopped_partition(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "waits", "root.a", "bob");
    world_ask(&world, "waits", "w1", 6000, 1024);
    settle(&world);
    world_ask(&world, "waits", "w2", 1000, 1024);
    world_partition(&world)->state = YK_STATE_STOPPED;
    settle(&world);
    expect_first(&world, "root.a", "QueueStopped", "partition default is stopped");
    json_t *json = browse_json(&world, P "/application/waits/pending");
    assert_string_equal(look_text(json, "reason"), "QueueStopped");
    assert_string_equal(look_text(json, "message"), "partition default is stopped");
    assert_int_equal(look_int(json, "reasons.QueueStopped"), 2);
    json_decref(json);
    json = browse_json(&world, P "/application/waits/allocation/w2/explain");
    assert_string_equal(look_text(json, "reason"), "QueueStopped");
    assert_string_equal(look_text(json, "obstacles.0.reason"), "QueueStopped");
    assert_string_equal(look_text(json, "remedy"), "set the partition back to active");
    assert_string_equal(look_text(json, "estimate.state"), "unknown");
    json_decref(json);
    world_done(&world);
}

static void a_number_of_applications(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.few", "ann");
    world_submit(&world, "waits", "root.few", "bob");
    world_ask(&world, "runs", "r1", 100, 1);
    settle(&world);
    world_ask(&world, "waits", "w1", 100, 1);
    world_ask(&world, "waits", "w2", 100, 1);
    settle(&world);
    expect_first(&world, "root.few", "QueueMaxApplications",
                 "queue root.few runs 1 of at most 1 applications: ann's runs");
    json_t *limit = browse_json(&world, P "/application/waits/allocation/w1/explain");
    assert_int_equal(look_int(limit, "limit.maxApplications"), 1);
    assert_int_equal(look_int(limit, "limit.runningApplications"), 1);
    json_decref(limit);
    json_t *json = browse_json(&world, P "/application/waits/pending");
    assert_string_equal(look_text(json, "applicationID"), "waits");
    assert_string_equal(look_text(json, "reason"), "QueueMaxApplications");
    assert_string_equal(look_text(json, "message"),
                        "queue root.few runs 1 of at most 1 applications: ann's runs");
    assert_int_equal(look_int(json, "total"), 2);
    assert_int_equal(look_int(json, "reasons.QueueMaxApplications"), 2);
    assert_int_equal(look_int(json, "pending.1.positionInApplication"), 1);
    json_decref(json);
    world_done(&world);
}

static void limits_of_users(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "joes", "root.limited", "joe");
    world_ask(&world, "joes", "j1", 1000, 1);
    settle(&world);
    world_ask(&world, "joes", "j2", 500, 1);
    settle(&world);
    expect_first(&world, "root.limited", "UserQuota",
                 "needs 0.5 cores, user joe has 0 of 1 core free in queue root.limited; its own application "
                 "holds 1 core");
    world_release(&world, "joes", "j2", YK_SI_STOPPED_BY_RM);
    world_submit(&world, "sues", "root.limited", "sue");
    world_submit(&world, "sues2", "root.limited", "sue");
    world_ask(&world, "sues", "s1", 500, 1);
    settle(&world);
    world_ask(&world, "sues2", "s2", 500, 1);
    settle(&world);
    expect_first(&world, "root.limited", "UserMaxApplications",
                 "user sue runs 1 of at most 1 applications in queue root.limited: sue's sues");
    world_done(&world);
}

/* Many pods that started together are few moments, so there is no estimate; the sentence says so. */
static void starts_at_one_moment(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "many", "root.b", "ann");
    for (int i = 0; i < 8; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "r%d", i);
        world_ask(&world, "many", key, 1000, 1);
    }
    world_advance(&world, 3); /* they have waited */
    settle(&world);
    world_ask(&world, "many", "w1", 6000, 1);
    settle(&world);
    json_t *json = browse_json(&world, P "/application/many/allocation/w1/explain");
    assert_string_equal(look_text(json, "estimate.state"), "unknown");
    assert_non_null(
        strstr(look_text(json, "estimate.basis"),
               "8 waiting pods of queue root.b started lately, but at only 1 moment in the last "));
    json_decref(json);
    world_done(&world);
}

static void nodes(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "big", "root.b", "ann");
    world_ask(&world, "big", "r1", 6000, 1024);
    settle(&world);
    world_ask(&world, "big", "w1", 5000, 1024);
    settle(&world);
    expect_first(&world, "root.b", "InsufficientNodeResources",
                 "needs 5 cores; of 2 nodes that it may use, n1 comes nearest and has 2 of 8 cores free");
    json_t *json = browse_json(&world, P "/application/big/allocation/w1/explain");
    assert_int_equal(look_int(json, "nodes.total"), 2);
    assert_int_equal(look_int(json, "nodes.unschedulable"), 0);
    assert_int_equal(look_int(json, "nodes.insufficient.vcore"), 2);
    assert_string_equal(look_text(json, "nodes.examples.0"), "n1");
    assert_string_equal(look_text(json, "nodes.examples.1"), "n2");
    assert_string_equal(look_text(json, "remedy"),
                        "wait until pods end, add a node that is large enough, or request less");
    assert_true(look_int(json, "attempts") > 0);
    assert_true(look_int(json, "lastAttempt") >= look_int(json, "since"));
    assert_string_equal(look_text(json, "estimate.basis"), "no waiting pods of queue root.b started lately");
    json_decref(json);
    world_advance(&world, 60);
    world_ask(&world, "big", "w2", 5000, 1024); /* a like ask: it is not tried again for this one */
    json = browse_json(&world, P "/application/big/allocation/w2/explain");
    assert_int_equal(look_int(json, "attempts"), 0);
    assert_int_equal(look_int(json, "lastAttempt"), 0);
    json_decref(json);
    world_ask(&world, "big", "w0", 9000, 1024);
    settle(&world);
    json = browse_json(&world, P "/application/big/allocation/w0/explain");
    assert_string_equal(look_text(json, "message"),
                        "needs 9 cores; the largest of 2 nodes that it may use, n1, has 8 cores in all");
    assert_string_equal(look_text(json, "remedy"),
                        "add a node that is large enough, or request less; waiting does not help");
    assert_string_equal(look_text(json, "estimate.basis"), "what it waits for does not end by itself");
    json_decref(json);
    world_done(&world);
}

/* No node has capacity for asks of that size, so the limit of the second one is not tried. */
static void larger_than_a_limit_without_being_tried(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.b", "ann");
    world_ask(&world, "runs", "r1", 7000, 1024);
    world_ask(&world, "runs", "r2", 3000, 1024);
    settle(&world);
    world_submit(&world, "waits", "root.b", "ann");
    world_ask(&world, "waits", "w1", 2000, 64);
    settle(&world);
    world_submit(&world, "joes", "root.limited", "joe");
    world_ask(&world, "joes", "j1", 2000, 64);
    settle(&world);
    expect_first(&world, "root.limited", "ExceedsMaxCapacity",
                 "needs 2 cores, user joe may have 1 core in all in queue root.limited: it can never start");
    world_done(&world);
}

/* `count` placeholders of one core each, for `queue`. The gang is announced with the style and the timeout (0: the
 * default). */
static void add_gang_for(struct world *world, const char *queue, enum yk_si_gang_style style, int count,
                         int64_t timeout_ns, yk_si_class class_)
{
    struct yk_resvec size = world_size(1000, 10), total = world_size(1000 * count, 10 * count);
    yk_resvec_put(&total, yk_restype_find(YK_STR("pods")), count);
    const struct yk_si_new_app app = {.application_id = "gang",
                                      .queue = queue,
                                      .ugi = {.user = "joe"},
                                      .gang_style = style,
                                      .placeholder_timeout_ns = timeout_ns,
                                      .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    for (int i = 0; i < count; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "ph%d", i);
        const struct yk_si_allocation ask = {.key = key,
                                             .application_id = "gang",
                                             .resource = &size,
                                             .task_group = "tg",
                                             .placeholder = true,
                                             .scheduling_class = class_};
        assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    }
}

static void add_gang(struct world *world, const char *queue, enum yk_si_gang_style style, int count)
{
    add_gang_for(world, queue, style, count, 0, YK_SI_CLASS_ANY);
}

/* With the style Soft, the wait ends with the timeout, if that is running: a placeholder has a node. */
static void a_gang_that_never_fits(void **state)
{
    static const char by_limit[] =
        "the gang can never start: it is larger than the limit of its user; it needs 5 "
        "cores, user joe may have 4 cores in all in queue root.gangs; after its timeout "
        "of 15 min ",
                      by_nodes[] =
                          "the gang can never start: it is larger than what the nodes offer; it needs 5 "
                          "cores, the nodes offer 3 cores";
    static const struct {
        const char *queue;
        enum yk_si_gang_style style;
        int nodes; /* of three cores */
        const char *message, *after, *remedy, *basis;
    } cases[] = {
        {"root.gangs", YK_SI_GANG_SOFT, 2, by_limit, "its pods are scheduled without it",
         "wait until the timeout of its gang is over, or make the gang smaller",
         "its pods start only after the timeout of the gang"},
        {"root.gangs", YK_SI_GANG_HARD, 2, by_limit, "the application fails",
         "request less, or raise the maximum; waiting does not help; at the timeout of its gang, the "
         "application fails",
         "what it waits for does not end by itself"},
        {"root.whole", YK_SI_GANG_SOFT, 1, by_nodes, "",
         "make the gang or its members smaller, or add nodes; waiting does not help",
         "what it waits for does not end by itself"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char message[512];
        world_init(&world,
                   "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: "
                   "gangs, limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]}, {name: whole, "
                   "properties: {gang.placement: whole}}]}]}]");
        for (int n = 0; n < cases[i].nodes; n++)
            world_node(&world, n == 0 ? "n0" : "n1", 3000, 4000);
        add_gang(&world, cases[i].queue, cases[i].style, 5);
        settle(&world);
        (void)snprintf(message, sizeof(message), "%s%s", cases[i].message, cases[i].after);
        expect_first(&world, cases[i].queue, "ExceedsMaxCapacity", message);
        json_t *json = browse_json(&world, P "/application/gang/allocation/ph4/explain");
        assert_string_equal(look_text(json, "remedy"), cases[i].remedy);
        assert_string_equal(look_text(json, "estimate.state"), "unknown");
        assert_string_equal(look_text(json, "estimate.basis"), cases[i].basis);
        if (strcmp(cases[i].queue, "root.gangs") == 0) { /* four placeholders have nodes */
            assert_true(json_is_true(look(json, "gangTimeout.isCertain")));
            static const char *const limits[] = {"limit", "limits.0", "obstacles.0.limit"};
            for (size_t limit = 0; limit < YK_COUNT(limits); limit++) {
                char path[64];
                (void)snprintf(path, sizeof(path), "%s.requested.vcore", limits[limit]);
                assert_int_equal(look_int(json, path), 5000);
                (void)snprintf(path, sizeof(path), "%s.missing.vcore", limits[limit]);
                assert_int_equal(look_int(json, path), 1000);
            }
        }
        json_decref(json);
        world_done(&world);
    }
}

/* The gang would fit, but its queue is full. The application fails at the timeout, or the gang is given up. */
static void a_gang_that_waits_for_its_queue(void **state)
{
    static const struct {
        enum yk_si_gang_style style;
        const char *outcome, *message, *remedy;
    } cases[] = {
        {YK_SI_GANG_HARD, "applicationFails", "the application fails",
         "wait until pods of the queue end, or raise its maximum; at the timeout of its gang, the "
         "application "
         "fails"},
        {YK_SI_GANG_SOFT, "gangGivenUp", "its pods are scheduled without it",
         "wait until pods of the queue end, or raise its maximum"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        char message[512];
        begin(&world);
        world_submit(&world, "runs", "root.a", "ann");
        world_ask(&world, "runs", "r1", 2000, 64);
        settle(&world);
        add_gang(&world, "root.a", cases[i].style, 3);
        settle(&world);
        int64_t begin_ns = yk_core_now(world.core);
        (void)snprintf(
            message, sizeof(message),
            "needs 1 core, queue root.a has 0 of 4 cores free; ann's application runs holds 2 cores; "
            "if the gang is not complete within its timeout of 15 min, %s",
            cases[i].message);
        expect_first(&world, "root.a", "QueueQuota", message);
        world_advance(&world, 600);
        json_t *json = browse_json(&world, P "/application/gang/allocation/ph2/explain");
        assert_string_equal(look_text(json, "message"), message); /* it has no time that changes */
        assert_string_equal(
            look_text(json, "obstacles.0.message"),
            "needs 1 core, queue root.a has 0 of 4 cores free; ann's application runs holds 2 cores");
        assert_string_equal(look_text(json, "remedy"), cases[i].remedy);
        assert_string_equal(look_text(json, "gangTimeout.outcome"), cases[i].outcome);
        assert_true(json_is_false(look(json, "gangTimeout.isCertain")));
        assert_true(json_is_false(look(json, "gangTimeout.mayBeginAgain")));
        int64_t left_ns = look_int(json, "gangTimeout.time") - begin_ns;
        assert_in_range(left_ns, 890 * YK_NS_PER_S, 900 * YK_NS_PER_S);
        json_decref(json);
        world_app(&world, "gang")->gang->gave_way = true;
        json = browse_json(&world, P "/application/gang/allocation/ph2/explain");
        assert_true(json_is_true(look(json, "gangTimeout.mayBeginAgain")));
        assert_non_null(strstr(look_text(json, "message"),
                               "within its timeout of 15 min, which begins again when "
                               "its placeholders give way to others, "));
        json_decref(json);
        world_advance(&world, 310); /* what was said has happened */
        assert_string_equal(yk_app_state_name(world_app(&world, "gang")->state),
                            cases[i].style == YK_SI_GANG_HARD ? "Failing" : "Resuming");
        world_done(&world);
    }
}

/* Its members fit one by one, but the rest of the limit is not enough for all: the limit and who holds the rest are
 * named, and a limit that is higher by what is missing starts it. */
static void a_whole_gang_below_a_limit(void **state)
{
    struct world world;
    (void)state;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: whole, "
               "resources: {max: {vcore: 2}}, properties: {gang.placement: whole}}]}]}]");
    world_node(&world, "n0", 8000, 4000);
    world_submit(&world, "occupies", "root.whole", "kim");
    world_ask(&world, "occupies", "o1", 1000, 0);
    settle(&world);
    add_gang(&world, "root.whole", YK_SI_GANG_SOFT, 2);
    settle(&world);
    json_t *json = browse_json(&world, P "/application/gang/allocation/ph1/explain");
    assert_string_equal(look_text(json, "reason"), "GangWaiting");
    assert_non_null(strstr(look_text(json, "message"),
                           "; queue root.whole has 1 of 2 cores free; kim's application "
                           "occupies holds 1 core"));
    assert_string_equal(look_text(json, "remedy"), "wait until pods of the queue end, or raise its maximum");
    assert_string_equal(look_text(json, "limit.name"), "root.whole");
    assert_int_equal(look_int(json, "limit.missing.vcore"), 1000);
    json_decref(json);
    world_done(&world);
}

/* A queue that was removed from the configuration keeps its maximum, which cannot be raised there. */
static void a_queue_that_drains(void **state)
{
    struct world world;
    (void)state;
    world_init(
        &world,
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: b}, {name: "
        "goes, resources: {max: {vcore: 1}}}]}]}]");
    world_node(&world, "n0", 8000, 4000);
    world_submit(&world, "occupies", "root.goes", "kim");
    world_ask(&world, "occupies", "o1", 1000, 0);
    settle(&world);
    world_ask(&world, "occupies", "o2", 1000, 0);
    settle(&world);
    world_reload(
        &world, "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: b}]}]}]");
    settle(&world);
    json_t *json = browse_json(&world, P "/application/occupies/allocation/o2/explain");
    assert_string_equal(look_text(json, "reason"), "QueueQuota");
    assert_non_null(strstr(look_text(json, "message"), "; the queue is no longer in the configuration"));
    assert_string_equal(look_text(json, "remedy"),
                        "wait until pods of the queue end, or add the queue to the "
                        "configuration again; it is being removed");
    json_decref(json);
    world_done(&world);
}

/* The longest timeout that a pod may name ends later than a time can be. */
static void a_timeout_of_centuries(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.a", "ann");
    world_ask(&world, "runs", "r1", 2000, 64);
    settle(&world);
    add_gang_for(&world, "root.a", YK_SI_GANG_HARD, 3, INT64_C(9223372036) * YK_NS_PER_S, YK_SI_CLASS_ANY);
    settle(&world);
    world_advance(&world, 600);
    json_t *json = browse_json(&world, P "/application/gang/allocation/ph2/explain");
    assert_int_equal(look_int(json, "gangTimeout.time"), INT64_MAX);
    json_decref(json);
    world_done(&world);
}

/* Its queue is full, and when the queue has room again, no node is large enough. */
static void larger_than_all_nodes_behind_a_full_queue(void **state)
{
    struct world world;
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 3000, 16384);
    world_submit(&world, "runs", "root.a", "ann");
    world_ask(&world, "runs", "r1", 3000, 1024);
    settle(&world);
    world_submit(&world, "giant", "root.a", "bob");
    world_ask(&world, "giant", "w1", 4000, 1024);
    settle(&world);
    json_t *json = browse_json(&world, P "/application/giant/allocation/w1/explain");
    assert_string_equal(look_text(json, "reason"), "QueueQuota");
    assert_string_equal(look_text(json, "obstacles.1.reason"), "InsufficientNodeResources");
    assert_string_equal(look_text(json, "estimate.state"), "unknown");
    assert_string_equal(look_text(json, "estimate.basis"), "what it waits for does not end by itself");
    assert_string_equal(look_text(json, "remedy"),
                        "remove the other obstacles first; waiting alone does not help");
    json_decref(json);
    world_done(&world);
}

/* A daemon's pod has one node, and another pod ends there for it. The other nodes are not cordoned. When the
 * victim has ended, and the pod still waits, it waits for nodes. */
static const char *preemption_of(struct world *world, char *text, size_t size)
{
    json_t *json = browse_json(world, P "/application/claims/allocation/w1/explain");
    assert_string_equal(look_text(json, "preemption.state"), "possible");
    (void)snprintf(text, size, "%s", look_text(json, "preemption.message"));
    json_decref(json);
    return text;
}

/* What keeps a pod of a queue below its guarantee from preempting others: a delay, and then a limit. */
static void preemption_that_is_not_tried(void **state)
{
    static const char guaranteed[] =
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: prod, "
        "properties: {preemption.delay: 60s}, resources: {guaranteed: {vcore: 2}}, "
        "limits: [{limit: '', users: [joe], maxresources: {vcore: 1}}]}, {name: batch}]}]}]";
    struct world world;
    char text[256];
    (void)state;
    world_init(&world, guaranteed);
    world_node(&world, "n1", 4000, 1024);
    world_submit(&world, "fills", "root.batch", "ann");
    world_ask_full(&world, "fills", "f1", 4000, 0, 0, YK_SI_CLASS_ANY, "n1");
    world_submit(&world, "claims", "root.prod", "joe");
    world_ask(&world, "claims", "w1", 1000, 0);
    yk_app_find_ask(world_app(&world, "claims"), YK_STR("w1"))->flags |= YK_ASK_PREEMPT_OTHER;
    settle(&world);
    (void)preemption_of(&world, text, sizeof(text));
    assert_non_null(strstr(text, "not tried: its delay ends at "));
    assert_non_null(strstr(text,
                           " (preemption.delay of queue root.prod); queue root.prod uses 0 of 2 cores, which "
                           "is below its guarantee"));
    world_done(&world);
}

static void preemption_for_a_required_node(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.b", "ann");
    struct yk_resvec size = world_size(4000, 64);
    const struct yk_si_allocation victim = {.key = "r1",
                                            .application_id = "runs",
                                            .resource = &size,
                                            .node_id = "n2",
                                            .allow_preempt_self = true,
                                            .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &victim), YK_OK);
    world_submit(&world, "daemons", "root.b", "joe");
    const struct yk_si_allocation daemon = {.key = "d1",
                                            .application_id = "daemons",
                                            .resource = &size,
                                            .required_node = "n2",
                                            .priority = 10,
                                            .allow_preempt_other = true,
                                            .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &daemon), YK_OK);
    settle(&world);
    expect_first(&world, "root.b", "PreemptionInProgress",
                 "other pods are ending on node n2 to make room for it: r1 (ann's application runs)");
    json_t *json = browse_json(&world, P "/application/daemons/allocation/d1/explain");
    assert_string_equal(look_text(json, "preemption.state"), "inProgress");
    assert_string_equal(look_text(json, "remedy"),
                        "none is needed: it starts when the preempted pods have ended");
    assert_int_equal(look_int(json, "nodes.total"), 2);
    assert_int_equal(look_int(json, "nodes.unschedulable"), 0);
    json_decref(json);
    world_release(&world, "runs", "r1", YK_SI_PREEMPTED_BY_SCHEDULER);
    json = browse_json(&world, P "/application/daemons/allocation/d1/explain");
    assert_string_not_equal(look_text(json, "reason"), "PreemptionInProgress");
    json_decref(json);
    world_done(&world);
}

static void constraints(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world.class_letter = 'x';
    world_submit(&world, "picky", "root.b", "ann");
    world_ask_full(&world, "picky", "w1", 100, 1, 0, 1, NULL);
    settle(&world);
    expect_first(&world, "root.b", "PredicatesFailed",
                 "needs 0.1 cores and 1 Mi; none of 2 nodes satisfies its constraints");
    json_t *json = browse_json(&world, P "/application/picky/allocation/w1/explain");
    assert_string_equal(look_text(json, "estimate.basis"), "what it waits for does not end by itself");
    assert_string_equal(look_text(json, "remedy"),
                        "change the constraints of the pod, or add a node that satisfies them");
    json_decref(json);
    world_node_action(&world, "n1", YK_SI_NODE_DRAIN); /* perhaps it would satisfy them */
    settle(&world);
    json = browse_json(&world, P "/application/picky/allocation/w1/explain");
    assert_string_equal(look_text(json, "message"),
                        "needs 0.1 cores and 1 Mi; none of the nodes that take new pods satisfies its "
                        "constraints, and 1 of 2 takes none");
    assert_string_equal(
        look_text(json, "remedy"),
        "uncordon a node that satisfies the constraints of the pod, add such a node, or change "
        "the constraints");
    json_decref(json);
    world_done(&world);
}

/* Its members would fit if their constraints allowed a node: a smaller gang does not help. */
static void a_gang_without_nodes(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world.class_letter = 'x';
    add_gang_for(&world, "root.b", YK_SI_GANG_SOFT, 2, 0, 1);
    settle(&world);
    json_t *json = browse_json(&world, P "/application/gang/allocation/ph1/explain");
    assert_string_equal(look_text(json, "reason"), "ExceedsMaxCapacity");
    assert_string_equal(look_text(json, "remedy"),
                        "change the constraints of the gang's pods, or add or uncordon nodes that satisfy "
                        "them; waiting does not help");
    json_decref(json);
    world_done(&world);
}

static void pauses_and_turns(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "rests", "root.rests", "ann");
    world_ask(&world, "rests", "w1", 9000, 1);
    (void)world_schedule(&world); /* nothing fits */
    expect_first(&world, "root.rests", "Backoff",
                 "application rests pauses until 2023-11-14T22:13:50Z, because 1 of its pods found no node");
    has_metric(&world, "yunikorn_pending_pods{queue=\"root.rests\",status=\"backoff\"} 1\n");
    world_advance(&world, 2);
    yk_outstanding_report(world_partition(&world));
    assert_int_equal(world.told_failed, 1); /* an autoscaler can help */
    world_submit(&world, "first", "root.one", "ann");
    world_submit(&world, "second", "root.one", "ann");
    world_ask(&world, "first", "f1", 100, 1);
    world_ask(&world, "second", "s1", 100, 1);
    settle(&world);
    expect_first(&world, "root.one", "QueueMaxApplications",
                 "queue root.one starts one application at a time, and application first is starting, until "
                 "2023-11-14T22:18:22Z at the latest");
    json_t *json = browse_json(&world, P "/application/second/allocation/s1/explain");
    assert_string_equal(look_text(json, "remedy"),
                        "wait until the other application has started: it runs at its "
                        "second pod, or 5 min after its first");
    json_decref(json);
    world_advance(&world, 30); /* the pause ends */
    has_metric(&world, "yunikorn_pending_pods{queue=\"root.rests\",status=\"backoff\"} 0\n");
    world_done(&world);
}

static void a_rejected_application(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "bad", "root.nowhere.at.all", "ann");
    json_t *json = browse_json(&world, P "/application/bad/pending");
    assert_string_equal(look_text(json, "reason"), "Rejected");
    assert_true(strlen(look_text(json, "message")) > 0);
    assert_int_equal(look_int(json, "total"), 0);
    json_decref(json);
    world_submit(&world, "bad", "root.a", "ann"); /* corrected; runs, and ends */
    world_ask(&world, "bad", "b1", 100, 1);
    settle(&world);
    world_release(&world, "bad", "b1", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 60);
    json = browse_json(&world, P "/application/bad/timeline");
    assert_string_equal(look_text(json, "state"), "Completed");
    json_decref(json);
    browse_error(&world, P "/application/bad/pending", 404, "Application not found");
    world_advance(&world, 10);
    world_submit(&world, "bad", "root.nowhere.at.all", "ann"); /* rejected again */
    json = browse_json(&world, P "/application/bad/pending");
    assert_string_equal(look_text(json, "reason"), "Rejected");
    json_decref(json);
    world_done(&world);
}

static void submit_many(struct world *world)
{
    begin(world);
    world_submit(world, "runs", "root.a", "ann");
    world_ask(world, "runs", "r", 4000, 1);
    settle(world);
    for (int i = 0; i < 300; i++) {
        char id[16], key[24];
        (void)snprintf(id, sizeof(id), "app-%03d", 299 - i);
        world_advance(world, 1);
        world_submit(world, id, "root.a", "bob");
        for (int ask = 0; ask < 3; ask++) {
            (void)snprintf(key, sizeof(key), "k%d-%d", i, ask);
            world_ask(world, id, key, 1000, 1);
        }
    }
    settle(world);
}

static void check_window(json_t *json)
{
    assert_int_equal(look_int(json, "total"), 900);
    assert_int_equal(look_int(json, "reasons.QueueQuota"), 900);
    assert_int_equal(json_array_size(json_object_get(json, "pending")), 4);
    assert_string_equal(look_text(json, "pending.0.allocationKey"), "k200-1");
    assert_int_equal(look_int(json, "pending.0.positionInQueue"), 601);
    assert_int_equal(look_int(json, "pending.0.positionInApplication"), 1);
    assert_string_equal(look_text(json, "pending.3.allocationKey"), "k201-1");
    json_decref(json);
}

static void in_order_and_in_parts(void **state)
{
    struct world world;
    (void)state;
    submit_many(&world);
    check_window(browse_json(&world, P "/queue/root/pending?offset=601&limit=4"));
    check_window(browse_slices(&world, P "/queue/root.a/pending?offset=601&limit=4", NULL, NULL));
    json_t *whole = browse_json(&world, P "/queue/root.a/pending");
    json_t *sliced = browse_slices(&world, P "/queue/root.a/pending", NULL, NULL);
    assert_true(json_equal(whole, sliced));
    assert_int_equal(json_array_size(json_object_get(whole, "pending")), 900);
    json_decref(whole);
    json_decref(sliced);
    json_t *json = browse_slices(&world, P "/application/app-000/allocation/k299-2/explain", NULL, NULL);
    assert_int_equal(look_int(json, "positionInQueue"), 899);
    assert_int_equal(look_int(json, "positionInApplication"), 2);
    assert_string_equal(look_text(json, "ahead.0.applicationID"), "app-299");
    assert_string_equal(look_text(json, "ahead.4.applicationID"), "app-295");
    assert_int_equal(look_int(json, "ahead.0.pods"), 3);
    assert_int_equal(json_array_size(json_object_get(json, "ahead")), 5);
    json_decref(json);
    json = browse_slices(&world, P "/application/app-000/pending?limit=1", NULL, NULL);
    assert_int_equal(look_int(json, "total"), 3);
    assert_int_equal(look_int(json, "pending.0.positionInQueue"), 897);
    json_decref(json);
    world_done(&world);
}

static void end_one_application(void *context)
{
    static int number;
    char id[16];
    (void)snprintf(id, sizeof(id), "app-%03d", number++ % 300);
    assert_int_equal(yk_core_remove_app(((struct world *)context)->core, "rm", id, "default"), YK_OK);
}

static void while_applications_end(void **state)
{
    struct world world;
    (void)state;
    submit_many(&world);
    json_decref(browse_slices(&world, P "/queue/root/pending", end_one_application, &world));
    world_done(&world);
}

enum { WAIT = 40, START = 20 };

/* When a part of the asks is written, the first START of the application get a node, and with them the ask
 * with which the list was to go on. */
static void start_some(void *context)
{
    static int calls;
    if (++calls != 8)
        return;
    world_node(context, "late", START * 1000, 65536);
    assert_int_equal(world_schedule(context), START);
}

static void while_asks_start(void **state)
{
    struct world world;
    bool is_listed[WAIT] = {false};
    size_t index;
    json_t *entry;
    (void)state;
    world_init(&world, config);
    world_submit(&world, "app", "root.b", "ann");
    for (int i = 0; i < WAIT; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 1000, 1);
    }
    json_t *json = browse_slices(&world, P "/application/app/pending", start_some, &world);
    json_array_foreach(look(json, "pending"), index, entry)
    {
        uint64_t number = WAIT;
        assert_int_equal(yk_str_to_u64(yk_str_from(look_text(entry, "allocationKey") + 1), &number), YK_OK);
        assert_in_range(number, 0, WAIT - 1);
        assert_false(is_listed[number]);
        is_listed[number] = true;
    }
    for (int i = START; i < WAIT; i++)
        assert_true(is_listed[i]);
    json_int_t counted = 0;
    const char *reason;
    json_object_foreach(json_object_get(json, "reasons"), reason, entry) counted += json_integer_value(entry);
    assert_int_equal(counted, WAIT);
    json_decref(json);
    world_done(&world);
}

static void estimates(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "many", "root.a", "ann");
    for (int i = 0; i < 100; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%03d", i);
        world_ask(&world, "many", key, 4000, 1);
    }
    for (int i = 0; i < 40; i++) {
        char key[16];
        assert_int_equal(world_schedule(&world), 1);
        world_advance(&world, 6);
        (void)snprintf(key, sizeof(key), "k%03d", i);
        world_release(&world, "many", key, YK_SI_STOPPED_BY_RM);
    }
    settle(&world);
    json_t *json = browse_json(&world, P "/application/many/allocation/k099/explain");
    assert_string_equal(look_text(json, "estimate.state"), "estimated");
    int64_t now = yk_clock_wall_ns(&world.clock);
    json_int_t position = look_int(json, "positionInQueue");
    int64_t expected = now + (position + 1) * 6 * YK_NS_PER_S;
    assert_true(look_int(json, "estimate.earliest") < expected &&
                look_int(json, "estimate.latest") > expected);
    assert_true(look_int(json, "estimate.earliest") > now);
    assert_true(look_int(json, "estimate.latest") < now + 3 * (position + 1) * 6 * YK_NS_PER_S);
    json_decref(json);
    world_done(&world);
}

/* "KEY KEY ...": over all leaves, in that order. */
static void expect_order(struct world *world, const char *order, const char *keys)
{
    char url[128], got[256] = "";
    (void)snprintf(url, sizeof(url), P "/queue/root/pending?order=%s", order);
    json_t *json = browse_json(world, url);
    for (size_t i = 0; i < json_array_size(look(json, "pending")); i++) {
        const json_t *entry = json_array_get(look(json, "pending"), i);
        size_t len = strlen(got);
        (void)snprintf(got + len, sizeof(got) - len, "%s%s", len > 0 ? " " : "",
                       look_text(entry, "allocationKey"));
        assert_int_equal(look(entry, "positionInQueue") != NULL, strcmp(order, "position") == 0);
    }
    assert_string_equal(got, keys);
    json_decref(json);
}

static void other_orders(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "one", "root.b", "ann");
    world_advance(&world, 1);
    world_submit(&world, "two", "root.a", "ann");
    world_advance(&world, 1);
    world_submit(&world, "three", "root.b", "ann");
    world_ask_full(&world, "one", "runs", 1000, 1, 0, YK_SI_CLASS_ANY, "n1");
    world_ask(&world, "one", "k1", 8000, 1);
    world_ask(&world, "two", "k2", 8000, 1);
    world_ask_full(&world, "three", "k3", 8000, 1, 7, YK_SI_CLASS_ANY, NULL);
    settle(&world);
    expect_order(&world, "position", "k2 k3 k1");
    expect_order(&world, "age", "k1 k2 k3");
    expect_order(&world, "priority", "k3 k1 k2");
    browse_errors(&world,
                  &(struct browse_case){"order", P "/queue/root/pending?order=name", 400,
                                        "Only following orders are allowed: position, age, priority"},
                  1);
    world_done(&world);
}

/* ---- a gang that the resource manager does not use ---- */

static void unused(void *rm, const char *application_id, struct yk_buf *why)
{
    (void)rm;
    if (strcmp(application_id, "large") == 0)
        yk_buf_text(why, "it is too large");
}

static void a_gang_that_is_not_used(void **state)
{
    static const char *const paths[] = {P "/application/large", P "/application/large/pending",
                                        P "/application/large/allocation/w1/explain"};
    (void)state;
    struct world world;
    begin(&world);
    world_partition(&world)->rm->callbacks.gang_unused = unused;
    world_submit(&world, "large", "root.a", "bob");
    world_ask(&world, "large", "w1", 6000, 1024);
    world_submit(&world, "small", "root.a", "bob");
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        json_t *json = browse_json(&world, paths[i]);
        assert_string_equal(look_text(json, "gangNotUsed"), "it is too large");
        json_decref(json);
    }
    json_t *json = browse_json(&world, P "/application/small");
    assert_null(look(json, "gangNotUsed"));
    json_decref(json);
    world_done(&world);
}

/* ---- pods of a gang that the resource manager keeps until their placeholders have nodes ---- */

enum { HELD = 600 };

static size_t looks;

static void give_held(size_t number, yk_si_held_sink *sink, void *context)
{
    char key[16], name[16];
    struct yk_resvec size = world_size(1000, 64);
    (void)snprintf(key, sizeof(key), "uid-%zu", number);
    (void)snprintf(name, sizeof(name), "real-%zu", number);
    const struct yk_si_held pod = {.key = key,
                                   .namespace_ = "lab",
                                   .name = name,
                                   .resource = &size,
                                   .gang = {.members = HELD, .placed = 3}};
    sink(context, &pod);
}

/* Every second pod of the application waits for its gang. */
static bool held(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                 yk_si_held_sink *sink, void *context)
{
    (void)rm;
    looks++;
    assert_true(most <= 256); /* a step is bounded */
    if (strcmp(application_id, "gang") != 0)
        return false;
    for (; place->looked < 2 * HELD && most > 0; place->looked++, most--) {
        if (place->looked % 2 == 0)
            give_held(place->looked / 2, sink, context);
    }
    return place->looked < 2 * HELD;
}

static void find_held(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                      void *context)
{
    (void)rm;
    if (strcmp(application_id, "gang") == 0 &&
        (strcmp(name, "real-7") == 0 || strcmp(name, "lab/real-7") == 0))
        give_held(7, sink, context);
}

#define ABOUT_GANG                                                                                           \
    "3 of the 600 placeholders of its gang have nodes; ph1 waits (InsufficientNodeResources): needs "        \
    "9 cores; the largest of 2 nodes that it may use, n1, has 8 cores in all"

static void begin_gang(struct world *world)
{
    begin(world);
    world_partition(world)->rm->callbacks.held = held;
    world_partition(world)->rm->callbacks.find_held = find_held;
    world_submit(world, "gang", "root.b", "ann");
    struct yk_resvec size = world_size(9000, 64);
    struct yk_si_allocation ask = {.key = "ph1",
                                   .application_id = "gang",
                                   .resource = &size,
                                   .task_group = "g",
                                   .placeholder = true,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    settle(world);
}

static void pods_of_a_gang_are_listed(void **state)
{
    struct world world;
    (void)state;
    begin_gang(&world);
    world_submit(&world, "later", "root.b", "bob");
    world_ask(&world, "later", "l1", 20000, 1);
    settle(&world);
    json_t *json = browse_json(&world, P "/queue/root.b/pending");
    assert_int_equal(look_int(json, "total"), HELD + 2);
    assert_int_equal(look_int(json, "gangMembers"), HELD);
    assert_int_equal(look_int(json, "reasons.GangWaiting"), HELD);
    assert_int_equal(json_array_size(look(json, "pending")), HELD + 2);
    assert_string_equal(look_text(json, "pending.0.allocationKey"), "ph1");
    assert_string_equal(look_text(json, "pending.1.podName"), "real-0");
    assert_string_equal(look_text(json, "pending.1.message"), ABOUT_GANG);
    assert_string_equal(look_text(json, "pending.600.podName"), "real-599");
    assert_int_equal(look_int(json, "pending.600.positionInApplication"), 600);
    assert_string_equal(look_text(json, "pending.601.allocationKey"), "l1");
    json_decref(json);
    json = browse_json(&world, P "/application/gang/pending?offset=400&limit=2");
    assert_int_equal(json_array_size(look(json, "pending")), 2);
    assert_string_equal(look_text(json, "pending.0.podName"), "real-399");
    assert_string_equal(look_text(json, "pending.0.reason"), "GangWaiting");
    assert_int_equal(look_int(json, "total"), HELD + 1);
    json_decref(json);
    json = browse_json(&world, P "/application/gang/pending?offset=1&limit=18446744073709551615");
    assert_int_equal(json_array_size(look(json, "pending")), HELD);
    json_decref(json);
    world_done(&world);
}

static void count_slice(void *context)
{
    ++*(size_t *)context;
}

/* Each kind of ask may cost a look at all nodes, so a slice may end behind each of them, whether its asks are
 * shown or only counted. */
static void a_slice_ends_between_kinds(void **state)
{
    enum { KINDS = 40 };
    struct world world;
    size_t slices = 0;
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 1000, 1);
    world_submit(&world, "app", "root.b", "ann");
    for (int i = 0; i < KINDS; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 2000 + i, 1);
    }
    settle(&world);
    static const char *const targets[] = {P "/application/app/pending", P "/queue/root/pending?limit=1",
                                          P "/queue/root/pending?offset=39"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        slices = 0;
        json_t *sliced = browse_slices(&world, targets[i], count_slice, &slices);
        json_t *whole = browse_json(&world, targets[i]);
        assert_true(slices >= KINDS);
        assert_int_equal(look_int(sliced, "reasons.InsufficientNodeResources"), KINDS);
        assert_int_equal(look_int(sliced, "total"), KINDS);
        assert_true(json_equal(whole, sliced));
        json_decref(whole);
        json_decref(sliced);
    }
    world_done(&world);
}

static size_t obstacle_calls;

static bool count_obstacles(void *rm, void *ask_cookie, size_t from, size_t most, yk_si_obstacle_sink *sink,
                            void *sink_context)
{
    enum { NODES = 300 };
    struct yk_si_node_obstacle obstacle = {.kind = YK_SI_OBSTACLE_FILTER,
                                           .name = "taint",
                                           .plugin = "TaintToleration",
                                           .nodes = (uint32_t)YK_MIN(most, NODES - from)};
    (void)rm, (void)ask_cookie;
    obstacle_calls++;
    sink(sink_context, &obstacle);
    return from + most < NODES;
}

/* However many nodes there are, a step looks at a part of them. */
static void nodes_are_looked_at_in_steps(void **state)
{
    enum { NODES = 300 };
    static const char *const targets[] = {P "/application/app/allocation/w/explain",
                                          P "/application/app/pending", P "/queue/root/pending"};
    struct world world;
    (void)state;
    world_init(&world, config);
    world_partition(&world)->rm->callbacks.node_obstacles = count_obstacles;
    for (int i = 0; i < NODES; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&world, id, 1000, 1024);
    }
    world_submit(&world, "app", "root.a", "joe");
    world_ask(&world, "app", "w", 2000, 0);
    yk_app_find_ask(world_app(&world, "app"), YK_STR("w"))->cookie =
        &world; /* the resource manager knows it */
    settle(&world);
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        size_t slices = 0;
        obstacle_calls = 0;
        json_t *sliced = browse_slices(&world, targets[i], count_slice, &slices);
        json_t *whole = browse_json(&world, targets[i]);
        assert_true(slices >= NODES / 64);
        assert_true(json_equal(whole, sliced));
        if (i == 0) {
            assert_int_equal(obstacle_calls, 2 * (NODES / 64 + 1));
            assert_int_equal(look_int(sliced, "nodes.predicates.taint"), NODES);
            assert_string_equal(look_text(sliced, "nodes.examples.0"), "n0");
        }
        json_decref(whole);
        json_decref(sliced);
    }
    world_done(&world);
}

/* However many pods a gang has, a step looks at a part of them, and a pod is found by its name in one. */
static void a_large_gang_is_walked_in_steps(void **state)
{
    struct world world;
    size_t slices = 0;
    (void)state;
    begin_gang(&world);
    looks = 0;
    json_decref(browse_slices(&world, P "/application/gang/pending?limit=1", count_slice, &slices));
    assert_int_equal(looks, 2 * HELD / 256 + 1);
    assert_true(slices >= looks);
    looks = slices = 0;
    json_t *json =
        browse_slices(&world, P "/application/gang/allocation/uid-599/explain", count_slice, &slices);
    assert_string_equal(look_text(json, "podName"), "real-599");
    assert_true(slices >= looks - 1 && looks > 2 * HELD / 256);
    json_decref(json);
    looks = 0;
    json_decref(browse_slices(&world, P "/application/gang/allocation/real-7/explain", count_slice, &slices));
    assert_int_equal(looks, 0);
    world_done(&world);
}

static void ask_more(void *context)
{
    char key[32];
    if (looks == 0)
        return; /* the pods of the gang are not written yet */
    (void)snprintf(key, sizeof(key), "late-%zu", ++looks);
    world_ask(context, "gang", key, 9000, 64);
}

/* Asks that come while the pods of the gang are written are not counted with them: no place is used twice. */
static void asks_come_while_a_gang_is_written(void **state)
{
    struct world world;
    (void)state;
    begin_gang(&world);
    looks = 0;
    json_t *json = browse_slices(&world, P "/application/gang/pending", ask_more, &world);
    size_t count = json_array_size(look(json, "pending"));
    assert_true(count > HELD && (size_t)look_int(json, "total") == count);
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(look(json, "pending"), i);
        assert_int_equal(look_int(entry, "positionInApplication"), i);
    }
    json_decref(json);
    world_done(&world);
}

/* With what its placeholder waits for. */
static void pods_of_a_gang_are_explained(void **state)
{
    struct world world;
    static const char *const names[] = {"uid-7", "real-7", "lab%2Freal-7"};
    (void)state;
    begin_gang(&world);
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        char url[128];
        (void)snprintf(url, sizeof(url), P "/application/gang/allocation/%s/explain", names[i]);
        json_t *json = browse_json(&world, url);
        assert_string_equal(look_text(json, "podName"), "real-7");
        assert_string_equal(look_text(json, "reason"), "GangWaiting");
        assert_string_equal(look_text(json, "message"), ABOUT_GANG);
        assert_int_equal(look_int(json, "gang.placed"), 3);
        assert_string_equal(look_text(json, "gang.podName"), "ph1");
        assert_string_equal(look_text(json, "gang.reason"), "InsufficientNodeResources");
        assert_int_equal(look_int(json, "nodes.total"), 2);
        assert_string_equal(look_text(json, "estimate.state"), "unknown");
        json_decref(json);
    }
    browse_errors(&world,
                  &(struct browse_case){"another", P "/application/gang/allocation/real-600/explain", 404,
                                        "Allocation not found"},
                  1);
    world_done(&world);
}

static bool name_ask(void *rm, void *ask_cookie, size_t from, size_t most, yk_si_obstacle_sink *sink,
                     void *sink_context)
{
    enum { NODES = 302 };
    const struct yk_si_node_obstacle obstacle = {.kind = YK_SI_OBSTACLE_FILTER,
                                                 .name = ask_cookie,
                                                 .plugin = "TaintToleration",
                                                 .nodes = (uint32_t)YK_MIN(most, NODES - from)};
    (void)rm;
    sink(sink_context, &obstacle);
    return from + most < NODES;
}

struct placeholders {
    struct world *world;
    int slices, wanted; /* the first placeholder ends in each slice until that many have */
};

static void end_first(void *context)
{
    struct placeholders *ends = context;
    char key[8];
    if (ends->slices++ >= ends->wanted)
        return;
    (void)snprintf(key, sizeof(key), "ph%d", ends->slices);
    world_release(ends->world, "gang", key, YK_SI_STOPPED_BY_RM);
}

/* The first placeholder that waits may be another one in each slice. The numbers of nodes are of the one that is
 * named. */
static void numbers_of_nodes_are_of_one_placeholder(void **state)
{
    static char names[10][8];
    static const int ended[] = {0, 1, 2, 7};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(ended); i++) {
        struct world world;
        begin_gang(&world);
        for (int n = 0; n < 300; n++) {
            char id[16];
            (void)snprintf(id, sizeof(id), "m%d", n);
            world_node(&world, id, 1000, 1024);
        }
        for (int n = 2; n < 10; n++) {
            struct yk_resvec size = world_size(9000 + n, 64);
            (void)snprintf(names[n], sizeof(names[n]), "ph%d", n);
            struct yk_si_allocation ask = {.key = names[n],
                                           .application_id = "gang",
                                           .resource = &size,
                                           .task_group = "g",
                                           .placeholder = true,
                                           .cookie = names[n],
                                           .create_wall_ns = yk_clock_wall_ns(&world.clock) + n,
                                           .scheduling_class = YK_SI_CLASS_ANY};
            assert_int_equal(yk_core_update_allocation(world.core, "rm", &ask), YK_OK);
        }
        (void)snprintf(names[1], sizeof(names[1]), "ph1");
        yk_app_find_ask(world_app(&world, "gang"), YK_STR("ph1"))->cookie = names[1];
        settle(&world);
        world_partition(&world)->rm->callbacks.node_obstacles = name_ask;
        struct placeholders ends = {.world = &world, .wanted = ended[i]};
        json_t *json =
            browse_slices(&world, P "/application/gang/allocation/real-7/explain", end_first, &ends);
        const char *named = look_text(json, "gang.podName");
        assert_string_equal(named, names[ended[i] + 1]);
        assert_int_equal(json_object_size(look(json, "nodes.predicates")), 1);
        assert_int_equal(json_integer_value(json_object_get(look(json, "nodes.predicates"), named)), 302);
        json_decref(json);
        world_done(&world);
    }
}

/* Of each three asks one waits for a limit and two for nodes. */
static void one_reason(void **state)
{
    enum { APPS = 20 };
    static const struct {
        const char *query;
        size_t count;
        const char *first;
    } cases[] = {
        {"?reason=", 3 * APPS, "a0"},
        {"?reason=QueueQuota", APPS, "a0"},
        {"?reason=QueueQuota&offset=3&limit=2", 2, "a3"},
        {"?reason=InsufficientNodeResources&order=age", 2 * APPS, "b0"},
        {"?reason=InsufficientNodeResources&offset=5&limit=3", 3, "c2"},
        {"?reason=InsufficientNodeResources&offset=39", 1, "c19"},
        {"?reason=InsufficientNodeResources&offset=40", 0, ""},
        {"?reason=Reserved", 0, ""},
        {"?reason=GangWaiting", 0, ""},
    };
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.a", "ann");
    world_ask(&world, "runs", "r1", 4000, 1024);
    settle(&world);
    for (int i = 0; i < APPS; i++) {
        char app[16], key[16];
        yk_clock_advance(&world.clock, 1);
        (void)snprintf(app, sizeof(app), "a-%02d", i);
        (void)snprintf(key, sizeof(key), "a%d", i);
        world_submit(&world, app, "root.a", "bob");
        world_ask(&world, app, key, 1000, 1);
        (void)snprintf(app, sizeof(app), "b-%02d", i);
        world_submit(&world, app, "root.b", "bob");
        (void)snprintf(key, sizeof(key), "b%d", i);
        world_ask(&world, app, key, 20000, 1);
        (void)snprintf(key, sizeof(key), "c%d", i);
        world_ask(&world, app, key, 20000 + i + 1, 1);
    }
    settle(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char url[160];
        (void)snprintf(url, sizeof(url), P "/queue/root/pending%s", cases[i].query);
        json_t *whole = browse_json(&world, url), *sliced = browse_slices(&world, url, NULL, NULL);
        const json_t *entries = look(whole, "pending");
        const char *reason = strchr(cases[i].query, '=') + 1;
        assert_int_equal(json_array_size(entries), cases[i].count);
        assert_true(json_equal(whole, sliced));
        assert_int_equal(look_int(whole, "total"), 3 * APPS);
        assert_int_equal(look_int(whole, "reasons.QueueQuota"), APPS);
        assert_int_equal(look_int(whole, "reasons.InsufficientNodeResources"), 2 * APPS);
        if (cases[i].count > 0)
            assert_string_equal(look_text(whole, "pending.0.allocationKey"), cases[i].first);
        for (size_t at = 0; i > 0 && at < cases[i].count; at++) {
            const char *shown = look_text(json_array_get(entries, at), "reason");
            assert_memory_equal(shown, reason, strlen(shown));
        }
        json_decref(whole);
        json_decref(sliced);
    }
    json_t *json =
        browse_json(&world, P "/application/b-07/pending?reason=InsufficientNodeResources&offset=1");
    assert_int_equal(json_array_size(look(json, "pending")), 1);
    assert_string_equal(look_text(json, "pending.0.allocationKey"), "c7");
    assert_int_equal(look_int(json, "pending.0.positionInApplication"), 1);
    assert_int_equal(look_int(json, "pending.0.positionInQueue"), 15);
    json_decref(json);
    world_done(&world);
}

/* Of three asks of one group that lack nodes, the limit has room for two: a list says so of the third only,
 * as the explanations do. */
static void a_claimed_limit_in_a_list(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.b", "ann");
    world_ask(&world, "runs", "r1", 8000, 1);
    world_ask(&world, "runs", "r2", 3500, 1);
    settle(&world);
    world_submit(&world, "waits", "root.a", "bob");
    for (char key[] = "w1"; key[1] <= '3'; key[1]++)
        world_ask(&world, "waits", key, 2000, 1);
    settle(&world);
    for (int step = 0; step < 8; step++)
        yk_outstanding_report(world_partition(&world));
    json_t *list = browse_json(&world, P "/queue/root.a/pending");
    assert_int_equal(json_array_size(look(list, "pending")), 3);
    for (size_t i = 0; i < 3; i++) {
        char url[128];
        (void)snprintf(url, sizeof(url), P "/application/waits/allocation/w%zu/explain", i + 1);
        json_t *one = browse_json(&world, url);
        const char *listed = look_text(json_array_get(look(list, "pending"), i), "message");
        assert_string_equal(listed, look_text(one, "message"));
        assert_int_equal(strstr(listed, "; pods that come first need") != NULL, i == 2);
        json_decref(one);
    }
    json_decref(list);
    world_done(&world);
}

/* An ask with victims has a reason of its own, and is counted for it. */
static void victims_are_a_reason(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "runs", "root.b", "ann");
    world_ask(&world, "runs", "r1", 5000, 1);
    settle(&world);
    world_submit(&world, "waits", "root.b", "bob");
    world_ask(&world, "waits", "w1", 7000, 1);
    world_ask(&world, "waits", "w2", 7000, 1);
    settle(&world);
    struct yk_ask *ask = yk_app_find_ask(world_app(&world, "waits"), YK_STR("w1"));
    struct yk_nomination *nomination = (struct yk_nomination *)(void *)&world; /* only compared with NULL */
    struct yk_node *node = yk_partition_find_node(world_partition(&world), "n1");
    assert_true(yk_reserve(world_partition(&world), ask, node, YK_RESERVE_PREEMPTION));
    yk_ask_set_nomination(ask, nomination);
    json_t *json = browse_json(&world, P "/queue/root/pending?reason=PreemptionInProgress");
    assert_int_equal(look_int(json, "reasons.PreemptionInProgress"), 1);
    assert_int_equal(look_int(json, "reasons.InsufficientNodeResources"), 1);
    assert_int_equal(json_array_size(look(json, "pending")), 1);
    assert_string_equal(look_text(json, "pending.0.allocationKey"), "w1");
    json_decref(json);
    yk_ask_set_nomination(ask, NULL);
    yk_unreserve(world_partition(&world), ask);
    world_done(&world);
}

/* The pods of a gang that are no asks have one reason. An ask is listed if its stored reason and that of its
 * row are the reason of the request. */
static void one_reason_of_a_gang(void **state)
{
    struct world world;
    (void)state;
    begin_gang(&world);
    json_t *json = browse_json(&world, P "/queue/root/pending?reason=GangWaiting&offset=10&limit=3");
    assert_int_equal(json_array_size(look(json, "pending")), 3);
    assert_string_equal(look_text(json, "pending.0.podName"), "real-10");
    assert_int_equal(look_int(json, "pending.0.positionInApplication"), 11);
    assert_int_equal(look_int(json, "total"), HELD + 1);
    json_decref(json);
    world.node_reason.told = YK_REASON_RESERVED;
    json = browse_json(&world, P "/queue/root/pending?reason=Reserved");
    assert_int_equal(json_array_size(look(json, "pending")), 0);
    assert_int_equal(look_int(json, "reasons.Reserved"), 1);
    assert_int_equal(look_int(json, "reasons.GangWaiting"), HELD);
    json_decref(json);
    world.node_reason.told = YK_REASON_NODE_RESOURCES;
    json = browse_json(&world, P "/queue/root/pending?reason=InsufficientNodeResources");
    assert_int_equal(json_array_size(look(json, "pending")), 1);
    assert_string_equal(look_text(json, "pending.0.allocationKey"), "ph1");
    json_decref(json);
    world_done(&world);
}

/* `name`: borrowed for the life of the world. */
static void waits_as(struct world *world, const char *app, const char *key, const char *name)
{
    struct yk_resvec size = world_size(20000, 1);
    const struct yk_si_allocation ask = {.key = key,
                                         .application_id = app,
                                         .resource = &size,
                                         .cookie = (void *)(uintptr_t)name,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

/* rest.md 12.6: by the name of the pod, also of those that wait for their gang. */
static void filters(void **state)
{
    static const struct {
        const char *query;
        size_t count;
        const char *first;
    } cases[] = {
        {"queue/root/pending?filter=real-59", 11, "real-59"},
        {"queue/root/pending?filter=LAB/real-59", 11, "real-59"},
        {"queue/root/pending?filter=lab", 0, ""}, /* a name without a slash is not of the namespace */
        {"queue/root/pending?filter=real-59&filter=99", 1, "real-599"},
        {"queue/root/pending?filter=real-59&reason=GangWaiting&offset=2&limit=3", 3, "real-591"},
        {"queue/root/pending?filter=real-59&reason=Reserved", 0, ""},
        {"application/gang/pending?filter=real-599", 1, "real-599"},
        {"queue/root/pending?filter=user:eve", 0, ""},
        {"queue/root/pending?filter=queue:root.none", 0, ""},
        {"queue/root/pending?filter=queue:root&limit=2", 2, NULL},
        {"queue/root/pending?filter=state:running", 0, ""},
        {"queue/root/pending?filter=node:n1", 0, ""},
    };
    struct world world;
    (void)state;
    begin_gang(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char url[160];
        (void)snprintf(url, sizeof(url), P "/%s", cases[i].query);
        json_t *whole = browse_json(&world, url), *sliced = browse_slices(&world, url, NULL, NULL);
        assert_true(json_equal(whole, sliced));
        if (json_array_size(look(whole, "pending")) != cases[i].count)
            fail_msg("%s: %zu entries", cases[i].query, json_array_size(look(whole, "pending")));
        if (cases[i].count > 0 && cases[i].first != NULL)
            assert_string_equal(look_text(whole, "pending.0.podName"), cases[i].first);
        assert_int_equal(look_int(whole, "total"), HELD + 1);
        json_decref(whole);
        json_decref(sliced);
    }
    world_done(&world);
}

static void filters_of_asks(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "etl", "root.b", "ann");
    waits_as(&world, "etl", "k1", "etl-driver");
    waits_as(&world, "etl", "k2", "etl-exec-1");
    waits_as(&world, "etl", "k3", "etl-exec-2");
    json_t *json = browse_json(&world, P "/queue/root/pending?filter=EXEC");
    assert_int_equal(json_array_size(look(json, "pending")), 2);
    assert_string_equal(look_text(json, "pending.0.podName"), "etl-exec-1");
    assert_int_equal(look_int(json, "pending.0.positionInApplication"), 1);
    assert_int_equal(look_int(json, "total"), 3);
    json_decref(json);
    json = browse_json(&world, P "/application/etl/pending?filter=exec&filter=user:ann&offset=1");
    assert_int_equal(json_array_size(look(json, "pending")), 1);
    assert_string_equal(look_text(json, "pending.0.podName"), "etl-exec-2");
    json_decref(json);
    world_done(&world);
}

struct growth {
    struct world *world;
    uint64_t changes;
    uint32_t calls, first_told; /* slices so far; the first one after which changes are counted */
};

/* Each slice has a node more. */
static void add_a_node(void *context)
{
    struct growth *growth = context;
    char id[16];
    (void)snprintf(id, sizeof(id), "more-%u", ++growth->calls);
    world_node(growth->world, id, 1000, 1024);
    if (growth->calls >= growth->first_told)
        growth->changes++;
}

/* How many sentences the answer has about the nodes as they were at one moment, one after another. */
static size_t count_looks(uint32_t first_told)
{
    struct world world;
    struct yk_answer answer;
    begin(&world);
    world_submit(&world, "etl", "root.b", "ann");
    for (int i = 0; i < 20; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "etl", key, 20000, 1);
    }
    settle(&world);
    struct growth growth = {&world, 1, 0, first_told};
    const struct yk_web_query query = {.target = P "/queue/root/pending",
                                       .tiny_slices = true,
                                       .between = add_a_node,
                                       .changes = &growth.changes,
                                       .context = &growth};
    yk_web_render(world.core, NULL, &query, &answer);
    assert_int_equal(answer.status, 200);
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    const json_t *entries = look(json, "pending");
    size_t count = 1;
    assert_int_equal(json_array_size(entries), 20);
    for (size_t i = 1; i < 20; i++)
        count += strcmp(look_text(json_array_get(entries, i - 1), "message"),
                        look_text(json_array_get(entries, i), "message")) != 0;
    json_decref(json);
    yk_answer_done(&answer);
    world_done(&world);
    return count;
}

/* The nodes are looked at again when something has changed since the last slice, and only then. */
static void looks_are_kept_while_nothing_changes(void **state)
{
    (void)state;
    assert_int_equal(count_looks(UINT32_MAX), 1);
    assert_int_equal(count_looks(0), 20);
    assert_in_range(count_looks(15), 2, 19);
}

#define FILTERS_9 "filter=1&filter=2&filter=3&filter=4&filter=5&filter=6&filter=7&filter=8&filter=9"
#define REASONS                                                                                              \
    "Only following reasons are allowed: Rejected, Gated, QueueStopped, QueueMaxApplications, "              \
    "UserMaxApplications, GroupMaxApplications, ExceedsMaxCapacity, QueueQuota, UserQuota, GroupQuota, "     \
    "GangWaiting, Backoff, InsufficientNodeResources, PredicatesFailed, VolumeBinding, "                     \
    "PreemptionInProgress, Reserved, NotYetAttempted"

static void errors(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.b", "ann");
    static const struct browse_case cases[] = {
        {"partition", "/ws/v1/partition/none/queue/root/pending", 404, "Partition not found"},
        {"queue", P "/queue/root.none/pending", 404, "Queue not found"},
        {"reason", P "/queue/root/pending?reason=reserved", 400, REASONS},
        {"reason of an application", P "/application/app/pending?reason=x", 400, REASONS},
        {"filters", P "/queue/root/pending?" FILTERS_9, 400, "At most 8 filters are allowed"},
        {"number", P "/queue/root/pending?limit=x", 400, "strconv.ParseUint: parsing \"x\": invalid syntax"},
        {"application", P "/application/none/pending", 404, "Application not found"},
        {"application of an ask", P "/application/none/allocation/k/explain", 404, "Application not found"},
        {"ask", P "/application/app/allocation/none/explain", 404, "Allocation not found"},
    };
    browse_errors(&world, cases, YK_COUNT(cases));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue),
        cmocka_unit_test(more_than_a_maximum),
        cmocka_unit_test(a_stopped_partition),
        cmocka_unit_test(a_number_of_applications),
        cmocka_unit_test(limits_of_users),
        cmocka_unit_test(starts_at_one_moment),
        cmocka_unit_test(nodes),
        cmocka_unit_test(larger_than_a_limit_without_being_tried),
        cmocka_unit_test(larger_than_all_nodes_behind_a_full_queue),
        cmocka_unit_test(constraints),
        cmocka_unit_test(pauses_and_turns),
        cmocka_unit_test(a_rejected_application),
        cmocka_unit_test(in_order_and_in_parts),
        cmocka_unit_test(while_applications_end),
        cmocka_unit_test(while_asks_start),
        cmocka_unit_test(estimates),
        cmocka_unit_test(other_orders),
        cmocka_unit_test(a_gang_that_never_fits),
        cmocka_unit_test(a_gang_that_waits_for_its_queue),
        cmocka_unit_test(a_whole_gang_below_a_limit),
        cmocka_unit_test(a_queue_that_drains),
        cmocka_unit_test(a_timeout_of_centuries),
        cmocka_unit_test(a_gang_without_nodes),
        cmocka_unit_test(preemption_that_is_not_tried),
        cmocka_unit_test(preemption_for_a_required_node),
        cmocka_unit_test(a_gang_that_is_not_used),
        cmocka_unit_test(pods_of_a_gang_are_listed),
        cmocka_unit_test(pods_of_a_gang_are_explained),
        cmocka_unit_test(numbers_of_nodes_are_of_one_placeholder),
        cmocka_unit_test(a_slice_ends_between_kinds),
        cmocka_unit_test(nodes_are_looked_at_in_steps),
        cmocka_unit_test(a_large_gang_is_walked_in_steps),
        cmocka_unit_test(asks_come_while_a_gang_is_written),
        cmocka_unit_test(one_reason),
        cmocka_unit_test(a_claimed_limit_in_a_list),
        cmocka_unit_test(victims_are_a_reason),
        cmocka_unit_test(one_reason_of_a_gang),
        cmocka_unit_test(filters),
        cmocka_unit_test(filters_of_asks),
        cmocka_unit_test(looks_are_kept_while_nothing_changes),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
