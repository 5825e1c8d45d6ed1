/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seeded random numbers (xoshiro256**). Decisions use no other random numbers, so that runs with the same
 * seed make the same decisions. Not for secrets.
 * Thread: any; each generator is used by one thread.
 */
#ifndef YK_BASE_RANDOM_H
#define YK_BASE_RANDOM_H

#include "base/base.h"

struct yk_random {
    uint64_t state[4];
};

/* Makes a generator. The same seed gives the same numbers. */
void yk_random_init(struct yk_random *random, uint64_t seed);
/* The next random number, uniform in [0, 2^64). */
uint64_t yk_random_u64(struct yk_random *random);
/* A random number, uniform in [0, bound); bound > 0. */
uint64_t yk_random_below(struct yk_random *random, uint64_t bound);
/* A random number, uniform in [0, 1). */
double yk_random_unit(struct yk_random *random);
/* A random seed from the operating system; a constant if the system has none. */
uint64_t yk_random_system_seed(void);

#endif
