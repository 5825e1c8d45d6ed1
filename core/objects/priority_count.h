/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which priorities are there, and how often: the highest is known at once. Add and remove O(distinct
 * priorities), which is a handful in practice.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_OBJECTS_PRIORITY_COUNT_H
#define YK_OBJECTS_PRIORITY_COUNT_H

#include "base/base.h"

/* Written by: objects. */
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
/* Counts `priority` once more; YK_PRIORITY_NONE has no effect. */
void yk_priority_count_add(struct yk_priority_count *counts, int32_t priority);
/* Counts `priority` once less. It was added before, or is YK_PRIORITY_NONE, which has no effect. */
void yk_priority_count_remove(struct yk_priority_count *counts, int32_t priority);
/* The highest priority that is counted; YK_PRIORITY_NONE if there is none. O(1). */
static inline int32_t yk_priority_count_highest(const struct yk_priority_count *counts)
{
    return counts->count > 0 ? counts->items[0].priority : YK_PRIORITY_NONE;
}

#endif
