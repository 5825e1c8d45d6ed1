/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pending asks a leaf has, by what they wait for. The counts are updated at each change, so that a
 * scrape of the metrics does not have to visit all applications.
 *
 * An application counts its asks by what their group waits for. Its leaf counts them in the same way, with
 * two exceptions: asks of an application that may not start count as YK_PENDING_QUOTA, and asks of an
 * application that pauses as YK_PENDING_BACKOFF.
 *
 * Owns:   nothing; the counts are fields of struct yk_app and struct yk_queue. Each function takes constant
 *         time, unless its comment says otherwise.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_PENDING_COUNT_H
#define YK_OBJECTS_PENDING_COUNT_H

#include "objects/ask.h"

struct yk_app;

/* What pending asks wait for, as metrics and REST show it. */
enum yk_pending_status {
    YK_PENDING_ACTIVE,        /* nothing: they can be tried */
    YK_PENDING_QUOTA,         /* a maximum of a queue, or a limit of a user or group */
    YK_PENDING_UNSCHEDULABLE, /* nodes; a placeholder also: nodes for all placeholders of its gang */
    YK_PENDING_OTHER,         /* placeholders of their task group, or the one node where they may run */
    YK_PENDING_BACKOFF,       /* the end of a pause of their application after failed attempts */
};
enum { YK_PENDING_COUNT = YK_PENDING_BACKOFF + 1 };

/* Adds `delta` (may be negative) to the count of pending asks of the group, in its application and leaf. Call
 * it right after asks were added to or removed from group->asks, before `group->wait` changes again. */
void yk_pending_add(struct yk_group *group, int delta);
/* Sets `group->wait`, and counts the pending asks of the group under the status that follows from it. Changes
 * no order and no list. A step of functions of pending/active.h: elsewhere, call yk_active_set_wait(). */
void yk_pending_set_wait(struct yk_group *group, enum yk_wait wait);
/* Whether something keeps all asks of an application from being tried. A stateaware leaf that lets another
 * application start first does not count (yk_stateaware_holds()). */
enum yk_pending_hold {
    YK_PENDING_FREE,   /* nothing */
    YK_PENDING_GATED,  /* it may not start: a queue, a user or a group runs its maximum of applications */
    YK_PENDING_PAUSED, /* its pause after failed attempts is not over */
};
/* What keeps all asks of `app` from being tried now. */
enum yk_pending_hold yk_pending_hold(const struct yk_app *app);
/* Call it after each change that may change the result of yk_pending_hold(): of `start.held`, of
 * `start.in_gated` and of the timer `backoff.pause`. Moves the asks in the counts of the leaf. `before`: the
 * result before the change. */
void yk_pending_hold_changed(struct yk_app *app, enum yk_pending_hold before);
/* Adds the pending asks of the application to the counts of its leaf, which counts its later asks, too. Call
 * it after `app->leaf` was set, also if the application has no asks yet. No effect if they are counted there
 * already, or `app->leaf` is NULL. */
void yk_pending_enter(struct yk_app *app);
/* A step of yk_active_forget_app(): removes the pending asks of the application from the counts of its leaf.
 * Call it while `app->leaf` is still set. No effect if they are not counted there. */
void yk_pending_leave(struct yk_app *app);

struct yk_queue;
/* Whether the counts of the leaf and of its applications agree with their pending asks. O(groups). For tests
 * and checks. */
bool yk_pending_valid(const struct yk_queue *leaf);

#endif
