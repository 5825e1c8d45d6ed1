/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region: addresses set aside from the start, of which blocks are put to use one by one, so that all that
 * lies in them lies near (base/near.h). Addresses cost nothing, unless there is a limit on them: then there
 * are fewer. They become memory some MiB at a time, of which a block costs what of it is touched.
 *
 * Blocks are of YK_REGION_BLOCK_BYTES and aligned to them. Thread: one at a time.
 */
#ifndef YK_BASE_REGION_H
#define YK_BASE_REGION_H

#include "base/base.h"

enum { YK_REGION_BLOCK_BYTES = 64 * 1024 };
#define YK_REGION_BYTES (UINT64_C(4) << 30)

/* Zeroed: nothing is set aside yet. */
struct yk_region {
    char *from;             /* owned */
    uint32_t blocks, begun; /* that fit; that ever were in use */
    uint32_t usable;        /* that are memory; the others are addresses only */
    uint32_t *idle;         /* owned: numbers of those given back */
    uint32_t idle_count, idle_capacity;
};

/* All blocks must have been given back. */
void yk_region_done(struct yk_region *region);
/* Zeroed. Without room for another the process ends, as without memory. */
void *yk_region_take(struct yk_region *region) __attribute__((returns_nonnull));
void yk_region_give(struct yk_region *region, void *block);

#endif
