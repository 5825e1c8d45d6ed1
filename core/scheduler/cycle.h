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

/* Takes one turn: tries the ask that comes first, or takes a step of longer work. A turn makes at most about
 * one search for a node. `timer`, from yk_step_timer_begin(), measures its parts. YK_TURN_IDLE: nothing can
 * be done until something changes, or the partition is stopped. With another result, the caller calls this
 * function again. After each call, the caller also asks yk_turn_take_long() and yk_turn_take_step() whether
 * other events come first. */
enum yk_turn yk_partition_turn(struct yk_partition *partition, struct yk_step_timer *timer);
/* Whether a turn has something to do. False for a partition that is stopped. True does not mean that
 * something will be decided. O(1). */
bool yk_partition_has_work(const struct yk_partition *partition);

#endif
