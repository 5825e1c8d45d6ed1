/* SPDX-License-Identifier: Apache-2.0 */
/* Why pods wait: conditions and Events, their words and their pace (S21, S22; predicates.md 1.4). */
#include "bind/unschedulable.h"

#include "bind/pod_status.h"
#include "shim/world.h"

#include "lib/cmocka_headers.h"

/* Reports as the core does. */
static void says(struct world *world, const char *key, enum yk_si_scheduling_state state, const char *reason)
{
    fake_core_waits(&world->core, key, state, YK_SI_NO_CAPACITY, reason);
    work(world);
}

/* The condition that is being written on `name`, "" when there is none; it is answered. */
static const char *condition(struct world *world, const char *name)
{
    static char text[4096];
    const struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, name);
    snprintf(text, sizeof(text), "%s", op != NULL ? yk_buf_cstr(&op->body) : "");
    if (op != NULL)
        assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, name, YK_OP_OK, 200, NULL));
    work(world);
    return text;
}

static void waiting_pod(struct world *world, const char *name)
{
    char uid[64];
    snprintf(uid, sizeof(uid), "uid-%s", name);
    upsert(world, big_pod(world, name));
    work(world);
    waits(world, uid);
}

/* S21: the Event and the condition have the same words, and say which version of the pod they are about. */
static void event_and_condition(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    struct yk_pod *big = big_pod(world, "p");
    big->object.generation = 7;
    upsert(world, big);
    work(world);
    waits(world, "uid-p");
    has(condition(world, "p"), "\"status\":\"False\",\"observedGeneration\":7,");
    assert_int_equal(events_with(world, "FailedScheduling", event), 1);
    has(event, "\"type\":\"Warning\"");
    has(event, "\"reason\":\"FailedScheduling\"");
    has(event, "\"action\":\"Scheduling\"");
    has(event, "\"note\":\"0/2 nodes are available: 2 Insufficient cpu.\"");
}

