/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which priorities are there, and how often: the highest is known at once. Add and remove O(distinct
 * priorities), which is a handful in practice.
 */
#ifndef YK_OBJECTS_PRIORITY_COUNT_H
#define YK_OBJECTS_PRIORITY_COUNT_H

#include "base/base.h"

struct yk_priority_count {
    struct {
        int32_t priority;
        uint32_t count;
    } * items; /* owned; highest first */
    uint32_t count;
    uint32_t capacity;
};

/* The priority of something with nothing pending. */
#define YK_PRIORITY_NONE INT32_MIN

void yk_priority_count_done(struct yk_priority_count *counts);
/* YK_PRIORITY_NONE is not counted. */
void yk_priority_count_add(struct yk_priority_count *counts, int32_t priority);
/* The priority was added before, or is YK_PRIORITY_NONE. */
void yk_priority_count_remove(struct yk_priority_count *counts, int32_t priority);
/* YK_PRIORITY_NONE if nothing was added. O(1). */
static inline int32_t yk_priority_count_highest(const struct yk_priority_count *counts)
{
    return counts->count > 0 ? counts->items[0].priority : YK_PRIORITY_NONE;
}

#endif
