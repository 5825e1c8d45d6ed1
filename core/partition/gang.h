/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs of a partition: the replacement of placeholders by real asks, and the timeout of gangs whose
 * placeholders do not all get nodes.
 *
 * A replacement takes two steps. First, the real ask is linked to a placeholder (yk_ask_peer()), and the
 * resource manager is asked to end the placeholder. The real ask is no longer pending then, but is not an
 * allocation yet. It is counted on its node only if it does not take over the placeholder's. When the
 * placeholder has ended, for whatever reason, the real ask becomes an allocation in its place, or waits again
 * if its node is being removed or its application ends.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.
 */
#ifndef YK_PARTITION_GANG_H
#define YK_PARTITION_GANG_H

#include "state/partition.h"
#include "state/turn.h"

/* ---- changes of asks ---- */

/* Call it after a new ask was added to its group, before it counts as pending or allocated. No effect without
 * a task group. */
void yk_gang_ask_added(struct yk_ask *ask);
/* Call it after the ask began to count as pending. No effect without a task group. */
void yk_gang_pending(struct yk_ask *ask);
/* Call it after the ask ceased to count as pending. No effect without a task group. */
void yk_gang_not_pending(struct yk_ask *ask);
/* Call it after the placeholder began to count as allocated: from now on it may be replaced. Starts the
 * timeout of the gang, and lets the application run if all its placeholders are allocated. */
void yk_gang_placeholder_allocated(struct yk_ask *placeholder);
/* Call it before an allocated placeholder counts as pending again: from now on it is not replaced. */
void yk_gang_placeholder_taken(struct yk_ask *placeholder);
/* Call it when the placeholder, pending or allocated, ends, while it still counts: from now on it is not
 * replaced. `is_replaced`: a real ask takes its place; otherwise it is counted as timed out. */
void yk_gang_placeholder_ends(struct yk_ask *placeholder, bool is_replaced);
/* Call it after a placeholder of the application has ended and no longer counts. If it was the last one, this
 * may change the state of the application. True: the state changed or the application is being removed, so
 * the caller must not change the state, too. */
bool yk_gang_placeholder_ended(struct yk_app *app);
/* Asks the resource manager to end all allocated placeholders of the application that are not ending already
 * (5.4), with `message` as the reason. It may confirm the end of some before this function returns. */
void yk_gang_let_all_go(struct yk_app *app, const char *message);
/* Call it when the application ends: cancels the timeout of its gang, and removes the gang from the lists of
 * the partition. No effect without a gang. */
void yk_gang_stop(struct yk_app *app);

/* ---- replacement ---- */

/* Tries to replace one placeholder of the first gang in the list `partition->replaceable`. YK_TURN_DECIDED:
 * one was linked to a real ask; YK_TURN_PARKED: no placeholder of the gang can be replaced now, and it was
 * removed from the list; YK_TURN_IDLE: the list is empty. */
enum yk_turn yk_gang_turn(struct yk_partition *partition);
/* Call it when the placeholder, which is linked to a real ask, has ended, while it still counts as allocated:
 * ends the link and counts the real ask as allocated. Returns the real ask; the caller reports it to the
 * resource manager after the placeholder has stopped counting. NULL: the real ask waits again. */
struct yk_ask *yk_gang_take_over(struct yk_ask *placeholder);
/* Call it when the node is removed on which `real` was to start (its flags have YK_ASK_REPLACING): `real`
 * waits again. A placeholder that was linked to it ends without a replacement; a handover that it is in is
 * broken. */
void yk_gang_lose_node(struct yk_ask *real);
/* Call it when `real` (its flags have YK_ASK_REPLACING) ends before it is an allocation. A placeholder that
 * was linked to it ends without a replacement; a handover that it is in is broken. Afterwards `real` counts
 * neither as pending nor as allocated, and the caller frees it. */
void yk_gang_give_up(struct yk_ask *real);
/* Call it after the node got more capacity or other labels: gangs that wait for a node (`is_blocked`) are
 * tried if one of their real asks may run there now, in the place of a placeholder or on free capacity.
 * O(such gangs + allocations on the node). */
void yk_gang_wake_node(struct yk_partition *partition, const struct yk_node *node);
/* Call it after the resource manager reported that nodes may pass the class of `shape` now: gangs that wait
 * for a node and have real asks of the shape are tried. O(groups of the shape). */
void yk_gang_wake_class(struct yk_partition *partition, const struct yk_shape *shape);

#endif
