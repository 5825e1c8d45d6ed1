/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accounting: the pending and allocated amounts of an application, of the queues on its path, of its user and
 * group, and of nodes.
 *
 * Each function yk_accounting_...() changes those of these amounts that count the ask, and then what depends
 * on them: orders, waits, the state of the application. The order of these steps is part of the behaviour.
 * None of the functions checks capacity or limits, and none makes a decision.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.6, 7.5; docs/design.md, Invariants 1 and 2.
 */
#ifndef YK_PARTITION_ACCOUNTING_H
#define YK_PARTITION_ACCOUNTING_H

#include "state/partition.h"

/* Counts the ask as pending: from now on the cycle may try it. `ask->group` is set, with a reference for the
 * ask; its application is in a leaf. The ask has no node, is not counted anywhere, and has no
 * YK_ASK_REPLACING. For a new ask, the caller calls yk_gang_ask_added() and yk_report_ask_added() before.
 * Calls yk_gang_pending(). The state of the application does not change: for a new ask, the caller fires
 * YK_APP_RUN before if the application is New or Completing. */
void yk_accounting_add_pending(struct yk_ask *ask);
/*
 * No longer counts the pending ask. Drops its nomination and its reservation, and calls
 * yk_gang_not_pending(). The ask keeps its group and stays in its application, counted nowhere. Then the
 * caller either calls yk_accounting_add_allocation() or yk_accounting_add_pending() for it, or restores the
 * order of the queues with yk_active_update_queue(), for the leaf of the application. The state of the
 * application does not change. Before the call, the caller calls
 * - yk_nomination_pass_on() or yk_make_reservation_hand_on(), if the next ask of its group may get its
 *   nomination or reservation,
 * - yk_reservation_used(), if the ask gets a node: its reservation then does not count as dropped,
 * - yk_gang_placeholder_ends(), for a placeholder that ends.
 */
void yk_accounting_sub_pending(struct yk_ask *ask);
/* Counts the ask as an allocation on `node`; NULL: its node (`ask->node`) counts it already. Before the call,
 * the ask counts neither as pending nor as an allocation. Its bind time is now. Records an event, and may
 * change the state of the application: calls yk_lifecycle_allocated(), and yk_gang_placeholder_allocated()
 * for a placeholder. The caller tells the resource manager with yk_rm_call_allocated(). If nothing has
 * checked the maxima of its queues, the caller then calls yk_quota_preemption_raised(). YK_ASK_REPLACING is
 * set only if the ask takes the place of a placeholder; the caller clears it afterwards. `is_restored`: the
 * resource manager has reported when the allocation started. It then does not count in the metrics of waits
 * and in the starts of its leaf, and the caller sets its real bind time (`bind_wall_ns`) afterwards. */
void yk_accounting_add_allocation(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                                  bool is_restored);
/* A step of yk_partition_end_allocation(), which other modules call for an allocation that ends: no longer
 * counts it on its node, in its queues and in its application, and wakes what waits for capacity. `ask->node`
 * is set before, and NULL afterwards. For a placeholder the caller calls yk_gang_placeholder_ends() or
 * yk_gang_placeholder_taken() before; if a real ask is to replace it, yk_gang_take_over() before that. The
 * ask stays in its application, counted nowhere; the caller frees it or calls yk_accounting_add_pending().
 * The caller also records the event (yk_report_ended()). The state of the application does not change here:
 * if the ask ends, the caller frees it and then updates the state with yk_lifecycle_real_ended() or, for a
 * placeholder, yk_gang_placeholder_ended(), and, unless the latter returned true, with
 * yk_lifecycle_complete_if_done(). */
void yk_accounting_sub_allocation(struct yk_partition *partition, struct yk_ask *ask);
/* The allocated amounts of `app`, the application of the ask, in which the ask counts as an allocation:
 * `allocated_placeholder` for placeholders, else `allocated`. Changes nothing. A caller that changes these
 * amounts also raises `app->max_used` and calls yk_app_update_shares(). */
struct yk_resvec *yk_ask_account(struct yk_app *app, const struct yk_ask *ask);

#endif
