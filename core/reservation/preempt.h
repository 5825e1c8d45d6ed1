/* SPDX-License-Identifier: Apache-2.0 */
/*
 * General preemption: decides when allocations may be ended for an ask that fits nowhere, and ends them. A
 * plan chooses the victims (preemption/plan.h).
 *
 * A group of asks that waits for a node or for headroom of a queue is tried when its first ask without
 * victims is old enough; until then it is in a heap ordered by time, with one timer. After a failed attempt a
 * group pauses, and then stays idle until a node, an allocation or the configuration changes: nothing polls.
 * Equal asks of the same leaf share the result of an attempt.
 *
 * Owns:   the memory of the plans, and the times at which groups are tried.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1, 6.4.
 */
#ifndef YK_RESERVATION_PREEMPT_H
#define YK_RESERVATION_PREEMPT_H

#include "state/partition.h"
#include "state/turn.h"

struct yk_preempt;

/* An empty list of groups for `partition`, which is borrowed for life. The caller frees it with
 * yk_preempt_free(). */
struct yk_preempt *yk_preempt_new(struct yk_partition *partition);
void yk_preempt_free(struct yk_preempt *preempt);

/* The group waits for nodes or for headroom: it will be tried when it is due. No effect if preemption cannot
 * help it. O(log groups). */
void yk_preempt_note(struct yk_group *group);
/* Call it after an ask of the group stopped waiting: a group without pending asks is no longer tried. */
void yk_preempt_forget(struct yk_group *group);
/* An ask of the group has lost its victims: the group is tried again after a pause. */
void yk_preempt_again(struct yk_group *group);
/* The first ask of the group that could have victims and has none, or NULL. O(1) amortised. */
struct yk_ask *yk_preempt_candidate(struct yk_group *group);

/* Tries to preempt for the candidate of the group, whose first ask has just found no node or headroom. True:
 * the resource manager was asked to end victims for it. */
bool yk_preempt_try(struct yk_partition *partition, struct yk_group *group);
/* Tries one group that is due. Called when nothing else can be decided. YK_TURN_DECIDED: victims will end;
 * YK_TURN_PARKED: the attempt failed; YK_TURN_IDLE: no group is due. */
enum yk_turn yk_preempt_turn(struct yk_partition *partition);
/* Whether a group is due to be tried. O(1). */
bool yk_preempt_has_work(const struct yk_partition *partition);

/* Whether anything is guaranteed to the leaf. Without a guarantee nothing is preempted for it. */
bool yk_preempt_is_guaranteed(const struct yk_queue *leaf);
/*
 * Makes a plan for one pending ask in the present state, which may be that of a dry run. Returns the node, or
 * NULL if there is no plan; `*ret_victims` is untouched then. `*ret_victims` (struct yk_ask) is borrowed
 * until the next plan. Nothing changes.
 */
struct yk_node *yk_preempt_plan(struct yk_partition *partition, struct yk_ask *ask,
                                const struct yk_vec **ret_victims);
/* A dry run changed amounts of the node, or restored them: plans look at the node again, and no group is
 * woken. */
void yk_preempt_node_tried(struct yk_partition *partition, const struct yk_node *node);

/* Something of the node, or of the whole partition, changed that could help an ask. O(1) while no group is
 * idle. */
void yk_preempt_node_changed(struct yk_partition *partition, const struct yk_node *node);
/* Like yk_preempt_node_changed() for one leaf: what is guaranteed to it, or to a queue above it, has changed.
 * O(groups of asks). */
void yk_preempt_leaf_changed(struct yk_partition *partition, const struct yk_queue *leaf);
/* Like yk_preempt_leaf_changed() for one application that was moved to another leaf. O(groups of asks). */
void yk_preempt_app_changed(struct yk_app *app);
/* A new configuration is active: groups are tried again. Returns the number of groups it visited: all of them, or
 * none if no queue is guaranteed anything. */
size_t yk_preempt_configured(struct yk_partition *partition);

#endif
