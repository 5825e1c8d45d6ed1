/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-off: an application pauses after many of its asks found no node, so that other applications of its
 * leaf are tried.
 *
 * Each time no node was found for a group of asks, the number of its pending asks is added to the count of
 * its application. An allocation, and the end of a pause, set the count to 0. The application pauses when the
 * count reaches the property application.unschedasks.backoff of its leaf, for the duration in
 * application.unschedasks.backoff.delay. A pause does not stop allocations for reservations or replacements
 * of placeholders.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rule O6.
 */
#ifndef YK_PENDING_BACKOFF_H
#define YK_PENDING_BACKOFF_H

#include "objects/app.h"

/* Call it after no node was found for an ask of `group` and preemption did not help, before yk_park_shape():
 * counts all pending asks of the group, and pauses the application if its leaf limits the count and the limit
 * is reached. A timer ends the pause, sets the count to 0 and updates the order. Parks nothing. No effect on
 * a group with a required node, or if the leaf sets no limit. The application has a leaf. */
void yk_backoff_failed(struct yk_group *group);
/* Call it when the application got an allocation (yk_lifecycle_allocated() does) or before it leaves its last
 * leaf (yk_lifecycle_leave_queue() does): sets the count to 0 and ends a pause, if there is one. Then the
 * application may be tried again. yk_app_move() does not call it: a pause goes on in the other leaf. */
void yk_backoff_clear(struct yk_app *app);
/* Whether the application is paused: it is not tried before its pause has ended. */
static inline bool yk_backoff_rests(const struct yk_app *app)
{
    return yk_timer_armed(&app->backoff.pause);
}

#endif