/* Row 30: a new text is reported although the core reports nothing new, at most every 10 s. */
static void new_words_are_told(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    waiting_pod(world, "p");
    has(condition(world, "p"), "2 Insufficient cpu");
    assert_int_equal(events_with(world, "FailedScheduling", event), 1);
    struct yk_k8s_node *tainted = node(world, "n2");
    add_taint(tainted, "k", "", "NoSchedule");
    upsert(world, tainted);
    pass(world, 9 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    pass(world, 1 * YK_NS_PER_S);
    const char *text = condition(world, "p");
    has(text, "1 Insufficient cpu, 1 node(s) had untolerated taint(s).");
    assert_null(strstr(text, "lastTransitionTime"));
    assert_int_equal(events_with(world, "1 node(s) had untolerated taint(s).", event), 1);
    pass(world, 60 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    assert_int_equal(events_with(world, "FailedScheduling", event), 0);
}

/* Events about many nodes are on their way, such as those of the start: the condition does not wait for
 * them. */
static void events_about_nodes_delay_no_condition(void **state)
{
    struct world *world = *state;
    running(world);
    for (int i = 0; i < 3 * YK_STATUS_IN_FLIGHT_MAX; i++) {
        char name[16];
        snprintf(name, sizeof(name), "more%d", i);
        upsert(world, node(world, name));
    }
    waiting_pod(world, "p");
    has(condition(world, "p"), "26 Insufficient cpu");
}

/* Valid until the next call. */
static const char *words_of(struct world *world, const char *key)
{
    static char text[1024];
    YK_CLEANUP(yk_buf_done) struct yk_buf words = {0};
    world->core.callbacks->add_wait_reason(world->core.rm, fake_core_ask(&world->core, key)->cookie, &words);
    world->core.callbacks->add_wait_reason(world->core.rm, NULL, &words);
    (void)snprintf(text, sizeof(text), "%s", yk_buf_cstr(&words));
    return text;
}

/* The words for the core are stored ones: reading makes none. */
static void the_words_for_the_core_before_the_condition(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    assert_string_equal(words_of(world, "uid-p"), "");
}

/* Pods that are alike share the words about nodes, also while a limit holds one of them. */
static void the_words_for_the_core_are_those_of_a_pod_like_it(void **state)
{
    static const char words[] = "0/2 nodes are available: 2 Insufficient cpu.";
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    upsert(world, big_pod(world, "q"));
    upsert(world, big_pod(world, "held"));
    struct yk_pod *other = big_pod(world, "other");
    add_container(other, "e", "cpu=1");
    upsert(world, other);
    work(world);
    waits(world, "uid-p");
    says(world, "uid-held", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    has(condition(world, "p"), words);
    has(condition(world, "held"), "quota of queue");
    assert_string_equal(words_of(world, "uid-p"), words);
    assert_string_equal(words_of(world, "uid-q"), words); /* it was not reported yet */
    assert_string_equal(words_of(world, "uid-held"), words);
    assert_string_equal(words_of(world, "uid-other"), "");
    says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    assert_string_equal(words_of(world, "uid-p"), "");
    assert_string_equal(words_of(world, "uid-held"), "");
}

/* scheduling.md 5.8: what the core says of a gang stands behind the nodes; autoscalers may add some. */
static void a_gang_that_never_fits(void **state)
{
    struct world *world = *state;
    running(world);
    waiting_pod(world, "p");
    (void)condition(world, "p");
    fake_core_waits(&world->core, "uid-p", YK_SI_STATE_FAILED, YK_SI_GANG_TOO_LARGE,
                    "the gang can never start: it is larger than what the nodes offer");
    work(world);
    pass(world, 10 * YK_NS_PER_S);
    const char *text = condition(world, "p");
    has(text, "\"reason\":\"Unschedulable\"");
    has(text, "2 Insufficient cpu. the gang can never start: it is larger than what the nodes offer.");
    says(world, "uid-p", YK_SI_STATE_SKIPPED,
         "gang can never start: it is larger than the limit of its user");
    pass(world, 60 * YK_NS_PER_S);
    has(condition(world, "p"), "because the gang can never start: it is larger than the limit of its user");
}

/* A number that changes is no news: no Event, and a condition after a minute. */
static void numbers_are_no_news(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    waiting_pod(world, "p");
    has(condition(world, "p"), "0/2 nodes are available: 2 Insufficient cpu.");
    (void)events_with(world, "", event);
    upsert(world, node(world, "n3"));
    for (int s = 0; s < 50; s += 10) {
        pass(world, 10 * YK_NS_PER_S);
        assert_string_equal(condition(world, "p"), "");
    }
    pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"), "0/3 nodes are available: 3 Insufficient cpu.");
    assert_int_equal(events_with(world, "FailedScheduling", event), 0);
}

/* Numbers decide how the parts are sorted; they say the same in another order. */
static void order_is_no_news(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    struct yk_k8s_node *tainted = node(world, "n2");
    add_taint(tainted, "k", "", "NoSchedule");
    upsert(world, tainted);
    waiting_pod(world, "p");
    has(condition(world, "p"),
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).");
    (void)events_with(world, "", event);
    upsert(world, node(world, "n3"));
    pass(world, 10 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    pass(world, 50 * YK_NS_PER_S);
    has(condition(world, "p"),
        "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.");
    assert_int_equal(events_with(world, "FailedScheduling", event), 0);
}

/* Many pods of one kind: each has its condition, Events come at the pace of the kind. */
static void a_kind_has_a_pace(void **state)
{
    struct world *world = *state;
    enum { PODS = 25 };
    char event[4096];
    running(world);
    for (int i = 0; i < PODS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        waiting_pod(world, name);
        has(condition(world, name), "2 Insufficient cpu");
    }
    size_t told = events_with(world, "FailedScheduling", event);
    assert_int_equal(told, YK_KIND_EVENTS_BURST);
    pass(world, 10 * YK_NS_PER_S);
    size_t more = events_with(world, "FailedScheduling", event);
    assert_in_range(more, 1, 4); /* one in 3 s */
    for (int i = 0; i < 10; i++) {
        pass(world, 10 * YK_NS_PER_S);
        more += events_with(world, "FailedScheduling", event);
    }
    assert_int_equal(told + more, PODS); /* in the end each has one */
}

/* S22: the queue is named, a node would not help; no Warning either. */
static void a_quota_is_named(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    const char *text = condition(world, "p");
    has(text, "\"reason\":\"SchedulingSkipped\"");
    has(text, "pod is skipped from scheduling because the quota of queue 'root.a' has been exceeded");
    assert_int_equal(events_with(world, "PodUnschedulable", event), 1);
    has(event, "\"type\":\"Normal\"");
    has(event, "queue 'root.a'");
    /* Another queue further up: not before 10 s have passed. */
    says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root' has been exceeded");
    assert_string_equal(condition(world, "p"), "");
    pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"), "quota of queue 'root' has been exceeded");
}

/* Pods that a limit holds, because pods that come first need what it has free, may lack nodes, too. Each has
 * the sentence about its own constraints. */
static void skipped_pods_with_other_constraints(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.why = (struct yk_si_why){YK_REASON_NODE_RESOURCES, 0};
    world->core.sentence = "needs 9 cores";
    upsert(world, big_pod(world, "p"));
    work(world);
    says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    has(condition(world, "p"), "InsufficientNodeResources: needs 9 cores");
    world->core.why = (struct yk_si_why){YK_REASON_PREDICATES, 0};
    world->core.sentence = "none of 2 nodes satisfies its constraints";
    struct yk_pod *other = big_pod(world, "q");
    add_toleration(other, "k", "Exists", "", "NoSchedule");
    upsert(world, other);
    work(world);
    says(world, "uid-q", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    has(condition(world, "q"), "PredicatesFailed: none of 2 nodes satisfies its constraints");
}

/* The token of the reason and the sentence follow the known words; a sentence alone is no reason to write. */
static void the_reason_of_the_core_is_at_the_end(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    world->core.why = (struct yk_si_why){YK_REASON_QUEUE_QUOTA, 1};
    world->core.sentence = "needs 9 cores, queue root.a has 4 of 40 cores free";
    world->core.refusal = "quota of queue 'root.a' has been exceeded";
    upsert(world, big_pod(world, "p"));
    work(world);
    says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    has(condition(world, "p"), "quota of queue 'root.a' has been exceeded. QueueQuota: needs 9 cores, queue "
                               "root.a has 4 of 40 cores free\"");
    assert_int_equal(events_with(world, " QueueQuota: needs 9 cores", event), 1);
    world->core.sentence = "needs 9 cores, queue root.a has 3 of 40 cores free";
    pass(world, 700 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    assert_int_equal(events_with(world, "QueueQuota", event), 0);
    world->core.why = (struct yk_si_why){YK_REASON_USER_QUOTA, 2};
    world->core.sentence = "needs 9 cores, user joe has 2 of 4 cores free";
    world->core.refusal = "limit of user 'joe' in queue 'root' has been exceeded";
    pass(world, 40 * YK_NS_PER_S);
    has(condition(world, "p"), "from scheduling because the limit of user 'joe' in queue 'root' has been "
                               "exceeded. UserQuota: needs 9 cores, user joe");
    assert_int_equal(events_with(world, " UserQuota: ", event), 1);
    /* Nothing refuses it any longer: the limit of the last report is not named beside another reason. */
    world->core.why = (struct yk_si_why){YK_REASON_NOT_ATTEMPTED, 0};
    world->core.sentence = "is tried at its turn in queue root.a";
    world->core.refusal = NULL;
    for (int i = 0; i < 30; i++)
        pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"), "from scheduling. NotYetAttempted: is tried at its turn");
}

/* A node that is free at the moment of a look, before it is given to the first in order, changes no
 * condition. */
static void a_free_moment_is_not_written(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    world->core.why = (struct yk_si_why){YK_REASON_NODE_RESOURCES, 0};
    world->core.sentence = "needs 9 cores";
    waits(world, "uid-p");
    has(condition(world, "p"), "InsufficientNodeResources: needs 9 cores");
    for (int i = 0; i < 60; i++) {
        bool is_free = i % 2 == 0;
        world->core.why = (struct yk_si_why){is_free ? YK_REASON_NOT_ATTEMPTED : YK_REASON_NODE_RESOURCES, 0};
        world->core.sentence = is_free ? "is tried at its turn in queue root.a" : "needs 9 cores";
        pass(world, 10 * YK_NS_PER_S);
        assert_string_equal(condition(world, "p"), "");
    }
    world->core.why = (struct yk_si_why){YK_REASON_RESERVED, 0};
    world->core.sentence = "needs 9 cores; node n1 is reserved";
    for (int i = 0; i < 30; i++)
        pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"), "Reserved: needs 9 cores; node n1 is reserved");
}

/* The token of what keeps nodes from a pod comes from the core, with the sentence; counts ask for it. */
static void the_reason_of_nodes(void **state)
{
    struct world *world = *state;
    running(world);
    const struct yk_si_callbacks *callbacks = world->core.callbacks;
    upsert(world, big_pod(world, "p"));
    work(world);
    void *cookie = fake_core_ask(&world->core, "uid-p")->cookie;
    assert_int_equal(callbacks->node_reason(world->core.rm, cookie).told, YK_REASON_NONE);
    world->core.why = (struct yk_si_why){YK_REASON_NODE_RESOURCES, 0};
    world->core.sentence = "needs 9 cores";
    waits(world, "uid-p");
    has(condition(world, "p"), "2 Insufficient cpu. InsufficientNodeResources: needs 9 cores\"");
    struct yk_si_node_reason stored = callbacks->node_reason(world->core.rm, cookie);
    assert_int_equal(stored.told, YK_REASON_NODE_RESOURCES);
    assert_int_equal(stored.found, YK_REASON_NODE_RESOURCES);
    assert_int_equal(stored.filter, YK_REASON_NONE);
    world->core.why = (struct yk_si_why){YK_REASON_RESERVED, 0};
    pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"), "2 Insufficient cpu. Reserved: needs 9 cores\"");
    stored = callbacks->node_reason(world->core.rm, cookie);
    assert_int_equal(stored.told, YK_REASON_RESERVED); /* the last token */
    assert_int_equal(stored.found, YK_REASON_NODE_RESOURCES);
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    callbacks->find_key(world->core.rm, fake_core_ask(&world->core, "uid-p")->app, "p", &key);
    assert_string_equal(yk_buf_cstr(&key), "uid-p");
}

/* Says one of two reasons, moves the clock and answers what is written; how much that was. */
static size_t writes_of(struct world *world, bool by_quota, int64_t ns)
{
    size_t writes = 0;
    if (by_quota)
        says(world, "uid-p", YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
    else
        waits(world, "uid-p");
    for (int64_t at_ns = 0; at_ns < ns; at_ns += YK_NS_PER_S) {
        while (fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_OK, 200, NULL)) {
            writes++;
            work(world);
        }
        pass(world, YK_NS_PER_S);
    }
    return writes;
}

/* A reason that changes back and forth is written three times; once it stays, the condition is right. */
static void a_reason_that_changes_back_and_forth(void **state)
{
    struct world *world = *state;
    char event[4096];
    size_t writes = 0;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    for (int minute = 0; minute < 30; minute++) {
        writes += writes_of(world, minute % 2 != 0, 60 * YK_NS_PER_S);
        (void)events_with(world, "", event);
    }
    assert_int_equal(writes, 3);
    assert_int_equal(writes_of(world, true, YK_WORDS_PAUSE_MAX_NS - 80 * YK_NS_PER_S), 0);
    pass(world, 30 * YK_NS_PER_S);
    has(condition(world, "p"), "\"reason\":\"SchedulingSkipped\"");
    /* Later changes wait as long as the first ones did. */
    pass(world, YK_WORDS_CALM_NS);
    assert_int_equal(writes_of(world, false, YK_WORDS_PAUSE_MAX_NS + 20 * YK_NS_PER_S), 1);
    assert_int_equal(writes_of(world, true, YK_WORDS_LOOK_NS * 6), 1);
}

/* Numbers that go on changing are written ever more seldom. */
static void numbers_that_go_on_changing(void **state)
{
    struct world *world = *state;
    char name[16];
    size_t writes = 0;
    running(world);
    waiting_pod(world, "p");
    has(condition(world, "p"), "0/2 nodes");
    for (int minute = 0; minute < 60; minute++) {
        snprintf(name, sizeof(name), "more%d", minute / 5);
        if (minute % 5 == 0)
            upsert(world, node(world, name));
        pass(world, 60 * YK_NS_PER_S);
        writes += *condition(world, "p") != '\0';
    }
    assert_in_range(writes, 5, 8); /* after 1, 5 and 15 minutes, then every 10 */
}

/* 1.4, item 4. */
static void a_pod_that_never_preempts(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *meek = big_pod(world, "meek");
    set_text(&meek->object, &meek->preemption_policy, "Never");
    upsert(world, meek);
    work(world);
    waits(world, "uid-meek");
    has(condition(world, "meek"),
        "\"0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: not "
        "eligible due to preemptionPolicy=Never.\"");
    waiting_pod(world, "other"); /* of the same class and size */
    has(condition(world, "other"), "\"0/2 nodes are available: 2 Insufficient cpu.\"");
}

/* 1.4: the numbers add up, also when a node lacks nothing but is kept for another pod. */
static void a_node_is_reserved_for_another(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.reserved_node = "n1";
    struct yk_pod *squatter = pod_on(world, "squatter", "n2");
    add_container(squatter, "d", "cpu=3");
    upsert(world, squatter);
    upsert(world, pod(world, "p"));
    settle(world);
    waits(world, "uid-p");
    has(condition(world, "p"),
        "\"0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were reserved for other pods.\"");
}

/* What is wrong with it is not about nodes: preemption is no question. */
static void a_pod_that_may_run_nowhere(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *meek = pod(world, "meek");
    struct yk_pod_affinity_term *term = add_affinity_term(meek, "zone");
    add_selector_line(meek, &term->selector, "app", "Exists", "1");
    term->has_selector = true;
    set_text(&meek->object, &meek->preemption_policy, "Never");
    upsert(world, meek);
    settle(world);
    waits(world, "uid-meek");
    has(condition(world, "meek"), "affinity or spread constraints is invalid.\"");
}

/* 1.4, item 4: once the core has looked for victims, in words of its own. */
static void preemption_in_vain(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    struct yk_k8s_node *tainted = node(world, "n3");
    add_taint(tainted, "k", "", "NoSchedule");
    upsert(world, tainted);
    struct yk_pod *squatter = pod_on(world, "squatter", "n1");
    add_container(squatter, "d", "cpu=3");
    upsert(world, squatter);
    upsert(world, make_node("n2", next_version(world), "cpu=500m memory=100 pods=10"));
    upsert(world, pod(world, "p"));
    settle(world);
    waits(world, "uid-p");
    has(condition(world, "p"),
        "\"0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.\"");
    fake_core_waits(&world->core, "uid-p", YK_SI_STATE_FAILED, YK_SI_NO_VICTIMS, "no victims");
    work(world);
    pass(world, 10 * YK_NS_PER_S);
    has(condition(world, "p"),
        "\"0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims "
        "to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, "
        "2 Preemption is not helpful for "
        "scheduling.\"");
    assert_int_equal(events_with(world, "No preemption victims found", event), 1);
}

/* An Event takes 1024 bytes; what is longer is cut as kube-scheduler cuts it, the condition is whole. */
static void a_long_note_is_cut(void **state)
{
    struct world *world = *state;
    char event[4096], name[300];
    running(world);
    struct yk_pod *greedy = pod(world, "p");
    for (int i = 0; i < 8; i++) {
        char amounts[300];
        memset(name, 'a' + i, 200);
        snprintf(name + 200, sizeof(name) - 200, "/x");
        snprintf(amounts, sizeof(amounts), "%s=1", name);
        add_container(greedy, "c", amounts);
    }
    upsert(world, greedy);
    work(world);
    waits(world, "uid-p");
    has(condition(world, "p"), "hhhh/x.\"");
    assert_int_equal(events_with(world, "FailedScheduling", event), 1);
    const char *note = strstr(event, "\"note\":\"");
    assert_non_null(note);
    note += strlen("\"note\":\"");
    const char *end = strchr(note, '"');
    assert_non_null(end);
    assert_int_equal(end - note, 1024);
    assert_memory_equal(end - 4, " ...", 4);
}

/* Once it runs nothing more is reported; when it waits again it is reported again. */
static void who_runs_is_left_alone(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    struct yk_k8s_node *tainted = node(world, "n1");
    add_taint(tainted, "k", "", "NoSchedule");
    waits(world, "uid-p");
    (void)condition(world, "p");
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    upsert(world, tainted);
    pass(world, 60 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    assert_true(answer(world, YK_OP_INVALID, 403, "forbidden"));
    waits(world, "uid-p");
    has(condition(world, "p"), "0/2 nodes are available: 1 node(s) had untolerated taint(s).");
}

/* Without the right to write them, conditions are tried ever more seldom, and at once again when one is
 * taken. */
static void what_is_refused_is_tried_seldom(void **state)
{
    struct world *world = *state;
    size_t tries = 0;
    running(world);
    waiting_pod(world, "p");
    for (int s = 0; s < 3600; s++) {
        while (fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_INVALID, 403, "forbidden")) {
            tries++;
            work(world);
        }
        pass(world, YK_NS_PER_S);
    }
    assert_in_range(tries, 10, 13); /* after 10, 20, 40, ... 320 s, then every 10 minutes */
    pass(world, YK_REFUSED_MAX_NS);
    has(condition(world, "p"), "2 Insufficient cpu.");
    upsert(world, make_node("n2", next_version(world), "cpu=0 memory=100 pods=0"));
    pass(world, YK_WORDS_LOOK_NS);
    has(condition(world, "p"), "1 Too many pods");
}

/* Words that stay the same are written although a look found them written while they were being refused. */
static void refused_after_a_look_is_tried_again(void **state)
{
    static const struct {
        const char *what;
        enum yk_op_result result;
        int http, times;
    } cases[] = {
        {"refused for good", YK_OP_INVALID, 403, 1},
        {"refused for the moment, as often as is tried", YK_OP_RETRY, 503, YK_STATUS_TRIES_MAX},
    };
    struct world *world = *state;
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%zu", i);
        waiting_pod(world, name);
        for (int n = 0; n < cases[i].times; n++) {
            pass(world, 4 * YK_WORDS_LOOK_NS); /* the look, and the pause between two tries */
            if (!fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, name, cases[i].result, cases[i].http,
                                 "no"))
                fail_msg("%s: try %d was not made", cases[i].what, n);
            work(world);
        }
        pass(world, 6 * YK_WORDS_LOOK_NS);
        if (strstr(condition(world, name), "Insufficient cpu") == NULL)
            fail_msg("%s: the condition was not written again", cases[i].what);
    }
}

/* P17: resized while it waits it is another kind of pod, with words of its own at once. */
static void a_resized_pod_is_told_anew(void **state)
{
    struct world *world = *state;
    running(world);
    waiting_pod(world, "p");
    has(condition(world, "p"), "2 Insufficient cpu.");
    struct yk_pod *more = big_pod(world, "p");
    add_container(more, "e", "memory=1000");
    upsert(world, more);
    work(world);
    has(condition(world, "p"), "2 Insufficient cpu, 2 Insufficient memory.");
}

/* The bind of a resized pod overtakes its condition: the API server refuses that for its version, and it is
 * dropped. Of a pod that waits still it is written for the version that it has by then. */
static void a_bind_overtakes_the_condition(void **state)
{
    struct world *world = *state;
    char version[64];
    running(world);
    waiting_pod(world, "p");
    (void)condition(world, "p");
    struct yk_pod *small = pod(world, "p"); /* the next version */
    snprintf(version, sizeof(version), "\"resourceVersion\":\"" YK_STR_FMT "\"",
             YK_STR_ARG(small->object.resource_version));
    add_container(small, "d", "cpu=1500m"); /* fits, not beside another */
    upsert(world, small);
    waits(world, "uid-p");
    const struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    has(yk_buf_cstr(&op->body), version);
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    assert_true(answer(world, YK_OP_OK, 201, ""));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_CONFLICT, 409, "modified"));
    pass(world, 120 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));

    waiting_pod(world, "q");
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "q", YK_OP_CONFLICT, 409, "modified"));
    struct yk_pod *newer = big_pod(world, "q");
    snprintf(version, sizeof(version), "\"resourceVersion\":\"" YK_STR_FMT "\"",
             YK_STR_ARG(newer->object.resource_version));
    upsert(world, newer);
    pass(world, 2 * YK_NS_PER_S);
    has(condition(world, "q"), version);
}

