/* SPDX-License-Identifier: Apache-2.0 */
/* Pods' lives: conflicts, gates, resizes, pods that somebody else bound (P05, P17, P20 to P22; predicates row
 * 3). */
#include "bind/world.h"

#include "cache/cmocka_headers.h"

static size_t events_with(struct world *world, const char *text, char ret[4096])
{
    size_t count = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        if (strstr(yk_buf_cstr(&op->body), text) != NULL) {
            count++;
            snprintf(ret, 4096, "%s", yk_buf_cstr(&op->body));
        }
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    return count;
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, text);
}

/* P05: one warning for the id and one for the queue, and it is scheduled all the same. */
static void conflicts_are_told_once(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    (void)events_with(world, "", event);
    struct yk_pod *torn = pod(world, "p");
    add_pair(&torn->object, &torn->object.labels, "spark-app-selector", "other");
    add_pair(&torn->object, &torn->object.labels, "queue", "a");
    add_pair(&torn->object, &torn->object.annotations, "yunikorn.apache.org/queue", "b");
    upsert(world, torn);
    told(world, "app app; ask uid-p");
    torn = pod(world, "p"); /* changes later: not told again */
    add_pair(&torn->object, &torn->object.labels, "spark-app-selector", "third");
    upsert(world, torn);
    work(world);
    size_t ids = 0, queues = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        const char *body = yk_buf_cstr(&op->body);
        has(body, "\"type\":\"Warning\"");
        has(body, "\"reason\":\"Scheduling\"");
        has(body, "\"action\":\"Scheduling\"");
        ids += strstr(body, "Found multiple 'app-id' value in pod. { podName: p, fianlValue: app, ignored: "
                            "[(Label) spark-app-selector: other] }") != NULL;
        queues += strstr(body, "Found multiple 'queue' value in pod. { podName: p, fianlValue: b, ignored: "
                               "[(Label) queue: a] }") != NULL;
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    assert_int_equal(ids, 1);
    assert_int_equal(queues, 1);
}

/* P22, row 3: no task and nothing used while there is a gate, told once; scheduled when there is none. */
static void gates(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    (void)events_with(world, "", event);
    struct yk_pod *gated = pod(world, "g");
    add_gate(gated, "first");
    add_gate(gated, "second");
    upsert(world, gated);
    told(world, "");
    assert_int_equal(events_with(world, "waiting for scheduling gates: first,second", event), 1);
    has(event, "\"type\":\"Normal\"");
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.tasks, 0);
    gated = pod(world, "g");
    add_gate(gated, "second");
    upsert(world, gated);
    told(world, "");
    assert_int_equal(events_with(world, "gates", event), 0);
    upsert(world, pod(world, "g"));
    told(world, "app app; ask uid-g");
    assert_true(fake_core_decide(&world->core, "uid-g", "n1"));
    work(world);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    /* One that goes while it is gated is never scheduled (P21). */
    gated = pod(world, "h");
    add_gate(gated, "first");
    upsert(world, gated);
    gated = pod(world, "h");
    gated->object.deleting = true;
    upsert(world, gated);
    told(world, "");
    removed(world, pod(world, "h"));
    told(world, "");
}

static int64_t cpu_of(struct world *world, const char *key)
{
    return yk_resvec_get(&fake_core_ask(&world->core, key)->size, yk_restype_find(YK_STR("vcore")));
}

static struct yk_pod *resized(struct world *world, const char *node, const char *spec, const char *actual)
{
    struct yk_pod *object = make_pod("ns", "p", next_version(world));
    add_container(object, "c", spec);
    add_pair(&object->object, &object->object.labels, "applicationId", "app");
    set_text(&object->object, &object->node_name, node);
    if (actual != NULL)
        add_status(object, "c", actual, actual);
    return object;
}

/* P17: in place while it runs: the larger of what is asked and in use counts until the kubelet has done
 * it. */
static void resized_while_running(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, "n1", "cpu=2", "cpu=2"));
    told(world, "app app; alloc uid-p@n1");
    upsert(world, resized(world, "n1", "cpu=3", "cpu=2"));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 3000);
    upsert(world, resized(world, "n1", "cpu=3", "cpu=3"));
    told(world, ""); /* it counted that much already */
    upsert(world, resized(world, "n1", "cpu=1", "cpu=3"));
    told(world, "");
    upsert(world, resized(world, "n1", "cpu=1", "cpu=1"));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 1000);
    struct yk_pod *refused = resized(world, "n1", "cpu=9", "cpu=1");
    add_condition(refused, "PodResizePending", "Infeasible");
    upsert(world, refused);
    told(world, ""); /* it never will */
    struct yk_pod *deferred = resized(world, "n1", "cpu=4", "cpu=1");
    add_condition(deferred, "PodResizePending", "Deferred");
    upsert(world, deferred);
    told(world, "again alloc uid-p@n1"); /* its room is held already */
    assert_int_equal(cpu_of(world, "uid-p"), 4000);
}

