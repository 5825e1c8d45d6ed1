/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of one turn of the scheduling cycle, and flags that a turn sets for its caller and for later
 * turns. A turn tries one group of asks, or makes one step of longer work.
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_TURN_H
#define YK_STATE_TURN_H

#include <stdbool.h>

struct yk_partition;

enum yk_turn {
    YK_TURN_IDLE,   /* nothing can be decided until something changes: do not call the next turn */
    YK_TURN_PARKED, /* a group was tried and waits now, or a step was made: call the next turn */
    /* An ask became an allocation, or victims were asked to end for one: call the next turn. */
    YK_TURN_DECIDED,
};

/* Call it when the order of waiting groups, or a reservation, has changed: a later turn offers reserved
 * capacity again. yk_active_update_app() and the functions of partition/accounting.h call it. */
void yk_turn_order_changed(struct yk_partition *partition);
/* Call it before reserved capacity is offered in the present order: takes back yk_turn_order_changed(). Only
 * scheduler/cycle.c calls this, and then offers that capacity. */
void yk_turn_order_seen(struct yk_partition *partition);
/* Call it in a turn that looks at many nodes: the caller of the turn looks at the clock after it
 * (yk_turn_take_long()). */
void yk_turn_note_long(struct yk_partition *partition);
/* Sets whether this turn is one step of work that takes several turns (`is_step`), so that the caller of the
 * turn handles events after it (yk_turn_take_step()). The last call in the turn counts. */
void yk_turn_note_step(struct yk_partition *partition, bool is_step);
/* Whether yk_turn_note_long() was called since the last call of this function; resets this. The caller of a
 * turn calls it once after each turn. */
bool yk_turn_take_long(struct yk_partition *partition);
/* The argument of the last call of yk_turn_note_step() since the last call of this function; false if there
 * was no call. The caller of a turn calls it once after each turn. */
bool yk_turn_take_step(struct yk_partition *partition);

#endif
