/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of volumes is asked for once a pod has some (kubernetes.md, "What is read of each kind"). */
#include "shim/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct yk_pod *with_volume(struct yk_pod *pod, bool has_claim)
{
    pod->volumes = yk_arena_alloc0(&pod->object.arena, sizeof(*pod->volumes));
    pod->volume_count = 1;
    pod->volumes[0].has_claim = has_claim;
    return pod;
}

static int watched(const struct world *world)
{
    int count = 0;
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++)
        count += world->api.sinks[kind] != NULL;
    return count;
}

static void nothing_is_watched_for_pods_without_disks(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, with_volume(pod(world, "first"), false));
    told(world, "app app; ask uid-first");
    assert_int_equal(watched(world), 0);
}

static void the_first_pod_with_a_claim_starts_all_watches(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, with_volume(pod(world, "first"), true));
    assert_int_equal(watched(world), 7);
    told(world, "app app; ask uid-first"); /* nothing waits for the lists */

    yk_watch_sink *sink = world->api.sinks[YK_KIND_VOLUME];
    world->api.sinks[YK_KIND_VOLUME] = NULL;
    upsert(world, with_volume(pod(world, "second"), true));
    assert_null(world->api.sinks[YK_KIND_VOLUME]); /* once is enough */
    world->api.sinks[YK_KIND_VOLUME] = sink;
    told(world, "ask uid-second");
}

static void a_foreign_pod_on_a_node_counts_too(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *waiting = with_volume(pod(world, "waiting"), true);
    set_text(&waiting->object, &waiting->scheduler_name, "other");
    upsert(world, waiting);
    assert_int_equal(watched(world), 0);
    struct yk_pod *bound = with_volume(pod_on(world, "bound", "n1"), true);
    set_text(&bound->object, &bound->scheduler_name, "other");
    upsert(world, bound);
    assert_int_equal(watched(world), 7);
    settle(world);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(nothing_is_watched_for_pods_without_disks),
        CASE(the_first_pod_with_a_claim_starts_all_watches),
        CASE(a_foreign_pod_on_a_node_counts_too),
    };
    return cmocka_run_group_tests_name("bind/volume_watches", tests, NULL, NULL);
}
