/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume binder: writes what a plan says, and then waits until every claim of the pod has its volume.
 *
 * First the volumes get their claims, then the claims their node; each write is guarded by the version it was
 * decided on. From then on the volume controllers do the rest, and what they do is seen as events; no
 * requests are sent in between. A write that may or may not have happened is made again: the guard refuses it
 * if it had happened, and the watch says so. What was written is not taken back when the rest fails: a claim
 * that names a node is tried there again, also by the next process.
 *
 * Owns:   the plans it was given, until it answers.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.4 "Volume algorithm" (S11), docs/reference/predicates.md 4.10.
 */
#ifndef YK_VOLUMES_VOLUME_BINDER_H
#define YK_VOLUMES_VOLUME_BINDER_H

#include "base/timer.h"
#include "volumes/volumes.h"

enum {
    YK_VOLUME_WRITES_IN_FLIGHT_MAX = 256,
    YK_VOLUME_WRITE_ATTEMPTS_MAX = 8,
};

/* Written by: volumes; shim sets `timeout_ns`, and `in_flight` to 0 in a copy of the process. */
struct yk_volume_binder {
    struct yk_api_server *api; /* borrowed for life, as the next three */
    struct yk_timers *timers;
    const struct yk_cache *cache;
    struct yk_volumes *volumes;
    int64_t timeout_ns;     /* service.volumeBindTimeout; may be changed for those that come */
    struct yk_list waiting; /* struct yk_volume_binding that would write more */
    size_t in_flight;
    bool stopping;
};

/* One pod whose volumes are being bound. Opaque. */
struct yk_volume_binding;

/* The result of yk_volume_bind(): all claims are bound, or `message` (borrowed for the call) says why they
 * will not be. The binding is freed before the call. */
typedef void yk_volume_bind_done(void *context, bool bound, const char *message);

/* Makes it idle. The pointers are borrowed for life. `timeout_ns`: how long a pod waits for its volumes. */
void yk_volume_binder_init(struct yk_volume_binder *binder, struct yk_api_server *api,
                           struct yk_timers *timers, const struct yk_cache *cache, struct yk_volumes *volumes,
                           int64_t timeout_ns);
/* Begins to bind the claims of a pod. Takes `plan`. Calls `done` once, later, from a timer or an answer,
 * unless the binding is cancelled. The result is borrowed until then. */
struct yk_volume_binding *yk_volume_bind(struct yk_volume_binder *binder, struct yk_volume_plan *plan,
                                         yk_volume_bind_done *done, void *context);
/* Cancels the binding: the plan is forgotten, requests that were sent are not undone. NULL is fine. */
void yk_volume_bind_cancel(struct yk_volume_binding *binding);
/* Stops: sends no new writes, and calls no `done` any longer. */
void yk_volume_binder_stop(struct yk_volume_binder *binder);

#endif
