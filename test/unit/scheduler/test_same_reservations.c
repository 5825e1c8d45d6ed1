/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core and naive scheduler decide the same when reservations are on: who is overtaken, which ask gets a
 * reservation, on which node, who uses the node, and when the reservation ends (scheduling.md 4), one
 * decision at a time. Six nodes allow one reservation or few, 24 allow more.
 */
#include "scheduler/proof.h"

enum { RUNS = 40, STEPS = 1500 };

static void compare(const struct proof_style *style)
{
    static struct proof proof;
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS, decisions = 0, reserved = 0;
    uint64_t seed = proof_seed(&runs, &steps), made = 0;
    for (uint64_t i = 0; i < runs; i++) {
        proof_init(&proof, seed + i, style);
        while (proof.step < steps)
            proof_step(&proof);
        decisions += proof.decisions;
        reserved += proof.reserved;
        made += proof.naive.reservations;
        proof_done(&proof);
    }
    print_message("%zu decisions, %llu reservations, %zu looks at them\n", decisions,
                  (unsigned long long)made, reserved);
    if (runs == RUNS) /* a run without reservations proves nothing */
        assert_true(decisions > runs * STEPS / 20 && made > runs && reserved > 10 * runs);
}

static void few_nodes(void **state)
{
    (void)state;
    compare(&(struct proof_style){.exact = true,
                                  .reserves = true,
                                  .no_gangs = true,
                                  .reloads = true,
                                  .kills = true,
                                  .naive = {.unlimited = true}});
}

static void many_nodes(void **state)
{
    (void)state;
    compare(&(struct proof_style){.exact = true,
                                  .reserves = true,
                                  .no_gangs = true,
                                  .nodes = NAIVE_NODES,
                                  .reloads = true,
                                  .kills = true,
                                  .naive = {.unlimited = true}});
}

static void with_gangs(void **state)
{
    (void)state;
    compare(&(struct proof_style){
        .exact = true, .reserves = true, .reloads = true, .kills = true, .naive = {.unlimited = true}});
}

/*
 * With preemption the naive scheduler predicts no decisions: it judges each set of victims by the laws of 6.1
 * and 6.2, and each reservation by section 4.
 */
static void with_preemption(void **state)
{
    (void)state;
    static struct proof proof;
    static const struct proof_style style = {.reloads = true, .kills = true, .naive = {.preemption = true}};
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS, judged = 0, reserved = 0;
    uint64_t seed = proof_seed(&runs, &steps);
    for (uint64_t i = 0; i < runs; i++) {
        proof_init(&proof, seed + i, &style);
        while (proof.step < steps)
            proof_step(&proof);
        judged += proof.judged;
        reserved += proof.reserved;
        proof_done(&proof);
    }
    print_message("%zu preemptions for guarantees, %zu looks at reserved nodes\n", judged, reserved);
    if (runs == RUNS) /* a run without preemption proves nothing */
        assert_true(judged > runs / 6 && reserved > runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(few_nodes, proof_where),
                                       cmocka_unit_test_teardown(many_nodes, proof_where),
                                       cmocka_unit_test_teardown(with_gangs, proof_where),
                                       cmocka_unit_test_teardown(with_preemption, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
