/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a core: recorded by the code that changes something, and kept in a ring for REST.
 *
 * While tracking is off, recording costs one load and a branch. A caller that has to compose a message checks
 * yk_events_on() first. A client that follows events reads them from the ring at its own pace, and waits for
 * the next one with yk_events_wait(). A slow client misses events that the ring no longer has.
 *
 * Owns:   the ring.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_EVENTS_EVENTS_H
#define YK_EVENTS_EVENTS_H

#include "events/ring.h"

enum { YK_EVENTS_INSTANCE_LEN = 36 };

/* The settings event.*; each may change at any time. */
struct yk_event_settings {
    bool tracking; /* event.trackingEnabled */
    /* event.requestCapacity: events kept for the resource manager until it takes them */
    size_t request_capacity;
    size_t ring_capacity;        /* event.ringBufferCapacity: events; see yk_ring_new() */
    uint64_t batch_max;          /* event.RESTResponseSize: events in one REST answer */
    size_t max_streams;          /* event.maxStreams: open streams of events */
    size_t max_streams_per_host; /* event.maxStreamsPerHost: open streams from one address */
};

struct yk_events {
    bool on; /* settings.tracking */
    struct yk_event_settings settings;
    struct yk_ring *ring; /* owned */
    /* A random UUID. If a client sees another one, the numbers of events have begun at 0 again. */
    char instance[YK_EVENTS_INSTANCE_LEN + 1];
    uint64_t created; /* number of events recorded */
    /* Numbers of events for the resource manager: kept, lost because of request_capacity, taken by it.
     * Written by: report. */
    uint64_t stored, not_stored, collected;
    void (*wake)(void *context); /* NULL, or called once at the next event; see yk_events_wait() */
    void *wake_context;
};

/* Initialises `events` with the default settings and an empty ring. `instance` is made from `seed`, which has
 * to differ from process to process. The caller ends `events` with yk_events_done(). */
void yk_events_init(struct yk_events *events, uint64_t seed);
void yk_events_done(struct yk_events *events);
/* Applies a copy of `settings`. Of the recorded events, the newest that fit into the new capacity stay, with
 * their numbers, also if tracking is switched off. */
void yk_events_configure(struct yk_events *events, const struct yk_event_settings *settings);

/* Whether events are tracked. */
static inline bool yk_events_on(const struct yk_events *events)
{
    return events->on;
}
/* Records a copy of the event, of which all fields are set, and calls the function of yk_events_wait(), if
 * one is registered. No effect while tracking is off. */
void yk_events_tell(struct yk_events *events, const struct yk_event *event);
/* Registers `wake`, which yk_events_tell() calls once with `context`, after it has recorded the next event.
 * `wake` must not record events, and may call yk_events_wait() again. There is one function for each core:
 * `wake` replaces the function that was registered before and was not called yet. NULL registers none. */
void yk_events_wait(struct yk_events *events, void (*wake)(void *context), void *context);

#endif
