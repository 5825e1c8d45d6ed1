/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every step that changes more than one object of a partition.
 *
 * Each function either completes or leaves no trace; it runs to its end before anything else happens on the
 * scheduling thread, which is what makes a change to several objects one atomic step.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 1.5, 2.6, 2.7, 7; docs/design.md, Invariants.
 */
#ifndef YK_PARTITION_PARTITION_H
#define YK_PARTITION_PARTITION_H

#include "state/partition.h"

/* ---- life (partition.c) ---- */

/* An empty partition of `rm`. `core` and `rm` are borrowed for life, `name` is copied. It has no queues
 * and no nodes until the first configuration is applied. The caller frees it with yk_partition_free(). */
struct yk_partition *yk_partition_new(struct yk_core *core, struct yk_rm *rm, struct yk_str name);
/* Reports to the resource manager that the applications fail, then frees everything. NULL is fine. */
void yk_partition_free(struct yk_partition *partition);

/* ---- nodes (nodes.c) ---- */

/* Asks the resource manager for the signature of each node again (callback node_signature()) and updates the
 * node order. Call it after the answers may have changed. O(nodes). */
void yk_partition_signatures_changed(struct yk_partition *partition);
/* Adds, changes, drains or removes a node, as `request->action` says. A request that makes no sense is
 * logged, and refused where the resource manager expects an answer. `request` is borrowed for the call.
 * O(allocations of the node). */
void yk_partition_update_node(struct yk_partition *partition, const struct yk_si_node *request);

/* ---- applications (applications.c) ---- */

/* Submits an application: resolves its user, now or later, then calls yk_partition_admit(). The resource
 * manager hears the result. `request` is borrowed for the call. */
void yk_partition_add_app(struct yk_partition *partition, const struct yk_si_new_app *request);
/* The second half of yk_partition_add_app(), once the user is known. Rejects the application for `why_not`
 * (NULL: no reason yet) or for a reason of its own, else accepts it. */
void yk_partition_admit(struct yk_partition *partition, const struct yk_si_new_app *request,
                        const struct yk_user *user, const char *why_not);
/* Ends the application's allocations, drops its asks, and frees it. Without effect if it is unknown; a
 * submission that still waits for its user is cancelled. O(its asks and allocations). */
void yk_partition_remove_app(struct yk_partition *partition, const char *application_id);

/* ---- requests about asks and allocations (allocation_requests.c) ---- */

/* Adds or changes an ask, or an allocation, ours or foreign, as the request says. The resource manager
 * hears of a rejection. `request` is borrowed for the call. */
void yk_partition_update_allocation(struct yk_partition *partition, const struct yk_si_allocation *request);
/* Releases one ask or allocation, all of an application (no key), or a foreign allocation (no
 * application). Without effect if it is unknown. `request` is borrowed for the call. */
void yk_partition_release(struct yk_partition *partition, const struct yk_si_release *request);

/* ---- steps (allocations.c) ---- */

/* `ask`, which is pending, becomes an allocation on `node`. The caller has checked limits and capacity. */
void yk_partition_commit(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* Like yk_partition_commit(), for an ask that is not pending and that its node counts already
 * (gangs/handover.h). */
void yk_partition_commit_accounted(struct yk_partition *partition, struct yk_ask *ask);
/* Ends one allocation: node, queue and application no longer count it. Frees the ask. */
void yk_partition_end_allocation(struct yk_partition *partition, struct yk_ask *ask,
                                 enum yk_si_termination why, const char *message);
/* Ends all allocations of the application in order of arrival, placeholders last. */
void yk_partition_end_all_allocations(struct yk_app *app, enum yk_si_termination why, const char *message);
/* Ends the real ask of a replacement before it is an allocation, because its application fails. The resource
 * manager is asked to end it. */
void yk_partition_end_replacing(struct yk_partition *partition, struct yk_ask *real, const char *message);
/* Like yk_partition_end_replacing(), but at the request of the resource manager, which gets no answer. */
void yk_partition_drop_replacing(struct yk_partition *partition, struct yk_ask *real);
/* Drops one pending ask. */
void yk_partition_drop_ask(struct yk_partition *partition, struct yk_ask *ask);
/* Drops one pending ask that waited too long, and reports that to the resource manager. */
void yk_partition_time_out_ask(struct yk_partition *partition, struct yk_ask *ask, const char *message);

#endif
