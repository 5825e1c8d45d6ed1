/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports pods that could not be read whole: writes an Event, and a condition for waiting pods of this
 * scheduler.
 *
 * Each such pod is reported once, until it can be read or is deleted. If the API server does not accept the
 * condition, it is written again after YK_UNREADABLE_RETRY_NS. At most YK_UNREADABLE_MAX pods are stored;
 * further ones are not reported.
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

/* Written by: bind; shim sets `leads` after yk_unreadable_init(), and `in_flight` to 0 in a copy of the
 * process. */
struct yk_unreadable {
    struct yk_api_server *api;    /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life */
    struct yk_recorder *events;   /* borrowed for life */
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_strmap by_uid;      /* struct reported, owned: pods that were reported */
    struct yk_list unwritten;     /* struct reported: those with a condition to write, in order of arrival */
    struct yk_timer retry;        /* armed after a failure: no condition is sent before it fires */
    size_t in_flight;             /* requests without an answer */
    bool leads;                   /* this process is the leader and may write */
    bool stopping;
};

/* Makes it empty, with `leads` false. The objects are borrowed for its life. End it with
 * yk_unreadable_done(). */
void yk_unreadable_init(struct yk_unreadable *unreadable, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_recorder *events, const struct yk_clock *clock);
/* Frees it. No request may be in flight. */
void yk_unreadable_done(struct yk_unreadable *unreadable);
/* Reports `pod`, whose object.read is not YK_READ_WHOLE, unless it was reported already: writes an Event
 * and, if the pod waits, a condition; a standby writes the condition when it leads. An Event about its node
 * is written, too, if the node takes no new pods because of the pod. To be called for each state of the
 * pod: one with a node needs no condition any longer. Ignores pods that have ended or are being deleted,
 * waiting pods of other schedulers, and pods beyond YK_UNREADABLE_MAX. */
void yk_unreadable_add(struct yk_unreadable *unreadable, const struct yk_pod *pod);
/* Removes the pod with this UID, because it was deleted or can be read now. No effect if it was not
 * reported. */
void yk_unreadable_remove(struct yk_unreadable *unreadable, struct yk_str uid);
/* Removes all pods. To be called when a list of pods begins: those in it are added again. */
void yk_unreadable_clear(struct yk_unreadable *unreadable);
/* This process has become the leader: sends the conditions that are not written. */
void yk_unreadable_lead(struct yk_unreadable *unreadable);
/* Sends no further requests. */
void yk_unreadable_stop(struct yk_unreadable *unreadable);

#endif
