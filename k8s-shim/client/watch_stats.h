/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts how often watches and lists are started again, and when their last event was.
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
    YK_WATCH_CLOSED, /* the server ended it in time */
    YK_WATCH_CUT,
    YK_WATCH_SHORT, /* it ended at once, without an event */
    YK_WATCH_UNREACHABLE,
    YK_WATCH_THROTTLED,
    YK_WATCH_EXPIRED,
    YK_WATCH_UNREADABLE,
    YK_WATCH_REFUSED,
};
enum { YK_WATCH_ENDS = YK_WATCH_REFUSED + 1 };

struct yk_watch_stats {
    uint64_t restarts[YK_KIND_COUNT][YK_WATCH_ENDS];
    int64_t event_wall_ns[YK_KIND_COUNT]; /* 0: none yet */
};

/* Appends the series in the Prometheus text format. `plural`: the resource of a kind, as in paths. */
void yk_watch_stats_put(const struct yk_watch_stats *stats, const char *(*plural)(enum yk_kind kind),
                        struct yk_buf *out);

#endif
