/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include <sys/random.h>

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void yk_random_init(struct yk_random *random, uint64_t seed)
{
    for (size_t i = 0; i < YK_COUNT(random->state); i++)
        random->state[i] = split_mix(&seed);
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

/* xoshiro256** (Blackman, Vigna: "Scrambled linear pseudorandom number generators"). */
uint64_t yk_random_u64(struct yk_random *random)
{
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t yk_random_below(struct yk_random *random, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)yk_random_u64(random) * bound >> 64);
}

double yk_random_unit(struct yk_random *random)
{
    return (double)(yk_random_u64(random) >> 11) * 0x1p-53;
}

uint64_t yk_random_system_seed(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
        seed = UINT64_C(0x5eed);
    return seed;
}
