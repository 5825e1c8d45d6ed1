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
struct yk_partition *yk_partition_new(struct yk_core *core, struct yk_rm *rm, struct yk_str name);
/* Tells the resource manager that its applications fail, then frees everything. NULL is fine. */
void yk_partition_free(struct yk_partition *partition);

/* ---- nodes (nodes.c) ---- */
/* node_kind() of the resource manager answers differently. O(nodes). */
void yk_partition_kinds_changed(struct yk_partition *partition);
void yk_partition_update_node(struct yk_partition *partition, const struct yk_si_node *request);
/* ---- applications and allocations (applications.c, allocations.c) ---- */
void yk_partition_add_app(struct yk_partition *partition, const struct yk_si_new_app *request);
/* The second half of it, now that the user is known: accepts, or, for `why_not` or a reason of its own,
 * rejects. */
void yk_partition_admit(struct yk_partition *partition, const struct yk_si_new_app *request,
                        const struct yk_user *user, const char *why_not);
void yk_partition_remove_app(struct yk_partition *partition, const char *application_id);
void yk_partition_update_allocation(struct yk_partition *partition, const struct yk_si_allocation *request);
void yk_partition_release(struct yk_partition *partition, const struct yk_si_release *request);
/* The decision: `ask` (pending) stands on `node` from now on. The caller has checked room. */
void yk_partition_commit(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
/* The same for one that is not pending, and booked on its node already, nowhere else. */
void yk_partition_commit_booked(struct yk_partition *partition, struct yk_ask *ask);
/* Ends one allocation: node, queue and application no longer count it; the ask is freed. */
void yk_partition_end_allocation(struct yk_partition *partition, struct yk_ask *ask,
                                 enum yk_si_termination why, const char *message);
/* The real ask of a replacement ends before it stood anywhere, because its application fails: its pod is to
 * go, too. */
void yk_partition_end_replacing(struct yk_partition *partition, struct yk_ask *real, const char *message);
void yk_partition_end_all_allocations(struct yk_app *app, enum yk_si_termination why, const char *message);
/* Drops one pending ask. */
void yk_partition_drop_ask(struct yk_partition *partition, struct yk_ask *ask);
/* The same because it waited too long, which the resource manager is told. */
void yk_partition_time_out_ask(struct yk_partition *partition, struct yk_ask *ask, const char *message);

#endif
