/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stateaware policy of a leaf: one application starts at a time.
 *
 * Of the Accepted applications with asks that are pending or in a handover, only the oldest may start
 * (`start.may_start` of the leaf), and only while no application of the leaf is Starting. If no ask of an
 * application could run even on empty nodes and in empty queues, the application is skipped until nodes,
 * maxima or its asks change.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule O7.
 */
#ifndef YK_PENDING_STATEAWARE_H
#define YK_PENDING_STATEAWARE_H

#include "objects/app.h"

/* Whether the stateaware policy of its leaf keeps the application from starting now: it is Accepted, and
 * another application, or none, may start. False in other leaves, and for an application that is not
 * Accepted. The application has a leaf. False does not mean that the application may be tried: see
 * yk_limit_gate_check_start() and yk_backoff_rests(). */
bool yk_stateaware_holds(const struct yk_app *app);
/*
 * A step of yk_active_update_app(), which other modules call after a change of the application's state,
 * pending asks or submission time, or of the policy of its leaf (`app->leaf` is set). Chooses again which
 * application of the leaf may start. Sets `ret_changed[0]` to the application that may no longer start, and
 * `ret_changed[1]` to the one that may start now (borrowed; NULL: none); the caller then updates the places
 * of both, and of `app`, in the trees of the leaf. In a leaf with another policy both are NULL, unless the
 * policy has just changed.
 */
void yk_stateaware_update(struct yk_app *app, struct yk_app *ret_changed[2]);
/* A step of yk_active_forget_app(): removes the application from the choice before it leaves its leaf.
 * `apps_by_state` of the leaf no longer counts it as Starting. `ret_changed`: as in
 * yk_stateaware_update(). */
void yk_stateaware_forget(struct yk_app *app, struct yk_app *ret_changed[2]);
/* Call it after nodes, their constraints or maxima of queues changed, once for all that changed: looks again
 * at applications that were skipped, and at those that may start but have not started, and updates their
 * places (yk_active_update_app()). O(such applications * nodes). */
void yk_stateaware_capacity_changed(struct yk_partition *partition);
/* A step of yk_active_sort_changed(), after the policy of the leaf may have changed: forgets which
 * applications may start. The caller then calls yk_active_update_app() for every application of the leaf.
 * O(applications of the leaf). */
void yk_stateaware_reset(struct yk_queue *leaf);

#endif
