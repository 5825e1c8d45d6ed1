/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/kubernetes.md, H6: a standby follows, writes nothing, and makes up for it when it leads. */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

static void assert_silent(const struct world *world)
{
    const struct yk_op *op = world->api.first;
    if (op != NULL)
        fail_msg("a standby asked for %d of '%s'", (int)op->kind, op->name != NULL ? op->name : "");
}

static void no_answer(void *asker, uint64_t ticket, const struct yk_admin_answer *answer)
{
    (void)asker;
    (void)ticket;
    fail_msg("answered: %d %s", answer->status, answer->text);
}

static void it_follows_and_is_silent(void **state)
{
    struct world *world = *state;
    struct yk_err err;
    running(world);
    assert_false(yk_shim_leads(world->shim));
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    waits(world, "uid-p");
    upsert(world, pod(world, "q"));
    told(world, "ask uid-q");
    upsert(world, pod_on(world, "q", "n1")); /* the leader bound it */
    told(world, "again alloc uid-q@n1");
    world->core.refuse_config = "nonsense";
    upsert(world, config(world, "queues.yaml", "nonsense"));
    pass(world, 60 * YK_NS_PER_S);
    const struct yk_admin_question question = {.done = no_answer};
    assert_int_equal(yk_shim_write_config(world->shim, &question, YK_STR("text"), &err), YK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.text, "standby"));
    assert_silent(world);
    yk_buf_done(&world->core.log);

    yk_shim_lead(world->shim);
    assert_true(yk_shim_leads(world->shim));
    pass(world, YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_CREATE_EVENT, "q")); /* the leader said that it is bound */
    assert_true(fake_core_decide(&world->core, "uid-p", "n2"));
    work(world);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_BIND, "p");
    assert_non_null(op);
    assert_string_equal(op->node, "n2");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    pass(world, 2 * YK_NS_PER_S);
    assert_non_null(fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL));
    yk_buf_done(&world->core.log);
}

static void why_a_pod_waits_is_said_later(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    pass(world, 10 * YK_NS_PER_S);
    assert_silent(world);
    yk_shim_lead(world->shim);
    work(world);
    assert_non_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
    yk_buf_done(&world->core.log);
}

/* What the leader has written is known: the time of the condition stays as it is. */
static void what_the_leader_said_is_known(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    struct yk_pod *told_of = pod(world, "p");
    add_condition(told_of, "PodScheduled", "Unschedulable");
    told_of->conditions[0].status = YK_STR("False");
    upsert(world, told_of);
    work(world);
    yk_shim_lead(world->shim);
    waits(world, "uid-p");
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op); /* other words */
    assert_null(strstr(yk_buf_cstr(&op->body), "lastTransitionTime"));
    yk_buf_done(&world->core.log);
}

static void pods_that_were_to_fail_fail_then(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_app = "queue root.x: is not there";
    upsert(world, pod(world, "p"));
    upsert(world, pod(world, "gone"));
    upsert(world, pod(world, "bound"));
    work(world);
    assert_silent(world);
    removed(world, pod(world, "gone")); /* the leader did its part */
    upsert(world, pod_on(world, "bound", "n1"));
    work(world);
    yk_shim_lead(world->shim);
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 1);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "\"ApplicationRejected\""));
    yk_buf_done(&world->core.log);
}

static void pods_that_were_to_go_go_then(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    upsert(world, pod(world, "gone"));
    work(world);
    upsert(world, pod_on(world, "p", "n1"));
    upsert(world, pod_on(world, "gone", "n1"));
    work(world);
    static const char *const keys[] = {"uid-p", "uid-gone"};
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        const struct fake_ask *ask = fake_core_ask(&world->core, keys[i]);
        const struct yk_si_released released = {"app", keys[i], YK_SI_KILLED, "killed", ask->cookie};
        world->core.callbacks->released(world->core.rm, &released);
    }
    work(world);
    removed(world, pod_on(world, "gone", "n1"));
    pass(world, YK_NS_PER_S);
    assert_silent(world);
    yk_shim_lead(world->shim);
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_DELETE_POD), 1);
    assert_non_null(fake_api_find(&world->api, YK_OP_DELETE_POD, "p"));
    yk_buf_done(&world->core.log);
}

static void who_ends_does_not_begin_to_lead(void **state)
{
    struct world *world = *state;
    running(world);
    yk_shim_stop(world->shim);
    yk_shim_lead(world->shim);
    assert_false(yk_shim_leads(world->shim));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_follows_and_is_silent, set_up_standby, tear_down),
        cmocka_unit_test_setup_teardown(why_a_pod_waits_is_said_later, set_up_standby, tear_down),
        cmocka_unit_test_setup_teardown(what_the_leader_said_is_known, set_up_standby, tear_down),
        cmocka_unit_test_setup_teardown(pods_that_were_to_fail_fail_then, set_up_standby, tear_down),
        cmocka_unit_test_setup_teardown(pods_that_were_to_go_go_then, set_up_standby, tear_down),
        cmocka_unit_test_setup_teardown(who_ends_does_not_begin_to_lead, set_up_standby, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
