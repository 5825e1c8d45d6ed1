/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs that the API server does not answer lists and watches: one line every 30 s for all of them, and one
 * line when the API server answers again.
 *
 * An outage begins with the first list or watch that gets no HTTP status, and ends when the API server
 * answers any list or watch, with whatever status. Outages of less than 30 s are not logged here; each watch
 * logs its own interruptions (reflector.c).
 * Thread: I/O thread.
 */
#ifndef YK_CLIENT_OUTAGE_H
#define YK_CLIENT_OUTAGE_H

#include "client/io_timers.h"

struct yk_outage {
    struct yk_io_timers *timers; /* borrowed until yk_outage_done() */
    struct yk_timer due;         /* armed during an outage: writes the next line */
    bool is_on;                  /* there is an outage */
    bool is_logged;              /* a line has been written about the outage */
    int64_t since_mono_ns;       /* beginning of the outage */
    uint64_t tries;              /* requests without an answer since the beginning */
    /* set by the owner: called at the end of an outage; NULL: nothing is called */
    void (*on_end)(void *context);
    void *context;     /* the context of on_end() */
    struct yk_err err; /* why the last request got no answer */
};

/* Initialises `outage` to no outage, and on_end to NULL. `timers` is borrowed until yk_outage_done(). */
void yk_outage_init(struct yk_outage *outage, struct yk_io_timers *timers);
void yk_outage_done(struct yk_outage *outage);
/* A list or watch got no answer: begins an outage, or continues it. `err`: the reason; copied. */
void yk_outage_failed(struct yk_outage *outage, const struct yk_err *err);
/* The API server has answered a list or watch, with whatever status: if there is an outage, ends it and calls
 * on_end. Does not start the other watches again: on_end does (yk_reflector_retry_soon()). */
void yk_outage_answered(struct yk_outage *outage);

#endif