/* Refused with its new size, it is not left behind with the old one. */
static void a_resize_that_is_refused_ends_the_allocation(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, "n1", "cpu=2", "cpu=2"));
    told(world, "app app; alloc uid-p@n1");
    world->core.refuse_ask = "too much";
    upsert(world, resized(world, "n1", "cpu=3", "cpu=3"));
    told(world, "again alloc uid-p@n1; release uid-p 1; foreign uid-p@n1");
    assert_null(fake_core_ask(&world->core, "uid-p"));
    world->core.refuse_ask = NULL;
    upsert(world, resized(world, "n1", "cpu=4", "cpu=4"));
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_true(ask != NULL && ask->foreign); /* it uses its node all the same */
}

/* P17: while it waits, and while its bind is under way. */
static void resized_while_waiting(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, NULL, "cpu=9", NULL));
    told(world, "app app; ask uid-p");
    upsert(world, resized(world, NULL, "cpu=2", NULL));
    told(world, "again ask uid-p");
    assert_int_equal(cpu_of(world, "uid-p"), 2000);
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    upsert(world, resized(world, NULL, "cpu=1", NULL));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 1000);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "");
}

/* Beyond its node before it is bound: the decision is taken back, at the latest when the request that is on
 * its way has failed. */
static void resized_beyond_its_node(void **state)
{
    static const struct {
        const char *what;
        bool fails_first; /* the request fails before the pod is resized, and would be sent again */
    } cases[] = {{"it waits to be sent again", true}, {"it is on its way", false}};
    struct world *world = *state;
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        decided(world, "p");
        if (cases[i].fails_first)
            assert_true(answer(world, YK_OP_RETRY, 500, "broken"));
        upsert(world, resized(world, NULL, "cpu=9", NULL));
        settle(world);
        if (!cases[i].fails_first)
            assert_true(answer(world, YK_OP_RETRY, 500, "broken"));
        settle(world);
        pass(world, 60 * YK_NS_PER_S);
        const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
        if (ask == NULL || ask->node[0] != '\0' || cpu_of(world, "uid-p") != 9000)
            fail_msg("%s: it does not wait with its new size", cases[i].what);
        if (fake_api_find(&world->api, YK_OP_BIND, NULL) != NULL)
            fail_msg("%s: it is bound all the same", cases[i].what);
        removed(world, pod(world, "p"));
        settle(world);
    }
}

/* P20: a pod of ours that somebody else binds while it waits becomes an allocation there. */
static void bound_by_somebody_else(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    upsert(world, pod_on(world, "p", "n2"));
    told(world, "again alloc uid-p@n2");
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    /* To a node that is not known yet: it is adopted when the node comes. */
    upsert(world, pod(world, "q"));
    told(world, "ask uid-q");
    upsert(world, pod_on(world, "q", "n9"));
    told(world, "release uid-q 1");
    upsert(world, node(world, "n9"));
    told(world, "node n9 6 capacity; node n9 5; alloc uid-q@n9");
    /* Gated and bound all the same: it uses its node. */
    struct yk_pod *gated = pod(world, "g");
    add_gate(gated, "first");
    upsert(world, gated);
    told(world, "");
    gated = pod_on(world, "g", "n1");
    upsert(world, gated);
    told(world, "alloc uid-g@n1");
}

