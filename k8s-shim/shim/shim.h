/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Kubernetes shim on the scheduling thread: composes cache, applications and binder, and starts them.
 *
 * Start: lists the two ConfigMaps; registers with the core (an error is fatal); lists namespaces, priority
 * classes and nodes, which the core gets as unusable nodes; lists pods, of which bound and foreign ones
 * become allocations and waiting ones asks, in order of creation; enables the nodes; is ready. Pods come last
 * so that every resource type that a node offers is known when their sizes are computed.
 *
 * Objects about volumes are watched from the first pod on that has volumes (yk_pod_has_disks()).
 *
 * A standby does the same, follows the leader, and writes nothing until yk_shim_lead().
 *
 * Owns:   cache, applications, tasks, bindings, events in flight.
 * Thread: scheduling thread; yk_shim_is_ready() any.
 * Source: docs/reference/kubernetes.md 3.1 (S01 to S03), 4.2 (C04, C05).
 */
#ifndef YK_BIND_SHIM_H
#define YK_BIND_SHIM_H

#include "api/server.h"
#include "base/mailbox.h"
#include "base/timer.h"
#include "bind/filter_counts.h"
#include "config/settings.h"
#include "shim/administration.h"
#include "si.h"

struct yk_shim;
struct yk_apps;

struct yk_shim_options {
    struct yk_api_server *api; /* borrowed for life, as all below */
    struct yk_core *core;
    struct yk_timers *timers;
    const struct yk_clock *clock;
    const char *namespace_; /* namespace of the ConfigMaps; copied */
    const char *hostname;   /* for events; copied */
    uint64_t seed;          /* of the names and delays of events */
    bool standby;           /* writes and schedules nothing until yk_shim_lead() */
    /*
     * Mailboxes of the thread that parses and checks a new configuration, and of the scheduling thread for
     * the result. NULL: done in place, so that each run is the same. The thread of `aside` ends before the
     * shim is freed.
     */
    struct yk_mailbox *aside, *inbox;
    void *context;
    /* The start failed: `message` says why, and the shim does nothing further. May be NULL. */
    void (*fatal)(void *context, const char *message);
    /* The settings are known; nothing else is listed yet. `settings` is valid until the shim is freed. May
     * be NULL. */
    void (*configured)(void *context, const struct yk_settings *settings);
    /* Ready, or ready to lead. Called once. May be NULL. */
    void (*recovered)(void *context);
};

/* Makes a shim that has not started. The options are copied, and their texts; other pointers are borrowed
 * for life. The caller frees it with yk_shim_free(). */
struct yk_shim *yk_shim_new(const struct yk_shim_options *options);
/* Starts to watch. */
void yk_shim_start(struct yk_shim *shim);
/* Work in a bounded slice, for struct yk_actor. True: there is more to do at once. Does not schedule. */
bool yk_shim_work(struct yk_shim *shim);
/* Whether it has recovered: it schedules, or is a standby that could at once. Any thread. */
bool yk_shim_is_ready(const struct yk_shim *shim);
/* A standby becomes the leader: it decides and writes. */
void yk_shim_lead(struct yk_shim *shim);
/* Whether it schedules and writes; false for a standby. */
bool yk_shim_leads(const struct yk_shim *shim);
/* No new bindings. yk_shim_is_stopped() is true once those in flight are answered; then call
 * yk_api_stop(). */
void yk_shim_stop(struct yk_shim *shim);
/* After yk_shim_stop(): whether all requests that bind pods or volumes are answered. */
bool yk_shim_is_stopped(const struct yk_shim *shim);
/* Called when no request is in flight. The core is not informed. NULL has no effect. */
void yk_shim_free(struct yk_shim *shim);
YK_DEFINE_FREEP(yk_shim)

/*
 * For a trial in a copy of the process (whatif/trial.h), in which no other thread runs: new configurations are
 * read in place, and requests in flight no longer count.
 */
void yk_shim_detach(struct yk_shim *shim);
/* Delivers an event as a watch does; `object` is taken. */
void yk_shim_feed(struct yk_shim *shim, enum yk_kind kind, enum yk_watch_event event,
                  struct yk_object *object);
/* Whether a new configuration is being read. */
bool yk_shim_is_reloading(const struct yk_shim *shim);
/* The active settings; NULL: not known yet. Borrowed until the shim is freed. */
const struct yk_settings *yk_shim_settings(const struct yk_shim *shim);

/* Requests of administrators. `question`: this function sets the API server; the answer comes later and
 * once. Errors: YK_ERR_UNAVAILABLE, starting, ending, or (to write) a standby; YK_ERR_LIMIT, too large. */
YK_NODISCARD enum yk_status yk_shim_review_token(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, const char *token,
                                                 struct yk_err *err);
/* Asks the API server whether the caller may do something; the reply comes through `question`. Errors:
 * YK_ERR_UNAVAILABLE, the shim is stopping or not ready; no reply comes then. */
YK_NODISCARD enum yk_status yk_shim_review_access(struct yk_shim *shim,
                                                  const struct yk_admin_question *question,
                                                  const struct yk_access_question *access,
                                                  struct yk_err *err);
/* Writes `text` as queues.yaml of the ConfigMap; the reply comes through `question`. Errors:
 * YK_ERR_UNAVAILABLE, not ready or a standby; and those of yk_admin_write_config(). No reply comes then. */
YK_NODISCARD enum yk_status yk_shim_write_config(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, struct yk_str text,
                                                 struct yk_err *err);

struct yk_shim_counts {
    size_t nodes, pods, our_pods, tasks, applications, classes;
    size_t binds_waiting, binds_in_flight;
    uint64_t unschedulable[YK_FILTERS]; /* pods by filter (bind/filter_counts.h) */
    uint64_t bound, binds_failed, events_sent, events_dropped, conditions_written, reloads_refused;
};
/* Appends the metrics of origin SHIM (metrics/metric_rows.h): times of bindings and filters. Any thread. */
void yk_shim_put_metrics(const struct yk_shim *shim, struct yk_buf *out);
/* Fills `*ret` with numbers of objects and of requests so far. O(1). */
void yk_shim_count(const struct yk_shim *shim, struct yk_shim_counts *ret);

/* Checks the invariants of the tasks. O(tasks). False: `err` names the first violation. */
YK_NODISCARD bool yk_shim_check(const struct yk_shim *shim, struct yk_err *err);
/* The applications and tasks of the shim, for checks of what waits. Borrowed for its life; read only. */
struct yk_apps *yk_shim_apps(struct yk_shim *shim);

#endif
