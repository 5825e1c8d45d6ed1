/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How threads exchange commands: any thread posts them, and the thread that owns the box runs them in the
 * order in which they were posted.
 *
 * A post never fails because the box is full: producers keep the bound themselves. A source that can wait,
 * such as a watch stream, asks yk_mailbox_is_full() and pauses until `on_capacity` is called; answers to
 * requests are bounded by the number of requests in flight. The mutex is held only while a few pointers
 * change, never while a command runs.
 *
 * Thread: yk_mailbox_run() the owner of the box; yk_mailbox_init() and yk_mailbox_done() while no other
 * thread uses the box; the other functions any.
 */
#ifndef YK_BASE_MAILBOX_H
#define YK_BASE_MAILBOX_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

struct yk_command {
    struct yk_command *next;
    /* Written by: who posts the command (these three fields). */
    /* Does the work and frees the command. */
    void (*run)(struct yk_command *command);
    /* Frees the command without doing the work, because the box was closed. */
    void (*drop)(struct yk_command *command);
    uint32_t weight; /* what the command adds to the weight of its box; 0 counts as 1 */
};

struct yk_mailbox {
    pthread_mutex_t lock;
    struct yk_command *first, **last; /* under lock */
    bool closed;                      /* under lock: later posts are dropped */
    _Atomic size_t weight;            /* sum over the commands. Written under lock; relaxed reads are hints */
    size_t max_weight;                /* the box is full from this weight on */
    /* Written by: the owner of the box (these four fields), before another thread posts. Both functions may
     * be NULL. */
    /* Called by the thread that posts, if the box was empty before. */
    void (*wake)(void *context);
    void *wake_context;
    /* Called once in yk_mailbox_run() after yk_mailbox_is_full() has found the box full, when the weight is
     * below half of `max_weight` again. It may be called although yk_mailbox_is_full() has returned false,
     * because the box was emptied meanwhile. Do not wait for it after the box was closed. */
    void (*on_capacity)(void *context);
    void *on_capacity_context;
    _Atomic bool was_full; /* `on_capacity` is to be called */
    /* Commands that were run, without those that called yk_mailbox_nothing_changed(). Owner only. */
    uint64_t changes;
    bool nothing_changed; /* the command that runs now has called yk_mailbox_nothing_changed() */
};

/* Makes an empty box that is full from the weight `max_weight` on, which is 2 or more. The caller may then
 * set `wake`, `on_capacity` and their contexts. The box must not move in memory. */
void yk_mailbox_init(struct yk_mailbox *box, size_t max_weight);
/* Drops the commands that are left and frees the memory of the box. No thread may use the box afterwards. */
void yk_mailbox_done(struct yk_mailbox *box);
/* Adds `command`, whose `run`, `drop` and `weight` are set, to the box and takes it: the owner of the box
 * runs it later. A closed box drops it at once, on the calling thread. Any thread. */
void yk_mailbox_post(struct yk_mailbox *box, struct yk_command *command);
/* Closes the box: drops the commands in it, on the calling thread, and those that are posted from now on.
 * Any thread. */
void yk_mailbox_close(struct yk_mailbox *box);
/* Whether the commands weigh `max_weight` or more, so that a source that can wait should pause. If true,
 * yk_mailbox_run() calls `on_capacity` later, once, also if several sources asked. Any thread; the answer may
 * be out of date at once. */
bool yk_mailbox_is_full(struct yk_mailbox *box);
/* Runs up to `max` commands and returns how many it ran. A command may post to the box. If the result is
 * `max`, commands may be left, and `wake` is not called again for them: call this function again. Owner
 * only. */
size_t yk_mailbox_run(struct yk_mailbox *box, size_t max);
/* To be called by a command of the box while it runs: the command is not counted in box->changes, because it
 * changes nothing that a REST answer shows (yk_actor_changes()). Owner only. */
static inline void yk_mailbox_nothing_changed(struct yk_mailbox *box)
{
    box->nothing_changed = true;
}
/* The sum of the weights of the commands in the box. Any thread; the answer may be out of date at once. */
static inline size_t yk_mailbox_weight(struct yk_mailbox *box)
{
    return atomic_load_explicit(&box->weight, memory_order_relaxed);
}

#endif
