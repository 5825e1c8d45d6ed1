/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduling cycle, one turn at a time.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, section 3.
 */
#ifndef YK_SCHEDULER_CYCLE_H
#define YK_SCHEDULER_CYCLE_H

#include "scheduler/step_timer.h"
#include "state/partition.h"
#include "state/turn.h"

/*
 * Takes one turn: tries one group of asks, or takes a step of longer work. Most turns search a node at most
 * once. A turn that makes early reservations (reservation/early_reservation.h) makes up to 64 of them and
 * searches a node again after each. `timer`, from yk_step_timer_begin(), measures its parts.
 *
 * YK_TURN_IDLE: nothing can be done until something changes, or the partition is stopped. With another
 * result, the caller calls this function again. Before each call, the caller checks that `turns` of the core
 * is below `turns_max` and that its own maximum of decisions is not reached, and adds 1 to `turns`. After
 * each call with another result than YK_TURN_IDLE, it calls yk_turn_take_step() and yk_turn_take_long(). A
 * slice of limited time ends if the first one is true, so that events come first. The caller looks at the
 * clock if the second one is true, and otherwise every few turns.
 */
enum yk_turn yk_partition_turn(struct yk_partition *partition, struct yk_step_timer *timer);
/* Whether a turn may decide something; a pass over fair shares that is due does not count. False for
 * a partition that is stopped. True does not mean that something will be decided. O(1). */
bool yk_partition_has_work(const struct yk_partition *partition);

#endif
