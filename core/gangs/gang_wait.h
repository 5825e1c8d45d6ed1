/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs that wait for their placeholders: which of them can start as a whole, and which placeholders of other
 * gangs end for that.
 *
 * A gang is *incomplete* while it waits for nodes for its placeholders (yk_gang_is_incomplete()). Its
 * placeholders that have nodes may be ended for another gang, or for a *taker* (a group of asks that are no
 * placeholders). yk_gang_supply_may_give() says for which. They are ended only if the other gang, or an ask
 * of the taker, can then start. A dry run finds out whether it can start (gangs/gang_plan.h), and a handover
 * carries out the result (gangs/handover.h).
 *
 * After a change that could help, there is a *look* at the waiting gangs. Changes alone cause at most one
 * look per second. A look is made in steps, such as 64 gangs, 512 nodes or one dry run. A step is taken only
 * if the regular walk has nothing to do, except in the first phase (yk_gang_wait_is_updating()). Events are
 * handled between two steps.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6 to 5.9.
 */
#ifndef YK_GANGS_GANG_WAIT_H
#define YK_GANGS_GANG_WAIT_H

#include "state/partition.h"
#include "state/turn.h"

/* Initialises `partition->gang_waits`. Call it once per partition, before any other function of
 * core/gangs. */
void yk_gang_wait_init(struct yk_partition *partition);
/* Cancels the timer and frees the amounts. Call it only when no gang waits and no handover is to be
 * settled. */
void yk_gang_wait_done(struct yk_partition *partition);
/* Call it when a placeholder of the gang has arrived, before it is counted as pending: if the gang is
 * incomplete, it waits from now on. The caller calls yk_gang_wait_note() after the placeholder is counted. */
void yk_gang_wait_add(struct yk_gang *gang, const struct yk_ask *placeholder);
/* Call it before the application of the gang moves to another leaf, because the order of gangs depends on the
 * leaf: what is left of the look that is under way leaves the gang out. The caller calls
 * yk_gang_wait_capacity_changed() after the move, so that another look follows. */
void yk_gang_wait_leave_order(struct yk_gang *gang);
/* Call it when the gang no longer waits, such as when it is complete or fails: breaks its handover, and its
 * pending placeholders, if any, may be placed one by one. No effect if it does not wait. Handovers of other
 * asks of the application stay; the caller ends them with yk_handovers_end() if the asks are to end. */
void yk_gang_wait_remove(struct yk_gang *gang);
/* Call it when a placeholder of the gang ends, or its total has changed: the next look computes again whether the
 * gang can ever start. The caller makes a look due (yk_gang_wait_note()), in the first case after the placeholder
 * is no longer counted. O(1). */
void yk_gang_wait_members_changed(struct yk_gang *gang);
/* Call it after a change that could let a gang or a taker start: a look becomes due, at the earliest one
 * second after the last one began. No effect while no gang waits. */
void yk_gang_wait_note(struct yk_partition *partition);
/* Like yk_gang_wait_note(), after a change of nodes, queues or limits: the look also computes again which
 * gangs can never start. */
void yk_gang_wait_capacity_changed(struct yk_partition *partition);
/* Call it after the wait of the group was set, or an ask was added to it: if the group waits for nodes or for
 * headroom of a queue, user or group, this function calls yk_gang_wait_note(). If the group waits for
 * headroom and has no placeholders, it also becomes a taker. No effect on a group with a required node. */
void yk_gang_wait_refused(struct yk_group *group);
/* Takes one step of the look that is under way or due. Call it when nothing else can be placed, or, in the
 * first phase, before the regular walk (yk_gang_wait_is_updating()). YK_TURN_DECIDED: the look has ended, and
 * has found a gang or ask that starts, at once or when its victims have ended; YK_TURN_PARKED: another step
 * was taken; YK_TURN_IDLE: no look is under way or due. */
enum yk_turn yk_gang_wait_turn(struct yk_partition *partition);
/* Recomputes whether the placeholders of the gang wait until all of them can be placed (YK_WAIT_GANG) or may
 * be placed one by one. Call it after a change of the gang, of its queue, of `held_until_mono_ns`,
 * `never_fits` or `gave_way`. */
void yk_gang_wait_update_held(struct yk_gang *gang);
/* Whether the look is in its first phase, which decides which gangs may be placed one by one. Its steps are
 * taken before the regular walk, so that the walk sees the result for all gangs. */
bool yk_gang_wait_is_updating(const struct yk_partition *partition);
/* Whether a look is due or under way (yk_gang_wait_turn()), or a handover is to be settled
 * (yk_handover_turn()). O(1). */
bool yk_gang_wait_has_work(const struct yk_partition *partition);

#endif
