/* SPDX-License-Identifier: Apache-2.0 */
/* Who has an errand, and when it goes (app/apps.h): a pod that has its node and is left alone has none. */
#include "shim/world.h"

#include "app/apps.h"

#include "lib/cmocka_headers.h"

static struct yk_task *task_of(struct world *world, const char *name)
{
    struct yk_apps *apps = yk_shim_apps(world->shim);
    struct yk_cache_pod *found = yk_cache_find_pod(apps->cache, YK_STR("ns"), yk_str_from(name));
    assert_non_null(found);
    assert_non_null(found->task);
    return found->task;
}

static bool has_pending_work(struct world *world, const char *name)
{
    return task_of(world, name)->work != NULL;
}

static size_t pending_work_pool(struct world *world)
{
    return yk_shim_apps(world->shim)->pending_work_pool.used;
}

static void send_on(struct world *world, const char *name)
{
    upsert(world, pod_on(world, name, "n1"));
    work(world);
}

/* The pod is on n1, by whichever client, and nothing more is to be done. */
static void quiet(struct world *world, const char *name)
{
    running(world);
    send_on(world, name);
    assert_false(has_pending_work(world, name));
    yk_buf_done(&world->core.log);
}

static void from_decision_to_quiet(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(has_pending_work(world, "p"));
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_true(has_pending_work(world, "p")); /* until the watch confirms it */
    send_on(world, "p");
    assert_false(has_pending_work(world, "p"));

    decided(world, "q"); /* the watch is faster than the answer */
    send_on(world, "q");
    assert_int_equal(task_of(world, "q")->state, YK_TASK_BOUND);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    pass(world, 2 * YK_NS_PER_S);
    assert_false(has_pending_work(world, "q"));
    assert_int_equal(pending_work_pool(world), 0);
    assert_int_equal(task_of(world, "q")->state, YK_TASK_BOUND);
}

static void whoever_waits_keeps_it(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_INVALID, 422, "no"));
    assert_int_equal(task_of(world, "p")->state, YK_TASK_SCHEDULING);
    assert_true(has_pending_work(world, "p"));
    waits(world, "uid-p");
    pass(world, 10 * YK_NS_PER_S);
    assert_true(has_pending_work(world, "p"));
    send_on(world, "p"); /* by another client */
    assert_false(has_pending_work(world, "p"));
    yk_buf_done(&world->core.log);
}

/* A standby hears of thousands that wait, and of where they go, and reports nothing. */
static void a_standby_keeps_none(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    assert_true(has_pending_work(world, "p"));
    send_on(world, "p");
    assert_false(has_pending_work(world, "p"));
    yk_shim_lead(world->shim);
    pass(world, 10 * YK_NS_PER_S);
    assert_false(has_pending_work(world, "p"));
    yk_buf_done(&world->core.log);
}

static void those_that_ran_before_us_have_none(void **state)
{
    struct world *world = *state;
    listed_nodes(world, 1);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    upsert_waiting_and_bound(world, "w", "b");
    upsert(world, pod_on(world, "o", "n9")); /* an orphan waits for its node */
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    work(world);
    assert_true(yk_shim_is_ready(world->shim));
    assert_true(has_pending_work(world, "w"));
    assert_false(has_pending_work(world, "b"));
    assert_true(has_pending_work(world, "o"));
    upsert(world, node(world, "n9"));
    work(world);
    assert_false(has_pending_work(world, "o"));
    yk_buf_done(&world->core.log);
}

static void resized(void **state)
{
    struct world *world = *state;
    quiet(world, "p");
    struct yk_pod *larger = pod_on(world, "p", "n1");
    add_container(larger, "d", "cpu=1");
    upsert(world, larger);
    told(world, "again alloc uid-p@n1");
    assert_false(has_pending_work(world, "p"));
}

/* From then on it is reported with its labels. */
static void labelled_anew(void **state)
{
    struct world *world = *state;
    quiet(world, "p");
    struct yk_pod *other = pod_on(world, "p", "n1");
    add_pair(&other->object, &other->object.labels, "colour", "red");
    upsert(world, other);
    told(world, "");
    assert_false(has_pending_work(world, "p"));
    assert_int_equal(task_of(world, "p")->pod->flags & YK_POD_RELABELLED, 0);
}

static void preempted(void **state)
{
    struct world *world = *state;
    quiet(world, "p");
    released(world, "uid-p", YK_SI_PREEMPTED_BY_SCHEDULER, "preempted");
    assert_non_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
    assert_false(has_pending_work(world, "p")); /* why it ends is the task's */
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_OK, 200, NULL));
    assert_non_null(fake_api_find(&world->api, YK_OP_DELETE_POD, "p"));
    assert_true(fake_api_answer(&world->api, YK_OP_DELETE_POD, "p", YK_OP_OK, 200, NULL));
    struct yk_pod *going = pod_on(world, "p", "n1");
    going->object.deleting = true;
    upsert(world, going);
    told(world, "");
    assert_false(has_pending_work(world, "p"));
    removed(world, pod_on(world, "p", "n1"));
    told(world, "release uid-p 3");
    assert_int_equal(pending_work_pool(world), 0);
}

static void deleted(void **state)
{
    struct world *world = *state;
    quiet(world, "p");
    removed(world, pod_on(world, "p", "n1"));
    told(world, "release uid-p 1");
    assert_int_equal(pending_work_pool(world), 0);
}

static void its_node_goes_and_comes_back(void **state)
{
    struct world *world = *state;
    quiet(world, "p");
    removed(world, node(world, "n1"));
    work(world);
    assert_int_equal(task_of(world, "p")->state, YK_TASK_NEW);
    assert_true(has_pending_work(world, "p"));
    upsert(world, node(world, "n1"));
    work(world);
    assert_int_equal(task_of(world, "p")->state, YK_TASK_BOUND);
    assert_false(has_pending_work(world, "p"));
    yk_buf_done(&world->core.log);
}

/* A write that failed late is of no interest to a pod that has its node. */
static void a_late_answer(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    assert_non_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
    send_on(world, "p");
    assert_false(has_pending_work(world, "p"));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_RETRY, 500, "oops"));
    pass(world, 10 * YK_NS_PER_S);
    assert_false(has_pending_work(world, "p"));
    yk_buf_done(&world->core.log);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(from_decision_to_quiet),
        CASE(whoever_waits_keeps_it),
        cmocka_unit_test_setup_teardown(a_standby_keeps_none, set_up_standby, tear_down),
        CASE(those_that_ran_before_us_have_none),
        CASE(resized),
        CASE(labelled_anew),
        CASE(preempted),
        CASE(deleted),
        CASE(its_node_goes_and_comes_back),
        CASE(a_late_answer),
    };
    return cmocka_run_group_tests_name("bind/pending_work", tests, NULL, NULL);
}
