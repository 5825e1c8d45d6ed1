/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Need: how far the queues of a partition are from their guarantees. Each preemption for a guarantee has to
 * lower the need, so these preemptions come to an end: they cannot undo each other without limit.
 *
 * For each type that a queue guarantees, served = min(1, used / guaranteed). The need of the queue is the
 * product of (1 - served) over these types: 1 while it uses nothing, 0 when it has its full guarantee of at
 * least one type. Its shortfall is the sum of (1 - served) over these types. The need of a partition is a
 * list of numbers that are compared one after the other: the sum of the needs of all leaves, the sum of the
 * needs of all parents of the greatest depth, and so on up to the root, then the sums of the shortfalls in
 * the same order.
 *
 * Usage is counted without victims and with nominated amounts (preemption/guarantee.h). An allocation that
 * starts never raises the need, because no number grows with usage.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1, "Preemption ends".
 */
#ifndef YK_PREEMPTION_NEED_H
#define YK_PREEMPTION_NEED_H

#include "preemption/guarantee.h"

/* An exchange: an ask starts in the leaf of the scope, and victims end. Borrowed. As in a dry run
 * (preemption/dry_run.h), the queues count the exchange already: the caller has added the amounts that the
 * fields name. */
struct yk_exchange {
    const struct yk_scope *scope;
    const struct yk_resvec *size;   /* of the ask */
    const struct yk_resvec *booked; /* what the queues on the path of the leaf have in `nominated` for it */
    const struct yk_vec *victims;   /* struct yk_ask; `preempting` of their queues has their sizes */
};
/* Whether the exchange lowers the need of the partition. It does, and the caller need not call this, if
 * yk_exchange_serves_leaf() is true, and yk_exchange_is_free() for each victim. O(victims * victims * depth *
 * depth). */
bool yk_exchange_lowers_need(const struct yk_exchange *exchange);
/* Whether the start of the ask lowers the need of its leaf. Victims in other queues make no difference. False
 * if the leaf of the scope has become a parent (rule R15). */
bool yk_exchange_serves_leaf(const struct yk_exchange *exchange);
/* Whether it is certain that the end of the victim, whose size is in `preempting` of its queues, raises the
 * need of no leaf. False: it may raise one. O(depth). */
bool yk_exchange_is_free(const struct yk_ask *victim);

#endif
