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

/* Makes a partition of `rm` with nothing but a root queue, and arms a timer. The first configuration adds
 * queues and placement rules (partition/apply_config.h); before that no application can be placed. `core` and
 * `rm` are borrowed until the partition is freed, `name` is copied. The caller frees it with
 * yk_partition_free(). */
struct yk_partition *yk_partition_new(struct yk_core *core, struct yk_rm *rm, struct yk_str name);
/* Fails all applications, which is reported to the resource manager, ends their allocations, and frees
 * everything. NULL is fine. */
void yk_partition_free(struct yk_partition *partition);

/* ---- nodes (nodes.c) ---- */

/* Call it after the signatures of nodes may have changed: asks the resource manager for the signature of each
 * node again (callback node_signature()), and updates the node order. O(nodes log nodes). */
void yk_partition_signatures_changed(struct yk_partition *partition);
/* Adds, changes, drains or removes a node, as `request->action` says. A new node is accepted or rejected with
 * a callback. Other requests that cannot be carried out, such as for an unknown node, are only logged.
 * `request` is borrowed for the call. O(allocations of the node + scheduling classes). */
void yk_partition_update_node(struct yk_partition *partition, const struct yk_si_node *request);

/* ---- applications (applications.c) ---- */

/* Submits an application: resolves the groups of its user, at once or later (partition/submissions.h), and
 * then calls yk_partition_admit(). The resource manager gets the result with a callback. `request` is
 * borrowed for the call. */
void yk_partition_add_app(struct yk_partition *partition, const struct yk_si_new_app *request);
/* The second half of yk_partition_add_app(), after `user` was resolved. If `why_not` is not NULL, it is the
 * reason to reject the application; otherwise the application is placed in a queue, and rejected if that
 * fails. The resource manager gets the result with a callback. All arguments are borrowed for the call. */
void yk_partition_admit(struct yk_partition *partition, const struct yk_si_new_app *request,
                        const struct yk_user *user, const char *why_not);
/* Drops the asks of the application, ends its allocations, and frees it. A submission that waits for its user
 * is cancelled. No effect if the id is unknown. O(its asks and allocations). */
void yk_partition_remove_app(struct yk_partition *partition, const char *application_id);

/* ---- requests about asks and allocations (allocation_requests.c) ---- */

/* Adds or changes an ask, an allocation of an application, or a foreign allocation, as the request says. The
 * resource manager gets a callback if it is rejected; nothing has changed then. `request` is borrowed for the
 * call. */
void yk_partition_update_allocation(struct yk_partition *partition, const struct yk_si_allocation *request);
/* Releases one ask or allocation; without a key in `request`, all of the application; without an application,
 * a foreign allocation. No effect if it is unknown. `request` is borrowed for the call. */
void yk_partition_release(struct yk_partition *partition, const struct yk_si_release *request);

/* ---- decisions and ends (allocations.c) ---- */

/* Makes the pending `ask` an allocation on `node`, and reports it to the resource manager. A reservation of
 * the ask ends, or passes to the next ask of its group. Does not check limits and capacity; the caller
 * has. */
void yk_partition_commit(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* Like yk_partition_commit(), for an ask that is not pending and that its node counts already
 * (gangs/handover.h). */
void yk_partition_commit_accounted(struct yk_partition *partition, struct yk_ask *ask);
/* Ends one allocation and frees the ask: nothing counts it any longer. If a real ask is to replace it, that
 * one becomes an allocation, or waits again. May change the state of the application. The end is reported to
 * the resource manager with `message`, unless `why` says that the core had asked for it. `message` may be
 * NULL if it is not reported. */
void yk_partition_end_allocation(struct yk_partition *partition, struct yk_ask *ask,
                                 enum yk_si_termination why, const char *message);
/* Calls yk_partition_end_allocation() for all allocations of the application, in order of arrival,
 * placeholders last. First drops its asks that are not pending but wait to become allocations
 * (YK_ASK_REPLACING). */
void yk_partition_end_all_allocations(struct yk_app *app, enum yk_si_termination why, const char *message);
/* Ends and frees an ask that is to replace a placeholder or is in a handover (YK_ASK_REPLACING), because its
 * application fails. The resource manager is asked to end it, with `message` as the reason. */
void yk_partition_end_replacing(struct yk_partition *partition, struct yk_ask *real, const char *message);
/* Like yk_partition_end_replacing(), but the resource manager gets no report, because it asked for the end
 * itself. */
void yk_partition_drop_replacing(struct yk_partition *partition, struct yk_ask *real);
/* Removes and frees one pending ask. Records an event; the resource manager gets no report. */
void yk_partition_drop_ask(struct yk_partition *partition, struct yk_ask *ask);
/* Like yk_partition_drop_ask(), for an ask that waited too long: the resource manager is asked to end it,
 * with `message` as the reason. */
void yk_partition_time_out_ask(struct yk_partition *partition, struct yk_ask *ask, const char *message);

#endif
