/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which limit refuses asks that wait, so that no node would help them, and in which words that is said.
 *
 * A refusal (struct yk_refusal) names the kind of a limit and the depth of its queue on the path of the
 * application's leaf, not an object: it stays valid when queues and entries of users come and go.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_REFUSAL_H
#define YK_REPORT_REFUSAL_H

#include "state/partition.h"

/* Whether a number of applications, of a queue, a user or a group, kept the application from starting at the
 * last attempt. O(1). */
static inline bool yk_refusal_gates(const struct yk_app *app)
{
    return app->start.held || app->start.gate != NULL;
}
/* Whether a leaf that starts one application at a time has not come to this one. O(1). */
static inline bool yk_refusal_waits_to_start(const struct yk_app *app)
{
    return app->leaf->settings.app_sort == YK_APP_SORT_STATEAWARE && app->state == YK_APP_ACCEPTED &&
           app->leaf->start.may_start != app && !yk_list_linked(&app->start.in_impossible);
}
/* The gang of the group's placeholders, if it can never start; else NULL. O(1). */
static inline const struct yk_gang *yk_refusal_gang(const struct yk_group *group)
{
    const struct yk_gang *gang = group->placeholders ? group->task_group->gang : NULL;
    return gang != NULL && gang->never_fits ? gang : NULL;
}
/* The limit that all asks of the group wait for; YK_REFUSAL_NONE: they wait for something else. O(depth). */
struct yk_refusal yk_refusal_of(const struct yk_group *group);
/* The refusal by the maximum of the queue. O(1). */
struct yk_refusal yk_refusal_by_queue(const struct yk_queue *queue);
/* The refusal by the limit of a user or a group in a queue. O(1). */
struct yk_refusal yk_refusal_by_usage(const struct yk_usage *usage);
/* Whether both name the same reason and the same object. */
static inline bool yk_refusal_is(struct yk_refusal a, struct yk_refusal b)
{
    return a.kind == b.kind && a.depth == b.depth;
}
/* Appends what refuses the asks of the group, so that it continues a sentence after "because the". */
void yk_refusal_text(const struct yk_group *group, struct yk_refusal refusal, struct yk_buf *text);

#endif
