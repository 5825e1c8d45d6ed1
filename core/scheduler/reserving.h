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
/* Something has ended; or a node has come, or may be reserved that could not be before. Who looked in vain
 * looks again, soon. O(1). */
void yk_reserving_note_end(struct yk_partition *partition);
void yk_reserving_note_candidate(struct yk_partition *partition);
/* The group may suit nodes that it did not: it looks again, soon. O(1). */
void yk_reserving_class_changed(struct yk_group *group);
/* The reservation will have to be looked at when it gets old, or is in vain while others wait. */
void yk_reserving_watch(struct yk_partition *partition, const struct yk_reservation *reservation);
/* Others wait for nodes: those that are kept in vain are opened, at once and then every 10 s. O(1). */
void yk_reserving_note_others(struct yk_partition *partition);
/* A batch of equal asks looks that have just found no node: before anything behind them is tried. O(nodes
 * that are not reserved). */
enum yk_turn yk_reserving_turn(struct yk_partition *partition);
/* The same for one that looks again: when nothing else is to be done. */
enum yk_turn yk_reserving_again_turn(struct yk_partition *partition);
bool yk_reserving_has_work(const struct yk_partition *partition);

#endif
