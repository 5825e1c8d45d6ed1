/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people and autoscalers read on a pod: the PodScheduled condition, the Events Scheduled and
 * FailedScheduling, phase Failed; and the removal of pods the core wants gone. Why a pod waits is put into
 * words by waiting.h.
 *
 * News about a pod waits as a link in its task, so that any number of pods costs nothing more. Binds come
 * first: few requests are under way at once, fewer while binds are waiting, and while pods are being bound
 * at all, Scheduled events are written at no more than YK_ANNOUNCED_PER_S, while binds have to wait at a
 * tenth of that; what is left follows when it is quiet. What the API server does not take for the moment is
 * tried again, a bounded number of times and as long as it still applies. Every request is guarded by the
 * pod's uid.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.8, 3.9 (S21, S26).
 */
#ifndef YK_BIND_POD_STATUS_H
#define YK_BIND_POD_STATUS_H

#include "bind/binder.h"
#include "bind/event_recorder.h"
#include "bind/unschedulable.h"

enum {
    YK_STATUS_IN_FLIGHT_MAX = 8,
    YK_STATUS_TRIES_MAX = 8,
    YK_STATUS_RETRYING_MAX = 4096,
    YK_ANNOUNCED_PER_S = 50, /* Scheduled events while pods are being bound */
    YK_ANNOUNCED_BURST = 25,
};

struct yk_pod_status {
    struct yk_api_server *api;
    struct yk_timers *timers;
    struct yk_apps *apps;
    struct yk_recorder *events;
    const struct yk_clock *clock;
    struct yk_list bound;    /* struct yk_task, in_bind: to be announced */
    struct yk_list news;     /* struct yk_task, in_bind: why it waits */
    struct yk_list retrying; /* struct update, waiting for its timer */
    size_t in_flight, retrying_count;
    uint64_t binds_seen;       /* of the binder, at the last look */
    int64_t last_bind_mono_ns; /* when that number was seen to grow */
    int64_t announced_ns; /* monotonic: when the pace allowed the last one; may lie a burst in the past */
    struct yk_timer announce_at; /* brings the next round when the pace allows one more */
    struct yk_unschedulable waiting;
    bool stopping;
    uint64_t written; /* conditions */
};

void yk_pod_status_init(struct yk_pod_status *status, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_apps *apps, struct yk_recorder *events, const struct yk_clock *clock);
/* Nothing is tried again from now on. */
void yk_pod_status_stop(struct yk_pod_status *status);
/* No task is left. */
void yk_pod_status_done(struct yk_pod_status *status);
/* There is something to say about the task: where it was bound, or why it waits. */
void yk_pod_status_queue(struct yk_pod_status *status, struct yk_task *task);
/* Says some of it, up to `max`. True when there is more to do at once. */
bool yk_pod_status_run(struct yk_pod_status *status, const struct yk_binder *binder, size_t max);
void yk_pod_status_fail(struct yk_pod_status *status, struct yk_task *task, const char *reason,
                        const char *message);
/* Guarded by uid; a preempted pod is told first. */
void yk_pod_status_delete(struct yk_pod_status *status, struct yk_task *task);

#endif
