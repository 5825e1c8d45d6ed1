/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binder: sends the binding of each decision, and passes the answer on to the task.
 *
 * The number of requests in flight is bounded; it shrinks when the API server answers "too many requests" and
 * grows with success. Further bindings wait in a list. A pod with unbound claims waits for these first
 * (volumes/volume_binder.h). A request without an answer is sent again: the API server refuses to bind a pod
 * twice, and says where the pod is.
 *
 * Owns:   struct yk_binding (work->binding).
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
    YK_BINDS_IN_FLIGHT_MAX = 256,
    YK_BINDS_IN_FLIGHT_MIN = 8,
    YK_BIND_ATTEMPTS_MAX = 8,
};

/* Written by: bind; shim sets `in_flight` and `window` in a copy of the process. */
struct yk_binder {
    struct yk_api_server *api;  /* borrowed for life */
    struct yk_timers *timers;   /* borrowed for life */
    struct yk_apps *apps;       /* borrowed for life */
    struct yk_recorder *events; /* borrowed for life */
    struct yk_volume_binder volumes;
    struct yk_list waiting; /* struct yk_task, in_bind */
    size_t waiting_count, in_flight, window;
    bool stopping;
    uint64_t bound, failed; /* answers so far */
    /* From a request to its answer: accepted ones, and all others. */
    struct yk_durations bound_times, failed_times;
    /* From the begin of binding the claims of a pod to its end. */
    struct yk_durations volumes_bound_times, volumes_failed_times;
};

/* Makes it idle. The pointers are borrowed for life. */
void yk_binder_init(struct yk_binder *binder, struct yk_api_server *api, struct yk_timers *timers,
                    struct yk_apps *apps, struct yk_recorder *events);
/* Binds the pod of the task to `pod->node`: the `bind` of struct yk_app_effects. The result comes through
 * yk_task_bound(), yk_task_roll_back() or yk_task_gone(). */
void yk_binder_bind(struct yk_binder *binder, struct yk_task *task);
/* Cancels the bind of the task. True: no request is in flight. False: one is, and its answer will
 * be reported. O(1). */
bool yk_binder_cancel(struct yk_binder *binder, struct yk_task *task);
/* Like yk_binder_cancel(), before the task is freed: an answer that comes later is counted and dropped. */
void yk_binder_forget(struct yk_binder *binder, struct yk_task *task);
/* The bind was answered, but the watch has not confirmed it: the request is sent again unless the watch does
 * so soon. No effect while a request is in flight. */
void yk_binder_confirm(struct yk_binder *binder, struct yk_task *task);
/* Stops: sends no new requests. Answers to those in flight are still handled. */
void yk_binder_stop(struct yk_binder *binder);

#endif
