/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Kubernetes shim: composes cache, applications and binder, and starts them.
 *
 * The start has these steps:
 * 1. List the two ConfigMaps, and register with the core; an error ends the start.
 * 2. List namespaces, priority classes and nodes, and with the setting service.trustUserInfo "webhook" also
 *    mutating webhooks. The core gets the nodes, but does not use them yet.
 * 3. List pods. Bound pods, also those of other schedulers, become allocations. Waiting pods of this
 *    scheduler become asks. Pods come after nodes so that all resource types that nodes offer are known when
 *    the sizes of pods are computed.
 * 4. Enable the nodes. The shim is ready.
 *
 * Objects about volumes are watched after the first pod with volumes has been seen (yk_pod_has_disks()).
 *
 * A standby starts in the same way and keeps its cache up to date, but schedules and writes nothing until
 * yk_shim_lead().
 *
 * Owns:   cache, applications, tasks, bindings, events in flight.
 * Thread: scheduling thread; yk_shim_is_ready(), yk_shim_is_synced(), yk_shim_config() and
 * yk_shim_put_metrics() any.
 * Source: docs/reference/kubernetes.md 3.1 (S01 to S03), 4.2 (C04, C05).
 */
#ifndef YK_SHIM_SHIM_H
#define YK_SHIM_SHIM_H

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
    struct yk_api_server *api; /* borrowed for life; so are the next three, `aside` and `inbox` */
    struct yk_core *core;
    struct yk_timers *timers;
    const struct yk_clock *clock;
    const char *namespace_; /* namespace of the ConfigMaps; copied */
    const char *hostname;   /* part of the reporting instance of Events; copied */
    uint64_t seed;          /* of the random names and delays of Events */
    bool standby;           /* schedules and writes nothing until yk_shim_lead() */
    /*
     * `aside`: the mailbox of the thread that parses and checks a new configuration. `inbox`: the mailbox of
     * the scheduling thread, for the result. Both NULL: the scheduling thread parses and checks, so that each
     * run is the same. The thread of `aside` must end before the shim is freed.
     */
    struct yk_mailbox *aside, *inbox;
    /* The shim adds 1 for each watch event that has changed what the cache knows; may be NULL. Borrowed for
     * life; of the scheduling thread. */
    uint64_t *changes;
    /* The context of the callbacks below. Each callback may be NULL, and must not free the shim. */
    void *context;
    /* The start has failed: `message` says why, and the shim does nothing further. */
    void (*fatal)(void *context, const char *message);
    /* The settings are known, and no other object is listed yet. `settings` is valid until the shim is
     * freed. */
    void (*configured)(void *context, const struct yk_settings *settings);
    /* The shim is ready (yk_shim_is_ready()). Called once. */
    void (*recovered)(void *context);
};

/* Makes a shim that has not started. The options and their texts are copied; other pointers are borrowed for
 * the life of the shim. The caller frees it with yk_shim_free(). */
struct yk_shim *yk_shim_new(const struct yk_shim_options *options);
/* Starts the shim: watches the ConfigMaps. Call it once. The other steps follow when lists are complete,
 * and in yk_shim_work(). */
void yk_shim_start(struct yk_shim *shim);
/* Does a bounded part of the pending work; the scheduling thread calls it in each step. True: there is more
 * to do at once. Does not schedule: afterwards the caller lets the core decide, if yk_shim_is_ready() and
 * yk_shim_leads() are true. The next call carries out the decisions. */
bool yk_shim_work(struct yk_shim *shim);
/* Whether the start is complete: the shim schedules, or would schedule if it was the leader. False after
 * yk_shim_stop(). Any thread. */
bool yk_shim_is_ready(const struct yk_shim *shim);
/* Whether all objects that the start needs have been listed: ConfigMaps, nodes, namespaces, priority classes,
 * pods. Any thread. */
bool yk_shim_is_synced(const struct yk_shim *shim);

enum yk_shim_config {
    YK_SHIM_CONFIG_NONE,    /* the ConfigMaps have not been read yet */
    YK_SHIM_CONFIG_VALID,   /* the queue configuration of the ConfigMaps is active */
    YK_SHIM_CONFIG_REFUSED, /* the last change of the ConfigMaps was refused: an earlier one is active */
};
/* The state of the configuration. Any thread. */
enum yk_shim_config yk_shim_config(const struct yk_shim *shim);
/* A standby becomes the leader: from now on it schedules and writes. No effect if it leads or was stopped. */
void yk_shim_lead(struct yk_shim *shim);
/* Whether the shim leads: it was not started as a standby, or yk_shim_lead() was called. Also true before the
 * shim is ready, and after yk_shim_stop(). */
