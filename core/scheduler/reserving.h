/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reserving nodes for asks that have waited too long: older than the delay, within all limits, but no node
 * has room.
 *
 * Such an ask gets the node that lacks least: where the part of the ask that does not fit is smallest; ties
 * in node order. Equal asks look together, of whichever application: one walk over the nodes serves a batch
 * of them. A group that
 * looked in vain looks again when a node has come that may be reserved, when something has ended, or when its
 * next ask is old enough; never because time passes alone.
 *
 * Thread: scheduling thread only. Source: docs/reference/scheduling.md 4.
 */
#ifndef YK_SCHEDULER_RESERVING_H
#define YK_SCHEDULER_RESERVING_H

#include "scheduler/cycle.h"
#include "scheduler/reservations.h"

void yk_reserving_init(struct yk_partition *partition);
/* The group waits for a node. O(1). */
void yk_reserving_want(struct yk_group *group);
/* A node came or changed, or something has ended: who looked in vain looks again, soon. O(1). */
void yk_reserving_note_change(struct yk_partition *partition);
/* The reservation will have to be looked at when it gets old. */
void yk_reserving_watch(struct yk_partition *partition, const struct yk_reservation *reservation);
/* One batch of equal asks looks. O(nodes that are not reserved). */
enum yk_turn yk_reserving_turn(struct yk_partition *partition);

#endif
