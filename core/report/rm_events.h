/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events for the resource manager: events that owners of asks and nodes should see are collected for at most
 * two seconds, and then handed over with one call of the callback events(). At most `request_capacity` of the
 * settings of events are collected; others are dropped and counted.
 *
 * Nothing is collected for a resource manager without that callback. No timer runs while there are no events.
 *
 * Owns:   the events between two hand-overs.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_REPORT_RM_EVENTS_H
#define YK_REPORT_RM_EVENTS_H

#include "state/partition.h"

/* Drops the events that were not handed over, and cancels the timer. To add no others afterwards, the caller
 * clears the callback events(), or frees `rm`. */
void yk_rm_events_done(struct yk_rm *rm);
/* Copies the event for the next hand-over, or drops it if there is no space. The caller has checked that
 * events are tracked (yk_events_on()), and records the event in the ring itself. `ask`: the ask that it is
 * about, whose handle is copied, too (callback ask_handle()); NULL: it is about a node. `parts` say where the
 * parts of the event's message begin. */
void yk_rm_events_add(struct yk_rm *rm, const struct yk_event *event, const struct yk_ask *ask,
                      struct yk_si_message_parts parts);

#endif