bool yk_shim_leads(const struct yk_shim *shim);
/* Stops the shim: from now on, it sends no bindings and no other requests, and yk_shim_work() does nothing.
 * When yk_shim_is_stopped() is true, call yk_api_stop(). */
void yk_shim_stop(struct yk_shim *shim);
/* Whether yk_shim_stop() was called, and all requests that bind pods or volumes have been answered. */
bool yk_shim_is_stopped(const struct yk_shim *shim);
/* Frees the shim, and unregisters it from the core. The watches must have ended (yk_api_stop()), and no
 * request may be in flight. NULL is fine. */
void yk_shim_free(struct yk_shim *shim);
YK_DEFINE_FREEP(yk_shim)

/*
 * Prepares the shim for a trial in a copy of the process (whatif/trial.h), in which no other thread runs: new
 * configurations are parsed and checked on this thread, and requests in flight no longer count, because they
 * are never answered. Only requests for placeholders still count while one of them waits to be repeated.
 */
void yk_shim_detach(struct yk_shim *shim);
/* Delivers an event as a watch does. Takes `object`, which is NULL for the YK_WATCH_REPLACE_... events. The
 * caller calls yk_shim_work() afterwards. */
void yk_shim_feed(struct yk_shim *shim, enum yk_kind kind, enum yk_watch_event event,
                  struct yk_object *object);
/* Whether a reload of the configuration is in progress. */
bool yk_shim_is_reloading(const struct yk_shim *shim);
/* The settings of the start; NULL: they are not known yet. Borrowed until the shim is freed. */
const struct yk_settings *yk_shim_settings(const struct yk_shim *shim);

/* Asks the API server to which user `token` belongs (yk_admin_review_token()). The member `api` of `question`
 * is not used, because the shim has its own. The answer comes to `question->done` once, after the call.
 * Errors: YK_ERR_UNAVAILABLE, the settings are not known yet, or the shim was stopped; then no answer
 * comes. */
YK_NODISCARD enum yk_status yk_shim_review_token(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, const char *token,
                                                 struct yk_err *err);
/* Like yk_shim_review_token(): asks whether a user may do what `access` describes. */
YK_NODISCARD enum yk_status yk_shim_review_access(struct yk_shim *shim,
                                                  const struct yk_admin_question *question,
                                                  const struct yk_access_question *access,
                                                  struct yk_err *err);
/* Like yk_shim_review_token(): writes the configuration `text` to the ConfigMap yunikorn-configs. Errors:
 * also YK_ERR_UNAVAILABLE for a standby, and those of yk_admin_write_config(). */
YK_NODISCARD enum yk_status yk_shim_write_config(struct yk_shim *shim,
                                                 const struct yk_admin_question *question, struct yk_str text,
                                                 struct yk_err *err);

struct yk_shim_counts {
    size_t nodes, pods, our_pods, tasks, applications, classes; /* objects now; our_pods: of this scheduler */
    size_t binds_waiting, binds_in_flight;                      /* bindings now */
    uint64_t unschedulable[YK_FILTERS]; /* waiting pods by filter that refuses nodes (bind/filter_counts.h) */
    /* Since the start. */
    uint64_t bound, binds_failed, events_sent, events_dropped, conditions_written, reloads_refused;
};
/* Appends the metrics of origin SHIM (metrics/metric_rows.h): times of bindings and filters. Any thread. */
void yk_shim_put_metrics(const struct yk_shim *shim, struct yk_buf *out);
/* Fills `*ret`. O(1). */
void yk_shim_count(const struct yk_shim *shim, struct yk_shim_counts *ret);

/* Checks the invariants of applications and tasks. O(tasks). False: `err` names the first violation. */
YK_NODISCARD bool yk_shim_check(const struct yk_shim *shim, struct yk_err *err);
/* The applications and tasks of the shim, for checks and questions; do not change them. Borrowed for the life
 * of the shim. */
struct yk_apps *yk_shim_apps(struct yk_shim *shim);

#endif
