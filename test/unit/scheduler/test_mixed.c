/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All there is at once: reservations, daemon sets, preemption by guarantee and by quota, gangs, reloads,
 * nodes that come and go, and schedulers that are killed. Whatever the core decides is within all limits, and
 * nothing waits that could run (docs/design.md, Invariants 1 to 6; scheduling.md 7.5).
 */
#include "scheduler/proof.h"

enum { RUNS = 120, STEPS = 1500 };

static void limits_hold_and_nothing_waits(void **state)
{
    (void)state;
    static struct proof proof;
    static const struct proof_style style = {
        .reloads = true, .kills = true, .naive = {.preemption = true, .second_partition = true}};
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS, decisions = 0, looks = 0, preempted = 0,
           reserved = 0;
    uint64_t seed = proof_seed(&runs, &steps);
    for (uint64_t i = 0; i < runs; i++) {
        proof_init(&proof, seed + i, &style);
        while (proof.step < steps)
            proof_step(&proof);
        decisions += proof.decisions;
        looks += proof.looks;
        preempted += proof.preempted;
        reserved += proof.reserved;
        proof_done(&proof);
    }
    print_message("%zu decisions, %zu looks at what waits, %zu preempted, %zu looks at reserved nodes\n",
                  decisions, looks, preempted, reserved);
    if (runs == RUNS)
        assert_true(decisions > runs * STEPS / 20 && looks > runs * STEPS && preempted > runs &&
                    reserved > runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(limits_hold_and_nothing_waits, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
