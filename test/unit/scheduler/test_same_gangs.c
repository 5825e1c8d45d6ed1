/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core and naive scheduler let the same incomplete gangs give way: which placeholders end, in which order,
 * for which gang or ask, on which nodes that starts, and when (scheduling.md 5.6 to 5.8).
 */
#include "scheduler/proof.h"

enum { RUNS = 40, STEPS = 1500 };

static void compare(const struct proof_style *style)
{
    static struct proof proof;
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS, looks = 0, gave_way = 0, given_up = 0, whole = 0,
           served = 0;
    uint64_t seed = proof_same_seed(&runs, &steps); /* about one of 1,000 differs */
    for (uint64_t i = 0; i < runs; i++) {
        proof_init(&proof, seed + i, style);
        while (proof.step < steps)
            proof_step(&proof);
        looks += proof.gang_looks;
        gave_way += proof.gave_way;
        given_up += proof.given_up;
        whole += proof.started_whole;
        served += proof.asks_served;
        proof_done(&proof);
    }
    print_message("%zu looks, %zu times gangs gave way, %zu placeholders ended, %zu gangs started whole, "
                  "%zu asks were served\n",
                  looks, gave_way, given_up, whole, served);
    if (runs == RUNS) /* a run in which no gang gives way proves nothing */
        assert_true(looks > 10 * runs && gave_way > runs / 2 && given_up > runs && whole > runs / 5 &&
                    served > runs / 3);
}

static void with_limits(void **state)
{
    (void)state;
    compare(&(struct proof_style){
        .exact = true, .gang_heavy = true, .reloads = true, .kills = true, .naive = {.gives_way = true}});
}

static void without_limits(void **state)
{
    (void)state;
    compare(&(struct proof_style){.exact = true,
                                  .gang_heavy = true,
                                  .reloads = true,
                                  .kills = true,
                                  .naive = {.gives_way = true, .unlimited = true}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(with_limits, proof_where),
                                       cmocka_unit_test_teardown(without_limits, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
