/* SPDX-License-Identifier: Apache-2.0 */
/*
 * General preemption: decides when allocations may be ended for an ask that lacks a node or headroom of
 * a queue, and asks for their end. A plan chooses the victims (preemption/plan.h).
 *
 * A group of asks that waits for a node or for headroom of a queue is tried when its *candidate*, the first
 * ask without victims, has waited for preemption.delay of its leaf. After a failed attempt there is usually
 * a pause. If limits of victims refused some (preemption/victim_limits.h), the group is then tried again.
 * Otherwise it is *idle*: it is tried again only if a node, an allocation or the configuration has changed.
 * Equal asks of the same leaf share the result of an attempt.
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
/* Call it after all pending asks have been removed, so that no group is noted any longer. Cancels the timer.
 * NULL is fine. */
void yk_preempt_free(struct yk_preempt *preempt);

/* Call it when the group waits for nodes or for headroom of a queue: yk_preempt_turn() will try it when it is
 * due. No effect if it is noted already or is idle, or if nothing may be preempted for it: preemption is
 * disabled, its application has no leaf, neither the leaf nor a queue above it has a guarantee, or the group
 * has no candidate. O(log groups). */
void yk_preempt_note(struct yk_group *group);
/* Call it after a pending ask of the group was placed or removed: a group without pending asks is no longer
 * tried. No effect if it has others. */
void yk_preempt_forget(struct yk_group *group);
/* Call it after an ask of the group has lost its victims: the ask may be the candidate again. Notes the group
 * for a time after a pause of 15 s, with the exceptions of yk_preempt_note(). */
void yk_preempt_again(struct yk_group *group);
/* The candidate of the group: its first pending ask that may preempt (YK_ASK_PREEMPT_OTHER), has no required
 * node and has no victims; NULL: there is none. Asks that were passed over stay so, also if they have lost
 * their victims, until yk_preempt_again() or yk_nominations_end(). That the candidate is due, and all that
 * yk_preempt_try() checks in addition, is not checked. O(1) amortised. */
struct yk_ask *yk_preempt_candidate(struct yk_group *group);

/* Tries to preempt for the candidate of the group, whose first ask has just found no node or no headroom of a
 * queue. The application has a leaf; the caller has checked that it may start, that its user and group have
 * headroom, and, if a node is missing, yk_class_has_a_chance(). What else preemption requires is checked
 * here, such as that it is enabled and that the candidate has waited for long enough. True: the candidate,
 * which need not be the first ask, has a reservation and is nominated, and the resource manager was asked to
 * end its victims; the group does not begin to wait, so a later turn tries its other asks. False: nothing is
 * preempted; the group is noted for a later attempt where that may help, or its plan goes on in
 * yk_preempt_turn(); the caller lets the group wait. */
bool yk_preempt_try(struct yk_partition *partition, struct yk_group *group);
/* Tries one group that is due, if its application may start and its user and group have headroom. Call it
 * when nothing else can be decided, and yk_make_reservation_turn() is idle. YK_TURN_DECIDED: yk_preempt_try()
 * was true; YK_TURN_PARKED: it was false, or the group was not tried; YK_TURN_IDLE: no group is due. */
enum yk_turn yk_preempt_turn(struct yk_partition *partition);
/* Whether a group is due to be tried. O(1). */
bool yk_preempt_has_work(const struct yk_partition *partition);

/* Whether the partition is used enough for preemption: at least preemption_min_load per cent of a type is
 * allocated. O(types). */
bool yk_preempt_is_loaded(const struct yk_partition *partition);
/* Whether the leaf or a queue above it has a guarantee. Otherwise nothing is preempted for it. The caller
 * also checks `partition->preemption_enabled`. O(depth). */
bool yk_preempt_is_guaranteed(const struct yk_queue *leaf);
/*
 * Makes a plan for one pending ask in the present state, which may be that of a dry run (yk_plan_make()).
 * Returns its node, borrowed, and sets `*ret_victims` (struct yk_ask, borrowed until the next plan), which
 * may be empty. NULL, and `*ret_victims` is untouched: there is no plan, the ask may not preempt
 * (YK_ASK_PREEMPT_OTHER), or less of the partition is in use than `preemption_min_load` of struct yk_core
 * requires. Nothing is preempted.
 *
 * The caller has checked that preemption is enabled, yk_preempt_is_guaranteed(), and that the ask has no
 * nomination and no required node. A plan does not look at the limits of user and group: it is of no use
 * unless yk_nomination_could_start() is true when the victims do not count (YK_DRY_END_VICTIM). The plan is
 * made in one call and is not divided into turns, so the first one after many nodes have changed looks at all
 * of them.
 */
struct yk_node *yk_preempt_plan(struct yk_partition *partition, struct yk_ask *ask,
                                const struct yk_vec **ret_victims);
/* Call it after a dry run changed amounts of the node, or restored them: plans look at the node again. Idle
 * groups stay idle. O(1). */
void yk_preempt_node_tried(struct yk_partition *partition, const struct yk_node *node);

/* Call it after the node was added, its amounts, constraints or reservations changed, and when it is being
 * removed (`leaving` is set), before it is freed: later plans look at the node again. Notes idle groups.
 * yk_node_book(), yk_node_unbook() and the end of a reservation call it. O(idle groups). */
void yk_preempt_node_changed(struct yk_partition *partition, const struct yk_node *node);
/* Call it after the guarantee or a setting of `leaf`, or of a queue above it, changed: later plans look at
 * all nodes again. Notes idle groups, and computes the times of the groups of the leaf again. Groups of other
 * leaves keep their times. For a whole configuration, call yk_preempt_configured(). O(idle groups + groups of
 * the leaf). */
void yk_preempt_leaf_changed(struct yk_partition *partition, const struct yk_queue *leaf);
/* Like yk_preempt_leaf_changed(), for one application that was moved to another leaf, after it has joined
 * that leaf. O(idle groups + its groups). */
void yk_preempt_app_changed(struct yk_app *app);
/* Call it after a new configuration has become active, also in `partition->preemption_enabled`: later plans
 * look at all nodes again. Notes idle groups, and computes the times of all groups again. Returns the number
 * of groups that it visited: all of them, or 0 if preemption is disabled or no queue has a guarantee. */
size_t yk_preempt_configured(struct yk_partition *partition);

#endif
