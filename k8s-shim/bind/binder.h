/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binder: sends a binding for each pod that the core has placed on a node, and reports the answer to
 * app/.
 *
 * The number of requests in flight is limited by a window, which grows by one with each pod that is bound,
 * and is halved when a request fails temporarily or gets no answer. Further bindings wait in a list. The
 * claims of a pod are bound before the pod (volumes/volume_binder.h). A request that fails temporarily or
 * gets no answer is sent again. This is safe, because the API server refuses to bind a pod twice, and its
 * refusal names the node of the pod.
 *
 * Owns:   struct yk_binding (work->binding), which exists from the first request for the pod or its claims
 *         until the result is certain. A task whose first binding waits in the list has none.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.4 "Bind pod" (S13).
 */
#ifndef YK_BIND_BINDER_H
#define YK_BIND_BINDER_H

#include "app/apps.h"
#include "base/timer.h"
#include "metrics/durations.h"
#include "volumes/volume_binder.h"

struct yk_recorder;

enum {
    YK_BINDS_IN_FLIGHT_MAX = 256, /* largest window, and the window at the start */
    YK_BINDS_IN_FLIGHT_MIN = 8,   /* smallest window */
    YK_BIND_ATTEMPTS_MAX = 8,     /* temporary failures after which the decision of the core is given up */
};

/* Written by: bind; shim sets `volumes.timeout_ns` when the settings are known, and `in_flight`,
 * `volumes.in_flight` and `window` in a copy of the process. */
struct yk_binder {
    struct yk_api_server *api;  /* borrowed for life */
    struct yk_timers *timers;   /* borrowed for life */
    struct yk_apps *apps;       /* borrowed for life */
    struct yk_recorder *events; /* borrowed for life */
    struct yk_volume_binder volumes;
    struct yk_list waiting; /* struct yk_task, in_bind: bindings to send, in order */
    size_t waiting_count;   /* length of `waiting` */
    size_t in_flight;       /* requests without an answer */
    size_t window;          /* how many requests may be in flight */
    bool stopping;
    uint64_t bound, failed; /* so far: bindings that succeeded; failures that were logged */
    /* The time from a request to its answer, for requests that succeeded and for others. */
    struct yk_durations bound_times, failed_times;
    /* The time that it took to bind the claims of a pod, and the time until this failed. */
    struct yk_durations volumes_bound_times, volumes_failed_times;
};

/* Makes a binder without bindings. It borrows the objects for its life; yk_apps_init() must have been called
 * for `apps`. The binder needs no yk_..._done(). Before it is freed, yk_binder_forget() must have been called
 * for all tasks, and all requests in flight must have been answered. */
void yk_binder_init(struct yk_binder *binder, struct yk_api_server *api, struct yk_timers *timers,
                    struct yk_apps *apps, struct yk_recorder *events);
/* Binds the pod of the task to pod->node. If work->volume_plan is not NULL, the plan is taken, and the claims
 * of the pod are bound first. The task must be Allocated, its pod assumed on the node, and work->binding
 * NULL. Before the pod is bound, the task is removed from lists of reports (pod_status.h). The result is
 * reported after this function has returned, by one call of yk_task_bound(), yk_task_roll_back() or
 * yk_task_gone(). It is not reported after yk_binder_forget(), after yk_binder_stop(), if yk_binder_cancel()
 * has returned true, or if the request succeeds after the node was removed. If the watch does not report the
 * deletion of the pod within 30 s after yk_task_gone(), yk_task_revive() is called. No effect after
 * yk_binder_stop(). */
void yk_binder_bind(struct yk_binder *binder, struct yk_task *task);
/* Cancels the binding of the task, if there is one, and drops work->volume_plan; also ends the wait of a
 * Bound task for its confirmation. True: no request to bind the pod is in flight, and nothing will be
 * reported. False: such a request is in flight, and its answer will be reported; work->binding is not NULL
 * until then. The state of the task does not change, and its pod stays on the node: if the result is true and
 * the pod has to leave the node, the caller calls yk_task_roll_back(), or yk_cache_forget(). Does not remove
 * the task from lists of reports. O(1). */
bool yk_binder_cancel(struct yk_binder *binder, struct yk_task *task);
/* Like yk_binder_cancel(), but an answer that comes later is not reported. To be called before the task is
 * freed. The effect forget() of the shim calls it, then yk_unschedulable_forget(), and removes task->in_bind
 * from its list. */
void yk_binder_forget(struct yk_binder *binder, struct yk_task *task);
/* The watch has not shown the pod of a Bound task on its node: sends the binding again in 30 s, if neither
 * yk_binder_forget() nor yk_binder_cancel() is called before. task->work is not NULL. Only the leader may
 * call it. No effect while a request for the task is in flight: its answer does the same. */
void yk_binder_confirm(struct yk_binder *binder, struct yk_task *task);
/* From now on, sends no requests and reports nothing. The answers to requests in flight still reduce
 * `in_flight` and `volumes.in_flight`; the caller waits until both are 0. */
void yk_binder_stop(struct yk_binder *binder);

#endif