/* ---- when it may start ---- */

/* The core says: in `min_minutes` to `max_minutes`. */
static void estimate(struct world *world, int64_t min_minutes, int64_t max_minutes)
{
    int64_t now_ns = yk_clock_wall_ns(&world->clock);
    world->core.start = (struct yk_si_start){.waits = true,
                                             .ends_by_itself = true,
                                             .is_known = max_minutes > 0,
                                             .earliest_wall_ns = now_ns + min_minutes * 60 * YK_NS_PER_S,
                                             .latest_wall_ns = now_ns + max_minutes * 60 * YK_NS_PER_S,
                                             .queue = "root.a"};
}

static void waits_for_quota(struct world *world, const char *name)
{
    char uid[64];
    snprintf(uid, sizeof(uid), "uid-%s", name);
    world->core.why = (struct yk_si_why){YK_REASON_QUEUE_QUOTA, 1};
    world->core.sentence = "needs 9 cores";
    upsert(world, big_pod(world, name));
    work(world);
    says(world, uid, YK_SI_STATE_SKIPPED, "quota of queue 'root.a' has been exceeded");
}

/* It is at the end of the condition and not in the Event, and is written again when it is wrong, not before
 * ten minutes. */
static void the_estimate_is_in_the_condition(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    estimate(world, 20, 40);
    waits_for_quota(world, "p");
    has(condition(world, "p"), "QueueQuota: needs 9 cores; estimated start between ");
    assert_int_equal(events_with(world, "QueueQuota: needs 9 cores", event), 1);
    assert_null(strstr(event, "estimated"));
    estimate(world, 200, 400);
    for (int s = 0; s < 590; s += 10) {
        pass(world, 10 * YK_NS_PER_S);
        assert_string_equal(condition(world, "p"), "");
    }
    pass(world, 20 * YK_NS_PER_S);
    has(condition(world, "p"), "QueueQuota: needs 9 cores; estimated start between ");
    assert_int_equal(events_with(world, "QueueQuota", event), 0);
    for (int s = 0; s < 3000; s += 10) {
        pass(world, 10 * YK_NS_PER_S);
        assert_string_equal(condition(world, "p"), "");
    }
}

