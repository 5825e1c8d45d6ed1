/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises: what victims give up is kept for the ask they end for. Its node is kept by a reservation
 * (scheduler/reservations.h), room in its queues by a promised amount on the path, which others see as taken.
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
#ifndef YK_SCHEDULER_PROMISE_H
#define YK_SCHEDULER_PROMISE_H

#include "state/partition.h"

/* The pending ask has a reservation; all `victims` are to end for it. */
void yk_promise_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count);
/* The ask waits no more. No effect without a promise, like the next one. */
void yk_promise_end(struct yk_ask *ask);
/* It goes on waiting, is promised nothing any more, and may look for victims again after a while. */
void yk_promise_break(struct yk_ask *ask);
/* The same for all asks of an application. O(its asks waiting). */
void yk_promises_end(struct yk_app *app);
/* The ask does not need what it was promised: the next one of its group takes promise and reservation over.
 */
void yk_promise_pass_on(struct yk_ask *ask);
/* One of its victims has left all books. */
void yk_promise_victim_ended(struct yk_promise *promise);
/* The ask was tried, and its node (or, if not, a queue or user) refused it: broken if nothing is left that is
 * to end. */
void yk_promise_not_kept(struct yk_ask *ask, bool by_node);
/* Something has ended: those who waited for more than their own victims are looked at. O(1) without them. */
void yk_promises_settle(struct yk_partition *partition);
/* yk_queue_has_room() for this very ask: what is promised to it is not taken. */
bool yk_promise_has_room(const struct yk_ask *ask, struct yk_queue **ret_refusing);
/* Whether the limits of user and group have room for the ask beside all others that wait for victims: else
 * allocations would end for an ask that its limit refuses then. */
bool yk_promise_could_start(const struct yk_ask *ask);

#endif
