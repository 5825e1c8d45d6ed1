/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations that contradict each other, scheduling gates and namespaces that change (kubernetes.md P05). */
#include "lib/cmocka_headers.h"
#include "shim/world.h"

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
        CASE(conflicts_are_told_once),
        CASE(gates),
        CASE(a_namespace_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
