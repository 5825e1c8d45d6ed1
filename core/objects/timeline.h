/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened to the asks and allocations of an application. Changes of its state are not included: they
 * are in its state log. An allocation has no entry before it ends or is preempted.
 *
 * Part of an application, which owns it. Written by: report.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_TIMELINE_H
#define YK_OBJECTS_TIMELINE_H

#include "base/base.h"

enum { YK_TIMELINE_MAX = 128 }; /* entries of an application; older ones are removed and counted as omitted */

enum yk_timeline_type {
    YK_TIMELINE_WAITING,
    YK_TIMELINE_RESERVED,
    YK_TIMELINE_UNRESERVED,
    YK_TIMELINE_ALLOCATED, /* recorded when the allocation has ended, like YK_TIMELINE_BOUND */
    YK_TIMELINE_BOUND,
    YK_TIMELINE_PREEMPTED,
    YK_TIMELINE_REPLACED, /* a real allocation replaced the placeholder */
    YK_TIMELINE_RELEASED,
    YK_TIMELINE_MOVED,
};

/* Written by: report. */
struct yk_timeline_entry {
    int64_t wall_ns; /* when it happened */
    enum yk_timeline_type type;
    int reason;  /* enum yk_si_reason of an entry YK_TIMELINE_WAITING */
    char *texts; /* owned: key, object_name, node and message, each NUL-terminated, one after the other */
};

/* Written by: report. */
struct yk_timeline {
    struct yk_timeline_entry *entries; /* owned; a ring of `capacity` entries */
    uint32_t capacity, first, count;   /* `first`: index of the oldest entry */
    uint64_t omitted;                  /* number of entries that were removed to make place for others */
    /* The reason of yk_why_of_ask() at the last entry YK_TIMELINE_WAITING; 0: there is none, or no ask has
     * waited for a moment since. */
    int waiting_for;
};

/* Frees the timeline with its entries. NULL is fine. */
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
