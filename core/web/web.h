/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server of the REST interface, with metrics and probes: an HTTP server on the I/O thread, for which the
 * scheduling thread writes most answers.
 *
 * The I/O thread reads a request and finds its route. The I/O thread itself answers requests that need no
 * scheduling state, such as probes. The configuration thread checks a configuration in a request
 * (web/checker.h). Other requests, and guarded ones, are posted to the inbox of the scheduling thread as a
 * job (web/job.h). An answer that needs scheduling state is written there in slices (web/renderer.h), and
 * compressed and sent on the I/O thread.
 *
 * Owns:    its sockets, and all jobs.
 * Borrows: the I/O loop, the mailboxes, the core and the clock, until it is freed.
 * Thread:  I/O thread, except where a function says otherwise.
 * Source: docs/reference/rest.md.
 */
#ifndef YK_WEB_WEB_H
#define YK_WEB_WEB_H

#include "base/clock.h"
#include "base/io_loop.h"
#include "http/tls.h"
#include "web/access.h"
#include "web/answer.h"
#include "web/auth_backend.h"
#include "web/recording_backend.h"
#include "web/server_stats.h"
#include "web/simulation_hook.h"
#include "web/whatif_backend.h"

struct yk_actor; /* base/actor.h */
struct yk_core;
struct yk_web;

/* The approximate cost of an answer for the I/O thread, without compression. */
#define YK_WEB_ANSWER_NS (100 * INT64_C(1000))
enum {
    YK_WEB_BYTE_NS = 2,             /* additional cost of each byte of the answer */
    YK_WEB_COMPRESSED_BYTE_NS = 12, /* cost of the compression of a byte */
    /* While the scheduler is busy, answers take at most about 1 / YK_WEB_SHARE of the I/O thread. */
    YK_WEB_SHARE = 20,
    /* Requests for the scheduling thread that wait, or whose answers are written or are sent as a whole; one
     * more gets 503. The same number of other requests may wait for the end of a pause. */
    YK_WEB_IN_FLIGHT_MAX = 64,
    YK_WEB_LONG_MAX = 4, /* long answers that are written at a time; the others wait */
    /* Bytes of answers that are sent as a whole and not shared, and that clients have not read yet; from this
     * number on, requests for long answers get 503. */
    YK_WEB_LENT_MAX = 256 << 20,
    /* Answers that are sent in pieces, in all and to one address. To begin one more, the server closes the
     * connection of a client that has not taken a piece for YK_WEB_SLOW_NS; if there is none, it answers with
     * 503. */
    YK_WEB_POURING_MAX = 64,
    YK_WEB_POURING_OF_ADDRESS_MAX = 32,
    /* Connections of slower clients are closed, after YK_WEB_POUR_GRACE_NS. */
    YK_WEB_POUR_BYTES_PER_S = 32 << 10,
};
#define YK_WEB_PAUSE_MAX_NS  (200 * YK_NS_PER_MS) /* longest pause of the I/O thread between two requests */
#define YK_WEB_SLOW_NS       (1 * YK_NS_PER_S)
#define YK_WEB_POUR_GRACE_NS (60 * YK_NS_PER_S)

/* All pointers are borrowed for the life of the server, except where a comment says otherwise. */
struct yk_web_options {
    struct yk_io *io;
    struct yk_mailbox *inbox; /* of the scheduling thread */
    /* Of the configuration thread; NULL: the I/O thread checks configurations (tests). */
    struct yk_mailbox *aside;
    struct yk_core *core; /* used on the scheduling thread only */
    /* Of the scheduling thread: long answers get an ETag from yk_actor_changes(). NULL: only answers that are
     * sent as a whole have one. */
    const struct yk_actor *actor;
    /* Of the scheduling thread, but not those of the core; NULL: those of the core (tests). */
    struct yk_timers *timers;
    const struct yk_clock *clock;      /* real time, also in a simulation: measures slices */
    const char *bind_address;          /* IP address to listen on, borrowed for the call; "" or NULL: all */
    uint16_t port;                     /* 0: any free port */
    const struct yk_web_check *checks; /* `check_count` checks of probes, in addition to "ping"; copied */
    size_t check_count;
    /* Appends metrics that are not of this module to each scrape. I/O thread. NULL: none. */
    void (*put_more_metrics)(void *context, struct yk_buf *out);
    void *more_metrics_context;
    const struct yk_auth_backend *backend;        /* copied; NULL: none, see yk_guard_init() */
    const struct yk_whatif_backend *whatif;       /* copied; NULL: what-if questions are refused */
    const struct yk_recording_backend *recording; /* copied; NULL: nothing can be recorded */
    struct yk_tls *tls;                           /* taken if yk_web_start() succeeds; NULL: not encrypted */
    enum yk_web_access access;                    /* who may read; see yk_web_set_access() */
    /* Whether requests that carry out decisions (such as bindings) are in flight. Then the scheduler counts
     * as busy, so that answers take only a part of both threads. Scheduling thread. NULL: never. */
    bool (*is_writing)(void *context);
    void *is_writing_context;
    const struct yk_web_simulation *simulation; /* NULL: the cluster is real */
};

