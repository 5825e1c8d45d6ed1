/* SPDX-License-Identifier: Apache-2.0 */
/*
 * General preemption: decides when allocations may be ended for an ask that fits nowhere, and asks for their
 * end. A plan chooses the victims (preemption/plan.h).
 *
 * A group of asks that waits for a node or for headroom of a queue is tried when its *candidate*, the first
 * ask without victims, has waited for preemption.delay of its leaf. Until then it is in a heap ordered by
 * time, with one timer. After a failed attempt the group is idle: it is tried again after a pause, and only
 * if a node, an allocation or the configuration has changed. Equal asks of the same leaf share the result of
 * an attempt.
 *
 * Owns:   the planner, and the times at which groups are tried.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1, 6.4.
 */
#ifndef YK_RESERVATION_PREEMPT_H
#define YK_RESERVATION_PREEMPT_H

#include "state/partition.h"
#include "state/turn.h"

struct yk_preempt;

/* Makes the state of general preemption for `partition`, which is borrowed until yk_preempt_free(). The
 * caller stores it in `partition->preempt`. */
struct yk_preempt *yk_preempt_new(struct yk_partition *partition);
/* No group is noted any longer: all pending asks have been removed. */
void yk_preempt_free(struct yk_preempt *preempt);

/* Call it when the group waits for nodes or for headroom of a queue: it will be tried when it is due. No
 * effect if it is noted already, or if nothing may be preempted for it: preemption is disabled, its leaf has
 * no guarantee, or no ask of it may have victims. O(log groups). */
void yk_preempt_note(struct yk_group *group);
/* Call it after a pending ask of the group was removed: a group without pending asks is no longer tried. */
void yk_preempt_forget(struct yk_group *group);
/* Call it after an ask of the group has lost its victims: the group is tried again after a pause of 15 s. */
void yk_preempt_again(struct yk_group *group);
/* The candidate of the group: its first pending ask that may preempt and has no victims; NULL: there is none.
 * O(1) amortised. */
struct yk_ask *yk_preempt_candidate(struct yk_group *group);

/* Tries to preempt for the candidate of the group, whose first ask has just found no node or headroom. True:
 * the ask has a node and is nominated, and the resource manager was asked to end its victims. False: nothing
 * is preempted; the group is noted for a later attempt where that may help. */
bool yk_preempt_try(struct yk_partition *partition, struct yk_group *group);
/* Tries one group that is due. Call it when nothing else can be decided. YK_TURN_DECIDED: victims will end;
 * YK_TURN_PARKED: the attempt failed, or goes on in the next turn; YK_TURN_IDLE: no group is due. */
enum yk_turn yk_preempt_turn(struct yk_partition *partition);
/* Whether a group is due to be tried. O(1). */
bool yk_preempt_has_work(const struct yk_partition *partition);

/* Whether the leaf or a queue above it has a guarantee. Otherwise nothing is preempted for it. O(depth). */
bool yk_preempt_is_guaranteed(const struct yk_queue *leaf);
/*
 * Makes a plan for one pending ask in the present state, which may be that of a dry run (yk_plan_make()).
 * Returns its node, borrowed, or NULL if there is no plan, or if the partition is used less than the setting
 * of the least load. `*ret_victims` (struct yk_ask), borrowed until the next plan, is untouched then. Nothing
 * is preempted.
 */
struct yk_node *yk_preempt_plan(struct yk_partition *partition, struct yk_ask *ask,
                                const struct yk_vec **ret_victims);
/* Call it after a dry run changed amounts of the node, or restored them: plans look at the node again. Idle
 * groups stay idle. O(1). */
void yk_preempt_node_tried(struct yk_partition *partition, const struct yk_node *node);

/* Call it after a change of the node that could help an ask, and when the node is about to leave: plans look
 * at the node again, and idle groups are noted. O(idle groups). */
void yk_preempt_node_changed(struct yk_partition *partition, const struct yk_node *node);
/* Call it after the guarantee or a setting of `leaf`, or of a queue above it, changed: plans look at all
 * nodes again, idle groups are noted, and the groups of the leaf get new times. O(idle groups + groups of the
 * leaf). */
void yk_preempt_leaf_changed(struct yk_partition *partition, const struct yk_queue *leaf);
/* Like yk_preempt_leaf_changed(), for one application that was moved to another leaf. O(idle groups + its
 * groups). */
void yk_preempt_app_changed(struct yk_app *app);
/* Call it after a new configuration has become active: plans look at all nodes again, and all groups get new
 * times. Returns the number of groups that it visited: all of them, or 0 if preemption is disabled or no
 * queue has a guarantee. */
size_t yk_preempt_configured(struct yk_partition *partition);

#endif
