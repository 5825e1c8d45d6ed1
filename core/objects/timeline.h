/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened to the asks and allocations of an application, apart from its states (which are in its state
 * log) and from what runs now.
 *
 * Part of an application, which owns it. Written by report/timeline.c only.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_TIMELINE_H
#define YK_OBJECTS_TIMELINE_H

#include "base/base.h"

enum { YK_TIMELINE_MAX = 128 }; /* entries of an application; earlier ones are dropped and counted */

enum yk_timeline_type {
    YK_TIMELINE_WAITING,
    YK_TIMELINE_RESERVED,
    YK_TIMELINE_UNRESERVED,
    YK_TIMELINE_ALLOCATED, /* of an allocation that has ended, as the next */
    YK_TIMELINE_BOUND,
    YK_TIMELINE_PREEMPTED,
    YK_TIMELINE_REPLACED, /* a placeholder, by a real allocation */
    YK_TIMELINE_RELEASED,
    YK_TIMELINE_MOVED,
};

/* Written by: report. */
struct yk_timeline_entry {
    int64_t wall_ns;
    enum yk_timeline_type type;
    int reason;  /* enum yk_si_reason, of YK_TIMELINE_WAITING */
    char *texts; /* owned: key, object_name, node and message, each terminated */
};

/* Written by: report. */
struct yk_timeline {
    struct yk_timeline_entry *entries; /* owned; a ring of `capacity` */
    uint32_t capacity, first, count;
    uint64_t omitted;
    int waiting_for; /* the reason of the last entry YK_TIMELINE_WAITING; 0: something started since */
};

/* NULL is fine. */
static inline void yk_timeline_free(struct yk_timeline *timeline)
{
    if (timeline == NULL)
        return;
    for (uint32_t i = 0; i < timeline->count; i++)
        free(timeline->entries[(timeline->first + i) % timeline->capacity].texts);
    free(timeline->entries);
    free(timeline);
}

#endif
