/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binder: sends a binding for each pod that the core has placed on a node, and reports the answer to
 * app/.
 *
 * The number of requests in flight is limited by a window, which grows by one with each success and is halved
 * when a request fails temporarily. Further bindings wait in a list. The claims of a pod are bound before the
 * pod (volumes/volume_binder.h). A request that fails temporarily or gets no answer is sent again: the API
 * server refuses to bind a pod twice, and says which node the pod is on.
 *
 * Owns:   struct yk_binding (work->binding), which exists from the first request for a pod until its result
 * is certain.
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
    YK_BIND_ATTEMPTS_MAX = 8,     /* requests for one decision that fail temporarily; then it is given up */
};

/* Written by: bind; shim sets `volumes.timeout_ns` when the settings are known, and `in_flight` and
 * `window` in a copy of the process. */
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
    uint64_t bound, failed; /* bindings that succeeded, and that were given up or refused, so far */
    /* The time from a request to its answer, for requests that succeeded and for others. */
    struct yk_durations bound_times, failed_times;
    /* The time in which the claims of a pod were bound, or binding them failed. */
    struct yk_durations volumes_bound_times, volumes_failed_times;
};

/* Makes a binder without bindings. The objects are borrowed for its life; yk_apps_init() was called for
 * `apps`. It needs no yk_..._done(), but all tasks must have been forgotten before it is freed. */
void yk_binder_init(struct yk_binder *binder, struct yk_api_server *api, struct yk_timers *timers,
                    struct yk_apps *apps, struct yk_recorder *events);
/* Binds the pod of the task to pod->node, after its claims if work->volume_plan is not NULL, which is
 * taken. The task is Allocated, its pod is assumed on the node, and work->binding is NULL. The task leaves
 * the list of reports that it is in. The result is reported after this function has returned, by one call
 * of yk_task_bound(), yk_task_roll_back() or yk_task_gone(), unless the binding is cancelled. After
 * yk_task_gone(), yk_task_revive() follows if the watch does not report the deletion. The `bind` of struct
 * yk_app_effects. No effect after yk_binder_stop(). */
void yk_binder_bind(struct yk_binder *binder, struct yk_task *task);
/* Cancels the binding of the task, if there is one, and drops work->volume_plan. True: no request for the
 * task is in flight, and nothing will be reported. The task is still Allocated, and its pod still assumed:
 * the caller calls yk_task_roll_back() if the pod has to leave the node. False: a request is in flight, and
 * its answer will be reported. O(1). */
bool yk_binder_cancel(struct yk_binder *binder, struct yk_task *task);
/* Like yk_binder_cancel(), but an answer that comes later is not reported. To be called before the task is
 * freed. */
void yk_binder_forget(struct yk_binder *binder, struct yk_task *task);
/* To be called for a Bound task that has pending work, if the watch has not shown its pod on the node:
 * sends the binding again in 30 s, unless yk_binder_forget() or yk_binder_cancel() is called before. No
 * effect while a request for the task is in flight. */
void yk_binder_confirm(struct yk_binder *binder, struct yk_task *task);
/* Sends no further requests, and reports nothing further. Answers to those in flight are only counted: the
 * caller waits until `in_flight` and `volumes.in_flight` are 0. */
void yk_binder_stop(struct yk_binder *binder);

#endif
