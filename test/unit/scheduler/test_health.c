/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md 6: what the health check says of errors that are over (D12). */
#include "scheduler/world.h"

static const struct yk_health_check *errors_check(const struct world *world)
{
    const struct yk_health_check *check = &world->core->health.checks[0];
    assert_string_equal(check->name, "Scheduling errors");
    return check;
}

/* The core refuses an allocation on a node that it does not know. */
static void provoke_error(struct world *world, const char *key)
{
    size_t before = world->alloc_rejected;
    world_ask_full(world, "app", key, 1, 1, 0, 0, "nowhere");
    assert_int_equal(world->alloc_rejected, before + 1);
}

static void errors_count_until_the_next_inspection(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_submit(&world, "app", "root.a", "ann");
    static const struct {
        const char *what;
        int errors;
        bool succeeded;
        const char *diagnosis;
    } inspections[] = {
        {"nothing yet", 0, true, "There were 0 scheduling errors logged in the metrics"},
        {"two errors", 2, false, "There were 2 scheduling errors logged in the metrics"},
        {"none since", 0, true, "There were 2 scheduling errors logged in the metrics"},
        {"another", 1, false, "There were 3 scheduling errors logged in the metrics"},
        {"and none since", 0, true, "There were 3 scheduling errors logged in the metrics"},
    };
    int number = 0;
    for (size_t i = 0; i < YK_COUNT(inspections); i++) {
        for (int n = 0; n < inspections[i].errors; n++) {
            char key[16];
            (void)snprintf(key, sizeof(key), "key-%d", number++);
            provoke_error(&world, key);
        }
        yk_health_run(world.core);
        const struct yk_health_check *check = errors_check(&world);
        if (check->succeeded != inspections[i].succeeded || world.core->health.healthy != check->succeeded)
            fail_msg("%s: %s", inspections[i].what, check->diagnosis);
        assert_string_equal(check->diagnosis, inspections[i].diagnosis);
    }
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_count_until_the_next_inspection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
