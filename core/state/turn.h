/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of one step of scheduling, and what one step says to the next.
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_TURN_H
#define YK_STATE_TURN_H

#include <stdbool.h>

struct yk_partition;

enum yk_turn {
    YK_TURN_IDLE,    /* nothing can be decided until something changes */
    YK_TURN_PARKED,  /* something was tried and put aside: go on */
    YK_TURN_DECIDED, /* an ask became an allocation */
};

/* The order of what waits, or a reservation, changed: reserved capacity is offered again in a later turn. */
void yk_turn_order_changed(struct yk_partition *partition);
/* Reserved capacity was offered in the present order. */
void yk_turn_order_seen(struct yk_partition *partition);
/* This turn looked at many nodes, so the caller of the cycle looks at the clock after it. */
void yk_turn_note_long(struct yk_partition *partition);
/* Sets whether this turn was one step of work that takes several (`is_step`), so that events are handled
 * after it. */
void yk_turn_note_step(struct yk_partition *partition, bool is_step);
/* Whether yk_turn_note_long() was called since the last call of this function; resets that. */
bool yk_turn_take_long(struct yk_partition *partition);
/* The value of the last call of yk_turn_note_step() since the last call of this function; false if there was
 * none. Resets it. */
bool yk_turn_take_step(struct yk_partition *partition);

#endif
