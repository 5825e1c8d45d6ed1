/* SPDX-License-Identifier: Apache-2.0 */
/* Applications that end while pods come. */
#include "bind/pod_status.h"
#include "lib/cmocka_headers.h"
#include "shim/world.h"

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

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_pod_comes_while_its_application_fails),
        CASE(a_pod_comes_as_its_application_completes),
        CASE(finished_applications_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
