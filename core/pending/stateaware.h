/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stateaware policy of a leaf: one application starts at a time.
 *
 * Of the Accepted applications with pending asks only the oldest is let through, and only while none is
 * Starting. The leaf keeps them in order of submission, so that who is next costs O(log n). An application
 * none of whose asks could run on an empty node, or below the maxima of its queues, is passed by until nodes
 * or maxima change.
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
 * After something about the application changed: state, pending asks, submission time, policy of its leaf.
 * Sets `ret_changed[0]` and `ret_changed[1]` to applications that are held or let through because of it
 * (borrowed), or to NULL; the caller calls yk_active_update_app() for each.
 */
void yk_stateaware_update(struct yk_app *app, struct yk_app *ret_changed[2]);
/* Takes the application out of the choice; call it before it leaves its leaf. `ret_changed`: as in
 * yk_stateaware_update(). */
void yk_stateaware_forget(struct yk_app *app, struct yk_app *ret_changed[2]);
/* Call after nodes or maxima changed: looks again at applications that were passed by and at those that are
 * let through. O(such applications). */
void yk_stateaware_capacity_changed(struct yk_partition *partition);
/* Forgets all choices: the policy of the leaf may have changed. The caller updates every application then. */
void yk_stateaware_reset(struct yk_queue *leaf);

#endif
