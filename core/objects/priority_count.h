/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A multiset of priorities that answers which priority is the highest. Add and remove take O(distinct
 * priorities); there are few of them in practice.
 *
 * Owns:   its array. A zeroed struct yk_priority_count is empty.
 * Thread: any.
 */
#ifndef YK_OBJECTS_PRIORITY_COUNT_H
#define YK_OBJECTS_PRIORITY_COUNT_H

#include "base/base.h"

/* Written by: objects. */
struct yk_priority_count {
    struct {
        int32_t priority;
        uint32_t count;
    } * items;         /* owned; highest first */
    uint32_t count;    /* number of items: distinct priorities */
    uint32_t capacity; /* entries that `items` has memory for */
};

/* The priority of an application or queue without a pending ask that counts (yk_group_lends_priority()). */
#define YK_PRIORITY_NONE INT32_MIN

void yk_priority_count_done(struct yk_priority_count *counts);
/* Adds `priority` once. YK_PRIORITY_NONE has no effect. */
void yk_priority_count_add(struct yk_priority_count *counts, int32_t priority);
/* Removes `priority` once; it was added before. YK_PRIORITY_NONE has no effect. */
void yk_priority_count_remove(struct yk_priority_count *counts, int32_t priority);
/* The highest priority in `counts`; YK_PRIORITY_NONE if it is empty. O(1). */
static inline int32_t yk_priority_count_highest(const struct yk_priority_count *counts)
{
    return counts->count > 0 ? counts->items[0].priority : YK_PRIORITY_NONE;
}

#endif
