/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps that change several objects of a partition at once: requests of the resource manager, and what a
 * decision of the cycle does.
 *
 * A function either carries out the whole step, or changes nothing. Nothing else happens on the scheduling
 * thread meanwhile, so a step is atomic.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 1.5, 2.6, 2.7, 7; docs/design.md, Invariants.
 */
#ifndef YK_PARTITION_PARTITION_H
#define YK_PARTITION_PARTITION_H

#include "state/partition.h"

/* ---- making and freeing (partition.c) ---- */

/* Makes a partition of `rm` with nothing but a root queue, records an event for this queue, and arms a timer.
 * The caller adds the partition to `core->partitions`, and then activates its first configuration
 * (partition/apply_config.h), which adds queues and placement rules. Before that, no application may be
 * submitted. `core` and `rm` are borrowed until the partition is freed, `name` is copied. The caller frees
 * the partition with yk_partition_free(). */
struct yk_partition *yk_partition_new(struct yk_core *core, struct yk_rm *rm, struct yk_str name);
/* Fails all applications, except those that are Completing or are Failing already, ends all allocations,
 * rejects all submissions, and frees everything. The callbacks app_updated(), released() and app_rejected()
 * report this to the resource manager; asks that are pending get no report. If the core stays, the caller
 * removes the partition from `core->partitions` before. NULL is fine. */
void yk_partition_free(struct yk_partition *partition);

/* ---- nodes (nodes.c) ---- */

/* Call it after the resource manager has numbered the signatures of nodes again: gets the signature of each
 * node (callback node_signature()), and updates the node order. Does not ask again which classes fit on a
 * node: yk_partition_update_node() does that for a node whose constraints have changed. O(nodes log
 * nodes). */
void yk_partition_signatures_changed(struct yk_partition *partition);
/* Adds, changes, drains or removes a node, as `request->action` says. `request->partition` is not read, and
 * `request->node_id` is a text of 1 to YK_SI_KEY_MAX bytes: the caller has checked that. The resource manager
 * gets node_accepted() or node_rejected() for a new node. Other requests that cannot be carried out, such as
 * for an unknown node, are only logged. When a node is removed, the allocations of applications there end as
 * in yk_partition_end_allocation(), with the reason YK_SI_TERMINATION_UNKNOWN. Its foreign allocations are
 * freed. Asks that were to start there (YK_ASK_REPLACING) wait again; those of a Failing application end. */
void yk_partition_update_node(struct yk_partition *partition, const struct yk_si_node *request);

/* ---- applications (applications.c) ---- */

/* Submits an application: resolves the groups of its user, at once or later (partition/submissions.h), and
 * then calls yk_partition_admit(). The resource manager gets app_accepted() or app_rejected(), before this
 * function returns or later. A request whose id is in use is rejected, and the application that has the id
 * stays as it is. `request->partition` is not read. The caller has checked that the id has 1 to
 * YK_SI_APPLICATION_ID_MAX bytes, and that there are at most YK_SI_TAGS_MAX tags. */
void yk_partition_add_app(struct yk_partition *partition, const struct yk_si_new_app *request);
/* The second half of yk_partition_add_app(), after `user` was resolved. If `why_not` is not NULL, it is the
 * reason to reject the application; `user` may be zeroed then. Otherwise the application is placed in a
 * queue. It is rejected if that fails, or if its id is in use. The resource manager gets app_accepted() or
 * app_rejected() before this function returns. `request->ugi` and `request->partition` are not read. */
void yk_partition_admit(struct yk_partition *partition, const struct yk_si_new_app *request,
                        const struct yk_user *user, const char *why_not);
/* Drops the asks of the application, ends its allocations, and frees it. The resource manager gets
 * released() with YK_SI_STOPPED_BY_RM for each allocation, but no report of asks or of the state. A
 * submission of that id that waits for its user is cancelled without a report. No effect if there is neither
 * an application nor a submission of that id, such as when the application was rejected or has ended. O(its
 * asks and allocations). */
void yk_partition_remove_app(struct yk_partition *partition, const char *application_id);

/* ---- requests about asks and allocations (allocation_requests.c) ---- */

/*
 * Adds or changes an ask, an allocation of an application, or a foreign allocation, as the request says.
 * `request->partition` is not read. If the request is refused, the resource manager gets
 * allocation_rejected(), and nothing has changed.
 *
 * - A request with a key that is new in its application adds an ask, or an allocation if `request->node_id`
 *   names a node. A New application becomes Accepted by that, and a Completing one Running. A Failing one
 *   takes no new key.
 * - A request with a known key changes the size and the run limit. The scheduling class and the priority
 *   change too if the ask is pending or its size changes. If the ask is pending and `request->node_id` names
 *   a node, it becomes an allocation there; otherwise the node is ignored. An ask in a handover
 *   (gangs/handover.h) is pending again, with the others of the handover, if its size changes or a node is
 *   named. All else in the request is ignored.
 * - A known foreign allocation gets the size and the node of the request.
 *
 * For each new allocation of an application the resource manager gets allocated(). Limits and the capacity of
 * the node are not checked.
 */
