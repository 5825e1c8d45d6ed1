/* SPDX-License-Identifier: Apache-2.0 */
#include "events/events.h"

#include "base/random.h"

#include <stdio.h>

static const struct yk_event_settings defaults = {
    .tracking = true,
    .request_capacity = 1000,
    .ring_capacity = YK_RING_CAPACITY_DEFAULT,
    .batch_max = 10 * 1000,
    .max_streams = 100,
    .max_streams_per_host = 15,
};

/* A random UUID (RFC 9562, version 4). */
static void name_instance(char out[YK_EVENTS_INSTANCE_LEN + 1], uint64_t seed)
{
    struct yk_random random;
    yk_random_init(&random, seed);
    unsigned long long high = yk_random_u64(&random), low = yk_random_u64(&random);
    (void)snprintf(out, YK_EVENTS_INSTANCE_LEN + 1, "%08llx-%04llx-4%03llx-%04llx-%012llx", high >> 32,
                   high >> 16 & 0xffff, high & 0xfff, (low >> 48 & 0x3fff) | 0x8000,
                   low & 0xffffffffffff); /* always YK_EVENTS_INSTANCE_LEN bytes */
}

void yk_events_init(struct yk_events *events, uint64_t seed)
{
    *events = (struct yk_events){.on = defaults.tracking, .settings = defaults};
    events->ring = yk_ring_new(defaults.ring_capacity);
    name_instance(events->instance, seed);
}

void yk_events_done(struct yk_events *events)
{
    yk_ring_free(events->ring);
    *events = (struct yk_events){.ring = NULL};
}

void yk_events_configure(struct yk_events *events, const struct yk_event_settings *settings)
{
    events->settings = *settings;
    events->on = settings->tracking;
    yk_ring_resize(events->ring, settings->ring_capacity);
}

static void wake(struct yk_events *events)
{
    void (*call)(void *context) = events->wake;
    events->wake = NULL;
    call(events->wake_context);
}

void yk_events_tell(struct yk_events *events, const struct yk_event *event)
{
    if (!events->on)
        return;
    (void)yk_ring_add(events->ring, event); /* its number is not needed */
    events->created++;
    if (events->wake != NULL)
        wake(events);
}

void yk_events_wait(struct yk_events *events, void (*call)(void *context), void *context)
{
    events->wake = call;
    events->wake_context = context;
}
