/* SPDX-License-Identifier: Apache-2.0 */
#include "events/events.h"

void yk_events_init(struct yk_events *events)
{
    *events = (struct yk_events){.on = true, .ring = yk_ring_new(YK_RING_CAPACITY_DEFAULT)};
}

void yk_events_done(struct yk_events *events)
{
    yk_ring_free(events->ring);
    *events = (struct yk_events){.ring = NULL};
}

void yk_events_tell(struct yk_events *events, const struct yk_event *event)
{
    if (!events->on)
        return;
    events->created++;
    (void)yk_ring_add(events->ring, event); /* its number is nobody's concern here */
}