void yk_partition_update_allocation(struct yk_partition *partition, const struct yk_si_allocation *request);
/*
 * Ends one ask or allocation; without a key in `request`, all of the application; without an application, a
 * foreign allocation. `request->partition` is not read. Changes the state of the application if its last ask
 * or allocation has ended.
 *
 * Reports: an allocation ends as in yk_partition_end_allocation(), with the reason `request->termination` and
 * `request->message`. Asks that are pending, or whose node was decided (YK_ASK_REPLACING), and foreign
 * allocations end without a report.
 * Exceptions:
 * - With a key and YK_SI_SCHEDULING_FAILED_ON_RM, the allocation becomes pending again, without a report. It
 *   ends all the same if its application is Failing, or if the resource manager was asked to end it before.
 *   A pending ask stays as it is.
 * - Without a key and with YK_SI_TIMEOUT, pending asks stay.
 * - If the application is unknown, or has no ask or allocation with that key, nothing happens. But if the
 *   application has no asks and allocations at all, and the request has a key and another reason than
 *   YK_SI_TERMINATION_UNKNOWN, the request confirms the end of its last ask: yk_lifecycle_complete_if_done()
 *   is called.
 */
void yk_partition_release(struct yk_partition *partition, const struct yk_si_release *request);

/* ---- decisions and ends (allocations.c) ---- */

/* Makes the pending `ask` an allocation on `node`, and reports it to the resource manager (allocated()). A
 * reservation or nomination of the ask ends, or passes to the next ask of its group. May change the state of
 * the application. The caller has checked that the application may start, that limits and the node have
 * capacity for the ask (holds and reservations for earlier asks included), and that the node passes its
 * constraints: this function checks nothing. */
void yk_partition_commit(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* Like yk_partition_commit(), for an ask of a handover (gangs/handover.h): it is not pending, and its node
 * (`ask->node`) counts it already. The caller has taken it out of the handover (its nominated amounts, too)
 * and has cleared YK_ASK_REPLACING. */
void yk_partition_commit_accounted(struct yk_partition *partition, struct yk_ask *ask);
/*
 * Ends one allocation of an application and frees the ask: nothing counts it any longer. Wakes what waits for
 * its capacity. Updates the state of the application: it may be Completing, Failed or Completed afterwards.
 * The application stays valid, also when it has ended.
 *
 * If the allocation is a placeholder and a real ask is to replace it (yk_ask_peer()), the real ask becomes an
 * allocation, which is reported with allocated(). It waits again if its node or its application is being
 * removed. If the application is Failing, the real ask ends too (yk_partition_end_replacing()) and is freed.
 *
 * `why` is for events and history. The resource manager gets released() with YK_SI_STOPPED_BY_RM, whatever
 * `why` is, and with `message` (may be NULL). It gets no report if `why` says that the core had asked for the
 * end: YK_SI_TIMEOUT, YK_SI_PREEMPTED_BY_SCHEDULER, YK_SI_PLACEHOLDER_REPLACED or YK_SI_KILLED.
 */
void yk_partition_end_allocation(struct yk_partition *partition, struct yk_ask *ask,
                                 enum yk_si_termination why, const char *message);
/* Calls yk_partition_end_allocation() for all allocations of the application, in order of arrival,
 * placeholders last. First drops, without a report, its asks that are not pending but wait to become
 * allocations (YK_ASK_REPLACING). Pending asks stay: the caller drops them before, if they are to end too.
 * Afterwards the caller calls yk_lifecycle_complete_if_done(), unless the application is being removed: if
 * there was no allocation, the state has not been updated. */
void yk_partition_end_all_allocations(struct yk_app *app, enum yk_si_termination why, const char *message);
/* Ends and frees an ask that is to replace a placeholder or is in a handover (YK_ASK_REPLACING), because its
 * application is Failing. The resource manager is asked to end it: released() with YK_SI_TIMEOUT and
 * `message` (may be NULL). A placeholder that was linked to it still ends, without a replacement. A handover
 * that it is in is broken. The state of the application does not change here, even if this was its last ask:
 * yk_partition_end_allocation() updates it for a placeholder that was linked, or else a later
 * yk_partition_release() for the application. */
void yk_partition_end_replacing(struct yk_partition *partition, struct yk_ask *real, const char *message);
/* Like yk_partition_end_replacing(), but the resource manager gets no report, because it asked for the end
 * itself, and the application may be in any state. The caller updates the state of the application
 * afterwards: with yk_lifecycle_real_ended(), unless `real` was a placeholder of a handover, and then with
 * yk_lifecycle_complete_if_done(). */
void yk_partition_drop_replacing(struct yk_partition *partition, struct yk_ask *real);
/* Removes and frees one pending ask. Its group is freed too if it has no other ask or allocation. Records an
 * event; the resource manager gets no report. The caller updates the state of the application afterwards,
 * once after several asks: with yk_lifecycle_real_ended(), if a dropped ask was no placeholder, and then
 * with yk_lifecycle_complete_if_done(). The caller does not update the state if the application is being
 * removed or has just ended. */
void yk_partition_drop_ask(struct yk_partition *partition, struct yk_ask *ask);
/* Like yk_partition_drop_ask(), for an ask whose gang has timed out: the resource manager is asked to end
 * it, with released(), YK_SI_TIMEOUT and `message` (may be NULL). The caller updates the state in the same
 * way. */
void yk_partition_time_out_ask(struct yk_partition *partition, struct yk_ask *ask, const char *message);

#endif
