/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What users and autoscalers see of a pod: the PodScheduled condition, the Events Scheduled and
 * FailedScheduling, phase Failed; and the deletion of pods that the core ended. unschedulable.h computes why
 * a pod waits.
 *
 * Tasks with something to report are in lists, so reports need no memory of their own. Bindings come first:
 * few of these requests are in flight, fewer while bindings wait, and Scheduled Events are written at
 * YK_ANNOUNCED_PER_S while pods are being bound, at a tenth of that while bindings wait; the rest follows
 * later. Requests that fail temporarily are repeated a bounded number of times, as long as they still apply;
 * the deletion of a placeholder until the watch shows that the pod goes.
 * Every request is guarded by the uid of the pod.
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
    YK_ANNOUNCED_PER_S = 50, /* rate of Scheduled events while pods are being bound */
    YK_ANNOUNCED_BURST = 25,
};

/* Written by: bind; shim sets `in_flight` to 0 in a copy of the process. */
struct yk_pod_status {
    struct yk_api_server *api;
    struct yk_timers *timers;
    struct yk_apps *apps;
    struct yk_recorder *events;
    const struct yk_clock *clock;
    struct yk_list bound;    /* struct yk_task, in_bind: tasks without their Scheduled event */
    struct yk_list news;     /* struct yk_task, in_bind: tasks with a reason to report */
    struct yk_list retrying; /* struct update, waiting for its timer */
    size_t in_flight, retrying_count;
    uint64_t binds_seen;       /* answers of the binder at the last look */
    int64_t last_bind_mono_ns; /* when that number last grew */
    int64_t
        announced_ns; /* monotonic time of the last Scheduled event by the rate; may be a burst in the past */
    struct yk_timer announce_at; /* starts the next round when the rate allows another one */
    struct yk_unschedulable unschedulable;
    bool stopping;
    uint64_t written; /* conditions that were sent, also again */
};

/* Makes it idle. The pointers are borrowed for life. End it with yk_pod_status_done(). */
void yk_pod_status_init(struct yk_pod_status *status, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_apps *apps, struct yk_recorder *events, const struct yk_clock *clock);
/* Requests are no longer repeated. */
void yk_pod_status_stop(struct yk_pod_status *status);
/* Frees it. No task is left. */
void yk_pod_status_done(struct yk_pod_status *status);
/* Puts the task on the list of those with something to report: it was bound, or waits. */
void yk_pod_status_queue(struct yk_pod_status *status, struct yk_task *task);
/* Sends up to `max` reports, fewer while `binder` has binds to send. True: there are more to send at once. */
bool yk_pod_status_run(struct yk_pod_status *status, const struct yk_binder *binder, size_t max);
/* Sends a patch that sets the phase of the task's pod to Failed. The texts are copied. */
void yk_pod_status_fail(struct yk_pod_status *status, struct yk_task *task, const char *reason,
                        const char *message);
/* Deletes the pod, guarded by its uid. A preempted pod gets its condition first. */
void yk_pod_status_delete(struct yk_pod_status *status, struct yk_task *task);

#endif
