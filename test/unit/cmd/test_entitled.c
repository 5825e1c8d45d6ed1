/* SPDX-License-Identifier: Apache-2.0 */
/* Entitlements and packing bounds against cases that are worked out by hand. */
#include "cmd/entitled.h"
#include "cmd/packing.h"
#include "lib/amounts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LEAVES_MAX = 4 };

static struct yk_resvec amounts(int64_t cores, int64_t memory)
{
    struct yk_resvec amounts = {0};
    yk_resvec_put(&amounts, YK_RESTYPE_VCORE, cores);
    yk_resvec_put(&amounts, YK_RESTYPE_MEMORY, memory);
    return amounts;
}

struct leaf_case {
    int64_t demand, memory;  /* 0: the leaf is not there */
    int64_t guaranteed, max; /* cores; 0: none */
    int32_t priority;
    uint64_t groups; /* 0: all */
    int64_t want;    /* cores */
};

/* A root with leaves below it; capacities of up to two groups of nodes. */
static void shares_are_dealt_out(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t groups[2], memory;
        struct leaf_case leaves[LEAVES_MAX];
        bool lacks;
    } cases[] = {
        {"equal queues share equally",
         {3200},
         6400,
         {{.demand = 9000, .want = 1600}, {.demand = 9000, .want = 1600}},
         true},
        {"who wants less leaves the rest",
         {3200},
         6400,
         {{.demand = 400, .want = 400}, {.demand = 9000, .want = 2800}},
         true},
        {"all demand is met",
         {3200},
         6400,
         {{.demand = 400, .want = 400}, {.demand = 900, .want = 900}},
         false},
        {"in proportion to the guarantees",
         {5000},
         9000,
         {{.demand = 9000, .guaranteed = 1000, .want = 1000},
          {.demand = 9000, .guaranteed = 1000, .want = 1000},
          {.demand = 9000, .guaranteed = 1000, .want = 1000},
          {.demand = 9000, .guaranteed = 2000, .want = 2000}},
         true},
        {"what is left goes on in that proportion",
         {6000},
         9000,
         {{.demand = 9000, .guaranteed = 1000, .want = 2000},
          {.demand = 9000, .guaranteed = 2000, .want = 4000}},
         true},
        {"guarantees go before queues without one",
         {3200},
         6400,
         {{.demand = 9000, .guaranteed = 2400, .want = 2400}, {.demand = 9000, .want = 800}},
         true},
        {"the share of a queue is that of its maximum",
         {3200},
         6400,
         {{.demand = 9000, .max = 400, .want = 356}, {.demand = 9000, .want = 2844}},
         true},
        {"a maximum is not passed",
         {3200},
         6400,
         {{.demand = 9000, .max = 400, .want = 400}, {.demand = 2000, .want = 2000}},
         false},
        {"a maximum alone is no lack of capacity",
         {3200},
         6400,
         {{.demand = 9000, .max = 400, .want = 400}},
         false},
        {"higher priority first",
         {3200},
         6400,
         {{.demand = 2000, .priority = 5, .want = 2000}, {.demand = 9000, .want = 1200}},
         true},
        {"the scarce type counts",
         {4000},
         4000,
         {{.demand = 8000, .memory = 800, .want = 3636}, {.demand = 800, .memory = 8000, .want = 364}},
         true},
        {"nodes that one queue may use are left to it",
         {1600, 1600},
         6400,
         {{.demand = 9000, .groups = 1, .want = 1600}, {.demand = 9000, .groups = 3, .want = 1600}},
         true},
        {"a queue cannot use nodes that it may not",
         {800, 2400},
         6400,
         {{.demand = 9000, .groups = 1, .want = 800}, {.demand = 9000, .groups = 2, .want = 2400}},
         true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_entitled_queue queues[LEAVES_MAX + 1] = {{.priority_sort = true}};
        struct yk_entitled_demand demands[LEAVES_MAX] = {{.queue = 0}};
        struct yk_resvec groups[2] = {amounts(cases[i].groups[0], cases[i].memory),
                                      amounts(cases[i].groups[1], cases[i].memory)};
        size_t count = 0;
        for (; count < LEAVES_MAX && cases[i].leaves[count].demand > 0; count++) {
            const struct leaf_case *leaf = &cases[i].leaves[count];
            queues[count + 1].is_leaf = true;
            queues[count + 1].has_guaranteed = leaf->guaranteed > 0;
            queues[count + 1].has_max = leaf->max > 0;
            yk_resvec_put(&queues[count + 1].guaranteed, YK_RESTYPE_VCORE, leaf->guaranteed);
            yk_resvec_put(&queues[count + 1].max, YK_RESTYPE_VCORE, leaf->max);
            demands[count].queue = count + 1;
            demands[count].priority = leaf->priority;
            demands[count].groups = leaf->groups > 0 ? leaf->groups : 3;
            set_amounts(&demands[count].amounts, amounts(leaf->demand, leaf->memory));
        }
        struct yk_entitled in = {.queues = queues,
                                 .queue_count = count + 1,
                                 .demands = demands,
                                 .demand_count = count,
                                 .groups = groups,
                                 .group_count = cases[i].groups[1] > 0 ? 2 : 1};
        yk_entitled_compute(&in);
        double sum = 0;
        for (size_t leaf = 0; leaf < count; leaf++) {
            double got = queues[leaf + 1].entitled[YK_RESTYPE_VCORE];
            sum += got;
            if (fabs(got - (double)cases[i].leaves[leaf].want) > 12)
                fail_msg("%s: leaf %zu got %.0f", cases[i].what, leaf, got);
        }
        if (fabs(sum - queues[0].entitled[YK_RESTYPE_VCORE]) > 1 || in.lacks_capacity != cases[i].lacks)
            fail_msg("%s: the root has %.0f, lacks capacity: %d", cases[i].what,
                     queues[0].entitled[YK_RESTYPE_VCORE], in.lacks_capacity);
    }
}

