/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports pods that could not be read whole: writes Events, and a condition for waiting pods of this
 * scheduler.
 *
 * struct yk_unreadable stores the pods that it has reported, and does not report a stored pod again. A pod is
 * removed from it when the pod can be read or is deleted, and when a new list of pods begins. If the API
 * server does not accept a condition, and the pod exists, the condition is sent again after
 * YK_UNREADABLE_RETRY_NS. At most YK_UNREADABLE_MAX pods are stored; further pods are not reported.
 *
 * Owns:    the list of reported pods.
 * Borrows: the API server, the timers, the recorder and the clock, for life.
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
    struct yk_list unwritten;     /* struct reported: pods whose condition is to be sent, in this order */
    struct yk_timer retry;        /* armed after a failure: no condition is sent before it fires */
    size_t in_flight;             /* requests without an answer */
    bool leads;                   /* this process is the leader and may write */
    bool stopping;
};

/* Makes `unreadable` without pods and with `leads` false. The objects are borrowed for its life. The caller
 * ends it with yk_unreadable_done(). */
void yk_unreadable_init(struct yk_unreadable *unreadable, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_recorder *events, const struct yk_clock *clock);
/* Frees it. No request may be in flight. */
void yk_unreadable_done(struct yk_unreadable *unreadable);
/* Reports `pod`, whose object.read is not YK_READ_WHOLE, if it was not reported yet. Writes an Event about
 * the pod. If the pod waits, writes a condition, too; a standby writes it when it becomes the leader. If the
 * node of the pod takes no new pods because of the pod, writes an Event about the node. To be called for each
 * state of the pod: once the pod has a node, its condition is no longer sent. Ignores pods that have ended or
 * are being deleted, waiting pods of other schedulers, and pods beyond YK_UNREADABLE_MAX. The caller leaves
 * out a pod that the cache has read whole before, unless that pod has lost its node since. On a standby, the
 * Events are not written, also not later. */
void yk_unreadable_add(struct yk_unreadable *unreadable, const struct yk_pod *pod);
/* The pod with this UID was deleted or can be read now: removes it. No effect if it was not reported. */
void yk_unreadable_remove(struct yk_unreadable *unreadable, struct yk_str uid);
/* A new list of pods begins: removes all pods. The caller adds the pods of the list again. */
void yk_unreadable_clear(struct yk_unreadable *unreadable);
/* This process has become the leader: sets `leads`, and sends the conditions that were not sent yet. To be
 * called once. */
void yk_unreadable_lead(struct yk_unreadable *unreadable);
/* Sends no further requests. */
void yk_unreadable_stop(struct yk_unreadable *unreadable);

#endif
