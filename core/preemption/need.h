/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Need: how badly the queues of a partition miss their guarantees. Each preemption lowers it, so preemption
 * ends.
 *
 * A queue is served min(1, used / guaranteed) of a type that it guarantees. Its need is the product of
 * 1 - served over these types: 1 while it uses nothing, 0 as soon as it has its full guarantee of one type.
 * Its shortfall is the sum of 1 - served. The need of a partition is a list of numbers, compared in order:
 * the sum of the needs of all leaves, of all parents of the greatest depth, and so on up to the root, then
 * the shortfalls in the same order.
 *
 * Usage counts without victims and with nominated amounts (preemption/guarantee.h). An allocation that starts
 * never raises the need: no number grows with usage.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1, "Preemption ends".
 */
#ifndef YK_PREEMPTION_NEED_H
#define YK_PREEMPTION_NEED_H

#include "preemption/guarantee.h"

/* An exchange: `size` starts in the leaf of the scope, and the victims (struct yk_ask) end. The queues count
 * the victims in `preempting`, and `booked` in `nominated` on the path of the leaf. */
struct yk_exchange {
    const struct yk_scope *scope;
    const struct yk_resvec *size, *booked;
    const struct yk_vec *victims;
};
/* Whether the exchange lowers the need of the partition. O(victims * victims * depth). */
bool yk_exchange_lowers_need(const struct yk_exchange *exchange);
/* Whether the start of the ask alone lowers the need of its leaf. Victims of other queues do not change
 * that. */
bool yk_exchange_serves_leaf(const struct yk_exchange *exchange);
/* Whether the end of the victim, which is counted in `preempting`, certainly raises the need of no leaf.
 * False: it may raise one. O(depth). */
bool yk_exchange_is_free(const struct yk_ask *victim);

#endif
