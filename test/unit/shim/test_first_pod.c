/* SPDX-License-Identifier: Apache-2.0 */
/* An application is what its first pod says (queues.md A12). */
#include "shim/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct yk_pod *pod_of(struct world *world, const char *name, const char *queue, const char *user)
{
    struct yk_pod *made = pod(world, name);
    add_pair(&made->object, &made->object.labels, "queue", queue);
    add_pair(&made->object, &made->object.labels, "yunikorn.apache.org/username", user);
    return made;
}

/* The world tells what it submits: "app app" once; the fake core keeps the last submission. */
static void later_pods_change_nothing(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_of(world, "first", "root.a", "ann"));
    told(world, "app app; ask uid-first");
    assert_string_equal(world->core.last_queue, "root.a");
    assert_string_equal(world->core.last_user, "ann");
    upsert(world, pod_of(world, "second", "root.b", "bob"));
    told(world, "ask uid-second");
    assert_string_equal(world->core.last_queue, "root.a");
    assert_string_equal(world->core.last_user, "ann");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(later_pods_change_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
