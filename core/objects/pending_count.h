/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pending asks a leaf has, by what they wait for. The counts follow each change, so that a scrape of
 * the metrics walks no application.
 *
 * An application counts its asks by what their group waits for. Its leaf counts them likewise, but the asks
 * of an application that may not start count as waiting for a quota.
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
    YK_PENDING_OTHER, /* waits for a placeholder, or for the one node it may run on */
};
enum { YK_PENDING_COUNT = YK_PENDING_OTHER + 1 };

/* `delta` asks more in `group`, which goes on waiting for what it waits for. */
void yk_pending_add(struct yk_group *group, int delta);
/* Sets group->wait. */
void yk_pending_set_wait(struct yk_group *group, enum yk_wait wait);
/* Whether the application may not start: a queue, a user or a group runs as many as it may. */
bool yk_pending_is_gated(const struct yk_app *app);
/* After that may have changed. */
void yk_pending_gate_changed(struct yk_app *app, bool was_gated);
/* The leaf counts the asks of the application from here on, or no longer. Harmless when repeated. */
void yk_pending_enter(struct yk_app *app);
/* The opposite of yk_pending_enter(); harmless when repeated. */
void yk_pending_leave(struct yk_app *app);
/* Recounts one leaf: whether the counts are right. For tests. */
struct yk_queue;
/* Whether the counts of the leaf are those of its asks. O(asks). For tests. */
bool yk_pending_valid(const struct yk_queue *leaf);

#endif
