/* SPDX-License-Identifier: Apache-2.0 */
#include "base/actor.h"

/* Commands per step: enough to spread the cost of a step, and so few that timers and work run often. */
enum { COMMANDS_PER_STEP = 256 };

static void wake_up(void *context)
{
    struct yk_actor *actor = context;
    pthread_mutex_lock(&actor->wake_lock);
    actor->woken = true;
    pthread_cond_signal(&actor->wake);
    pthread_mutex_unlock(&actor->wake_lock);
}

void yk_actor_init(struct yk_actor *actor, const struct yk_clock *clock, size_t inbox_max)
{
    *actor = (struct yk_actor){0};
    yk_mailbox_init(&actor->inbox, inbox_max);
    yk_timers_init(&actor->timers, clock);
    yk_timers_init(&actor->outside, clock);
    actor->inbox.wake = wake_up;
    actor->inbox.wake_context = actor;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&actor->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&actor->wake_lock, NULL);
}

void yk_actor_done(struct yk_actor *actor)
{
    yk_mailbox_done(&actor->inbox);
    yk_timers_done(&actor->timers);
    yk_timers_done(&actor->outside);
    pthread_cond_destroy(&actor->wake);
    pthread_mutex_destroy(&actor->wake_lock);
}

/* Work is what commands, timers and earlier work have left to do. */
static bool work(struct yk_actor *actor)
{
    bool more = actor->work != NULL && actor->work(actor->context);
    bool has_worked = more || actor->had_more || yk_actor_changes(actor) != actor->changes_seen;
    actor->changes += has_worked;
    actor->had_more = more;
    actor->changes_seen = yk_actor_changes(actor);
    return more;
}

bool yk_actor_step(struct yk_actor *actor)
{
    if (actor->step_begins != NULL)
        actor->step_begins(actor->context);
    size_t done = yk_mailbox_run(&actor->inbox, COMMANDS_PER_STEP);
    done += actor->run_timers != NULL ? actor->run_timers(actor->context) : yk_timers_run(&actor->timers);
    done += yk_timers_run(&actor->outside);
    bool more = work(actor);
    return more || done == COMMANDS_PER_STEP || yk_mailbox_weight(&actor->inbox) > 0;
}

void yk_actor_wait(struct yk_actor *actor, int64_t until_ns)
{
    pthread_mutex_lock(&actor->wake_lock);
    int result = 0;
    while (!actor->woken && result == 0) {
        if (until_ns == INT64_MAX) {
            result = pthread_cond_wait(&actor->wake, &actor->wake_lock);
        } else {
            struct timespec until = {.tv_sec = until_ns / YK_NS_PER_S, .tv_nsec = until_ns % YK_NS_PER_S};
            result = pthread_cond_timedwait(&actor->wake, &actor->wake_lock, &until);
        }
    }
    actor->woken = false;
    pthread_mutex_unlock(&actor->wake_lock);
}

void yk_actor_run(struct yk_actor *actor)
{
    while (!atomic_load_explicit(&actor->stopping, memory_order_acquire)) {
        if (!yk_actor_step(actor))
            yk_actor_wait(actor, yk_actor_next_ns(actor));
    }
}

void yk_actor_stop(struct yk_actor *actor)
{
    atomic_store_explicit(&actor->stopping, true, memory_order_release);
    wake_up(actor);
}