/* A range that has passed is replaced soon, but one that passes each time costs few requests. */
static void an_estimate_that_has_passed(void **state)
{
    struct world *world = *state;
    enum { HOUR_S = 3600 };
    char event[4096];
    int writes = 0, first_s = 0;
    running(world);
    estimate(world, 0, 2);
    waits_for_quota(world, "p");
    has(condition(world, "p"), "; estimated start between ");
    (void)events_with(world, "", event);
    for (int s = 1; s <= HOUR_S; s++) {
        estimate(world, 0, 2);
        pass(world, YK_NS_PER_S);
        if (condition(world, "p")[0] == '\0')
            continue;
        first_s = writes++ == 0 ? s : first_s;
    }
    assert_in_range(first_s, 60, 200);
    assert_in_range(writes, 4, 8);
}

/* One that becomes unknown, and one that the core does not know. */
static void the_estimate_becomes_unknown(void **state)
{
    struct world *world = *state;
    running(world);
    waits_for_quota(world, "q");
    has(condition(world, "q"), "QueueQuota: needs 9 cores\"");
    estimate(world, 20, 40);
    waits_for_quota(world, "p");
    has(condition(world, "p"), "; estimated start between ");
    estimate(world, 0, 0);
    pass(world, 620 * YK_NS_PER_S);
    has(condition(world, "p"), "; start unknown: no waiting pods of queue root.a started lately\"");
}

