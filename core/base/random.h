/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seeded random numbers (xoshiro256**): the only source of randomness, so that a seed repeats a run.
 * Thread: one generator, one thread. Not for secrets.
 */
#ifndef YK_BASE_RANDOM_H
#define YK_BASE_RANDOM_H

#include "base/base.h"

struct yk_random {
    uint64_t state[4];
};

/* Makes a generator. The same seed gives the same numbers. */
void yk_random_init(struct yk_random *random, uint64_t seed);
/* The next number: all 64 bits are random. */
uint64_t yk_random_u64(struct yk_random *random);
/* A random number, uniform in [0, bound); bound > 0. */
uint64_t yk_random_below(struct yk_random *random, uint64_t bound);
/* A random number, uniform in [0, 1). */
double yk_random_unit(struct yk_random *random);
/* A seed from the operating system. */
uint64_t yk_random_system_seed(void);

#endif
