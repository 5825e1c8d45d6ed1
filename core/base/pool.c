/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#if defined(__has_feature) /* only clang has it */
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN
#endif

#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)     ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define __lsan_register_root_region(at, bytes)   ((void)(at), (void)(bytes))
#define __lsan_unregister_root_region(at, bytes) ((void)(at), (void)(bytes))
#endif

/* An item that was given back. */
struct idle {
    struct idle *next;
};

struct yk_pool_block {    /* aligned to its size, so that the address of an item leads to its block */
    struct yk_list link;  /* in pool->open, unless the block is full or the spare one */
    struct idle *idle;    /* items that were given back */
    uint32_t used, begun; /* items in use; items that have been in use at any time */
    char items[];
};

void yk_pool_init(struct yk_pool *pool, size_t item_bytes)
{
    size_t bytes = YK_MAX(item_bytes, sizeof(struct idle));
    YK_ASSERT(item_bytes <= YK_POOL_ITEM_MAX);
    *pool = (struct yk_pool){.item_bytes = (bytes + sizeof(void *) - 1) & ~(sizeof(void *) - 1)};
    pool->block_items =
        (uint32_t)((YK_POOL_BLOCK_BYTES - offsetof(struct yk_pool_block, items)) / pool->item_bytes);
    yk_list_init(&pool->open);
}

static void block_free(struct yk_pool_block *block)
{
    if (block == NULL)
        return;
    ASAN_UNPOISON_MEMORY_REGION(block, YK_POOL_BLOCK_BYTES);
    __lsan_unregister_root_region(block, YK_POOL_BLOCK_BYTES);
    yk_pages_free(block, YK_POOL_BLOCK_BYTES);
}

void yk_pool_done(struct yk_pool *pool)
{
    YK_ASSERT(pool->used == 0);
    block_free(pool->spare);
    pool->spare = NULL;
}

static struct yk_pool_block *open_block(struct yk_pool *pool)
{
    struct yk_pool_block *block = yk_list_first(&pool->open, struct yk_pool_block, link);
    if (block != NULL)
        return block;
    block = pool->spare;
    pool->spare = NULL;
    if (block == NULL) {
        block = yk_pages_new(YK_POOL_BLOCK_BYTES);
        __lsan_register_root_region(block, YK_POOL_BLOCK_BYTES);
    }
    yk_list_append(&pool->open, &block->link);
    return block;
}

/* Returns a zeroed item of the block. An item that was never used needs no memset(): its block is zeroed
 * when it is made. */
static void *item_in(const struct yk_pool *pool, struct yk_pool_block *block)
{
    struct idle *idle = block->idle;
    if (idle == NULL)
        return block->items + block->begun++ * pool->item_bytes;
    ASAN_UNPOISON_MEMORY_REGION(idle, pool->item_bytes);
    block->idle = idle->next;
    return memset(idle, 0, pool->item_bytes);
}

void *yk_pool_take(struct yk_pool *pool)
{
    struct yk_pool_block *block = open_block(pool);
    if (++block->used == pool->block_items)
        yk_list_remove(&block->link);
    pool->used++;
    return item_in(pool, block);
}

static void put_aside(struct yk_pool *pool, struct yk_pool_block *block)
{
    yk_list_remove(&block->link);
    if (pool->spare == NULL)
        pool->spare = block;
    else
        block_free(block);
}

void yk_pool_give(struct yk_pool *pool, void *item)
{
    if (item == NULL)
        return;
    struct idle *idle = item;
    struct yk_pool_block *block =
        (struct yk_pool_block *)((uintptr_t)item & ~(uintptr_t)(YK_POOL_BLOCK_BYTES - 1));
    idle->next = block->idle;
    block->idle = idle;
    ASAN_POISON_MEMORY_REGION(item, pool->item_bytes);
    pool->used--;
    if (block->used-- == pool->block_items)
        yk_list_prepend(&pool->open, &block->link);
    if (block->used == 0)
        put_aside(pool, block);
}
