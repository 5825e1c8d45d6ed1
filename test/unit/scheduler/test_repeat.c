/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Same seed, same decisions: a run is repeated with memory laid out otherwise, and the core tells its
 * resource manager the same in the same order (docs/design.md, Seams).
 */
#include "scheduler/proof.h"

#include <stdlib.h>

enum { RUNS = 30, STEPS = 500, BLOCKS = 64 };

/* What comes from malloc() afterwards lies elsewhere, in another order. */
static void make_noise(struct yk_random *random, void *blocks[BLOCKS])
{
    uint64_t at = yk_random_below(random, BLOCKS);
    free(blocks[at]);
    blocks[at] = yk_calloc(1, 1 + yk_random_below(random, 2000));
}

/* Everything that was told, as one number. */
static uint64_t run(uint64_t seed, size_t steps, bool noisy)
{
    static const struct proof_style style = {.reloads = true, .kills = true, .naive = {.preemption = true}};
    static struct proof proof;
    struct yk_random noise;
    void *blocks[BLOCKS] = {NULL};
    yk_random_init(&noise, seed);
    for (int i = 0; i < BLOCKS && noisy; i++)
        make_noise(&noise, blocks);
    proof_init(&proof, seed, &style);
    while (proof.step < steps) {
        proof_step(&proof);
        if (noisy)
            make_noise(&noise, blocks);
    }
    uint64_t story = proof.story ^ proof.world.story;
    proof_done(&proof);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return story;
}

static void same_seed_same_story(void **state)
{
    (void)state;
    size_t runs = RUNS / ONE_THREAD_PART, steps = STEPS;
    uint64_t seed = proof_seed(&runs, &steps), before = 0;
    for (uint64_t i = 0; i < runs; i++) {
        uint64_t story = run(seed + i, steps, false);
        if (story != run(seed + i, steps, true))
            fail_msg("YK_SEED=%llu: not the same twice", (unsigned long long)(seed + i));
        assert_true(story != before); /* another seed is another story */
        before = story;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(same_seed_same_story, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
