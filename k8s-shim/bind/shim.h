/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Kubernetes shim on the scheduling thread: cache, applications, binder, and the order in which they
 * start.
 *
 * Start-up: the two ConfigMaps are listed; the core is registered with them (an error there is fatal);
 * namespaces, priority classes and nodes are listed, nodes told to the core as not usable yet; pods are
 * listed; bound and foreign pods become allocations and waiting ones asks, in order of creation; nodes are
 * opened; ready. The pods come last so that every resource that nodes offer has its slot when pods are
 * measured.
 *
 * What is known of volumes is watched from the first pod on that has some (yk_pod_has_disks()).
 *
 * A standby does all of that, follows what the leader does and writes nothing, until yk_shim_lead().
 *
 * Owns:   cache, applications, tasks, bindings, events on their way.
 * Thread: scheduling thread; yk_shim_is_ready() any.
 * Source: docs/reference/kubernetes.md 3.1 (S01 to S03), 4.2 (C04, C05).
 */
#ifndef YK_BIND_SHIM_H
#define YK_BIND_SHIM_H

#include "api/server.h"
#include "base/mailbox.h"
#include "base/timer.h"
#include "bind/administration.h"
#include "config/settings.h"
#include "si.h"

struct yk_shim;
struct yk_apps;

struct yk_shim_options {
    struct yk_api_server *api; /* borrowed for life, as all below */
    struct yk_core *core;
    struct yk_timers *timers;
    const struct yk_clock *clock;
    const char *namespace_; /* where the ConfigMaps are; copied */
    const char *hostname;   /* for events; copied */
    uint64_t seed;          /* of the names and delays of events */
    bool standby;           /* writes and schedules nothing until yk_shim_lead() */
    /*
     * Where a new configuration is read and checked, and where the scheduling thread gets it back. NULL: in
     * place, so that a run is the same every time. Who runs `aside` ends before the shim is freed.
     */
    struct yk_mailbox *aside, *inbox;
    void *context;
    /* Start-up cannot go on: `message` says why. The shim does nothing any more. May be NULL. */
    void (*fatal)(void *context, const char *message);
    /* The settings are known, before anything else is listed. Borrowed until the shim is freed. May be NULL.
     */
    void (*configured)(void *context, const struct yk_settings *settings);
    /* Ready, or it would be if it led. Once. May be NULL. */
    void (*recovered)(void *context);
};

struct yk_shim *yk_shim_new(const struct yk_shim_options *options);
/* Starts watching. */
void yk_shim_start(struct yk_shim *shim);
/* Follow-ups in a bounded slice, for struct yk_actor: true when there is more to do at once. Does not
 * schedule. */
bool yk_shim_work(struct yk_shim *shim);
/* Recovered: scheduling, or a standby that could at once. Any thread. */
bool yk_shim_is_ready(const struct yk_shim *shim);
/* Of a standby: from now on it decides and writes. */
void yk_shim_lead(struct yk_shim *shim);
bool yk_shim_leads(const struct yk_shim *shim);
/* No new binds. yk_shim_is_stopped() once the answers of those under way are there; then yk_api_stop(). */
void yk_shim_stop(struct yk_shim *shim);
bool yk_shim_is_stopped(const struct yk_shim *shim);
/* After the API server came to rest (nothing in flight). The core is told of nothing. NULL is fine. */
void yk_shim_free(struct yk_shim *shim);
YK_DEFINE_FREEP(yk_shim)

/*
 * For administrators. `question`: the API server is filled in here; answered later and once.
 * Errors: YK_ERR_UNAVAILABLE, starting, ending, or (to write) a standby; YK_ERR_LIMIT, too large.
 */
YK_NODISCARD enum yk_status yk_shim_review_token(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, const char *token,
                                                 struct yk_err *err);
YK_NODISCARD enum yk_status yk_shim_review_access(struct yk_shim *shim,
                                                  const struct yk_admin_question *question,
                                                  const struct yk_access_question *access,
                                                  struct yk_err *err);
YK_NODISCARD enum yk_status yk_shim_write_config(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, struct yk_str text,
                                                 struct yk_err *err);

struct yk_shim_counts {
    size_t nodes, pods, our_pods, tasks, applications, classes;
    size_t binds_waiting, binds_in_flight;
    uint64_t bound, binds_failed, events_sent, events_dropped, conditions_written, reloads_refused;
};
void yk_shim_count(const struct yk_shim *shim, struct yk_shim_counts *ret);

/* The invariants of its tasks. O(tasks). False: `err` names the first break. */
YK_NODISCARD bool yk_shim_check(const struct yk_shim *shim, struct yk_err *err);
/* What it knows of pods and nodes, for a check of who waits; read only. */
struct yk_apps *yk_shim_apps(struct yk_shim *shim);

#endif
