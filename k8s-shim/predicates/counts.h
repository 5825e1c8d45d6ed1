/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts by key. Most counts are 0: for example the number of pods in each of 50,000 domains.
 *
 * Owns:   a map (base/map.h) of the counts above 0. In a zeroed struct, every count is 0.
 * Thread: scheduling thread only.
 */
#ifndef YK_PREDICATES_COUNTS_H
#define YK_PREDICATES_COUNTS_H

#include "base/map.h"

struct yk_counts {
    /* Key -> the count, as a pointer, for counts above 0. Other code may read the map. */
    struct yk_idmap map;
};

static inline void yk_counts_done(struct yk_counts *counts)
{
    yk_idmap_done(&counts->map);
}

/* The count of the key. O(1) on average. */
static inline uint32_t yk_counts_get(const struct yk_counts *counts, uint32_t key)
{
    return (uint32_t)(uintptr_t)yk_idmap_get(&counts->map, key);
}

/* Adds `change`, which may be negative, to the count of the key. The count must not become negative. Returns
 * the new count. O(1) on average. */
static inline uint32_t yk_counts_add(struct yk_counts *counts, uint32_t key, int change)
{
    uint32_t before = yk_counts_get(counts, key), now = before + (uint32_t)change;
    if (change < 0 && !YK_ASSERT(before >= (uint32_t)-change))
        return 0;
    if (now == 0)
        (void)yk_idmap_remove(&counts->map, key); /* the old count is known */
    else if (now != before)
        (void)yk_idmap_put(&counts->map, key, (void *)(uintptr_t)now); /* the old count is known */
    return now;
}

#endif
