/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial runs in a copy of the process. It gives the objects of a question to the scheduler in the copy, as
 * an API server would, and runs the scheduler until there is nothing to do. Then the trial moves the clock
 * from timer to timer, up to the horizon of the question, so that the answer includes preemption and its
 * effects.
 *
 * In the trial, writes of the scheduler succeed at once. A pod is gone one second after the scheduler has
 * deleted it. A pod that was already being deleted or preempted, or that is on a removed node, is gone one
 * second after the beginning of the trial. Other running pods stay.
 *
 * Thread: the thread of the copy (whatif/copy.h). The scheduler in the copy cannot be used after the trial.
 * Source: docs/whatif.md.
 */
#ifndef YK_WHATIF_TRIAL_H
#define YK_WHATIF_TRIAL_H

#include "shim/shim.h"

struct yk_json;

/* Functions with which a trial asks about the queues of the core. This module has no access to these
 * queues. */
struct yk_whatif_core {
    void *context;
    /* The path of the queue of an application; NULL: there is no such application. Borrowed until the next
     * change. */
    const char *(*queue_of)(void *context, const char *application_id);
    /* Copies the facts about the queues that add_impact() needs. Called before the configuration changes. The
     * result is not freed, because the process ends. */
    void *(*remember)(void *context);
    /* Adds members to the open object of `impact` that say how the present queues differ from `before`, the
     * result of remember(). */
    void (*add_impact)(void *context, const void *before, struct yk_json *impact);
};

/* The scheduler for which questions are answered. All pointers are borrowed for as long as the struct is
 * used. */
struct yk_whatif_stage {
    struct yk_clock *clock;    /* the clock of core and shim; the trial freezes and moves it */
    struct yk_timers *timers;  /* the timers of core and shim, and no others */
    struct yk_api_server *api; /* the API server of the shim; the trial replaces its functions */
    struct yk_shim *shim;
    void *context; /* the context of `work` and `detach` */
    /* Does a bounded part of the work of shim and core, without timers. True: there is more to do. */
    bool (*work)(void *context);
    /* Disconnects the scheduler in the copy from other threads, before the trial. NULL: there are no other
     * threads. */
    void (*detach)(void *context);
    const struct yk_whatif_core *core; /* NULL: answers say nothing about queues */
};

/*
 * Runs the trial of the question `body`. Writes the HTTP status in three digits, a space, and a JSON object
 * (status 200) or the sentence of an error to `answer`, which is empty. Call it only in the copy, once, and
 * only if yk_shim_is_ready() and yk_shim_leads() were true. It takes about 6 s of real time at most. Nothing
 * is freed.
 */
void yk_trial_run(const struct yk_whatif_stage *stage, struct yk_str body, struct yk_buf *answer);

#endif
