/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that the core refuses: those that wait fail, those that run use their node. */
#include "bind/pod_status.h"
#include "lib/cmocka_headers.h"
#include "shim/world.h"

static bool patched(struct world *world, enum yk_op_result result, int http)
{
    bool there = fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", result, http, "not now");
    work(world);
    return there;
}

static void up_to_the_pods(struct world *world)
{
    listed_nodes(world, 1);
    settle(world);
}

static void refused_for_the_waiting_taken_for_the_bound(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert_waiting_and_bound(world, "p", "stands");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    world->core.refuse_app = "its queue is gone";
    world->core.takes_forced = true;
    told(world, "app app; app app; alloc uid-stands@n1; node n1 5"); /* it uses its node all the same */
    assert_true(patched(world, YK_OP_OK, 200));
}

static void refused_for_the_bound_too(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    world->core.refuse_app = "never";
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, pod_on(world, "stands", "n1"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "app app; foreign uid-stands@n1; node n1 5"); /* once; it uses its node all the same (P21) */
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 0);
}

/* S08, S18: what runs and was refused is tried again when its node is back, and uses its node meanwhile. */
static void refused_pods_that_run_use_their_node(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    world->core.refuse_ask = "no";
    upsert(world, pod_on(world, "stands", "n1"));
    settle(world);
    world->core.refuse_ask = NULL;
    removed(world, node(world, "n1"));
    settle(world);
    upsert(world, node(world, "n1"));
    told(world, "node n1 6 capacity; node n1 5; alloc uid-stands@n1");
    removed(world, pod_on(world, "stands", "n1"));
    told(world, "release uid-stands 1");
}

/* P02, P21 */
static void an_id_that_is_too_long(void **state)
{
    struct world *world = *state;
    char id[YK_SI_APPLICATION_ID_MAX + 2];
    memset(id, 'x', sizeof(id) - 1);
    id[sizeof(id) - 1] = '\0';
    running(world);
    for (int bound = 0; bound < 2; bound++) {
        struct yk_pod *object = bound ? pod_on(world, "long", "n1") : pod(world, "long");
        object->object.labels.count = 0;
        add_pair(&object->object, &object->object.annotations, "yunikorn.apache.org/app-id", id);
        upsert(world, object);
        told(world, bound ? "foreign uid-long@n1" : "");
    }
    removed(world, pod_on(world, "long", "n1"));
    told(world, "release uid-long 1");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(refused_for_the_waiting_taken_for_the_bound),
        CASE(refused_for_the_bound_too),
        CASE(refused_pods_that_run_use_their_node),
        CASE(an_id_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
