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

/* Makes one step of scheduling: tries what comes first. The work is bounded: one search for a node. `timer`
 * measures its steps. Call it again unless it returns YK_TURN_IDLE. */
enum yk_turn yk_partition_turn(struct yk_partition *partition, struct yk_step_timer *timer);
/* Whether the next turn has something to try. O(1). */
bool yk_partition_has_work(const struct yk_partition *partition);

#endif
