/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core and naive scheduler decide the same, one decision at a time: same ask, same node, same order
 * (scheduling.md 2 to 5, queues.md O1 to O14, L7 to L13, R29, R35).
 */
#include "scheduler/proof.h"

enum { RUNS = 120, STEPS = 1500 };

static void decisions_are_the_same(void **state)
{
    (void)state;
    static struct proof proof;
    static const struct proof_style style = {.exact = true, .reloads = true, .kills = true};
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS, decisions = 0, replaced = 0, recoveries = 0;
    uint64_t seed = proof_seed(&runs, &steps);
    for (uint64_t i = 0; i < runs; i++) {
        proof_init(&proof, seed + i, &style);
        while (proof.step < steps)
            proof_step(&proof);
        decisions += proof.decisions;
        replaced += proof.replaced;
        recoveries += proof.recoveries;
        proof_done(&proof);
    }
    print_message("%zu decisions, %zu replacements, %zu recoveries\n", decisions, replaced, recoveries);
    if (runs == RUNS) /* a run without decisions proves nothing */
        assert_true(decisions > runs * STEPS / 20 && replaced > runs && recoveries > runs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(decisions_are_the_same, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
