/* SPDX-License-Identifier: Apache-2.0 */
#include "base/region.h"

#include <sys/mman.h>

/* Under a limit on addresses, or where all of them are counted as memory, there may be less of them. */
static const size_t least_bytes = 64 << 20;

static char *addresses(size_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE; /* not counted before they are touched */
    char *from = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return from != MAP_FAILED ? from : NULL;
}

static void set_aside(struct yk_region *region)
{
    size_t bytes = YK_REGION_BYTES;
    char *from;
    while ((from = addresses(bytes + YK_REGION_BLOCK_BYTES)) == NULL) {
        if (bytes <= least_bytes)
            yk_out_of_memory(bytes);
        bytes /= 2;
    }
    size_t before = -(uintptr_t)from & (YK_REGION_BLOCK_BYTES - 1);
    if (before > 0)
        (void)munmap(from, before); /* cannot fail but for want of memory, and then it stays unused */
    (void)munmap(from + before + bytes, YK_REGION_BLOCK_BYTES - before); /* the same */
    region->from = from + before;
    region->blocks = (uint32_t)(bytes / YK_REGION_BLOCK_BYTES);
}

void yk_region_done(struct yk_region *region)
{
    YK_ASSERT(region->idle_count == region->begun);
    if (region->from != NULL)
        YK_ASSERT(munmap(region->from, (size_t)region->blocks * YK_REGION_BLOCK_BYTES) == 0);
    free(region->idle);
    *region = (struct yk_region){0};
}

void *yk_region_take(struct yk_region *region)
{
    if (region->from == NULL)
        set_aside(region);
    uint32_t number = region->idle_count > 0 ? region->idle[--region->idle_count] : region->begun++;
    if (number >= region->blocks)
        yk_out_of_memory(YK_REGION_BLOCK_BYTES);
    return region->from + (size_t)number * YK_REGION_BLOCK_BYTES;
}

void yk_region_give(struct yk_region *region, void *block)
{
    if (region->idle_count == region->idle_capacity) {
        region->idle_capacity = region->idle_capacity > 0 ? region->idle_capacity * 2 : 16;
        region->idle = yk_realloc_array(region->idle, region->idle_capacity, sizeof(*region->idle));
    }
    /* Its addresses stay ours, its pages go: when it is used again they are zeroed. */
    YK_ASSERT(madvise(block, YK_REGION_BLOCK_BYTES, MADV_DONTNEED) == 0);
    region->idle[region->idle_count++] =
        (uint32_t)((size_t)((char *)block - region->from) / YK_REGION_BLOCK_BYTES);
}
