/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The REST API, metrics and probes: an HTTP server on the I/O thread whose answers are written by the
 * scheduling thread.
 *
 * A request is read and routed on the I/O thread. Probes and the version are answered there. A configuration
 * that a request carries is checked on the configuration thread (web/checker.h). Everything else goes to the
 * scheduling thread's inbox as a command, is written in slices (web/renderer.h), comes back, is compressed
 * and sent.
 *
 * Owns: its sockets and the jobs that are out. Borrows the I/O loop, the inbox, core and clock until it is
 * freed.
 * Thread: I/O thread, except where it says otherwise.
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

struct yk_core;
struct yk_web;

/* What an answer costs the I/O thread, about, without what it was compressed for. */
#define YK_WEB_ANSWER_NS (100 * INT64_C(1000))
enum {
    YK_WEB_BYTE_NS = 2, /* a byte of it */
    YK_WEB_SHARE = 10,  /* while the scheduler is busy, answers take about that part of the I/O thread */
    YK_WEB_IN_FLIGHT_MAX = 64, /* requests that wait, are written or sent; one more gets 503 */
    YK_WEB_LONG_MAX = 4,       /* long answers that are written at a time; the others wait */
    YK_WEB_LENT_MAX =
        256 << 20, /* bytes of answers that clients have not read yet; above it long ones get 503 */
    /* Answers that leave in pieces. For one more a client goes that has not taken its piece for
       YK_WEB_SLOW_NS. */
    YK_WEB_POURING_MAX = 64,
    YK_WEB_POURING_OF_ADDRESS_MAX = 32,
    YK_WEB_POUR_BYTES_PER_S = 32 << 10, /* slower clients are cut off, after a grace */
};
#define YK_WEB_PAUSE_MAX_NS  (100 * YK_NS_PER_MS) /* of the I/O thread, between two requests */
#define YK_WEB_SLOW_NS       (1 * YK_NS_PER_S)
#define YK_WEB_POUR_GRACE_NS (60 * YK_NS_PER_S)

struct yk_web_options {
    struct yk_io *io;
    struct yk_mailbox *inbox;     /* of the scheduling thread */
    struct yk_mailbox *aside;     /* of the configuration thread; NULL: the I/O thread checks (tests) */
    struct yk_core *core;         /* scheduling thread only */
    struct yk_timers *timers;     /* of the scheduling thread, not the core's; NULL: the core's (tests) */
    const struct yk_clock *clock; /* real time: measures slices */
    const char *bind_address;     /* "" or NULL: all */
    uint16_t port;                /* 0: any free one */
    const struct yk_web_check *checks; /* for the probes, besides "ping"; copied */
    size_t check_count;
    /* Appends metrics of the program around to each scrape; I/O thread. NULL: none. */
    void (*put_more_metrics)(void *context, struct yk_buf *out);
    void *more_metrics_context;
    const struct yk_auth_backend *backend;        /* copied; NULL: none, and guarded requests are refused */
    const struct yk_whatif_backend *whatif;       /* copied; NULL: what-if questions are refused */
    const struct yk_recording_backend *recording; /* copied; NULL: nothing can be recorded */
    struct yk_tls *tls;                           /* taken when it starts; NULL: not encrypted */
    enum yk_web_access access;
    /* Whether requests that carry decisions out (such as binds) are in flight: then answers take a part of both
     * threads only. Scheduling thread. NULL: never. */
    bool (*is_writing)(void *context);
    void *is_writing_context;
    const struct yk_web_simulation *simulation; /* borrowed for life; NULL: the cluster is real */
};

/*
 * Listens from now on. Call it on the I/O thread or before the loops run, after the core exists.
 * Errors: YK_ERR_INVALID, YK_ERR_IO, YK_ERR_LIMIT (too many checks).
 */
YK_NODISCARD enum yk_status yk_web_start(const struct yk_web_options *options, struct yk_web **ret_web,
                                         struct yk_err *err);
/* Accepts no more connections and lets open requests end, 5 s at most. Then `done` (may be NULL) is called
 * on the I/O thread. Call it once only. */
void yk_web_stop(struct yk_web *web, void (*done)(void *context), void *context);
/* Frees the server. Call it after all three loops have ended, before their mailboxes and the core are freed.
 * NULL is fine. */
void yk_web_free(struct yk_web *web);
YK_DEFINE_FREEP(yk_web)
/* How long the I/O thread takes no request after an answer of `bytes`, while the scheduler is busy. */
int64_t yk_web_pause_ns(size_t bytes);
/* The TCP port that the server listens on. */
uint16_t yk_web_port(const struct yk_web *web);

/* Replaces certificate and key from the next connection on. Takes `tls`. I/O thread. */
void yk_web_set_tls(struct yk_web *web, struct yk_tls *tls);
/* Sets who may read, from the next request on. I/O thread. */
void yk_web_set_access(struct yk_web *web, enum yk_web_access access);

/* ---- without a network ---- */

struct yk_web_query {
    const char *method;          /* NULL: GET */
    const char *target;          /* path and query, as sent */
    const char *accept;          /* NULL: not sent */
    const char *accept_encoding; /* NULL: not sent */
    struct yk_str body;
    bool tiny_slices;               /* each object is a slice of its own */
    size_t window_bytes;            /* of names that are kept of a list; 0: as many as the server keeps */
    void (*between)(void *context); /* called between two slices; NULL: not called */
    /* Called when work of the scheduling thread begins and when it ends. NULL: not called. */
    void (*slice)(void *context, bool begins);
    void *context;
};

/*
 * Writes one answer in place, for tests and tools. `stats` may be NULL: no checks. `*ret_answer` is
 * initialised here; the caller ends it with yk_answer_done(). Call it on the thread that owns `core`.
 */
void yk_web_render(const struct yk_core *core, struct yk_server_stats *stats,
                   const struct yk_web_query *query, struct yk_answer *ret_answer);

#endif
