/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs in the scheduler: replacing placeholders by real pods, and the time after which a gang that is not
 * complete gives up.
 *
 * A replacement takes two steps. The decision links the real ask to a placeholder and asks the resource
 * manager to end that; the ask waits no more, nothing else has changed. When the placeholder has ended, the
 * real one takes its place in all accounts at once and is reported as allocated. If the placeholder ends in
 * any other way, the real one takes over if there is room for it, or waits again.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.
 */
#ifndef YK_PARTITION_GANG_H
#define YK_PARTITION_GANG_H

#include "state/partition.h"
#include "state/turn.h"

/* ---- what happened to asks ---- */

/* A new ask is in its group, not booked yet. */
void yk_gang_ask_added(struct yk_ask *ask);
/* The ask counts as pending; it is about to stop counting as pending. */
void yk_gang_pending(struct yk_ask *ask);
/* The opposite of yk_gang_pending(). */
void yk_gang_not_pending(struct yk_ask *ask);
/* The placeholder was booked as allocated. */
void yk_gang_placeholder_allocated(struct yk_ask *placeholder);
/* The placeholder, which is booked as allocated, must not be replaced: it will be preempted, or is
 * to be booked as pending again. */
void yk_gang_placeholder_taken(struct yk_ask *placeholder);
/* The placeholder ends, allocated or not: out of what may be replaced, while it is on the books. */
void yk_gang_placeholder_ends(struct yk_ask *placeholder, bool is_replaced);
/* It is off the books, which may change the application's state. True: it did, and nothing more is to be
 * done about it. */
bool yk_gang_placeholder_ended(struct yk_app *app);
/* All allocated placeholders are to end (5.4). */
void yk_gang_let_all_go(struct yk_app *app, const char *message);
/* The application has ended, or all that it had. */
void yk_gang_stop(struct yk_app *app);

/* ---- replacement ---- */

/* Decides about one pending ask of a gang. */
enum yk_turn yk_gang_turn(struct yk_partition *partition);
/* The placeholder, which is linked to a real ask, is about to go from the books: the real one is booked in
 * its place, to be told as allocated when the placeholder is off. NULL: it waits again. */
struct yk_ask *yk_gang_take_over(struct yk_ask *placeholder);
/* The node goes on which it was to replace a placeholder elsewhere: it waits again, and that one ends
 * without. */
void yk_gang_lose_node(struct yk_ask *real);
/* The real ask, which was to replace a placeholder, will not come: that one ends without. The ask is on no
 * books then. */
void yk_gang_give_up(struct yk_ask *real);
/* The node has more capacity, or other labels: blocked gangs are tried if one of their real pods may run
 * there now, in the place of a placeholder or beside it. O(blocked gangs + allocations on the node). */
void yk_gang_wake_node(struct yk_partition *partition, const struct yk_node *node);
/* The resource manager may say yes where it said no: blocked gangs with real pods of the shape are tried.
 * O(groups of the shape). */
void yk_gang_wake_class(struct yk_partition *partition, const struct yk_shape *shape);

#endif
