/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs in the scheduler: replacing placeholders by real asks, and the time after which a gang that is not
 * complete gives up.
 *
 * A replacement takes two steps. The decision links the real ask to a placeholder and asks the resource
 * manager to end that; the ask is no longer pending, nothing else has changed. When the placeholder has
 * ended, the real one takes its place in all accounts at once and is reported as allocated. If the
 * placeholder ends in any other way, the real one takes over if there is capacity for it, or waits again.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.
 */
#ifndef YK_PARTITION_GANG_H
#define YK_PARTITION_GANG_H

#include "state/partition.h"
#include "state/turn.h"

/* ---- what happened to asks ---- */

/* A new ask is in its group and is not counted as pending or allocated yet. */
void yk_gang_ask_added(struct yk_ask *ask);
/* The ask counts as pending now. */
void yk_gang_pending(struct yk_ask *ask);
/* The opposite of yk_gang_pending(). */
void yk_gang_not_pending(struct yk_ask *ask);
/* The placeholder counts as allocated now; it may be replaced from here on. */
void yk_gang_placeholder_allocated(struct yk_ask *placeholder);
/* The placeholder, which counts as allocated, must not be replaced any longer: it will be preempted, or will
 * count as pending again. */
void yk_gang_placeholder_taken(struct yk_ask *placeholder);
/* The placeholder ends, allocated or not. Call it while the placeholder still counts; it can no longer be
 * replaced. `is_replaced`: a real ask takes its place, else it counts as timed out. */
void yk_gang_placeholder_ends(struct yk_ask *placeholder, bool is_replaced);
/* A placeholder of the application ended and no longer counts. May change the state of the application.
 * True: the state changed or the application is being removed, and the caller does nothing more about it. */
bool yk_gang_placeholder_ended(struct yk_app *app);
/* Asks the resource manager to end all allocated placeholders (5.4). `message` is the reason that it gets. */
void yk_gang_let_all_go(struct yk_app *app, const char *message);
/* The application, or its last ask and allocation, has ended: cancels the timer of its gang and takes the
 * gang out of the lists of the partition. */
void yk_gang_stop(struct yk_app *app);

/* ---- replacement ---- */

/* Tries to replace one placeholder of the first gang in the partition's list. YK_TURN_DECIDED: one was
 * linked to a real ask; YK_TURN_PARKED: the gang was taken off the list; YK_TURN_IDLE: the list is empty. */
enum yk_turn yk_gang_turn(struct yk_partition *partition);
/* Call before the placeholder, which is linked to a real ask, stops counting as allocated. The real ask
 * counts as allocated in its place and is returned; the caller reports it as allocated after the placeholder
 * has stopped counting. NULL: the real ask waits again. */
struct yk_ask *yk_gang_take_over(struct yk_ask *placeholder);
/* The node leaves on which `real` was to start in place of a placeholder on another node: `real` waits
 * again, and the placeholder ends without a replacement. */
void yk_gang_lose_node(struct yk_ask *real);
/* The ask `real`, which was to replace a placeholder, is gone: the placeholder ends without a
 * replacement. Afterwards `real` counts neither as pending nor as allocated. */
void yk_gang_give_up(struct yk_ask *real);
/* The node has more capacity, or other labels: blocked gangs are tried if one of their real asks may run
 * there now, in the place of a placeholder or beside it. O(blocked gangs + allocations on the node). */
void yk_gang_wake_node(struct yk_partition *partition, const struct yk_node *node);
/* Nodes that the resource manager refused for the class of `shape` may pass its filters now: blocked gangs
 * with real asks of the shape are tried. O(groups of the shape). */
void yk_gang_wake_class(struct yk_partition *partition, const struct yk_shape *shape);

#endif
