/* SPDX-License-Identifier: Apache-2.0 */
/* What the health check compares: pods as the API server has them, and the core's allocations (rest.md 6). */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

static void collect(void *context, const char *name)
{
    struct yk_buf *names = context;
    yk_buf_printf(names, "%s%s", names->len > 0 ? " " : "", name);
}

/* Names of pods on nodes without an allocation. The table is read a few slots at a time. */
static void unallocated(struct world *world, const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf names = {0};
    uint64_t cursor = 0;
    while (world->core.callbacks->find_unallocated(world->core.rm, &cursor, 3, collect, &names))
        ;
    assert_string_equal(yk_buf_cstr(&names), want);
}

static bool is_placed(struct world *world, const char *key, const char *node)
{
    const struct fake_ask *ask = fake_core_ask(&world->core, key);
    assert_non_null(ask);
    for (size_t i = 0; i < world->core.node_count; i++) {
        if (strcmp(world->core.nodes[i].name, node) == 0)
            return world->core.callbacks->is_placed(world->core.rm, ask->cookie, world->core.nodes[i].cookie);
    }
    fail_msg("no node %s", node);
    return false;
}

static void an_allocation_without_a_bound_pod(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(is_placed(world, "uid-p", "n1")); /* its bind is under way */
    assert_false(is_placed(world, "uid-p", "n2"));
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_false(is_placed(world, "uid-p", "n1")); /* answered, and the API server does not show it */
    upsert(world, pod_on(world, "p", "n1"));
    settle(world);
    assert_true(is_placed(world, "uid-p", "n1"));
    unallocated(world, "");
}

static void a_bound_pod_without_an_allocation(void **state)
{
    struct world *world = *state;
    running(world);
    for (int i = 0; i < 20; i++) {
        char name[8];
        snprintf(name, sizeof(name), "p%d", i);
        upsert(world, pod_on(world, name, "n1"));
    }
    settle(world);
    unallocated(world, "");
    struct fake_ask *ask = fake_core_ask(&world->core, "uid-p7");
    assert_non_null(ask);
    snprintf(ask->node, sizeof(ask->node), "%s", "n2"); /* the core believes something else */
    unallocated(world, "ns/p7");
    snprintf(ask->node, sizeof(ask->node), "%s", "");
    unallocated(world, "ns/p7");
    snprintf(ask->node, sizeof(ask->node), "%s", "n1");
    unallocated(world, "");
}

/* Pods that have no allocation for a good reason. */
static void nothing_is_expected_of(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "waits"));
    struct yk_pod *foreign = pod_on(world, "foreign", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    upsert(world, foreign);
    upsert(world, pod_on(world, "on-an-unknown-node", "n9"));
    struct yk_pod *going = pod_on(world, "going", "n1");
    going->object.deleting = true;
    upsert(world, going);
    settle(world);
    unallocated(world, "");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(an_allocation_without_a_bound_pod),
        CASE(a_bound_pod_without_an_allocation),
        CASE(nothing_is_expected_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
