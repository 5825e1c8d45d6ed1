/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of few among many: how many pods in each of 50,000 domains, when most have none.
 *
 * Open addressing with linear probing and backward-shift removal; only what is above zero takes room. Get and
 * change O(1) on average. Thread: scheduling thread only.
 */
#ifndef YK_PREDICATES_COUNTS_H
#define YK_PREDICATES_COUNTS_H

#include "base/base.h"

struct yk_count {
    uint32_t key, value; /* value 0: free */
};

struct yk_counts {
    struct yk_count *slots; /* owned */
    uint32_t used;          /* keys above zero */
    uint32_t mask;          /* slots - 1; 0 while empty */
};

void yk_counts_done(struct yk_counts *counts);
/* Adds `change`, which does not take it below zero. Returns what it is then. */
uint32_t yk_counts_add(struct yk_counts *counts, uint32_t key, int change);

static inline uint32_t yk_counts_slot(const struct yk_counts *counts, uint32_t key)
{
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & counts->mask;
}

static inline uint32_t yk_counts_get(const struct yk_counts *counts, uint32_t key)
{
    if (counts->used == 0)
        return 0;
    for (uint32_t at = yk_counts_slot(counts, key);; at = (at + 1) & counts->mask) {
        if (counts->slots[at].value == 0 || counts->slots[at].key == key)
            return counts->slots[at].value;
    }
}

#endif