/* One that is unknown at first is looked at after a minute, and then twice as late each time. One that was
 * known waits for ten minutes. */
static void the_first_estimate_comes_soon(void **state)
{
    struct world *world = *state;
    running(world);
    estimate(world, 0, 0);
    waits_for_quota(world, "p");
    has(condition(world, "p"), "; start unknown: no waiting pods of queue root.a started lately\"");
    pass(world, 70 * YK_NS_PER_S); /* looked at after 60 s, and next after 120 s more */
    assert_string_equal(condition(world, "p"), "");
    estimate(world, 20, 40);
    pass(world, 90 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    pass(world, 30 * YK_NS_PER_S);
    has(condition(world, "p"), "; estimated start between ");
    estimate(world, 0, 0);
    pass(world, 620 * YK_NS_PER_S);
    has(condition(world, "p"), "; start unknown: ");
    estimate(world, 20, 40);
    pass(world, 500 * YK_NS_PER_S);
    assert_string_equal(condition(world, "p"), "");
    pass(world, 120 * YK_NS_PER_S);
    has(condition(world, "p"), "; estimated start between ");
}

/* Whether a node is large enough is asked once per second for pods that are alike, because it costs a look at
 * all nodes. */
static void nodes_are_looked_at_once_for_a_kind(void **state)
{
    static const char endless[] = "; start unknown: what it waits for does not end by itself\"";
    struct world *world = *state;
    running(world);
    world->core.start = (struct yk_si_start){.waits = true, .is_by_nodes = true, .queue = "root.a"};
    waits_for_quota(world, "p");
    has(condition(world, "p"), endless);
    world->core.start.ends_by_itself = true;
    waits_for_quota(world, "q");
    has(condition(world, "q"), endless);
    pass(world, 2 * YK_NS_PER_S);
    waits_for_quota(world, "r");
    has(condition(world, "r"), "; start unknown: no waiting pods of queue root.a started lately\"");
}

/* All estimates go on moving: not more is written than the rate allows. */
static void estimates_have_a_rate(void **state)
{
    struct world *world = *state;
    enum { PODS = 50, HOUR_S = 3600 };
    char event[4096];
    size_t writes = 0;
    running(world);
    estimate(world, 20, 40);
    for (int i = 0; i < PODS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        waits_for_quota(world, name);
        has(condition(world, name), "; estimated start between ");
    }
    for (int s = 0; s < HOUR_S; s++) {
        estimate(world, 20 + s, 40 + s);
        pass(world, YK_NS_PER_S);
        (void)events_with(world, "", event);
        size_t now = 0;
        while (fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, NULL) != NULL) {
            assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, NULL, YK_OP_OK, 200, NULL));
            work(world);
            now++;
        }
        assert_in_range(now, 0, 10 * YK_ESTIMATES_PER_S + 1);
        writes += now;
    }
    assert_in_range(writes, PODS * 2, PODS * 6); /* each at most once in ten minutes */
}

