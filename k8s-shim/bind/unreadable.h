/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that cannot be read whole: an Event, and for those of ours that wait a condition, say so.
 *
 * A pod is reported once for as long as it stays unreadable. A condition that the API server did not take is
 * written again every YK_UNREADABLE_RETRY_NS. At most YK_UNREADABLE_MAX pods are remembered; those above it
 * are in the log only.
 *
 * Owns:      the memory of what was reported.
 * Borrows:   the API server, the timers, the recorder, for life.
 * Thread:    scheduling thread only.
 * Source:    docs/reference/kubernetes.md, "Limits".
 */
#ifndef YK_BIND_UNREADABLE_H
#define YK_BIND_UNREADABLE_H

#include "api/server.h"
#include "base/list.h"
#include "base/map.h"
#include "bind/event_recorder.h"

enum { YK_UNREADABLE_MAX = 1024, YK_UNREADABLE_IN_FLIGHT_MAX = 16 };
#define YK_UNREADABLE_RETRY_NS (10 * YK_NS_PER_S)

struct yk_unreadable {
    struct yk_api_server *api;
    struct yk_timers *timers;
    struct yk_recorder *events;
    const struct yk_clock *clock;
    struct yk_strmap by_uid;  /* struct reported, owned */
    struct yk_list unwritten; /* the same: conditions that are still to be written, in order of arrival */
    struct yk_timer retry;
    size_t in_flight;
    bool leads; /* may write */
    bool stopping;
};

void yk_unreadable_init(struct yk_unreadable *unreadable, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_recorder *events, const struct yk_clock *clock);
/* No request may be under way. */
void yk_unreadable_done(struct yk_unreadable *unreadable);
/* The API server sent `pod`, which was read in part. */
void yk_unreadable_add(struct yk_unreadable *unreadable, const struct yk_pod *pod);
/* The pod is gone, or it can be read. */
void yk_unreadable_remove(struct yk_unreadable *unreadable, struct yk_str uid);
/* A list begins: what it names is reported again. */
void yk_unreadable_clear(struct yk_unreadable *unreadable);
/* From now on we write. */
void yk_unreadable_lead(struct yk_unreadable *unreadable);
void yk_unreadable_stop(struct yk_unreadable *unreadable);

#endif
