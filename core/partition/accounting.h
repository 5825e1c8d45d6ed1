/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books: what is pending and what is allocated, in the application, on the path of its queue, for its
 * user and group, and on the node. Each function changes all of them, and the orders and waits that rest on
 * them; none asks for room, decides, or tells the resource manager. Thread: scheduling thread only. Source:
 * docs/reference/scheduling.md 2.6, 7.5; docs/design.md, Invariants 1 and 2.
 */
#ifndef YK_PARTITION_ACCOUNTING_H
#define YK_PARTITION_ACCOUNTING_H

#include "state/partition.h"

/* The ask waits; or it waits no more. */
void yk_book_pending(struct yk_ask *ask);
void yk_unbook_pending(struct yk_ask *ask);
/* The ask, which is not pending, stands on the node; `node` NULL: it is booked on its node already. */
void yk_book_allocation(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* The allocation leaves its node, queues and application; it is neither pending nor allocated afterwards. */
void yk_unbook_allocation(struct yk_partition *partition, struct yk_ask *ask);
/* What an ask counts for in its application: placeholders have an account of their own. */
struct yk_resvec *yk_ask_account(struct yk_app *app, const struct yk_ask *ask);

#endif
