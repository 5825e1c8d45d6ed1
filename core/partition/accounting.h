/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounting: the pending and allocated amounts of an application, of the queues on its path, of its user and
 * group, and of nodes.
 *
 * Each function yk_accounting_...() changes all these amounts, and then what depends on them: orders, waits,
 * the state of the application. The order of these steps is part of the behaviour. None checks capacity or
 * limits, or makes a decision.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.6, 7.5; docs/design.md, Invariants 1 and 2.
 */
#ifndef YK_PARTITION_ACCOUNTING_H
#define YK_PARTITION_ACCOUNTING_H

#include "state/partition.h"

/* Counts the ask as pending. `ask->group` is set, it has no node, and it is not counted anywhere. From now on
 * the cycle may try it. */
void yk_accounting_add_pending(struct yk_ask *ask);
/* No longer counts the pending ask. Drops its nomination and its reservation. The ask stays in its
 * application, counted nowhere, and the caller makes it an allocation, counts it again, or frees it. */
void yk_accounting_sub_pending(struct yk_ask *ask);
/* Counts the ask, which is not pending, as an allocation on `node`; NULL: its node counts it already
 * (`ask->node`). Records an event, and may change the state of the application. The caller tells the resource
 * manager. `is_restored`: it started before the core learned of it, so the core has not seen it wait. */
void yk_accounting_add_allocation(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                                  bool is_restored);
/* No longer counts the allocation, which ends, on its node, in its queues and its application, and wakes what
 * waits for capacity. The ask stays in its application, counted nowhere. */
void yk_accounting_sub_allocation(struct yk_partition *partition, struct yk_ask *ask);
/* The allocated amounts of `app`, the application of the ask, in which the ask counts:
 * `allocated_placeholder` for placeholders, else `allocated`. Changes nothing. A caller that changes these
 * amounts also raises `app->max_used` and calls yk_app_update_shares(). */
struct yk_resvec *yk_ask_account(struct yk_app *app, const struct yk_ask *ask);

#endif
