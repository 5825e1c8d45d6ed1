/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial: a question is put to the scheduler of a copy of the process, as objects that an API server would
 * send, and the scheduler runs until nothing happens. Then the clock is moved, timer by timer, up to the
 * horizon of the question, so that preemption and what it frees are seen.
 *
 * In the trial, requests of the scheduler succeed at once. Pods that it ends, that were being deleted before
 * or that are on a removed node are gone a second later. Other running pods stay.
 *
 * Thread: the one of the copy; afterwards the scheduler there is of no other use.
 * Source: docs/whatif.md.
 */
#ifndef YK_WHATIF_TRIAL_H
#define YK_WHATIF_TRIAL_H

#include "shim/shim.h"

struct yk_json;

/* What is asked of the core, which only the process knows that has it. */
struct yk_whatif_core {
    void *context;
    /* The queue of an application; NULL: there is no such application. Borrowed for the moment. */
    const char *(*queue_of)(void *context, const char *application_id);
    /* The queues as they are before the configuration changes. Never freed: the copy ends. */
    void *(*remember)(void *context);
    /* Adds members to the open object of `impact`: what differs from `before`. */
    void (*add_impact)(void *context, const void *before, struct yk_json *impact);
};

/* A scheduler that questions can be put to; all pointers are borrowed for life. */
struct yk_whatif_stage {
    struct yk_clock *clock;
    struct yk_timers *timers; /* of core and shim, and of no other */
    struct yk_api_server *api;
    struct yk_shim *shim;
    void *context;
    /* One slice of work of shim and core, without timers. True: there is more to do. */
    bool (*work)(void *context);
    /* Called first in the copy: what needs other threads is cut off. NULL: there is nothing. */
    void (*detach)(void *context);
    const struct yk_whatif_core *core; /* NULL: nothing is known of queues */
};

/*
 * Appends the answer to `answer`: the HTTP status in three digits, a space, and a JSON object (status 200) or
 * the sentence of an error.
 */
void yk_trial_run(const struct yk_whatif_stage *stage, struct yk_str body, struct yk_buf *answer);

#endif
