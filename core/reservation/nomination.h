/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises: what victims give up is kept for the ask they end for. Its node is kept by a reservation
 * (reservation/reservations.h), room in its queues by a promised amount on the path, which others see as
 * taken.
 *
 * A promise is kept until the ask starts, or goes. If the ask starts elsewhere, or goes, before its victims
 * have ended, the next ask that is alike inherits it, so that they did not end in vain. Broken, it leaves the
 * ask free to look for victims again: when its reservation is lost, or when all victims have ended and it
 * still does not fit (D09).
 *
 * Thread: scheduling thread only.
 * Invariant: promised of a queue is the sum of its promises (docs/design.md, Invariants 1).
 * Source: docs/reference/scheduling.md, 6.1 step 10, 6.4.
 */
#ifndef YK_RESERVATION_NOMINATION_H
#define YK_RESERVATION_NOMINATION_H

#include "state/partition.h"

/* The pending ask has a reservation; all `victims` are to end for it. */
void yk_nomination_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count);
/* The ask waits no more. No effect without a promise, like the next one. */
void yk_nomination_end(struct yk_ask *ask);
/* It goes on waiting, is promised nothing any more, and may look for victims again after a while. */
void yk_nomination_break(struct yk_ask *ask);
/* The same for all asks of an application. O(its asks waiting). */
void yk_nominations_end(struct yk_app *app);
/* The ask does not need what it was promised: the next one of its group takes promise and reservation over.
 */
void yk_nomination_pass_on(struct yk_ask *ask);
/* One of its victims has left all books. */
void yk_nomination_victim_ended(struct yk_nomination *promise);
/* The ask was tried, and its node (or, if not, a queue or user) refused it: broken if nothing is left that is
 * to end. */
void yk_nomination_not_kept(struct yk_ask *ask, bool by_node);
/* Something has ended: those who waited for more than their own victims are looked at. O(1) without them. */
void yk_nominations_settle(struct yk_partition *partition);
/* yk_queue_has_room() for this very ask: what is promised to it is not taken. */
bool yk_nomination_has_room(const struct yk_ask *ask, struct yk_queue **ret_refusing);
/* Whether the limits of user and group have room for the ask beside all others that wait for victims: else
 * allocations would end for an ask that its limit refuses then. */
bool yk_nomination_could_start(const struct yk_ask *ask);

#endif