/* A guarantee of a parent holds for what is below it, and a priority fence hides what is behind it. */
static void parents_and_fences_count(void **state)
{
    (void)state;
    struct yk_entitled_queue queues[] = {
        {.priority_sort = true},
        {.priority_sort = true, .has_guaranteed = true, .guaranteed = amounts(3000, 0)},
        {.parent = 1, .is_leaf = true},
        {.parent = 1, .is_leaf = true},
        {.is_leaf = true, .priority_fence = true},
    };
    struct yk_entitled_demand demands[] = {
        {.queue = 2, .amounts = amounts(9000, 0), .groups = 1},
        {.queue = 3, .amounts = amounts(9000, 0), .groups = 1},
        {.queue = 4, .amounts = amounts(9000, 0), .groups = 1, .priority = 100},
    };
    struct yk_resvec group = amounts(4000, 1000);
    yk_resvec_put(&queues[1].guaranteed, YK_RESTYPE_VCORE, 3000);
    yk_resvec_remove(&queues[1].guaranteed, YK_RESTYPE_MEMORY);
    struct yk_entitled in = {queues, 5, demands, 3, &group, 1, false};
    yk_entitled_compute(&in);
    assert_true(fabs(queues[2].entitled[YK_RESTYPE_VCORE] - 1500) < 12);
    assert_true(fabs(queues[3].entitled[YK_RESTYPE_VCORE] - 1500) < 12);
    assert_true(fabs(queues[4].entitled[YK_RESTYPE_VCORE] - 1000) < 12);
}

static void nodes_are_packed(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t cores, memory, sizes[3], memory_of[3], want;
    } cases[] = {
        {"it comes out even", 8000, 64, {2000}, {1}, 8000},
        {"a rest that nothing fits into", 8000, 64, {3000}, {1}, 6000},
        {"a mix fills it", 8000, 64, {5000, 3000}, {1, 1}, 8000},
        {"not the largest first", 8000, 64, {6000, 4000}, {1, 1}, 8000},
        {"memory ends first", 8000, 64, {1000}, {32}, 2000},
        {"nothing fits", 8000, 64, {9000}, {1}, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec node = amounts(cases[i].cores, cases[i].memory), sizes[3] = {{0}, {0}, {0}};
        struct yk_packing_pod pods[3];
        size_t count = 0;
        for (; count < 3 && cases[i].sizes[count] > 0; count++) {
            set_amounts(&sizes[count], amounts(cases[i].sizes[count], cases[i].memory_of[count]));
            pods[count] = (struct yk_packing_pod){&sizes[count], (double)cases[i].sizes[count]};
        }
        double got = yk_packing_bound(&node, pods, count);
        if (fabs(got - (double)cases[i].want) > 0.5)
            fail_msg("%s: got %f", cases[i].what, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_dealt_out),
        cmocka_unit_test(parents_and_fences_count),
        cmocka_unit_test(nodes_are_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
