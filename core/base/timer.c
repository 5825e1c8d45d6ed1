/* SPDX-License-Identifier: Apache-2.0 */
#include "base/timer.h"

static bool earlier(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct yk_timer *x = (const struct yk_timer *)(const void *)a,
                          *y = (const struct yk_timer *)(const void *)b;
    return x->due_mono_ns != y->due_mono_ns ? x->due_mono_ns < y->due_mono_ns : x->sequence < y->sequence;
}

void yk_timers_init(struct yk_timers *timers, const struct yk_clock *clock)
{
    *timers = (struct yk_timers){.heap = {.before = earlier}, .clock = clock};
}

void yk_timers_done(struct yk_timers *timers)
{
    yk_heap_done(&timers->heap);
}

void yk_timer_arm(struct yk_timers *timers, struct yk_timer *timer, int64_t delay_ns)
{
    yk_heap_remove(&timers->heap, &timer->entry);
    timer->due_mono_ns = yk_i64_add(yk_clock_mono_ns(timers->clock), YK_MAX(delay_ns, 0));
    timer->sequence = ++timers->sequence;
    yk_heap_insert(&timers->heap, &timer->entry);
}

void yk_timer_cancel(struct yk_timers *timers, struct yk_timer *timer)
{
    yk_heap_remove(&timers->heap, &timer->entry);
}

static struct yk_timer *first(const struct yk_timers *timers)
{
    return (struct yk_timer *)(void *)yk_heap_first(&timers->heap);
}

size_t yk_timers_run(struct yk_timers *timers)
{
    int64_t now_ns = yk_clock_mono_ns(timers->clock);
    uint64_t last = timers->sequence;
    size_t fired = 0;
    for (struct yk_timer *timer = first(timers); timer != NULL; timer = first(timers)) {
        if (timer->due_mono_ns > now_ns || timer->sequence > last)
            break;
        yk_heap_remove(&timers->heap, &timer->entry);
        timers->nothing_changed = false;
        timer->fire(timer);
        timers->changes += !timers->nothing_changed;
        fired++;
    }
    return fired;
}

int64_t yk_timers_next_ns(const struct yk_timers *timers)
{
    const struct yk_timer *timer = first(timers);
    return timer == NULL ? INT64_MAX : timer->due_mono_ns;
}
