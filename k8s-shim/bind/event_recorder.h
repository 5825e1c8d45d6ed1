/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kubernetes Events: best effort, merged, bounded.
 *
 * An event that repeats an earlier one about the same object becomes a series: the first repetition is
 * written, later ones are counted until the series is refreshed or ends. All series are checked once a
 * minute, in steps of 32. At most YK_EVENTS_MAX events wait or are in flight; further ones are dropped and
 * counted. No other work waits for an event.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 1.7 (K15), 3.8.
 */
#ifndef YK_BIND_EVENT_RECORDER_H
#define YK_BIND_EVENT_RECORDER_H

#include "base/random.h"
#include "base/timer.h"
#include "cache/cache.h"

enum {
    YK_EVENTS_MAX = 1000,
    YK_EVENTS_IN_FLIGHT_MAX = 16,
    YK_EVENT_SERIES_MAX = 1024,
    YK_EVENT_TRIES_MAX = 12,
};

struct yk_regarding {
    const char *kind;         /* "Pod", "Node", "ConfigMap" */
    struct yk_str namespace_; /* empty for nodes */
    struct yk_str name, uid;
};

/* Written by: bind; shim sets `muted`, and `in_flight` and `outstanding` to 0 in a copy of the process. */
struct yk_recorder {
    struct yk_api_server *api;    /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life */
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_random random;
    char *instance;          /* "yunikorn-<hostname>" */
    struct yk_list ready;    /* struct delivery, waiting to be sent */
    struct yk_list retrying; /* struct delivery, waiting for its timer */
    size_t outstanding, in_flight, window;
    struct yk_idmap series;     /* struct series by hash */
    struct yk_list series_list; /* the same, by in_order: in order of arrival */
    struct yk_timer sweep;
    struct yk_list *sweep_next; /* next series to check; the head of series_list: no check is in progress */
    bool stopping;
    bool muted; /* another scheduler writes events: events are neither sent nor stored */
    uint64_t dropped, sent, merged;
};

/* Makes a recorder without events. The pointers are borrowed for life; `hostname` is copied into the
 * reporting instance. `seed` is for the names of events. */
void yk_recorder_init(struct yk_recorder *recorder, struct yk_api_server *api, struct yk_timers *timers,
                      const struct yk_clock *clock, const char *hostname, uint64_t seed);
/* Frees the recorder. No request is in flight. */
void yk_recorder_done(struct yk_recorder *recorder);
/* Records an Event about the object `about`. `warning`: its type is Warning, else Normal. The texts are
 * copied, and cut to what the API server accepts. `once`: no other Event will say the same, so it begins no
 * series. */
void yk_recorder_add(struct yk_recorder *recorder, const struct yk_regarding *about, bool warning,
                     const char *reason, const char *action, const char *note, bool once);
/* Like yk_recorder_add() about a pod. A repeated Event is counted in a series. */
void yk_recorder_pod(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                     const char *reason, const char *action, const char *note);
/* Like yk_recorder_pod(). The Event is merged with earlier ones only if `words` is the same: a hash of the
 * text without its numbers. */
void yk_recorder_pod_words(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                           const char *reason, const char *action, const char *note, uint64_t words);
/* Sets how many requests may be in flight, at most YK_EVENTS_IN_FLIGHT_MAX: few while bindings wait. */
void yk_recorder_set_window(struct yk_recorder *recorder, size_t window);
/* Sends no further requests, and drops the events that were not sent. */
void yk_recorder_stop(struct yk_recorder *recorder);

#endif
