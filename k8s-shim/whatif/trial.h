/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial: a copy of the process gives the objects of a question to its scheduler, as an API server would,
 * and runs the scheduler until it has nothing to do. Then it moves the clock from timer to timer, up to the
 * horizon of the question, so that the answer includes preemption and its effects.
 *
 * In the trial, requests of the scheduler succeed at once. Pods that it deletes, that were being deleted
 * before, or that are on a removed node are gone a second later. Other running pods stay.
 *
 * Thread: the one of the copy (whatif/copy.h). Afterwards, the scheduler in the copy cannot be used.
 * Source: docs/whatif.md.
 */
#ifndef YK_WHATIF_TRIAL_H
#define YK_WHATIF_TRIAL_H

#include "shim/shim.h"

struct yk_json;

/* Questions of a trial about the queues of the core, to which this module has no access. */
struct yk_whatif_core {
    void *context;
    /* The path of the queue of an application; NULL: there is no such application. Borrowed until the next
     * change. */
    const char *(*queue_of)(void *context, const char *application_id);
    /* Copies what add_impact() needs of the queues, before the configuration changes. It is not freed,
     * because the process ends. */
    void *(*remember)(void *context);
    /* Adds members about the differences between `before`, the result of remember(), and the present queues
     * to the open object of `impact`. */
    void (*add_impact)(void *context, const void *before, struct yk_json *impact);
};

/* The scheduler for which questions are answered. All pointers are borrowed for as long as it is used. */
struct yk_whatif_stage {
    struct yk_clock *clock;    /* of core and shim; the trial freezes and moves it */
    struct yk_timers *timers;  /* of core and shim only */
    struct yk_api_server *api; /* of the shim; the trial replaces its functions */
    struct yk_shim *shim;
    void *context; /* of `work` and `detach` */
    /* Does a bounded part of the work of shim and core, without timers. True: there is more to do. */
    bool (*work)(void *context);
    /* Called first in the copy: disconnects the scheduler from other threads. NULL: there are none. */
    void (*detach)(void *context);
    const struct yk_whatif_core *core; /* NULL: answers say nothing about queues */
};

/*
 * Runs the trial of the question `body`. Writes to `answer`, which is empty, the HTTP status in three digits,
 * a space, and a JSON object (status 200) or the sentence of an error. Call it only in the copy, once, and
 * only if the shim was ready (yk_shim_is_ready()) and the leader (yk_shim_leads()). It takes about 6 s of
 * real time at most. Nothing is freed.
 */
void yk_trial_run(const struct yk_whatif_stage *stage, struct yk_str body, struct yk_buf *answer);

#endif
