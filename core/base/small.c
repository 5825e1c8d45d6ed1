/* SPDX-License-Identifier: Apache-2.0 */
#include "base/small.h"

void yk_small_init(struct yk_small *small)
{
    small->region = (struct yk_region){0};
    for (size_t i = 0; i < YK_COUNT(small->pools); i++)
        yk_pool_init_in(&small->pools[i], (i + 1) * YK_SMALL_STEP, &small->region);
}

void yk_small_done(struct yk_small *small)
{
    for (size_t i = 0; i < YK_COUNT(small->pools); i++)
        yk_pool_done(&small->pools[i]);
    yk_region_done(&small->region);
}

static struct yk_pool *pool_for(struct yk_small *small, size_t bytes)
{
    return &small->pools[(bytes - 1) / YK_SMALL_STEP];
}

void *yk_small_take(struct yk_small *small, size_t bytes)
{
    return bytes <= YK_SMALL_MAX ? yk_pool_take(pool_for(small, bytes)) : yk_alloc0(bytes);
}

void yk_small_give(struct yk_small *small, void *piece, size_t bytes)
{
    if (bytes <= YK_SMALL_MAX)
        yk_pool_give(pool_for(small, bytes), piece);
    else
        free(piece);
}