int main(void)
{
#define CASE(test)    cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define STANDBY(test) cmocka_unit_test_setup_teardown(test, set_up_standby, tear_down)
    const struct CMUnitTest tests[] = {CASE(event_and_condition),
                                       CASE(events_about_nodes_delay_no_condition),
                                       CASE(new_words_are_told),
                                       CASE(the_words_for_the_core_before_the_condition),
                                       CASE(the_words_for_the_core_are_those_of_a_pod_like_it),
                                       CASE(a_gang_that_never_fits),
                                       CASE(skipped_pods_with_other_constraints),
                                       CASE(numbers_are_no_news),
                                       CASE(order_is_no_news),
                                       CASE(a_kind_has_a_pace),
                                       CASE(a_quota_is_named),
                                       CASE(the_reason_of_the_core_is_at_the_end),
                                       CASE(a_free_moment_is_not_written),
                                       CASE(the_reason_of_nodes),
                                       CASE(a_reason_that_changes_back_and_forth),
                                       CASE(numbers_that_go_on_changing),
                                       CASE(a_pod_that_never_preempts),
                                       CASE(preemption_in_vain),
                                       CASE(what_is_refused_is_tried_seldom),
                                       CASE(refused_after_a_look_is_tried_again),
                                       CASE(a_node_is_reserved_for_another),
                                       CASE(a_pod_that_may_run_nowhere),
                                       CASE(a_long_note_is_cut),
                                       CASE(who_runs_is_left_alone),
                                       CASE(a_resized_pod_is_told_anew),
                                       CASE(a_bind_overtakes_the_condition),
                                       CASE(the_estimate_is_in_the_condition),
                                       CASE(an_estimate_that_has_passed),
                                       CASE(the_estimate_becomes_unknown),
                                       CASE(the_first_estimate_comes_soon),
                                       CASE(nodes_are_looked_at_once_for_a_kind),
                                       CASE(estimates_have_a_rate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
