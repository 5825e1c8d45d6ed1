/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stateaware policy of a leaf: one application starts at a time.
 *
 * Of the Accepted applications with pending asks, only the oldest may start (`start.may_start` of the leaf),
 * and only while no application of the leaf is Starting. The leaf keeps them in order of submission, so the
 * next one is found in O(log n). An application is skipped until nodes or maxima change if none of its asks
 * could run even if all nodes and queues were empty.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule O7.
 */
#ifndef YK_PENDING_STATEAWARE_H
#define YK_PENDING_STATEAWARE_H

#include "objects/app.h"

/* Whether the stateaware policy of its leaf does not let the application start now. False in other leaves. */
bool yk_stateaware_holds(const struct yk_app *app);
/*
 * Call it after a change of the application's state, pending asks or submission time, or of the policy of its
 * leaf (`app->leaf` is set): chooses again which application of the leaf may start. Sets `ret_changed[0]` to
 * the application that may no longer start, and `ret_changed[1]` to the one that may start now (borrowed;
 * NULL: none); the caller updates their places, as yk_active_update_app() does. In a leaf with another policy
 * both are NULL, unless the policy has just changed.
 */
void yk_stateaware_update(struct yk_app *app, struct yk_app *ret_changed[2]);
/* Removes the application from the choice; call it before the application leaves its leaf. `ret_changed`: as
 * in yk_stateaware_update(). */
void yk_stateaware_forget(struct yk_app *app, struct yk_app *ret_changed[2]);
/* Call it after nodes or maxima changed: looks again at applications that were skipped, and at those that may
 * start but have not started. O(such applications * nodes). */
void yk_stateaware_capacity_changed(struct yk_partition *partition);
/* Call it after the policy of the leaf may have changed: forgets which applications may start. The caller
 * then calls yk_active_update_app() for every application of the leaf. O(applications of the leaf). */
void yk_stateaware_reset(struct yk_queue *leaf);

#endif
