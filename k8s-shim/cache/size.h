/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes: resource vectors that many pods or nodes share, kept once and counted.
 *
 * A size is immutable. Two sizes are the same object exactly when they have the same names and amounts. Names
 * that no node offers yet stand in `extra`, and in `amounts` as YK_RESTYPE_UNKNOWN; yk_size_resolve() moves
 * them over once they are offered.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_SIZE_H
#define YK_CACHE_SIZE_H

#include "base/map.h"
#include "cache/resource_sum.h"

struct yk_size_extra {
    char *name; /* owned; as Kubernetes writes it */
    int64_t amount;
};

struct yk_size {
    struct yk_resvec amounts;
    struct yk_size_extra *extra; /* owned */
    uint32_t extra_count;
    uint32_t holders;
    uint64_t hash;
    struct yk_size *next_same_hash;
};

struct yk_sizes {
    struct yk_idmap by_hash;
};

/* Whether the size has an amount of a resource that no node has ever offered. */
bool yk_size_wants_unknown(const struct yk_size *size);

/* Frees the table. All references to sizes were dropped. */
void yk_sizes_done(struct yk_sizes *sizes);
/* The size with the amounts of `sum`, with a reference for the caller. */
struct yk_size *yk_size_get(struct yk_sizes *sizes, const struct yk_resource_sum *sum,
                            const struct yk_resource_sum_names *names);
/* Adds a reference; returns `size`. */
struct yk_size *yk_size_ref(struct yk_size *size);
/* Drops a reference; the last one frees the size. NULL is fine. */
void yk_size_put(struct yk_sizes *sizes, struct yk_size *size);
/* The size with the same amounts in which names that a node offers by now have their own type. With a
 * reference for the caller; `size` itself if nothing changed. */
struct yk_size *yk_size_resolve(struct yk_sizes *sizes, struct yk_size *size);

#endif
