/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs of a partition: the replacement of placeholders by real asks, and the timeout of gangs whose
 * placeholders do not all get nodes.
 *
 * A replacement takes two steps. First, the real ask is linked to a placeholder (yk_ask_peer()), and the
 * resource manager is asked to end the placeholder. The real ask is no longer pending then, but is not an
 * allocation yet. Its node counts it only if it is another node than that of the placeholder. When the
 * placeholder has ended, for whatever reason, the real ask becomes an allocation in its place. But it waits
 * again if its node or its application is being removed, and ends if its application is Failing.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.
 */
#ifndef YK_PARTITION_GANG_H
#define YK_PARTITION_GANG_H

#include "state/partition.h"
#include "state/turn.h"

/* Replaces the size of all placeholders of the gang by `total`, which is copied: the next look computes again
 * whether the gang can ever start. */
void yk_gang_change_total(struct yk_gang *gang, const struct yk_resvec *total);

/* ---- changes of asks. The functions of partition/accounting.h call the second to the fourth ---- */

/* Call it once for each new ask, after `ask->group` was set and the ask was added to app->asks, before the
 * ask counts as pending or allocated: counts a placeholder in its task group, or notes that a real ask has
 * come (`real_came`). If the new placeholder is the only one of the task group that has not ended, the real
 * asks of the task group begin to wait for placeholders. No effect without a task group. */
void yk_gang_ask_added(struct yk_ask *ask);
/* A step of yk_accounting_add_pending(), after the ask began to count as pending: a real ask counts as
 * waiting in its task group, and may replace a placeholder. For a placeholder, waiting gangs are looked at
 * again (yk_gang_wait_note()). No effect without a task group. */
void yk_gang_pending(struct yk_ask *ask);
/* A step of yk_accounting_sub_pending(), after the ask was removed from the pending asks of its group: a real
 * ask no longer counts as waiting. No effect on placeholders, and without a task group. */
void yk_gang_not_pending(struct yk_ask *ask);
/* A step of yk_accounting_add_allocation(), after the placeholder began to count as allocated: from now on
 * the placeholder may be replaced. Starts the timeout of the gang, unless it runs already. Fires YK_APP_RUN
 * if the application is Accepted, it has announced the total of its gang (`total`), and all its allocated
 * placeholders together have this size. */
void yk_gang_placeholder_allocated(struct yk_ask *placeholder);
/* Call it before an allocated placeholder counts as pending again, while it still counts as allocated: from
 * now on it is not replaced. No real ask is linked to it, and it was not asked to end (YK_ASK_RELEASED,
 * YK_ASK_PREEMPTED). The caller then calls yk_accounting_sub_allocation() and yk_accounting_add_pending(). */
void yk_gang_placeholder_taken(struct yk_ask *placeholder);
/* Call it when the placeholder ends, while it still counts as pending or allocated, or after
 * yk_gang_give_up(): from now on it is not replaced. A real ask that is linked to it is unlinked before, by
 * yk_gang_take_over(), or by yk_gang_give_up() for the real ask. `is_replaced`: a real ask takes its place;
 * otherwise it is counted as timed out, whatever the reason is. If it was the last placeholder of its task
 * group that had not ended, the real asks of the task group no longer wait for placeholders. */
void yk_gang_placeholder_ends(struct yk_ask *placeholder, bool is_replaced);
/* Call it after an allocated placeholder of the application has ended and no longer counts. If it was the
 * last allocated one, cancels the timeout of the gang, and may change the state of the application. True:
 * the state changed or the application is being removed, so the caller must not change the state. False: the
 * caller calls yk_lifecycle_complete_if_done(). */
bool yk_gang_placeholder_ended(struct yk_app *app);
/* Asks the resource manager to end all allocated placeholders of the application that are not ending already
 * (5.4): released() with YK_SI_TIMEOUT and `message`. The placeholders count until the resource manager
 * confirms their end. Placeholders that are pending, or that wait in a handover, stay. No effect without such
 * placeholders. */
void yk_gang_let_all_go(struct yk_app *app, const char *message);
/* Call it when the application ends, while it is still in its leaf: cancels the timeout of its gang, and
 * removes the gang from the lists of the partition. No effect without a gang. */
void yk_gang_stop(struct yk_app *app);

/* ---- replacement ---- */

/* Tries to replace one placeholder of the first gang in the list `partition->replaceable`. Asks the resource
 * manager to end this placeholder, and also placeholders that are too small for the real ask.
 * YK_TURN_DECIDED: a placeholder was linked to a real ask; YK_TURN_PARKED: no placeholder of the gang can be
 * replaced now, and the gang was removed from the list; YK_TURN_IDLE: the list is empty. */
enum yk_turn yk_gang_turn(struct yk_partition *partition);
/* Call it when the placeholder, which is linked to a real ask, has ended, while it still counts as allocated:
 * ends the link and counts the real ask as allocated. Returns the real ask; the caller reports it with
 * yk_rm_call_allocated() after the placeholder has stopped counting. NULL: the real ask is pending again,
 * because its node or its application is being removed. If the application is Failing, the caller ends the
 * real ask instead (yk_partition_end_replacing()). */
struct yk_ask *yk_gang_take_over(struct yk_ask *placeholder);
/* Call it when the node is removed on which `real` was to start (its flags have YK_ASK_REPLACING, and
 * `real->node` is set): `real` is pending again. A placeholder that was linked to it ends without a
 * replacement; a handover that it is in is broken, so that all its asks are pending again. If the application
 * is Failing, the caller ends `real` instead (yk_partition_end_replacing()). */
void yk_gang_lose_node(struct yk_ask *real);
/* Call it when `real` (its flags have YK_ASK_REPLACING) ends before it is an allocation; `real` may also be a
 * placeholder in a handover. A placeholder that was linked to it ends without a replacement. A handover that
 * it is in is broken; the other asks of the handover wait again in the next turn. Afterwards `real` counts
 * neither as pending nor as allocated. A step of yk_partition_drop_replacing(), which then calls
 * yk_gang_placeholder_ends() for a placeholder, reports the end and frees `real`; other modules call that. */
void yk_gang_give_up(struct yk_ask *real);
/* Call it after the node got more capacity or other labels. yk_wake_for_node() calls it, with two exceptions:
 * the node is neither schedulable nor draining, or it is reserved for an ask with victims or with a required
 * node. Marks each gang that waits for a node (`is_blocked`) for yk_gang_turn() if one of its real asks may
 * run there now: in the place of a placeholder, or on free capacity. Gangs that wait for their placeholders
 * are looked at again, too. O(1) if no gang waits for a node; otherwise, all of these gangs and all
 * allocations on the node are visited. */
void yk_gang_wake_node(struct yk_partition *partition, const struct yk_node *node);
/* Call it after the resource manager reported that nodes may pass the class of `shape` now: marks for
 * yk_gang_turn() those gangs that wait for a node and have pending real asks of the shape. Unlike
 * yk_gang_wake_node(), it does nothing for gangs that wait for their placeholders: the caller calls
 * yk_gang_wait_note(). O(groups of the shape). */
void yk_gang_wake_class(struct yk_partition *partition, const struct yk_shape *shape);

#endif
