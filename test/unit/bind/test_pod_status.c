/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of pods: repeated, given up, and nominations that are out of date. */
#include "bind/pod_status.h"
#include "lib/cmocka_headers.h"
#include "shim/world.h"

static bool patched(struct world *world, enum yk_op_result result, int http)
{
    bool there = fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", result, http, "not now");
    work(world);
    return there;
}

static void a_condition_is_tried_again(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    assert_true(patched(world, YK_OP_RETRY, 500));
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
    pass(world, YK_NS_PER_S);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "lastTransitionTime")); /* as if for the first time */
    assert_true(patched(world, YK_OP_CONFLICT, 409));
    pass(world, 2 * YK_NS_PER_S);
    assert_true(patched(world, YK_OP_OK, 200));
    waits(world, "uid-p");
    pass(world, 60 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
}

static void conditions_are_given_up_for_a_while(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    for (int tries = 0; tries < YK_STATUS_TRIES_MAX; tries++) {
        assert_true(patched(world, YK_OP_RETRY, 500));
        pass(world, tries + 1 < YK_STATUS_TRIES_MAX ? 31 * YK_NS_PER_S : YK_NS_PER_S);
    }
    assert_false(patched(world, YK_OP_RETRY, 500));
    pass(world, 2 * YK_WORDS_LOOK_NS); /* later, and ever more seldom (kubernetes.md 3.9) */
    assert_true(patched(world, YK_OP_RETRY, 500));
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    pass(world, 31 * YK_NS_PER_S);
    assert_false(patched(world, YK_OP_OK, 200)); /* it no longer waits */
}

static void a_rejected_pod_fails_in_the_end(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_app = "no";
    upsert(world, pod(world, "p"));
    work(world);
    assert_true(patched(world, YK_OP_RETRY, 503));
    pass(world, YK_NS_PER_S);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"phase\":\"Failed\""));
    assert_true(patched(world, YK_OP_RETRY, 0));
    removed(world, pod(world, "p"));
    pass(world, 31 * YK_NS_PER_S);
    assert_false(patched(world, YK_OP_OK, 200)); /* no pod is left to patch */
}

static void a_removal_is_tried_again(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    upsert(world, pod_on(world, "p", "n1"));
    released(world, "uid-p", YK_SI_TIMEOUT, "late");
    assert_true(fake_api_answer(&world->api, YK_OP_DELETE_POD, "p", YK_OP_RETRY, 500, NULL));
    pass(world, YK_NS_PER_S);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_DELETE_POD, "p");
    assert_non_null(op);
    assert_string_equal(op->uid, "uid-p");
    assert_true(fake_api_answer(&world->api, YK_OP_DELETE_POD, "p", YK_OP_OK, 200, NULL));
    pass(world, 31 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_DELETE_POD, "p"));
}

static void nothing_is_tried_again_at_the_end(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    assert_true(patched(world, YK_OP_RETRY, 500));
    yk_shim_stop(world->shim);
    pass(world, 31 * YK_NS_PER_S);
    assert_false(patched(world, YK_OP_OK, 200));
}

/* 7.5: a nomination by another client does not bind a waiting pod. */
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

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_condition_is_tried_again),        CASE(conditions_are_given_up_for_a_while),
        CASE(a_rejected_pod_fails_in_the_end),   CASE(a_removal_is_tried_again),
        CASE(nothing_is_tried_again_at_the_end), CASE(a_stale_nomination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
