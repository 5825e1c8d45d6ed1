/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool: items of one size that come and go by the thousand. They lie together in blocks, apart from what
 * stays, and a block that holds none any more is given back, so that a rush leaves no holes behind it.
 *
 * Taking and giving are O(1); one empty block is kept, so that a trickle does not allocate.
 */
#ifndef YK_BASE_POOL_H
#define YK_BASE_POOL_H

#include "base/list.h"

struct yk_pool_block;

struct yk_pool {
    struct yk_list open;         /* struct yk_pool_block with room for more, the one to take from first */
    struct yk_pool_block *spare; /* empty, kept; owned */
    size_t item_bytes, used;
};

void yk_pool_init(struct yk_pool *pool, size_t item_bytes);
/* All must have been given back. */
void yk_pool_done(struct yk_pool *pool);
/* Zeroed, aligned for pointers. */
void *yk_pool_take(struct yk_pool *pool) __attribute__((returns_nonnull));
/* NULL is fine. */
void yk_pool_give(struct yk_pool *pool, void *item);

#endif
