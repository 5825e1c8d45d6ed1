/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume binder: writes the decisions of a plan to the API server, then waits until all claims of the pod
 * are bound.
 *
 * It first writes the claimRef of each chosen volume, then the selected node of each claim for which a volume
 * is to be provisioned. Each write names the resourceVersion of the object in the cache, so that the API
 * server refuses it if the object has changed since. The volume controllers of Kubernetes do the rest, and
 * the watch shows their changes. The binder sends no requests while it waits for the controllers. A write
 * whose answer is lost is sent again: if the first one has taken effect, the API server refuses the second
 * one, and the watch shows the effect. After a failure, writes are not undone: a claim with a selected node
 * is tried on that node again, also after a restart.
 *
 * Owns:   the plans that it was given, until it calls `done`.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.4 "Volume algorithm" (S11), docs/reference/predicates.md 4.10.
 */
#ifndef YK_VOLUMES_VOLUME_BINDER_H
#define YK_VOLUMES_VOLUME_BINDER_H

#include "base/timer.h"
#include "volumes/volumes.h"

enum {
    YK_VOLUME_WRITES_IN_FLIGHT_MAX = 256, /* for all pods together */
    YK_VOLUME_WRITE_ATTEMPTS_MAX = 8,     /* for one write, after which the binding fails */
};

/* Written by: volumes; shim sets `timeout_ns`, and `in_flight` to 0 in a copy of the process. */
struct yk_volume_binder {
    struct yk_api_server *api; /* borrowed for life; so are the next three */
    struct yk_timers *timers;
    const struct yk_cache *cache;
    struct yk_volumes *volumes;
    int64_t timeout_ns;     /* service.volumeBindTimeout; yk_volume_bind() reads it */
    struct yk_list waiting; /* struct yk_volume_binding that wait because too many writes are in flight */
    size_t in_flight;       /* writes without an answer */
    bool stopping;          /* yk_volume_binder_stop() was called */
};

/* One pod whose volumes are being bound. Opaque. */
struct yk_volume_binding;

/* The result of yk_volume_bind(). `bound`: all claims are bound, and `message` is empty. Otherwise `message`
 * says why not; it is borrowed for the call. The plan is freed before the call, and the caller must not use
 * the binding afterwards. */
typedef void yk_volume_bind_done(void *context, bool bound, const char *message);

/* Makes an idle binder. The pointers are borrowed for its life. `timeout_ns`: how long a pod waits for its
 * volumes. There is nothing to free at the end of the binder, but it must exist until `in_flight` is 0. */
void yk_volume_binder_init(struct yk_volume_binder *binder, struct yk_api_server *api,
                           struct yk_timers *timers, const struct yk_cache *cache, struct yk_volumes *volumes,
                           int64_t timeout_ns);
/* Begins to bind the claims of a pod, which is assumed on the node of the plan. After success, the caller
 * binds the pod; after a failure, it lets the pod leave the node. If the pod leaves the node before `done` is
 * called, the caller cancels the binding. Takes `plan`, which is not NULL. Calls `done` with `context` once,
 * after yk_volume_bind() has returned, unless the binding is cancelled or the binder is stopped first. The
 * returned binding is borrowed until `done` is called or the caller cancels the binding. After
 * yk_volume_binder_stop(), yk_volume_bind() only keeps the plan until the binding is cancelled. */
struct yk_volume_binding *yk_volume_bind(struct yk_volume_binder *binder, struct yk_volume_plan *plan,
                                         yk_volume_bind_done *done, void *context);
/* Cancels the binding: frees the binding and its plan, and does not call `done`. Requests that were sent are
 * not undone; they count in `in_flight` until they are answered. NULL is fine. */
void yk_volume_bind_cancel(struct yk_volume_binding *binding);
/* The scheduler ends: stops the binder. Afterwards it sends no writes and calls no `done`. The caller cancels
 * each binding with yk_volume_bind_cancel(); until then the binding stays valid. */
void yk_volume_binder_stop(struct yk_volume_binder *binder);

#endif
