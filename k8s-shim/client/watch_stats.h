/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts how often watches and lists of each kind are started again, and stores the time of the last object
 * or bookmark.
 *
 * Thread: I/O thread.
 * Source: docs/reference/rest.md 10.4.
 */
#ifndef YK_CLIENT_WATCH_STATS_H
#define YK_CLIENT_WATCH_STATS_H

#include "api/object.h"
#include "base/str.h"

/* How a watch or a list ended. */
enum yk_watch_end {
    YK_WATCH_CLOSED,      /* the watch ended without an error */
    YK_WATCH_CUT,         /* the connection was lost, or the watch was silent or open for too long */
    YK_WATCH_SHORT,       /* the watch ended at once, without an event */
    YK_WATCH_UNREACHABLE, /* the server did not answer */
    YK_WATCH_THROTTLED,   /* 429 */
    YK_WATCH_EXPIRED,     /* 410, or the server does not know the resourceVersion */
    YK_WATCH_UNREADABLE,  /* the answer could not be read */
    YK_WATCH_REFUSED,     /* another error of the server */
};
enum { YK_WATCH_ENDS = YK_WATCH_REFUSED + 1 };

/* Zeroed at the start. Written by: client, in reflector.c. */
struct yk_watch_stats {
    uint64_t restarts[YK_KIND_COUNT][YK_WATCH_ENDS];
    /* time of the last object or bookmark, nanoseconds since 1970; 0: none yet */
    int64_t event_wall_ns[YK_KIND_COUNT];
};

/* Appends the metrics in the Prometheus text format. `plural`: a function that returns the resource of a
 * kind, such as yk_kind_plural(). */
void yk_watch_stats_put(const struct yk_watch_stats *stats, const char *(*plural)(enum yk_kind kind),
                        struct yk_buf *out);

#endif
