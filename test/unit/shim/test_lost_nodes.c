/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that the API server has on no node, though they were bound: after a restore of its database, or
 * because a bind was answered and not done (S13). */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

#define SETTLE_NS (31 * YK_NS_PER_S)

static bool send(struct world *world, struct yk_pod *object)
{
    upsert(world, object);
    work(world);
    return true;
}

/* Bound by us, and confirmed by the watch. */
static void bound(struct world *world, const char *name)
{
    decided(world, name);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_true(send(world, pod_on(world, name, "n1")));
    pass(world, SETTLE_NS);
    settle(world);
    assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL));
}

static void a_later_version_without_a_node(void **state)
{
    struct world *world = *state;
    running(world);
    bound(world, "p");
    upsert(world, pod(world, "p"));
    told(world, "release uid-p 5");
    assert_string_equal(fake_core_ask(&world->core, "uid-p")->node, "");
    assert_true(fake_core_decide(&world->core, "uid-p", "n2"));
    work(world);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_BIND, "p");
    assert_non_null(op);
    assert_string_equal(op->node, "n2");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_true(send(world, pod_on(world, "p", "n2")));
    pass(world, SETTLE_NS);
    assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL));
}

/* The database that was restored has the pod from before it was resized. */
static void another_size_without_a_node(void **state)
{
    struct world *world = *state;
    running(world);
    bound(world, "p");
    upsert(world, big_pod(world, "p"));
    settle(world);
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_non_null(ask);
    assert_string_equal(ask->node, "");
    assert_int_equal(yk_resvec_get(&ask->size, YK_RESTYPE_VCORE), 5000);
}

/* Constraints of a pod that was there at the start are looked at when it waits. */
static void a_recovered_pod(void **state)
{
    struct world *world = *state;
    listed_nodes(world, 2);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, pod_on(world, "p", "n1"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    settle(world);
    struct yk_pod *lost = pod(world, "p");
    add_pair(&lost->object, &lost->node_selector, "disk", "ssd");
    upsert(world, lost);
    settle(world);
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_non_null(ask);
    assert_string_equal(ask->node, "");
    assert_int_not_equal(ask->class_, YK_SI_CLASS_ANY);
}

static void a_pod_that_goes_meanwhile(void **state)
{
    struct world *world = *state;
    running(world);
    bound(world, "p");
    struct yk_pod *going = pod(world, "p");
    going->object.deleting = true;
    upsert(world, going);
    settle(world);
    assert_null(fake_core_ask(&world->core, "uid-p"));
}

/* A pod of another scheduler frees its node. */
static void a_foreign_pod(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    upsert(world, foreign);
    settle(world);
    assert_non_null(fake_core_ask(&world->core, "uid-f"));
    foreign = pod(world, "f");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    upsert(world, foreign);
    settle(world);
    assert_null(fake_core_ask(&world->core, "uid-f"));
}

static void set_version(struct yk_pod *object, const char *version)
{
    set_text(&object->object, &object->object.resource_version, version);
}

/* The database went back, or a server lags behind: the API server is asked to bind to the same node, and its
 * answer tells which. */
static void an_older_version_without_a_node(void **state)
{
    static const struct {
        const char *what;
        enum yk_op_result result;
        int http;
        const char *reason;
        int binds_later; /* sent again after the answer, while the watch is silent */
    } cases[] = {
        {"it is bound now", YK_OP_OK, 201, NULL, 1},
        {"it was bound", YK_OP_CONFLICT, 409, "pod p is already assigned to node \"n1\"", 0},
        {"no answer that helps", YK_OP_RETRY, 500, "broken", 1},
    };
    struct world *world = *state;
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        bound(world, "p");
        struct yk_pod *old = pod(world, "p");
        set_version(old, "1");
        upsert(world, old);
        told(world, "");
        pass(world, SETTLE_NS);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_BIND, "p");
        if (op == NULL)
            fail_msg("%s: it is not sent again", cases[i].what);
        assert_string_equal(op->node, "n1");
        assert_true(answer(world, cases[i].result, cases[i].http, cases[i].reason));
        pass(world, SETTLE_NS);
        if ((int)fake_api_count(&world->api, YK_OP_BIND) != cases[i].binds_later)
            fail_msg("%s: %d later", cases[i].what, (int)fake_api_count(&world->api, YK_OP_BIND));
        told(world, ""); /* it has its node all the time */
        assert_true(send(world, pod_on(world, "p", "n1")));
        if (cases[i].binds_later > 0)
            assert_true(answer(world, YK_OP_CONFLICT, 409, "pod p is already assigned to node \"n1\""));
        pass(world, SETTLE_NS);
        assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL));
        removed(world, pod_on(world, "p", "n1"));
        settle(world);
    }
}

/* Answered with 201, and never done. */
static void a_bind_that_was_not_done(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    pass(world, SETTLE_NS);
    assert_true(answer(world, YK_OP_OK, 201, NULL)); /* sent again */
    assert_true(send(world, pod_on(world, "p", "n1")));
    pass(world, SETTLE_NS);
    assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL));
    told(world, "");
}

/* The node goes while the bind is not confirmed: nothing is sent to it. */
static void a_node_that_goes_before_the_watch_tells(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    removed(world, node(world, "n1"));
    pass(world, SETTLE_NS);
    assert_null(fake_api_find(&world->api, YK_OP_BIND, NULL));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_later_version_without_a_node),
        CASE(another_size_without_a_node),
        CASE(a_recovered_pod),
        CASE(a_pod_that_goes_meanwhile),
        CASE(a_foreign_pod),
        CASE(an_older_version_without_a_node),
        CASE(a_bind_that_was_not_done),
        CASE(a_node_that_goes_before_the_watch_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
