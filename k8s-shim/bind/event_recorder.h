/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorder writes Kubernetes Events. It merges repeated ones, and drops Events if there are too many.
 *
 * If an Event repeats an earlier one about the same object, the earlier one becomes a series. The first
 * repetition is written. Later ones are only counted; the count is written every half hour, and when the
 * series ends because it was not repeated for six minutes. All series are checked once a minute, in steps of
 * 32. At most YK_EVENTS_MAX requests wait or are in flight, and at most YK_EVENTS_OF_NODES_MAX of them are
 * about nodes. Further Events are dropped and counted.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, "What is written" (K15); 3.8.
 */
#ifndef YK_BIND_EVENT_RECORDER_H
#define YK_BIND_EVENT_RECORDER_H

#include "base/random.h"
#include "base/timer.h"
#include "cache/cache.h"

enum {
    YK_EVENTS_MAX = 1000,         /* requests that wait or are in flight */
    YK_EVENTS_OF_NODES_MAX = 500, /* of these, about nodes: all nodes may change at once, as at the start */
    YK_EVENTS_IN_FLIGHT_MAX = 16, /* the largest window */
    YK_EVENT_SERIES_MAX = 1024,   /* Events that can become a series */
    YK_EVENT_TRIES_MAX = 12,      /* how often a request without an answer is sent */
};

/* The object that an Event is about. */
struct yk_regarding {
    const char *kind;         /* "Pod", "Node", "ConfigMap" */
    struct yk_str namespace_; /* absent or "" for nodes: the Event is then in the namespace "default" */
    /* `uid` may be absent for an Event that is not merged (`once`); merging compares kind and UID. */
    struct yk_str name, uid;
};

/* Written by: bind; shim sets `muted`, and reduces `in_flight`, `outstanding` and `outstanding_of_nodes` in a
 * copy of the process. */
struct yk_recorder {
    struct yk_api_server *api;    /* borrowed for life */
    struct yk_timers *timers;     /* borrowed for life */
    const struct yk_clock *clock; /* borrowed for life */
    struct yk_random random;
    char *instance;              /* owned; "yunikorn-<hostname>" */
    struct yk_list ready;        /* struct delivery: requests to send */
    struct yk_list retrying;     /* struct delivery: requests that wait for their timers */
    size_t outstanding;          /* requests in `ready`, in `retrying` and in flight */
    size_t outstanding_of_nodes; /* of these, about nodes */
    size_t in_flight;            /* requests without an answer */
    size_t window;               /* how many requests may be in flight */
    struct yk_idmap series;      /* struct series by hash, owned */
    struct yk_list series_list;  /* struct series, in_order: the same series in order of arrival */
    struct yk_timer sweep;       /* starts the next check of the series */
    struct yk_list *sweep_next;  /* next series to check; the head of series_list: no check is in progress */
    bool stopping;
    bool muted; /* this process is a standby: new Events are ignored */
    /* Counts since the start. `dropped`: Events that were not written because of the limits or after
     * yk_recorder_stop(), and requests (also those that update a series) that the API server did not accept.
     * `sent`: requests that succeeded. `merged`: repetitions of Events. A repetition whose request is dropped
     * counts in `dropped` and in `merged`. Requests that yk_recorder_stop() drops are not counted. */
    uint64_t dropped, sent, merged;
};

/* Makes a recorder without Events. `api`, `timers` and `clock` are borrowed for its life; `hostname` is
 * copied. `seed` determines the random numbers for the times between retries, and for names of Events that
 * are UUIDs. The caller ends the recorder with yk_recorder_done(). */
void yk_recorder_init(struct yk_recorder *recorder, struct yk_api_server *api, struct yk_timers *timers,
                      const struct yk_clock *clock, const char *hostname, uint64_t seed);
/* Frees the recorder. No request may be in flight. */
void yk_recorder_done(struct yk_recorder *recorder);
/* Writes an Event about the object `about`, or counts it in the series of an earlier one with the same
 * object, type, reason and action; the notes are not compared. `warning`: the type is Warning; false: Normal.
 * The texts are copied, and cut to what the API server accepts. `once`: the Event is not merged with
 * others. No effect while `muted` is set. After yk_recorder_stop(), and while too many requests wait or are
 * in flight (YK_EVENTS_MAX; for an Event about a node also YK_EVENTS_OF_NODES_MAX), the Event is only
 * counted: in `dropped`, or in `merged` if it repeats an Event that is known. The first repetition, which
 * would be written, is then counted in both. */
void yk_recorder_add(struct yk_recorder *recorder, const struct yk_regarding *about, bool warning,
                     const char *reason, const char *action, const char *note, bool once);
/* Like yk_recorder_add() about a pod, with `once` false. */
void yk_recorder_pod(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                     const char *reason, const char *action, const char *note);
/* Like yk_recorder_pod(), but the Event is merged with an earlier one only if `words` is the same, too.
 * `words`: a number that the caller chooses for what the note says, such as a hash of the note without its
 * numbers. */
void yk_recorder_pod_words(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                           const char *reason, const char *action, const char *note, uint64_t words);
/* Sets how many requests may be in flight, from 1 to YK_EVENTS_IN_FLIGHT_MAX, and sends requests up to this
 * number. The caller chooses a small window while bindings wait. */
void yk_recorder_set_window(struct yk_recorder *recorder, size_t window);
/* Sends no further requests, and drops the Events that have not been sent. Answers to requests in flight may
 * still come: the caller waits until `in_flight` is 0 before yk_recorder_done(). May be called twice. */
void yk_recorder_stop(struct yk_recorder *recorder);

#endif
