/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports pods that cannot be read completely: an Event, and a condition for waiting pods of this scheduler.
 *
 * A pod is reported once for as long as it is unreadable. A condition that the API server did not accept is
 * written again every YK_UNREADABLE_RETRY_NS. At most YK_UNREADABLE_MAX pods are stored; further ones are
 * only in the log.
 *
 * Owns:    the list of reported pods.
 * Borrows: the API server, the timers, the recorder, for life.
 * Thread:  scheduling thread only.
 * Source:  docs/reference/kubernetes.md, "Limits".
 */
#ifndef YK_BIND_UNREADABLE_H
#define YK_BIND_UNREADABLE_H

#include "api/server.h"
#include "base/list.h"
#include "base/map.h"
#include "bind/event_recorder.h"

enum { YK_UNREADABLE_MAX = 1024, YK_UNREADABLE_IN_FLIGHT_MAX = 16 };
#define YK_UNREADABLE_RETRY_NS (10 * YK_NS_PER_S)

/* Written by: bind; shim sets `in_flight` to 0 in a copy of the process. */
struct yk_unreadable {
    struct yk_api_server *api;
    struct yk_timers *timers;
    struct yk_recorder *events;
    const struct yk_clock *clock;
    struct yk_strmap by_uid;  /* struct reported, owned */
    struct yk_list unwritten; /* the same: those with a condition to write, in order of arrival */
    struct yk_timer retry;
    size_t in_flight;
    bool leads; /* may write */
    bool stopping;
};

/* Makes it empty. The pointers are borrowed for life. End it with yk_unreadable_done(). */
void yk_unreadable_init(struct yk_unreadable *unreadable, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_recorder *events, const struct yk_clock *clock);
/* Frees it. No request is in flight. */
void yk_unreadable_done(struct yk_unreadable *unreadable);
/* Takes note of `pod` (borrowed for the call), which was read only in part: writes an Event that says so and,
 * while it waits, a condition. Ignored are pods that ended, waiting pods of other schedulers, and pods beyond
 * YK_UNREADABLE_MAX. */
void yk_unreadable_add(struct yk_unreadable *unreadable, const struct yk_pod *pod);
/* Forgets the pod: it was deleted, or can be read now. No effect on unknown uids. */
void yk_unreadable_remove(struct yk_unreadable *unreadable, struct yk_str uid);
/* Forgets all pods: a list begins, and those in it are added again. */
void yk_unreadable_clear(struct yk_unreadable *unreadable);
/* This scheduler leads now: it may write. */
void yk_unreadable_lead(struct yk_unreadable *unreadable);
/* No request is sent or repeated after this. */
void yk_unreadable_stop(struct yk_unreadable *unreadable);

#endif
