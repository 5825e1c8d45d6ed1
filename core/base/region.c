/* SPDX-License-Identifier: Apache-2.0 */
#include "base/region.h"

#include <sys/mman.h>
#include <sys/resource.h>

enum {
    STEP_BLOCKS = 256, /* that become memory at once */
    LIMIT_PART = 8,    /* of what a limit on addresses allows: the others need some, too */
};

static const size_t least_bytes = 64 << 20;

/* They are no memory yet: nothing counts them as such, not even a system that promises no more than it has.
 */
static char *addresses(size_t bytes)
{
    char *from = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return from != MAP_FAILED ? from : NULL;
}

static size_t bytes_wanted(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return YK_REGION_BYTES;
    size_t part = (size_t)limit.rlim_cur / LIMIT_PART & ~(size_t)(YK_REGION_BLOCK_BYTES - 1);
    return YK_MIN(YK_MAX(part, least_bytes), YK_REGION_BYTES);
}

static void set_aside(struct yk_region *region)
{
    size_t bytes = bytes_wanted();
    char *from;
    while ((from = addresses(bytes + YK_REGION_BLOCK_BYTES)) == NULL) {
        if (bytes <= least_bytes)
            yk_out_of_memory(bytes);
        bytes = bytes / 2 & ~(size_t)(YK_REGION_BLOCK_BYTES - 1);
    }
    size_t before = -(uintptr_t)from & (YK_REGION_BLOCK_BYTES - 1);
    if (before > 0)
        (void)munmap(from, before); /* cannot fail but for want of memory, and then it stays unused */
    (void)munmap(from + before + bytes, YK_REGION_BLOCK_BYTES - before); /* the same */
    region->from = from + before;
    region->blocks = (uint32_t)(bytes / YK_REGION_BLOCK_BYTES);
}

static void make_usable(struct yk_region *region)
{
    uint32_t count = YK_MIN((uint32_t)STEP_BLOCKS, region->blocks - region->usable);
    size_t bytes = (size_t)count * YK_REGION_BLOCK_BYTES;
    char *from = region->from + (size_t)region->usable * YK_REGION_BLOCK_BYTES;
    if (count == 0 || mprotect(from, bytes, PROT_READ | PROT_WRITE) != 0)
        yk_out_of_memory(YK_REGION_BLOCK_BYTES);
    region->usable += count;
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
    if (number >= region->usable)
        make_usable(region);
    return region->from + (size_t)number * YK_REGION_BLOCK_BYTES;
}

void yk_region_give(struct yk_region *region, void *block)
{
    if (region->idle_count == region->idle_capacity) {
        region->idle_capacity = region->idle_capacity > 0 ? region->idle_capacity * 2 : 16;
        region->idle = yk_realloc_array(region->idle, region->idle_capacity, sizeof(*region->idle));
    }
    /* Its addresses stay ours, its pages go: when it is used again they are zeroed. */
    if (!YK_ASSERT(madvise(block, YK_REGION_BLOCK_BYTES, MADV_DONTNEED) == 0))
        memset(block, 0, YK_REGION_BLOCK_BYTES);
    region->idle[region->idle_count++] =
        (uint32_t)((size_t)((char *)block - region->from) / YK_REGION_BLOCK_BYTES);
}