/*
 * Makes a server that listens. Call it on the I/O thread or before the loops run, after the core was made.
 * The caller frees `*ret_web` with yk_web_free(). Errors, after which options->tls still belongs to the
 * caller: YK_ERR_INVALID, the address is wrong; YK_ERR_IO, it cannot listen; YK_ERR_LIMIT, too many checks.
 */
YK_NODISCARD enum yk_status yk_web_start(const struct yk_web_options *options, struct yk_web **ret_web,
                                         struct yk_err *err);
/* Accepts no more connections, and lets open requests end, for at most 5 s. Then `done` (may be NULL) is
 * called with `context` on the I/O thread, perhaps before this function returns. Until then, the I/O loop and
 * the scheduling thread have to run. A second call has no effect, and its `done` is never called. Does not
 * free the server: requests may still be open when `done` is called. */
void yk_web_stop(struct yk_web *web, void (*done)(void *context), void *context);
/* Frees the server. Call it after the loops of the I/O thread, the scheduling thread and the configuration
 * thread have ended, and before their mailboxes and the core are freed. `done` of yk_web_stop() is no longer
 * called. */
void yk_web_free(struct yk_web *web);
YK_DEFINE_FREEP(yk_web)
/* How long, in nanoseconds, an answer of `bytes` bytes delays the next request that is no probe, while the
 * scheduler is busy. Any thread. */
int64_t yk_web_pause_ns(size_t bytes);
/* The TCP port on which the server listens, also if `port` of the options was 0. */
uint16_t yk_web_port(const struct yk_web *web);

/* Uses `tls`, which is taken and is not the present one, for new connections; NULL: these are not encrypted.
 * Frees the `tls` that was used before; open connections keep working. */
void yk_web_set_tls(struct yk_web *web, struct yk_tls *tls);
/* Sets who may read, from the next request on: the server begins with `access` of the options. */
void yk_web_set_access(struct yk_web *web, enum yk_web_access access);

/* ---- without a network ---- */

/* A request for yk_web_render(). */
struct yk_web_query {
    const char *method;          /* NULL: GET */
    const char *target;          /* path and query, encoded as a client sends them */
    const char *accept;          /* NULL: not sent */
    const char *accept_encoding; /* NULL: not sent */
    struct yk_str body;
    bool tiny_slices;               /* the time of each slice is over when it begins */
    size_t window_bytes;            /* as yk_names.window for lists; 0: as in the server */
    void (*between)(void *context); /* called between two slices; NULL: not called */
    const uint64_t *changes;        /* of yk_job.changes, read before each slice; NULL: not known */
    /* Called when work of the scheduling thread begins (`begins`) and when it ends. NULL: not called. */
    void (*slice)(void *context, bool begins);
    void *context; /* for both functions */
};

/*
 * Answers one request during the call, without a server; for tests and tools. A route with a guard in the
 * table of routes gets the error 401; the access mode does not matter. `stats` NULL: there are no checks;
 * otherwise this function sets its table of routes (`routes`, `route_count`). The function initialises
 * `*ret_answer`, and the caller ends it with yk_answer_done(). `allow` of the result is NULL. Call it on the
 * thread that owns `core`.
 */
void yk_web_render(const struct yk_core *core, struct yk_server_stats *stats,
                   const struct yk_web_query *query, struct yk_answer *ret_answer);

#endif
