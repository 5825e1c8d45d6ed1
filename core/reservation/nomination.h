/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominations: the capacity that victims free is kept for the ask for which they end. A reservation keeps the
 * node for it (reservation/reservations.h). `nominated` of the queues on its path, and of its user and group,
 * keeps the headroom: other asks count these amounts as used.
 *
 * A nomination ends when the ask starts, is removed, or leaves its queue with its application. If the ask is
 * placed on another node or removed, the next ask of its group that may have victims and has none takes the
 * nomination over. A nomination is broken when its reservation is dropped, and when all victims have ended
 * and the ask does not fit, not even after other allocations that were asked to end (D09). Then the ask may
 * get victims again.
 *
 * Thread:    scheduling thread only.
 * Invariant: `nominated` of a queue is the sum of the sizes of the nominated asks below it
 * (yk_ask_is_nominated(); docs/design.md, Invariants 1).
 * Source:    docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_RESERVATION_NOMINATION_H
#define YK_RESERVATION_NOMINATION_H

#include "state/partition.h"

/* Makes a nomination for the ask, which is pending, has none, and has a reservation of the kind
 * YK_RESERVE_PREEMPTION (yk_reserve()). The `count` (may be 0) `victims` will end for it: allocations that
 * are not victims yet. The array is borrowed for the call. Sets YK_ASK_PREEMPTION_TRIGGERED of the ask. The
 * caller then calls yk_preemption_note() and yk_victims_take() for the victims. */
void yk_nomination_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count);
/* Drops the nomination of `ask`, and its reservation, because the ask is about to be placed or removed: wakes
 * groups that wait for headroom on its path. Call it while the ask still counts as pending. The victims still
 * end. No effect on an ask that is not pending or has no nomination. Other modules call
 * yk_accounting_sub_pending(), which calls this; before it, they call yk_nomination_pass_on() or, if the ask
 * is placed, yk_reservation_used(). */
void yk_nomination_end(struct yk_ask *ask);
/* Like yk_nomination_end(), for an ask that still waits: also calls yk_preempt_again() for its group. Other
 * modules call yk_unreserve(), which calls this. */
void yk_nomination_break(struct yk_ask *ask);
/* Calls yk_nomination_end() for all pending asks of an application, which may have victims again afterwards.
 * Call it before the application leaves its leaf. After it has joined another leaf, the caller calls
 * yk_preempt_app_changed(). Reservations without a nomination stay. O(its pending asks). */
void yk_nominations_end(struct yk_app *app);
/* Call it before the ask is placed on another node or removed: the next ask of its group that could have
 * victims and has none takes over its nomination and reservation. If the node cannot be reserved for the next
 * ask, the nomination and the reservation end, and the function wakes groups that wait for headroom on the
 * path. No effect if there is no such ask, or if `ask` has no nomination or no reservation. The caller then
 * calls yk_accounting_sub_pending(), which ends a nomination that was not passed on. */
void yk_nomination_pass_on(struct yk_ask *ask);
/* Call it once for each victim that has ended, after it has stopped counting in queues, user, group and node,
 * with the result of yk_victim_ended() if that is not NULL. Marks the reservation of the ask, so that a later
 * turn tries the ask. After the last victim, breaks the nomination if the ask will not fit. May free
 * `nomination`. The caller then calls yk_nominations_settle(). */
void yk_nomination_victim_ended(struct yk_nomination *nomination);
/* Call it after the ask was tried and refused, by its node (`by_node`), or else by a queue, user or group. No
 * effect without a nomination, or while victims are still to end. Breaks the nomination if the ask does not
 * fit even when all allocations that were asked to end have ended, or if the node has capacity but
 * a constraint refuses the ask there. */
void yk_nomination_not_kept(struct yk_ask *ask, bool by_node);
/* Call it after an allocation, victim or not, has ended and no longer counts: looks again at nominated asks
 * whose victims have ended and that wait for other allocations to end. O(such asks). */
void yk_nominations_settle(struct yk_partition *partition);
/* Like yk_queue_has_headroom() for the leaf and the size of this ask, but the amounts that its nomination, if
 * any, keeps for it count as free. `ret_refusing` may be NULL; it is set in both cases. Limits of user and
 * group are not checked: a caller that is about to place the ask checks them first
 * (yk_limit_gate_fit_or_park()). */
bool yk_nomination_has_headroom(const struct yk_ask *ask, struct yk_queue **ret_refusing);
/* Whether the limits of user and group have headroom for the ask, in addition to all nominated asks. If not,
 * preemption for it would be useless, because a limit would refuse the ask afterwards. Neither the queues nor
 * the start of the application (yk_limit_gate_check_start()) are checked. */
bool yk_nomination_could_start(const struct yk_ask *ask);

#endif
