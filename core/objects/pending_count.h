/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pending asks a leaf has, by what they wait for. The counts follow each change, so that a scrape of
 * the metrics walks no application.
 *
 * An application counts its asks by what their group waits for. Its leaf counts them likewise, but the asks
 * of an application that may not start count as waiting for a quota, and those of one that pauses as in backoff.
 *
 * Owns:   nothing; the counts live in the application and the leaf. Each function takes constant time.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_PENDING_COUNT_H
#define YK_OBJECTS_PENDING_COUNT_H

#include "objects/ask.h"

struct yk_app;

enum yk_pending_status {
    YK_PENDING_ACTIVE,
    YK_PENDING_QUOTA,
    YK_PENDING_UNSCHEDULABLE,
    YK_PENDING_OTHER,   /* waits for a placeholder, or for the one node it may run on */
    YK_PENDING_BACKOFF, /* its application pauses after attempts that failed */
};
enum { YK_PENDING_COUNT = YK_PENDING_BACKOFF + 1 };

/* Counts `delta` asks more (negative: fewer) in `group`. What the group waits for does not change. */
void yk_pending_add(struct yk_group *group, int delta);
/* Sets `group->wait` and moves its asks to the count that follows from it. */
void yk_pending_set_wait(struct yk_group *group, enum yk_wait wait);
/* Whether something keeps all asks of an application from being tried. */
enum yk_pending_hold {
    YK_PENDING_FREE,
    YK_PENDING_GATED, /* it may not start: a queue, a user or a group runs as many as it may */
    YK_PENDING_PAUSED,
};
/* What it is now. O(1). */
enum yk_pending_hold yk_pending_hold(const struct yk_app *app);
/* Call after the answer of yk_pending_hold() may have changed. `before`: the answer before. */
void yk_pending_hold_changed(struct yk_app *app, enum yk_pending_hold before);
/* From here on the leaf counts the asks of the application. Call it after `app->leaf` is set. Harmless when
 * repeated. */
void yk_pending_enter(struct yk_app *app);
/* From here on the leaf no longer counts the asks. Call it while `app->leaf` is still set. Harmless when
 * repeated. */
void yk_pending_leave(struct yk_app *app);

struct yk_queue;
/* Whether the counts of the leaf are those of its asks. O(asks). For tests. */
bool yk_pending_valid(const struct yk_queue *leaf);

#endif
