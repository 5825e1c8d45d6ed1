/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for nodes is listed in turn order, and a search finds what a scan of all groups finds
 * (scheduling.md 4.5), after random changes of asks, applications and queues.
 */
#include "pending/wait_order.h"

#include "lib/core_crowd.h"

enum { RUNS = 12, CHANGES = 1200 };

struct visits {
    struct yk_group *groups[CROWD_PODS];
    size_t count;
    size_t ends_at; /* visits after which the search ends */
    bool takes;     /* it ends by taking the group */
};

static enum yk_wait_visit visit(void *context, struct yk_group *group)
{
    struct visits *visits = context;
    visits->groups[visits->count++] = group;
    if (visits->count <= visits->ends_at)
        return YK_WAIT_VISIT_NEXT;
    return visits->takes ? YK_WAIT_VISIT_TAKE : YK_WAIT_VISIT_STOP;
}

/* Those of all groups that wait for nodes, in applications that may be tried, and fit; NULL: all fit. */
static size_t scan(const struct crowd *crowd, const struct yk_resvec *capacity,
                   struct yk_group *ret_groups[CROWD_PODS])
{
    struct yk_group *all[CROWD_PODS];
    size_t count = 0, pending = crowd_groups(crowd, all);
    for (size_t i = 0; i < pending; i++) {
        const struct yk_app *app = all[i]->app;
        if (all[i]->wait == YK_WAIT_NODES && !app->start.held && !yk_list_linked(&app->start.in_gated) &&
            (capacity == NULL || yk_resvec_fit(capacity, &all[i]->shape->size)))
            ret_groups[count++] = all[i];
    }
    return count;
}

static void compare(struct crowd *crowd, const struct yk_resvec *capacity, size_t ends_at, bool takes)
{
    struct visits visits = {.ends_at = ends_at, .takes = takes};
    struct yk_group *wanted[CROWD_PODS];
    const struct yk_wait_search search = {.capacity = capacity, .visit = visit, .context = &visits};
    const struct yk_queue *root = world_partition(&crowd->world)->root;
    size_t count = scan(crowd, capacity, wanted);
    const struct yk_group *found = yk_wait_order_find(root, &search);
    assert_int_equal(visits.count, YK_MIN(count, ends_at == SIZE_MAX ? count : ends_at + 1));
    for (size_t i = 0; i < visits.count; i++)
        assert_ptr_equal(visits.groups[i], wanted[i]);
    assert_ptr_equal(found, takes && ends_at < count ? wanted[ends_at] : NULL);
    if (capacity == NULL)
        assert_int_equal(yk_wait_order_is_empty(root), count == 0);
}

static void compare_all(struct crowd *crowd)
{
    compare(crowd, NULL, SIZE_MAX, false);
    for (int i = 0; i < 3; i++) {
        struct yk_resvec capacity =
            world_size(1000 * (int64_t)crowd_below(crowd, 7), 100 * (int64_t)crowd_below(crowd, 7));
        compare(crowd, &capacity, SIZE_MAX, false);
        compare(crowd, &capacity, (size_t)crowd_below(crowd, 5), crowd_below(crowd, 2) == 0);
    }
    /* of the others there is nothing */
    YK_RESVEC(one_type);
    yk_resvec_put(&one_type, YK_RESTYPE_VCORE, 100000);
    compare(crowd, &one_type, SIZE_MAX, false);
}

static void order_and_search(void **state)
{
    static struct crowd crowd;
    size_t most = 0;
    uint64_t seed = yk_random_system_seed() >> 1;
    (void)state;
    print_message("YK_SEED=%llu\n", (unsigned long long)seed);
    for (uint64_t run = 0; run < RUNS; run++) {
        crowd_init(&crowd, seed + run);
        for (int i = 0; i < CHANGES; i++) {
            struct yk_group *waiting[CROWD_PODS];
            crowd_change(&crowd);
            if (crowd_below(&crowd, 3) > 0)
                assert_int_equal(world_schedule(&crowd.world), 0);
            compare_all(&crowd);
            most = YK_MAX(most, scan(&crowd, NULL, waiting));
        }
        crowd_done(&crowd);
    }
    print_message("up to %zu groups waited\n", most);
    assert_true(most > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_and_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
