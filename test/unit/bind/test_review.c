/* SPDX-License-Identifier: Apache-2.0 */
/* Races: watch events, answers and decisions in the orders that are rare. */
#include "bind/pod_status.h"
#include "bind/world.h"

#include "cache/cmocka_headers.h"

/* ---- binds ---- */

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

/* ---- what is written on pods ---- */

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
    assert_false(patched(world, YK_OP_OK, 200)); /* it does not wait any more */
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
    assert_false(patched(world, YK_OP_OK, 200)); /* nobody is left to be told */
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

/* ---- applications ---- */

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

/* S07: the id is the core's until it has ended the application. */
static void a_pod_comes_while_its_application_fails(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    fake_core_app_state(&world->core, "app", YK_APP_FAILING, YK_SI_FAILURE_OTHER, "enough");
    told(world, "release uid-p 1");
    upsert(world, pod(world, "q"));
    told(world, "");
    assert_int_equal(fake_api_count(&world->api, YK_OP_PATCH_POD_STATUS), 0);
    fake_core_app_state(&world->core, "app", YK_APP_FAILED, YK_SI_FAILURE_OTHER, "enough");
    told(world, "app app; ask uid-q");
}

static void a_pod_comes_as_its_application_completes(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    removed(world, pod(world, "p"));
    settle(world);
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    upsert(world, pod(world, "q"));
    told(world, "app app; ask uid-q");
    /* The other way round: it came first, and the core ended the application before it heard of it. */
    removed(world, pod(world, "q"));
    settle(world);
    upsert(world, pod(world, "r"));
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    told(world, "app app; ask uid-r");
}

static void finished_applications_leave_nothing(void **state)
{
    struct world *world = *state;
    running(world);
    char id[24];
    for (int i = 0; i < 3000; i++) {
        struct yk_pod *object = pod(world, "p"), *again = pod(world, "p");
        snprintf(id, sizeof(id), "app-%d", i);
        set_text(&object->object, &object->object.labels.items[0].value, id);
        upsert(world, object);
        work(world);
        removed(world, again);
        fake_core_app_state(&world->core, id, YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
        work(world);
        yk_buf_done(&world->core.log);
    }
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.applications, 0);
    assert_int_equal(counts.tasks, 0);
}

/* ---- sizes ---- */

static struct yk_pod *foreign_with(struct world *world, const char *resources)
{
    struct yk_pod *object = pod_on(world, "f", "n1");
    set_text(&object->object, &object->scheduler_name, "other");
    add_container(object, "more", resources);
    return object;
}

static void foreign_pods_learn_new_resources(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, foreign_with(world, "review.x/card=2"));
    told(world, "foreign uid-f@n1");
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 review.x/card=4"));
    told(world, "node n3 6 capacity; node n3 5; again foreign uid-f@n1");
    int type = yk_restype_find(YK_STR("review.x/card"));
    assert_int_equal(yk_resvec_get(&fake_core_ask(&world->core, "uid-f")->size, type), 2);
}

static void a_node_comes_while_pods_are_listed(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    struct yk_pod *wants = pod(world, "p");
    add_container(wants, "more", "review.y/card=1");
    upsert(world, wants);
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 review.y/card=4"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    work(world);
    int type = yk_restype_find(YK_STR("review.y/card"));
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_non_null(ask);
    assert_false(yk_resvec_has(&ask->size, YK_RESTYPE_UNKNOWN));
    assert_int_equal(yk_resvec_get(&ask->size, type), 1);
}

/* ---- configuration ---- */

static void configurations_in_a_row(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_config_map *defaults = make_config_map("yunikorn", "yunikorn-defaults", next_version(world));
    add_pair(&defaults->object, &defaults->data, "queues.yaml", "of the defaults");
    upsert(world, defaults);
    upsert(world, config(world, "a", "b"));
    told(world, "reload mycluster"); /* once, with both */
    assert_string_equal(yk_buf_cstr(&world->core.config), "queues");
    world->core.refuse_config = "bad";
    upsert(world, config(world, "a", "c"));
    told(world, "");
    world->core.refuse_config = NULL;
    upsert(world, config(world, "a", "d"));
    told(world, "reload mycluster");
    removed(world, config(world, "a", "d"));
    told(world, "reload mycluster");
    assert_string_equal(yk_buf_cstr(&world->core.config), "of the defaults");
}

static void configuration_changes_during_recovery(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    upsert(world, config(world, "a", "b"));
    told(world, "reload mycluster");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, "a", "c"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "reload mycluster; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
}

/* ---- the end ---- */

static void stopped_before_the_configuration(void **state)
{
    struct world *world = *state;
    yk_shim_stop(world->shim);
    assert_true(yk_shim_is_stopped(world->shim));
    empty_list(world, YK_KIND_CONFIG_MAP);
    told(world, "");
    assert_null(world->api.sinks[YK_KIND_NODE]);
}

static void stopped_while_recovering(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert(world, pod(world, "p"));
    yk_shim_stop(world->shim);
    upsert(world, pod_on(world, "q", "n1"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "");
    assert_false(yk_shim_is_ready(world->shim));
    assert_true(yk_shim_is_stopped(world->shim));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {CASE(a_pod_said_to_be_gone_is_still_there),
                                       CASE(said_to_be_gone_but_bound),
                                       CASE(node_comes_back_before_the_answer),
                                       CASE(node_is_another_one_before_the_answer),
                                       CASE(decided_and_deleted_at_once),
                                       CASE(a_list_that_misses_a_pod_being_bound),
                                       CASE(a_condition_is_tried_again),
                                       CASE(conditions_are_given_up_for_a_while),
                                       CASE(a_rejected_pod_fails_in_the_end),
                                       CASE(a_removal_is_tried_again),
                                       CASE(nothing_is_tried_again_at_the_end),
                                       CASE(refused_for_the_waiting_taken_for_the_bound),
                                       CASE(refused_for_the_bound_too),
                                       CASE(refused_pods_that_run_use_their_node),
                                       CASE(an_id_that_is_too_long),
                                       CASE(a_pod_comes_while_its_application_fails),
                                       CASE(a_pod_comes_as_its_application_completes),
                                       CASE(finished_applications_leave_nothing),
                                       CASE(foreign_pods_learn_new_resources),
                                       CASE(a_node_comes_while_pods_are_listed),
                                       CASE(configurations_in_a_row),
                                       CASE(configuration_changes_during_recovery),
                                       CASE(stopped_before_the_configuration),
                                       CASE(stopped_while_recovering)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
