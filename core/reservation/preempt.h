/* SPDX-License-Identifier: Apache-2.0 */
/*
 * General preemption: when an ask that nothing fits may have others end, and carrying it out. Which others is
 * a plan's business (preemption/plan.h).
 *
 * A group of asks that waits for a node or for room in a queue is tried when its first ask without victims is
 * old enough; until then it stands in a heap of times with one timer. What failed pauses, and after
 * that stays idle until a node, an allocation or the configuration changes: nothing polls. Asks that are
 * alike in the same leaf share what was found out for one of them.
 *
 * Owns:   the plans' memory, and who is to be tried when.
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

/* The group waits for what victims could give: it will be tried. O(log groups). */
void yk_preempt_note(struct yk_group *group);
/* Nothing of the group is pending, if so: it is tried no more. */
void yk_preempt_forget(struct yk_group *group);
/* An ask of it has lost its victims: again after a rest. */
void yk_preempt_again(struct yk_group *group);
/* The first ask of the group that could have victims and has none, or NULL. O(1) amortised. */
struct yk_ask *yk_preempt_candidate(struct yk_group *group);

/* The group's first ask has just failed to run. True: victims were told to end for one of the group. */
bool yk_preempt_try(struct yk_partition *partition, struct yk_group *group);
/* Tries what is due; for when nothing else can be decided. */
enum yk_turn yk_preempt_turn(struct yk_partition *partition);
/* Whether a group is due to be tried. O(1). */
bool yk_preempt_has_work(const struct yk_partition *partition);

/* Whether anything is guaranteed to the leaf. Without a guarantee nothing is preempted for it. */
bool yk_preempt_is_guaranteed(const struct yk_queue *leaf);
/*
 * A plan for one pending ask as things are, which may be in a dry run: the node, or NULL if there is none.
 * `*ret_victims` (struct yk_ask) is borrowed until the next plan. Nothing changes.
 */
struct yk_node *yk_preempt_plan(struct yk_partition *partition, struct yk_ask *ask,
                                const struct yk_vec **ret_victims);
/* The amounts of the node are others for a dry run, or again what they were: wakes nothing. */
void yk_preempt_node_tried(struct yk_partition *partition, const struct yk_node *node);

/* Something of the node, or of the whole partition, changed that could help an ask. O(1) while no group is
 * idle. */
void yk_preempt_node_changed(struct yk_partition *partition, const struct yk_node *node);
/* Like yk_preempt_node_changed() for one leaf: what is guaranteed to it, or to a queue above it, has changed.
 * O(groups of asks). */
void yk_preempt_leaf_changed(struct yk_partition *partition, const struct yk_queue *leaf);
/* Like yk_preempt_leaf_changed() for one application: it is in another queue now, or its queue is another
 * one. O(groups of asks). */
void yk_preempt_app_changed(struct yk_app *app);
/* A configuration is active. O(groups of asks). */
void yk_preempt_configured(struct yk_partition *partition);

#endif
