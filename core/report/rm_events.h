/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events on their way to a resource manager: what its owners of asks and nodes should know is kept for at
 * most two seconds and handed over in one go. What does not fit is dropped and counted; nothing waits for it.
 *
 * Nothing is kept for a resource manager that does not listen, and no timer runs while there is nothing.
 *
 * Owns:   the events between two hand-overs.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 8.
 */
#ifndef YK_REPORT_RM_EVENTS_H
#define YK_REPORT_RM_EVENTS_H

#include "state/partition.h"

/* Drops the events that were not handed over, and cancels the timer. */
void yk_rm_events_done(struct yk_rm *rm);
/* Copies the event for the next hand-over; drops it if there is no space. `ask`: the ask that it is about,
 * which the callback ask_handle() describes now; NULL: a node. `parts` are those of the event's message. */
void yk_rm_events_add(struct yk_rm *rm, const struct yk_event *event, const struct yk_ask *ask,
                      struct yk_si_message_parts parts);

#endif
