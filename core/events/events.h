/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event hub of a core: whoever changes something tells it here, and here it is kept for those who ask.
 *
 * Telling costs one load and a branch while nobody tracks events: ask yk_events_on() before a message is
 * made.
 *
 * Owns:   the ring.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_EVENTS_EVENTS_H
#define YK_EVENTS_EVENTS_H

#include "events/ring.h"

struct yk_events {
    bool on; /* event.trackingEnabled */
    struct yk_ring *ring;
    uint64_t created; /* told while on */
};

void yk_events_init(struct yk_events *events);
void yk_events_done(struct yk_events *events);

static inline bool yk_events_on(const struct yk_events *events)
{
    return events->on;
}
/* Copies the event; nothing while tracking is off. `wall_ns` must be set. */
void yk_events_tell(struct yk_events *events, const struct yk_event *event);

#endif
