/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a core: recorded by the code that changes something, and kept in a ring for REST.
 *
 * While tracking is off, recording costs one load and a branch: ask yk_events_on() before a message is made.
 * A client that follows events reads them from the ring at its own pace and asks to be woken. A slow client
 * costs no memory, and misses events once the ring has been overwritten.
 *
 * Owns:   the ring.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_EVENTS_EVENTS_H
#define YK_EVENTS_EVENTS_H

#include "events/ring.h"

enum { YK_EVENTS_INSTANCE_LEN = 36 };

struct yk_event_settings {       /* event.*; each may change at any time */
    bool tracking;               /* trackingEnabled */
    size_t request_capacity;     /* requestCapacity: kept for a resource manager between two hand-overs */
    size_t ring_capacity;        /* ringBufferCapacity */
    uint64_t batch_max;          /* RESTResponseSize */
    size_t max_streams;          /* maxStreams */
    size_t max_streams_per_host; /* maxStreamsPerHost */
};

struct yk_events {
    bool on; /* settings.tracking */
    struct yk_event_settings settings;
    struct yk_ring *ring;
    char instance[YK_EVENTS_INSTANCE_LEN + 1]; /* a UUID; with another one, numbers start at 0 */
    uint64_t created;                          /* told while on */
    uint64_t stored, not_stored, collected;    /* for the resource manager; written by: report */
    /* Called at the next event; NULL: no client waits. */
    void (*wake)(void *context);
    void *wake_context;
};

/* Makes it with the default settings and an empty ring. `seed`: of `instance`; it should differ between
 * processes that a client may follow. */
void yk_events_init(struct yk_events *events, uint64_t seed);
void yk_events_done(struct yk_events *events);
/* Applies new settings. Recorded events stay, as far as they fit, with their numbers. */
void yk_events_configure(struct yk_events *events, const struct yk_event_settings *settings);

/* Whether events are tracked. */
static inline bool yk_events_on(const struct yk_events *events)
{
    return events->on;
}
/* Records a copy of the event, whose `wall_ns` is set. No effect while tracking is off. */
void yk_events_tell(struct yk_events *events, const struct yk_event *event);
/* Calls `wake` once, at the next event. `wake` must not record events. Only the last registration is kept. */
void yk_events_wait(struct yk_events *events, void (*wake)(void *context), void *context);

#endif
