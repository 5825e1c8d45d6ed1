/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that cannot be read whole: docs/reference/kubernetes.md, "Limits". */
#include "shim/world.h"

#include "bind/unreadable.h"
#include "lib/cmocka_headers.h"

#define FAULT "Pod: spec: tolerations: the object has more than 32768 entries in its lists"

/* `read`: how much of it. Its labels are not. */
static struct yk_pod *part(struct yk_pod *object, enum yk_read read)
{
    object->object.read = read;
    object->object.labels.count = 0;
    set_text(&object->object, &object->object.fault, FAULT);
    if (read == YK_READ_IDENTITY)
        object->container_count = 0;
    return object;
}

static size_t answer_all(struct world *world, enum yk_op_kind kind, const char *name, const char *text)
{
    size_t count = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, kind, name)) != NULL; count++) {
        if (strstr(yk_buf_cstr(&op->body), text) == NULL)
            fail_msg("'%s' is not in '%s'", text, yk_buf_cstr(&op->body));
        assert_true(fake_api_answer(&world->api, kind, name, YK_OP_OK, 200, NULL));
        work(world);
    }
    return count;
}

/* Answers all Events; how many of them have that reason and text. */
static size_t events(struct world *world, const char *reason, const char *text)
{
    size_t count = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        const char *body = yk_buf_cstr(&op->body);
        count += strstr(body, reason) != NULL && strstr(body, text) != NULL;
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    return count;
}

#define WAITS                                                                                                \
    "\"reason\":\"SchedulerError\",\"message\":\"the pod cannot be read whole, the pod is not "              \
    "scheduled: " FAULT

static void one_that_waits_is_told(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod(world, "p"), YK_READ_AMOUNTS));
    told(world, "");
    assert_int_equal(events(world, "PodNotReadable", FAULT), 1);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, "p", WAITS), 1);
    upsert(world, part(pod(world, "p"), YK_READ_AMOUNTS)); /* the condition comes back by the watch */
    pass(world, 120 * YK_NS_PER_S);
    assert_int_equal(events(world, "PodNotReadable", FAULT), 0);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, "p", WAITS), 0);
    upsert(world, pod(world, "p")); /* now it can be read */
    told(world, "app app; ask uid-p");
}

static void a_condition_that_is_refused_is_written_again(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod(world, "p"), YK_READ_IDENTITY));
    for (int i = 0; i < 3; i++) {
        assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_INVALID, 403, "no"));
        assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 0);
        pass(world, YK_UNREADABLE_RETRY_NS);
        assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 1);
    }
    removed(world, part(pod(world, "p"), YK_READ_IDENTITY));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_RETRY, 500, "no"));
    pass(world, YK_UNREADABLE_RETRY_NS);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 0);
}

/* It is counted as a pod of another scheduler: to which application it belongs is not known. */
static void one_on_a_node_is_counted(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod_on(world, "p", "n1"), YK_READ_AMOUNTS));
    told(world, "foreign uid-p@n1");
    assert_int_equal(yk_resvec_get(&fake_core_ask(&world->core, "uid-p")->size, YK_RESTYPE_VCORE), 1000);
    assert_int_equal(events(world, "PodNotReadable", "it is counted on its node"), 1);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, "p", ""), 0);
    upsert(world, pod_on(world, "p", "n1"));
    told(world, "release uid-p 1; app app; alloc uid-p@n1");
}

static void one_without_amounts_closes_its_node(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod_on(world, "p", "n1"), YK_READ_IDENTITY));
    settle(world);
    assert_int_equal(events(world, "NodeClosed", "pod ns/p is on it"), 1);
    upsert(world, pod(world, "q"));
    settle(world);
    assert_false(fake_core_decide(&world->core, "uid-q", "n1"));
    waits(world, "uid-q");
    pass(world, 5 * YK_NS_PER_S);
    assert_int_equal(
        answer_all(world, YK_OP_PATCH_POD_STATUS, "q", "1 node(s) had a pod whose amounts cannot be read"),
        1);
    removed(world, part(pod_on(world, "p", "n1"), YK_READ_IDENTITY));
    settle(world);
    assert_true(fake_core_decide(&world->core, "uid-q", "n1"));
}

/* Something else has bound it. The pod was reported before; the node was not. */
static void one_that_gets_a_node_later_closes_it(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod(world, "p"), YK_READ_IDENTITY));
    settle(world);
    assert_int_equal(events(world, "PodNotReadable", FAULT), 1);
    for (int i = 0; i < 2; i++) {
        upsert(world, part(pod_on(world, "p", "n1"), YK_READ_IDENTITY));
        settle(world);
        assert_int_equal(events(world, "NodeClosed", "pod ns/p is on it"), i == 0 ? 1 : 0);
    }
}

/* One that could be read before stays what it was, but for its node and its end. */
static void one_that_was_read_before(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *first = pod(world, "p");
    first->active_deadline_s = 60;
    upsert(world, first);
    told(world, "app app; ask uid-p");
    upsert(world, part(pod(world, "p"), YK_READ_IDENTITY));
    told(world, "");
    assert_int_equal(events(world, "PodNotReadable", FAULT), 0);
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "");
    upsert(world, part(pod_on(world, "p", "n1"), YK_READ_AMOUNTS));
    told(world, ""); /* it has its run limit still */
    pass(world, 31 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL)); /* confirmed */
    struct yk_pod *ended = part(pod_on(world, "p", "n1"), YK_READ_AMOUNTS);
    set_text(&ended->object, &ended->phase, "Succeeded");
    upsert(world, ended);
    settle(world);
    assert_null(fake_core_ask(&world->core, "uid-p"));
}

/* One of which the node is lost, and the constraints are not known: it is not offered without them. */
static void one_that_was_on_a_node(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_on(world, "p", "n1"));
    told(world, "app app; alloc uid-p@n1");
    upsert(world, part(pod(world, "p"), YK_READ_AMOUNTS));
    settle(world);
    assert_null(fake_core_ask(&world->core, "uid-p"));
    assert_int_equal(events(world, "PodNotReadable", FAULT), 1);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, "p", WAITS), 1);
    upsert(world, pod(world, "p"));
    settle(world);
    waits(world, "uid-p");
}

static void a_flood_is_bounded(void **state)
{
    struct world *world = *state;
    running(world);
    for (int i = 0; i < YK_UNREADABLE_MAX + 50; i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        upsert(world, part(pod(world, name), YK_READ_AMOUNTS));
    }
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), YK_UNREADABLE_IN_FLIGHT_MAX);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, NULL, WAITS), YK_UNREADABLE_MAX);
}

static void a_standby_writes_nothing_until_it_leads(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, part(pod(world, "p"), YK_READ_AMOUNTS));
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 0);
    yk_shim_lead(world->shim);
    work(world);
    assert_int_equal(answer_all(world, YK_OP_PATCH_POD_STATUS, "p", WAITS), 1);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(one_that_waits_is_told),
        CASE(a_condition_that_is_refused_is_written_again),
        CASE(one_on_a_node_is_counted),
        CASE(one_without_amounts_closes_its_node),
        CASE(one_that_gets_a_node_later_closes_it),
        CASE(one_that_was_read_before),
        CASE(one_that_was_on_a_node),
        CASE(a_flood_is_bounded),
        cmocka_unit_test_setup_teardown(a_standby_writes_nothing_until_it_leads, set_up_standby, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
