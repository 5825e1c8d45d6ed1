/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-off: an application whose asks keep finding no node is put aside for a while, so that the others of
 * its leaf get their turn.
 *
 * Asks that find no node are parked and not tried again, so what counts is how many were found so since the
 * application last got something. Reservations and replacements of placeholders do not ask here.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules O6 and O15, properties application.unschedasks.backoff and .delay.
 */
#ifndef YK_PENDING_BACKOFF_H
#define YK_PENDING_BACKOFF_H

#include "objects/app.h"

/* An attempt to find a node for an ask of `group` failed: counts it, and pauses the application when the
 * limit is reached. */
void yk_backoff_failed(struct yk_group *group);
/* The application got an allocation, or leaves its leaf: sets the count to 0 and ends a pause. */
void yk_backoff_clear(struct yk_app *app);
/* Whether the application is paused: it is not tried before its pause has ended. */
static inline bool yk_backoff_rests(const struct yk_app *app)
{
    return yk_timer_armed(&app->backoff.pause);
}

#endif
