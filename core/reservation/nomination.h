/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominations: the capacity that victims free is kept for the ask for which they end. A reservation keeps the
 * node (reservation/reservations.h). An amount on the path of the queue keeps the headroom: others count it
 * as used.
 *
 * A nomination lasts until the ask starts or goes. If the ask starts elsewhere or goes before its victims
 * have ended, the next equal ask takes the nomination over. A nomination is broken when its reservation is
 * lost, and when all victims have ended and the ask still does not fit (D09). Then the ask may look for
 * victims again.
 *
 * Thread:    scheduling thread only.
 * Invariant: `nominated` of a queue is the sum of the sizes of the nominated asks below it (docs/design.md,
 * Invariants 1).
 * Source:    docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_RESERVATION_NOMINATION_H
#define YK_RESERVATION_NOMINATION_H

#include "state/partition.h"

/* Makes a nomination for the ask, which is pending and has a reservation of the kind YK_RESERVE_PREEMPTION.
 * The `count` `victims` will end for it; the array is borrowed for the call. */
void yk_nomination_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count);
/* Drops the nomination of `ask`, if any: the ask was allocated or removed. */
void yk_nomination_end(struct yk_ask *ask);
/* Drops the nomination of `ask`, if any. The ask still waits, and may look for victims again after a
 * pause. */
void yk_nomination_break(struct yk_ask *ask);
/* Drops the nominations of all asks of an application. O(its asks that wait). */
void yk_nominations_end(struct yk_app *app);
/* The ask does not need its nomination: the next ask of its group takes nomination and reservation over. */
void yk_nomination_pass_on(struct yk_ask *ask);
/* A victim of the nomination has ended and is no longer counted. `nomination` may be freed. Call it once per
 * victim with the result of yk_victim_ended(). */
void yk_nomination_victim_ended(struct yk_nomination *nomination);
/* The ask was tried, and its node (`by_node`), or else a queue, user or group, refused it. Breaks the
 * nomination if no victim is still to end. */
void yk_nomination_not_kept(struct yk_ask *ask, bool by_node);
/* An allocation has ended: looks at nominations whose own victims did not suffice. O(1) without such. */
void yk_nominations_settle(struct yk_partition *partition);
/* Does what yk_queue_has_headroom() does for the size of this ask, with the amount that is kept for the ask
 * counted as free. */
bool yk_nomination_has_headroom(const struct yk_ask *ask, struct yk_queue **ret_refusing);
/* Whether the limits of user and group have headroom for the ask beside all others that wait for victims. If
 * not, allocations would end for an ask that its limit refuses afterwards. */
bool yk_nomination_could_start(const struct yk_ask *ask);

#endif
