/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the status of pods for users and autoscalers: the condition PodScheduled, the Events Scheduled,
 * FailedScheduling and PodUnschedulable, and the phase Failed. It also deletes pods that the core has ended,
 * and placeholders that are not needed. unschedulable.h computes why a pod waits.
 *
 * Tasks with something to report are in lists, linked by task->in_bind. Bindings are more urgent than
 * reports, so a report is sent only while two limits are not reached: YK_STATUS_IN_FLIGHT_MAX requests of
 * this file without an answer, and twice as many requests for Events that are not about nodes, which wait or
 * have no answer. While bindings wait, the limits are 1 and 2. Deletions and the phase Failed are sent at
 * once. Scheduled Events are written at a rate of at most YK_ANNOUNCED_PER_S while pods are being bound, at a
 * tenth of this rate while bindings wait, and without a rate otherwise.
 *
 * A request that fails temporarily is sent up to YK_STATUS_TRIES_MAX times, as long as it still applies. The
 * deletion of a placeholder is repeated until the watch reports that the pod is being deleted or is gone, the
 * API server answers that the pod does not exist, or the request is cancelled. Each request names the UID of
 * the pod, so it cannot change a later pod of the same name.
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
    YK_STATUS_IN_FLIGHT_MAX = 8, /* no report is sent while this number of requests has no answer */
    YK_STATUS_TRIES_MAX = 8,     /* how often a request that fails temporarily is sent */
    /* requests that wait to be repeated, without deletions of placeholders; further ones are given up */
    YK_STATUS_RETRYING_MAX = 4096,
    YK_ANNOUNCED_PER_S = 50, /* Scheduled Events per second while pods are being bound */
    YK_ANNOUNCED_BURST = 25, /* Scheduled Events that may follow the first one at once after a pause */
};

/* Written by: bind; shim sets `in_flight` to 0 in a copy of the process. */
struct yk_pod_status {
    struct yk_api_server *api;    /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life */
    struct yk_apps *apps;         /* borrowed for life */
    struct yk_recorder *events;   /* borrowed for life */
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_list bound;         /* struct yk_task, in_bind: tasks whose Scheduled Event is to be written */
    struct yk_list news;          /* struct yk_task, in_bind: waiting tasks whose reason is to be reported */
    struct yk_list retrying;      /* struct update: requests that wait for their timers */
    size_t in_flight;             /* requests without an answer */
    size_t retrying_count;        /* length of `retrying`, without deletions of placeholders */
    uint64_t binds_seen;          /* binder->bound when yk_pod_status_run() was called last */
    int64_t last_bind_mono_ns;    /* when yk_pod_status_run() last saw that binder->bound had grown */
    /* The last turn that the rate of Scheduled Events has given, on the monotonic clock. It may be in the
     * past: unused turns of the last YK_ANNOUNCED_BURST / YK_ANNOUNCED_PER_S seconds are still given. */
    int64_t announced_ns;
    /* Wakes the scheduling thread when the rate allows the next Scheduled Event. */
    struct yk_timer announce_at;
    struct yk_unschedulable unschedulable;
    bool stopping;
    uint64_t written; /* conditions PodScheduled that were sent so far, repetitions included */
};

/* Makes `status` without reports. The objects are borrowed for its life. The caller ends it with
 * yk_pod_status_done(). */
void yk_pod_status_init(struct yk_pod_status *status, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_apps *apps, struct yk_recorder *events, const struct yk_clock *clock);
/* Stops repeating requests. Answers to requests in flight may still come. The caller does not call
 * yk_pod_status_run() afterwards. May be called twice. */
void yk_pod_status_stop(struct yk_pod_status *status);
/* Frees it. All tasks must have been freed, and no request may be in flight. */
void yk_pod_status_done(struct yk_pod_status *status);
/* Queues the report about a task: the Scheduled Event if the task is Bound, otherwise the reason why the task
 * waits. Only for the effects bound() and waits(): a Bound task must not be in the list of bindings to send
 * (work->waits_for_bind). No effect if the task is not Bound and is in a list of bind/ already.
 * yk_pod_status_run() sends the report when it is due; if the task neither waits nor is Bound by then, there
 * is none. */
void yk_pod_status_queue(struct yk_pod_status *status, struct yk_task *task);
/* Sends up to `max` reasons and up to `max` Scheduled Events, fewer while `binder` has bindings to send. To
 * be called after each change, each answer and each timer, because the timers for reports only wake the
 * thread. A standby does not call it. True: more can be sent at once, so the caller calls again soon. */
bool yk_pod_status_run(struct yk_pod_status *status, const struct yk_binder *binder, size_t max);
/* Sends a patch that sets the phase of the pod of the task to Failed. `reason` and `message` are copied. Only
 * the leader may call it, for a pod without a node: the caller checks both. */
void yk_pod_status_fail(struct yk_pod_status *status, struct yk_task *task, const char *reason,
                        const char *message);
/* Sends the deletion of the pod of the task. If the pod was preempted (task->termination) and is not a
 * placeholder, the condition DisruptionTarget is written first. The deletion of a placeholder is repeated
 * until the pod is gone, so the caller deletes a placeholder only once, and sets task->going before. Only the
 * leader may call it: the caller checks that. */
void yk_pod_status_delete(struct yk_pod_status *status, struct yk_task *task);

#endif
