/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yk_turn_compare() says in which order the walk tries groups (scheduling.md 3.3): after random changes of
 * priorities, policies, shares and of the type of queues (queues.md R15), the next ask that is placed belongs
 * to the first group in turn order, whether the asks have not been tried yet or wait for nodes.
 */
#include "state/turn_order.h"

#include "lib/core_crowd.h"
#include "pending/fair_shares.h"

enum { RUNS = 12, ROUNDS = 60 };

/* A queue with a limit may refuse its asks: they are passed by. */
static bool is_refused(const struct yk_group *group)
{
    return !yk_queue_has_headroom(group->app->leaf, &group->shape->size, NULL);
}

static const char *next_key(const struct crowd *crowd)
{
    struct yk_group *groups[CROWD_PODS];
    size_t count = crowd_groups(crowd, groups);
    for (size_t i = 0; i < count; i++) {
        if (!is_refused(groups[i]))
            return groups[i]->first->key;
    }
    return NULL;
}

/* A total order: no two groups are equal, and each comes before those behind it. */
static void check_order(const struct crowd *crowd)
{
    struct yk_group *groups[CROWD_PODS];
    size_t count = crowd_groups(crowd, groups);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(yk_turn_compare(groups[i], groups[i]), 0);
        for (size_t j = i + 1; j < count; j++)
            assert_true(yk_turn_compare(groups[i], groups[j]) < 0 &&
                        yk_turn_compare(groups[j], groups[i]) > 0);
    }
}

/* Places up to `count` asks; returns how many. */
static size_t place(struct crowd *crowd, size_t count)
{
    struct yk_partition *partition = yk_core_find_partition(crowd->world.core, YK_STR("default"));
    size_t placed = 0;
    world_node_action(&crowd->world, "n2", YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    while (yk_fair_shares_step(partition)) /* as the next turn does before it decides */
        ;
    for (; placed < count; placed++) {
        const char *wanted = next_key(crowd);
        size_t decided = world_schedule_one(&crowd->world);
        assert_int_equal(decided, wanted != NULL);
        if (wanted == NULL)
            break;
        assert_string_equal(crowd->world.last_key, wanted);
    }
    world_node_action(&crowd->world, "n2", YK_SI_NODE_DRAIN);
    world_check(&crowd->world);
    return placed;
}

static void the_walk_follows_it(void **state)
{
    static struct crowd crowd;
    size_t placed = 0;
    uint64_t seed = yk_random_system_seed() >> 1;
    (void)state;
    print_message("YK_SEED=%llu\n", (unsigned long long)seed);
    for (uint64_t run = 0; run < RUNS; run++) {
        crowd_init(&crowd, seed + run);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 40; i++) {
                crowd_change(&crowd);
                if (crowd_below(&crowd, 8) == 0) /* some wait for nodes, others have not been tried */
                    assert_int_equal(world_schedule(&crowd.world), 0);
            }
            check_order(&crowd);
            placed += place(&crowd, (size_t)crowd_below(&crowd, 12));
        }
        crowd_done(&crowd);
    }
    print_message("%zu placed\n", placed);
    assert_true(placed > RUNS * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_walk_follows_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
