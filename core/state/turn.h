/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of one turn of the scheduling cycle; two flags that a turn sets for its caller; and one flag for
 * later turns, which is set in a turn or by a change between two turns.
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_TURN_H
#define YK_STATE_TURN_H

#include <stdbool.h>

struct yk_partition;

enum yk_turn {
    /* Nothing can be decided until something changes: do not call the next turn. If a function that does only
     * a part of a turn returns it, this part had nothing to do, and the turn goes on. */
    YK_TURN_IDLE,
    /* Something was done that does not count as a decision: for example, a group was tried and waits now,
     * a wait ended, or one step of work that takes several turns was done. Call the next turn. */
    YK_TURN_PARKED,
    /* Something was done that counts as a decision: for example, an ask became an allocation, or victims were
     * asked to end for it. Call the next turn. */
    YK_TURN_DECIDED,
};

/* Call it when the order of waiting groups or a reservation has changed, or when an ask may have waited long
 * enough to use reserved capacity: a later turn offers reserved capacity again. A caller of
 * yk_active_update_app(), or of a function yk_accounting_...(), need not call it. */
void yk_turn_order_changed(struct yk_partition *partition);
/* Call it directly before reserved capacity is offered in the present order: clears the mark that
 * yk_turn_order_changed() sets. */
void yk_turn_order_seen(struct yk_partition *partition);
/* Call it in a turn that looks at many nodes: the caller of the turn looks at the clock after it
 * (yk_turn_take_long()). */
void yk_turn_note_long(struct yk_partition *partition);
/* Sets whether this turn is one step of work that takes several turns (`is_step`), so that the caller of the
 * turn handles events after it (yk_turn_take_step()). The last call in the turn counts. */
void yk_turn_note_step(struct yk_partition *partition, bool is_step);
/* Returns and clears the mark that yk_turn_note_long() sets. The caller of a turn calls it once after each
 * turn whose result is not YK_TURN_IDLE. */
bool yk_turn_take_long(struct yk_partition *partition);
/* Returns what the last call of yk_turn_note_step() set, and sets it to false. The caller of a turn calls it
 * once after each turn whose result is not YK_TURN_IDLE. */
bool yk_turn_take_step(struct yk_partition *partition);

#endif
