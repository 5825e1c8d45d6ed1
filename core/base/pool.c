/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

enum { BLOCK_ITEMS = 128 };

/* What stands before each item, which is the next free one's place as well. */
struct slot {
    struct yk_pool_block *block;
    struct slot *next_free;
};

struct yk_pool_block {
    struct yk_list link;  /* on pool->open, unless it is full or the spare one */
    struct slot *free;    /* given back */
    uint32_t used, begun; /* slots in use; slots that ever were */
    max_align_t slots[];
};

/* The item takes the place of `next_free`. */
static size_t slot_bytes(const struct yk_pool *pool)
{
    size_t bytes = offsetof(struct slot, next_free) + YK_MAX(pool->item_bytes, sizeof(struct slot *));
    return (bytes + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
}

static void *item_of(struct slot *slot)
{
    return &slot->next_free;
}

void yk_pool_init(struct yk_pool *pool, size_t item_bytes)
{
    *pool = (struct yk_pool){.item_bytes = item_bytes};
    yk_list_init(&pool->open);
}

void yk_pool_done(struct yk_pool *pool)
{
    YK_ASSERT(pool->used == 0);
    free(pool->spare);
    pool->spare = NULL;
}

static struct yk_pool_block *open_block(struct yk_pool *pool)
{
    struct yk_pool_block *block = yk_list_first(&pool->open, struct yk_pool_block, link);
    if (block != NULL)
        return block;
    block = pool->spare;
    pool->spare = NULL;
    if (block == NULL)
        block = yk_alloc0(sizeof(*block) + BLOCK_ITEMS * slot_bytes(pool));
    yk_list_append(&pool->open, &block->link);
    return block;
}

static struct slot *slot_in(const struct yk_pool *pool, struct yk_pool_block *block)
{
    struct slot *slot = block->free;
    if (slot == NULL) {
        slot = (struct slot *)(void *)((char *)block->slots + block->begun++ * slot_bytes(pool));
        slot->block = block;
        return slot;
    }
    ASAN_UNPOISON_MEMORY_REGION(item_of(slot), pool->item_bytes);
    block->free = slot->next_free;
    return slot;
}

void *yk_pool_take(struct yk_pool *pool)
{
    struct yk_pool_block *block = open_block(pool);
    void *item = item_of(slot_in(pool, block));
    if (++block->used == BLOCK_ITEMS)
        yk_list_remove(&block->link);
    pool->used++;
    return memset(item, 0, pool->item_bytes);
}

static void put_aside(struct yk_pool *pool, struct yk_pool_block *block)
{
    yk_list_remove(&block->link);
    if (pool->spare == NULL)
        pool->spare = block;
    else
        free(block);
}

void yk_pool_give(struct yk_pool *pool, void *item)
{
    if (item == NULL)
        return;
    struct slot *slot = YK_CONTAINER(item, struct slot, next_free);
    struct yk_pool_block *block = slot->block;
    slot->next_free = block->free;
    block->free = slot;
    ASAN_POISON_MEMORY_REGION(item, pool->item_bytes);
    pool->used--;
    if (block->used-- == BLOCK_ITEMS)
        yk_list_prepend(&pool->open, &block->link);
    if (block->used == 0)
        put_aside(pool, block);
}
