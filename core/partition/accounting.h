/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounting: what is pending and what is allocated, in the application, on the path of its queue, for its
 * user and group, and on the node.
 *
 * Each function changes all these sums, and then what depends on them: orders, waits, the state of the
 * application. The order of these steps is part of the behaviour; each function in accounting.c lists them
 * on one screen. None checks capacity, makes a decision, or calls the resource manager.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.6, 7.5; docs/design.md, Invariants 1 and 2.
 */
#ifndef YK_PARTITION_ACCOUNTING_H
#define YK_PARTITION_ACCOUNTING_H

#include "state/partition.h"

/* Counts the ask, which is in its group and has no node, as pending. */
void yk_accounting_add_pending(struct yk_ask *ask);
/* No longer counts the ask as pending. Drops its nomination and its reservation. */
void yk_accounting_sub_pending(struct yk_ask *ask);
/* The ask, which is not pending, becomes an allocation on `node`; NULL: its node counts it already. */
void yk_accounting_add_allocation(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* No longer counts the allocation on its node, and in its queues and application. It is neither pending nor
 * allocated afterwards. */
void yk_accounting_sub_allocation(struct yk_partition *partition, struct yk_ask *ask);
/* The sum of the application that counts the ask: placeholders have a sum of their own. */
struct yk_resvec *yk_ask_account(struct yk_app *app, const struct yk_ask *ask);

#endif
