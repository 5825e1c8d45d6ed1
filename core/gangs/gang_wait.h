/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs that wait for their placeholders: which of them can start whole, and what others give up for that.
 *
 * A gang is incomplete from its first placeholder until the sum of its allocated placeholders is what it
 * announced. What an incomplete gang holds is given up for another gang or ask that is before it in the order
 * (gangs/gang_order.h), and, once, for a gang behind it; in both cases only if that gang then starts
 * whole. A dry run decides (gangs/dry_run.h), a handover carries it out (gangs/handover.h).
 *
 * After a change that could help, the waiting gangs are looked at once: at most one look a second, and a few
 * dry runs in each. A look is made in steps of bounded cost: 64 gangs, 512 nodes or one dry run. The walk
 * goes before each step, except in the first pass (yk_gang_wait_is_updating()), and events are handled
 * between two steps. A gang that comes or gets its first placeholder after the pass over all gangs is part of
 * the next look; the order is that of the pass. An event itself costs O(1).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6 to 5.9.
 */
#ifndef YK_GANGS_GANG_WAIT_H
#define YK_GANGS_GANG_WAIT_H

#include "state/partition.h"
#include "state/turn.h"

/* ---- for gang.c and the cycle ---- */

/* Makes the lists and the timer of a new partition. Once, before anything else here is called for it. */
void yk_gang_wait_init(struct yk_partition *partition);
void yk_gang_wait_done(struct yk_partition *partition);
/* A placeholder of the gang arrived, and is not counted as pending yet. */
void yk_gang_wait_add(struct yk_gang *gang, const struct yk_ask *placeholder);
/* The gang no longer waits, because it is complete, failed or removed. Breaks its handover. Calling it
 * without need is harmless. */
void yk_gang_wait_remove(struct yk_gang *gang);
/* A placeholder of the gang ended: whether the gang can ever start is computed again at the next look. O(1). */
void yk_gang_wait_member_ended(struct yk_gang *gang);
/* Something changed that could let a gang or a taker start. O(1). */
void yk_gang_wait_note(struct yk_partition *partition);
/* Nodes, queues or limits changed: what could never fit may fit now. O(1). */
void yk_gang_wait_capacity_changed(struct yk_partition *partition);
/* The group may wait for nodes, or for headroom in a queue or in a limit of its user or group. O(1). */
void yk_gang_wait_refused(struct yk_group *group);
/* A step of the look at the waiting gangs that is under way or due. */
enum yk_turn yk_gang_wait_turn(struct yk_partition *partition);
/* Recomputes whether the placeholders of the gang wait for the whole gang (YK_WAIT_GANG) or may be placed one
 * by one. Call it after the gang, its queue or its hold changed. */
void yk_gang_wait_update_held(struct yk_gang *gang);
/* Whether the look is in its first pass, which decides whether gangs may be placed one by one. Its steps
 * precede the regular walk, so that the walk sees the result for all gangs. */
bool yk_gang_wait_is_updating(const struct yk_partition *partition);
/* Whether a look is due or has begun. O(1). */
bool yk_gang_wait_has_work(const struct yk_partition *partition);

#endif