/* P20: a foreign pod counts from its node to its end; a static one is marked, unbound ones are nobody's. */
static void foreign_and_static_pods(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *foreign = pod(world, "f");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    upsert(world, foreign);
    told(world, "");
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    add_pair(&foreign->object, &foreign->object.labels, "colour", "red");
    add_pair(&foreign->object, &foreign->object.labels, "app", "x");
    upsert(world, foreign);
    told(world, "foreign uid-f@n1");
    const char *tags = fake_core_ask(&world->core, "uid-f")->tags;
    if (strstr(tags, "kubernetes.io/label/colour=red foreign=default") == NULL)
        fail_msg("tags of a foreign pod: %s", tags);
    assert_string_equal(
        world->core.nodes[0].attributes,
        "si.io/hostname=n1 si.io/rackname=/rack-default si/node-partition=[mycluster]default");
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    foreign->object.deleting = true;
    upsert(world, foreign);
    told(world, ""); /* it still runs */
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    set_text(&foreign->object, &foreign->phase, "Failed");
    upsert(world, foreign);
    told(world, "release uid-f 1");
    struct yk_pod *mirror = pod_on(world, "m", "n2");
    set_text(&mirror->object, &mirror->scheduler_name, "default-scheduler");
    add_owner(&mirror->object, "Node");
    upsert(world, mirror);
    told(world, "foreign uid-m@n2");
    assert_true(fake_core_ask(&world->core, "uid-m")->foreign);
    removed(world, pod_on(world, "m", "n2"));
    told(world, "release uid-m 1");
}

/* 7.5: where somebody has nominated a pod that waits does not bind anybody. */
static void a_stale_nomination(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *nominated = pod(world, "p");
    set_text(&nominated->object, &nominated->nominated_node, "gone");
    upsert(world, nominated);
    told(world, "app app; ask uid-p");
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
}

/* S20, S10: a node that is not there (any more) is told, and the core decides again. */
static void an_assumption_that_fails(void **state)
{
    struct world *world = *state;
    char event[4096];
    running(world);
    upsert(world, pod(world, "p"));
    settle(world);
    (void)events_with(world, "", event);
    const struct yk_si_allocated nowhere = {"app", "uid-p", "gone",
                                            fake_core_ask(&world->core, "uid-p")->cookie, NULL};
    world->core.callbacks->allocated(world->core.rm, &nowhere);
    told(world, "release uid-p 5");
    assert_int_equal(events_with(world, "AssumePodFailed", event), 1);
    has(event, "\"type\":\"Warning\"");
    has(event, "Node assignment failed for ns/p on node gone, it will be retried");
}

static struct yk_namespace *namespace_with(struct world *world, const char *key, const char *value)
{
    struct yk_namespace *object = make_namespace("ns", next_version(world));
    if (key != NULL)
        add_pair(&object->object, &object->object.annotations, key, value);
    return object;
}

/* P09: a change is handed on for each application of the namespace, and only if it is about limits. */
static void a_namespace_changes(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, namespace_with(world, NULL, NULL));
    upsert(world, pod(world, "p"));
    struct yk_pod *other = pod(world, "q"), *elsewhere = pod(world, "r");
    other->object.labels.items[0].value = YK_STR("another");
    set_text(&elsewhere->object, &elsewhere->object.namespace_, "else");
    elsewhere->object.labels.items[0].value = YK_STR("third");
    upsert(world, other);
    upsert(world, elsewhere);
    settle(world);
    upsert(world, namespace_with(world, "yunikorn.apache.org/namespace.quota", "{\"cpu\": \"2\"}"));
    told(world, "namespace of another {\"resources\":{\"vcore\":{\"value\":2000}}} - -; "
                "namespace of app {\"resources\":{\"vcore\":{\"value\":2000}}} - -");
    struct yk_namespace *same =
        namespace_with(world, "yunikorn.apache.org/namespace.quota", "{\"cpu\": 2000m}");
    add_pair(&same->object, &same->object.labels, "a", "b");
    upsert(world, same); /* not valid: as if it were not there */
    told(world, "namespace of another - - -; namespace of app - - -");
    upsert(world, namespace_with(world, "yunikorn.apache.org/namespace.max.cpu", "1"));
    told(world, "namespace of another {\"resources\":{\"vcore\":{\"value\":1000}}} - -; "
                "namespace of app {\"resources\":{\"vcore\":{\"value\":1000}}} - -");
    upsert(world, namespace_with(world, "yunikorn.apache.org/namespace.quota", "{\"cpu\": \"1000m\"}"));
    told(world, ""); /* in other words */
    upsert(world, namespace_with(world, "yunikorn.apache.org/namespace.maxApps", "3"));
    told(world, "namespace of another - - 3; namespace of app - - 3");
    removed(world, make_namespace("ns", next_version(world)));
    told(world, "");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(conflicts_are_told_once), CASE(gates),
        CASE(resized_while_running),   CASE(a_resize_that_is_refused_ends_the_allocation),
        CASE(resized_while_waiting),   CASE(resized_beyond_its_node),
        CASE(bound_by_somebody_else),  CASE(foreign_and_static_pods),
        CASE(a_stale_nomination),      CASE(a_namespace_changes),
        CASE(an_assumption_that_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
