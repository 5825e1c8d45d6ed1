/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of items of one size. Items are in blocks that hold nothing else, and an empty block is freed, so
 * memory returns to its idle size after a burst.
 *
 * Taking and giving are O(1). One empty block is kept, so that taking and giving a few items needs no system
 * call.
 *
 * Thread: any.
 */
#ifndef YK_BASE_POOL_H
#define YK_BASE_POOL_H

#include "base/list.h"

enum { YK_POOL_BLOCK_BYTES = 64 * 1024, YK_POOL_ITEM_MAX = 4096 };

struct yk_pool_block;

struct yk_pool {
    struct yk_list open;         /* struct yk_pool_block with a free item; items are taken from the first */
    struct yk_pool_block *spare; /* an empty block, owned; may be NULL */
    size_t item_bytes, used;     /* bytes of an item, rounded up; number of items in use */
    uint32_t block_items;        /* items of a block */
};

/* Makes an empty pool of items of `item_bytes` bytes, at most YK_POOL_ITEM_MAX. Allocates nothing. The pool
 * must not move in memory. */
void yk_pool_init(struct yk_pool *pool, size_t item_bytes);
/* Frees the memory of the pool, to which all items must have been given back. */
void yk_pool_done(struct yk_pool *pool);
/* A zeroed item, aligned for pointers, which the caller gives back with yk_pool_give(). Never NULL. */
void *yk_pool_take(struct yk_pool *pool) __attribute__((returns_nonnull));
/* Gives back an item that yk_pool_take() returned for this pool; NULL is fine. */
void yk_pool_give(struct yk_pool *pool, void *item);

#endif
