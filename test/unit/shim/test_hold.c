/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that the shim keeps from the core, and what their condition says. */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

static struct yk_pod *with_claim(struct yk_pod *object)
{
    static struct yk_str claim = YK_STR("gpu"); /* only read */
    object->resource_claims = &claim;
    object->resource_claim_count = 1;
    return object;
}

static size_t conditions(struct world *world, const char *name, const char *text)
{
    size_t count = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, name)) != NULL; count++) {
        if (strstr(yk_buf_cstr(&op->body), text) == NULL)
            fail_msg("'%s' is not in '%s'", text, yk_buf_cstr(&op->body));
        assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, name, YK_OP_OK, 200, NULL));
        work(world);
    }
    return count;
}

#define CLAIMS                                                                                               \
    "\"reason\":\"Unschedulable\",\"message\":\"the pod has resource claims (spec.resourceClaims), which "   \
    "this scheduler does not allocate\""

static void a_pod_with_resource_claims_waits(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, with_claim(pod(world, "p")));
    told(world, ""); /* not even its application */
    assert_int_equal(conditions(world, "p", CLAIMS), 1);
    pass(world, 120 * YK_NS_PER_S);
    upsert(world, with_claim(pod(world, "p"))); /* the condition comes back by the watch */
    pass(world, 120 * YK_NS_PER_S);
    assert_int_equal(conditions(world, "p", CLAIMS), 0);
    upsert(world, with_claim(pod_on(world, "p", "n1"))); /* by another scheduler */
    told(world, "app app; alloc uid-p@n1");
}

static void one_that_goes_leaves_nothing(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, with_claim(pod(world, "p")));
    settle(world);
    removed(world, pod(world, "p"));
    told(world, "");
}

/* Device classes are watched once a pod of ours asks for what no node has ever offered. */
static void device_classes_are_watched_when_needed(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    settle(world);
    assert_null(world->api.sinks[YK_KIND_DEVICE_CLASS]);
    struct yk_pod *foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    add_amounts(&foreign->object, &foreign->containers[0].requests, "unoffered.example/that=1");
    upsert(world, foreign);
    settle(world);
    assert_null(world->api.sinks[YK_KIND_DEVICE_CLASS]);
    struct yk_pod *wants = pod(world, "q");
    add_amounts(&wants->object, &wants->containers[0].requests, "unoffered.example/this=1");
    upsert(world, wants);
    settle(world);
    assert_non_null(world->api.sinks[YK_KIND_DEVICE_CLASS]);
    decided(world, "r"); /* nothing waits for the list */
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_pod_with_resource_claims_waits),
        CASE(device_classes_are_watched_when_needed),
        CASE(one_that_goes_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
