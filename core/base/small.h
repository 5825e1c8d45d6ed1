/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small pieces of memory of all sizes, for what there are many of whose size differs, as with texts: a pool
 * (base/pool.h) for each size, in steps of eight bytes. A piece costs its size and nothing beside it, and
 * lies apart from what lives shorter. Who gives a piece back knows its size.
 */
#ifndef YK_BASE_SMALL_H
#define YK_BASE_SMALL_H

#include "base/pool.h"

enum { YK_SMALL_MAX = 704, YK_SMALL_STEP = 8 }; /* what is larger comes from malloc() */

struct yk_small {
    struct yk_region region; /* so that pieces of at most YK_SMALL_MAX lie near each other */
    struct yk_pool pools[YK_SMALL_MAX / YK_SMALL_STEP]; /* the first for up to 8 bytes, and so on */
};

/* It may not move afterwards. Takes no memory. */
void yk_small_init(struct yk_small *small);
/* All must have been given back. */
void yk_small_done(struct yk_small *small);
/* Zeroed, aligned for pointers; `bytes` above 0. */
void *yk_small_take(struct yk_small *small, size_t bytes) __attribute__((returns_nonnull));
/* `bytes` as it was taken. NULL is fine. */
void yk_small_give(struct yk_small *small, void *piece, size_t bytes);

#endif
