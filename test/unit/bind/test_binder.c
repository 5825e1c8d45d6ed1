/* SPDX-License-Identifier: Apache-2.0 */
/* Bindings whose answer, watch event and node come in a rare order. */
#include "bind/pod_status.h"
#include "lib/cmocka_headers.h"
#include "shim/world.h"

static void a_pod_said_to_be_gone_is_still_there(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    told(world, "release uid-p 1");
    pass(world, 29 * YK_NS_PER_S);
    told(world, "");
    pass(world, 2 * YK_NS_PER_S);
    told(world, "ask uid-p"); /* the watch did not confirm it */
    assert_true(fake_core_decide(&world->core, "uid-p", "n2"));
    work(world);
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    told(world, "release uid-p 1");
    removed(world, pod(world, "p"));
    pass(world, 60 * YK_NS_PER_S);
    told(world, ""); /* now it did */
}

static void said_to_be_gone_but_bound(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    told(world, "release uid-p 1");
    upsert(world, pod_on(world, "p", "n2"));
    told(world, "alloc uid-p@n2");
    pass(world, 60 * YK_NS_PER_S);
    told(world, "");
    /* The watch was first: what the answer says about a pod that stands is of no interest. */
    decided(world, "q");
    upsert(world, pod_on(world, "q", "n1"));
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    pass(world, 60 * YK_NS_PER_S);
    told(world, "");
}

static void node_comes_back_before_the_answer(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    upsert(world, pod_on(world, "p", "n1"));
    removed(world, node(world, "n1"));
    upsert(world, node(world, "n1"));
    told(world, "node n1 4; release uid-p 0; node n1 6 capacity; node n1 5; alloc uid-p@n1");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "");
    removed(world, pod_on(world, "p", "n1"));
    told(world, "release uid-p 1");
}

static void node_is_another_one_before_the_answer(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    struct yk_k8s_node *second = node(world, "n1");
    set_text(&second->object, &second->object.uid, "uid-second");
    upsert(world, second);
    told(world, "node n1 4; release uid-p 0; node n1 6 capacity; node n1 5");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, ""); /* bound, says the answer: where, says the watch */
    upsert(world, pod_on(world, "p", "n1"));
    told(world, "alloc uid-p@n1");
}

/* The watch is silent. The Event of the last pod waits for its turn, and its binding is sent again later. */
static void an_event_outlives_a_binding_that_is_not_confirmed(void **state)
{
    struct world *world = *state;
    char name[16], event[4096];
    running(world);
    for (int i = 0; i <= 2 * YK_STATUS_IN_FLIGHT_MAX; i++) {
        snprintf(name, sizeof(name), "p%d", i);
        decided(world, name);
        assert_true(answer(world, YK_OP_OK, 201, NULL));
    }
    pass(world, 31 * YK_NS_PER_S);
    assert_non_null(fake_api_find(&world->api, YK_OP_BIND, "p0"));
    assert_null(fake_api_find(&world->api, YK_OP_BIND, name));
    assert_int_equal(events_with(world, "Successfully assigned ns/p16 to node n1", event), 1);
    pass(world, 31 * YK_NS_PER_S);
    assert_non_null(fake_api_find(&world->api, YK_OP_BIND, name));
    settle(world);
}

/* The same link serves the news about a pod and its turn to be bound. */
static void decided_and_deleted_at_once(void **state)
{
    struct world *world = *state;
    running(world);
    char name[16], key[24];
    for (int i = 0; i <= 8; i++) {
        snprintf(name, sizeof(name), "p%d", i);
        snprintf(key, sizeof(key), "uid-p%d", i);
        upsert(world, pod(world, name));
        work(world);
        waits(world, key);
    }
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p8")); /* has to wait */
    assert_true(fake_core_decide(&world->core, "uid-p8", "n1"));
    removed(world, pod(world, "p8"));
    work(world);
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.binds_waiting, 0);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
}

static void a_list_that_misses_a_pod_being_bound(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    decided(world, "q");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, pod(world, "q"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "release uid-p 1");
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "");
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.tasks, 1);
    assert_int_equal(counts.bound, 1);
}

/* S20, S10: a node that does not exist is reported, and the core decides again. */
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

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_pod_said_to_be_gone_is_still_there),
        CASE(said_to_be_gone_but_bound),
        CASE(node_comes_back_before_the_answer),
        CASE(node_is_another_one_before_the_answer),
        CASE(an_event_outlives_a_binding_that_is_not_confirmed),
        CASE(decided_and_deleted_at_once),
        CASE(a_list_that_misses_a_pod_being_bound),
        CASE(an_assumption_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
