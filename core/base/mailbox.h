/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the two threads meet: commands are posted by any thread and run, in order, by the one that owns the
 * box.
 *
 * Nothing is dropped. The bound is a promise of the producers: a source that can wait (a watch stream) asks
 * yk_mailbox_is_full() and pauses itself until `on_capacity`; answers to requests are bounded by the requests
 * in flight. The mutex is held for a pointer swap only.
 */
#ifndef YK_BASE_MAILBOX_H
#define YK_BASE_MAILBOX_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

struct yk_command {
    struct yk_command *next;
    /* Written by: who posts it, these three. `run` does the work and frees the command. */
    void (*run)(struct yk_command *command);
    /* Frees the command without doing the work (the box is torn down). */
    void (*drop)(struct yk_command *command);
    uint32_t weight; /* counts this many against the bound; 0 reads as 1 */
};

struct yk_mailbox {
    pthread_mutex_t lock;
    struct yk_command *first, **last; /* under lock */
    bool closed;                      /* under lock: later posts are dropped */
    _Atomic size_t weight;            /* written under lock; relaxed reads are hints */
    size_t max_weight;
    /* Written by: the owner of the box, these four, before another thread posts. */
    void (*wake)(void *context); /* called by the poster after the box was empty; any thread */
    void *wake_context;
    void (*on_capacity)(
        void *context); /* called by the owner when the box falls below half after being full */
    void *on_capacity_context;
    _Atomic bool was_full;
};

/*
 * Commands may weigh `max_weight` together before yk_mailbox_is_full(). `wake` and the like are set by the
 * owner.
 */
void yk_mailbox_init(struct yk_mailbox *box, size_t max_weight);
/* Drops the commands that are left. No thread may post after this. */
void yk_mailbox_done(struct yk_mailbox *box);
/* Adds `command` to the box, which takes it. The owner of the box runs it; a closed box drops it. Any
 * thread. */
void yk_mailbox_post(struct yk_mailbox *box, struct yk_command *command);
/* Drops what is left and everything posted from now on. Any thread. */
void yk_mailbox_close(struct yk_mailbox *box);
/* Whether the commands weigh `max_weight` or more, so that a source that can wait should wait for
 * `on_capacity`. Any thread; others may change it at once. */
bool yk_mailbox_is_full(struct yk_mailbox *box);
/* Runs up to `max` commands and returns how many. Owner of the box only. */
size_t yk_mailbox_run(struct yk_mailbox *box, size_t max);
/* The sum of the weights of the commands in the box. Any thread; others may change it at once. */
static inline size_t yk_mailbox_weight(struct yk_mailbox *box)
{
    return atomic_load_explicit(&box->weight, memory_order_relaxed);
}

#endif
