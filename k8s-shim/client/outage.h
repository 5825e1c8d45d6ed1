/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs that the API server does not answer: one line each 30 s for all watches together, and one when it
 * answers again.
 *
 * An outage begins with the first request that gets no HTTP status and ends with the next answer of any kind.
 * Outages of less than 30 s are not logged here; each watch logs its own interruptions (reflector.c).
 * Thread: I/O thread.
 */
#ifndef YK_CLIENT_OUTAGE_H
#define YK_CLIENT_OUTAGE_H

#include "client/io_timers.h"

struct yk_outage {
    struct yk_io_timers *timers; /* borrowed until yk_outage_done() */
    struct yk_timer due;
    bool is_on, is_logged;
    int64_t since_mono_ns;
    uint64_t tries;                /* requests that failed since then */
    void (*on_end)(void *context); /* the API server answers again; may be NULL */
    void *context;
    struct yk_err err; /* of the last one */
};

/* The API server is reached. `timers` is borrowed. */
void yk_outage_init(struct yk_outage *outage, struct yk_io_timers *timers);
void yk_outage_done(struct yk_outage *outage);
/* A request got no answer because of `err` (copied). */
void yk_outage_failed(struct yk_outage *outage, const struct yk_err *err);
/* The API server answered something. Cheap while there is no outage. */
void yk_outage_answered(struct yk_outage *outage);

#endif
