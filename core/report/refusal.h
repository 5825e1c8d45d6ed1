/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A refusal is the reason why the asks of a group are not tried. Asks that wait for any node that fits have
 * no refusal; asks that may run on one node only, which does not take them, have one. Most refusals are
 * limits. The resource manager (the shim) gets the refusal as text.
 *
 * A refusal (struct yk_refusal) has a kind. If a queue is the reason, or has the limit, `depth` is the depth
 * of this queue: 0 is the root, and the queue is on the path from there to the leaf of the application. A
 * refusal has no pointers, so it stays valid when queues and entries of users are removed.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_REPORT_REFUSAL_H
#define YK_REPORT_REFUSAL_H

#include "state/partition.h"

/* Whether the application could not start at the last attempt, because a queue, its user or its group already
 * ran the maximum number of applications. Whether it may start now is not computed
 * (yk_limit_gate_check_start()). O(1). */
static inline bool yk_refusal_gates(const struct yk_app *app)
{
    return app->start.held || app->start.gate != NULL;
}
/* Whether the application, which must have a leaf, waits to start because that leaf starts one application at
 * a time. O(1). */
static inline bool yk_refusal_waits_to_start(const struct yk_app *app)
{
    return app->leaf->settings.app_sort == YK_APP_SORT_STATEAWARE && app->state == YK_APP_ACCEPTED &&
           app->leaf->start.may_start != app && !yk_list_linked(&app->start.in_impossible);
}
/* The gang of the group, if the asks of the group are placeholders and the gang can never start; otherwise
 * NULL. O(1). */
static inline const struct yk_gang *yk_refusal_gang(const struct yk_group *group)
{
    const struct yk_gang *gang = group->placeholders ? group->task_group->gang : NULL;
    return gang != NULL && gang->never_fits ? gang : NULL;
}
/* The refusal of all asks of the group, whose application must have a leaf. YK_REFUSAL_NONE: nothing refuses
 * them, or they wait for any node that fits. Limits that refuse only the asks after the first ones
 * (yk_unclaimed_claim()), and pauses of the application, do not count. O(depth). */
struct yk_refusal yk_refusal_of(const struct yk_group *group);
/* The refusal by the maximum of the queue. O(1). */
struct yk_refusal yk_refusal_by_queue(const struct yk_queue *queue);
/* The refusal by the limit of amounts of a user or a group in a queue. O(1). */
struct yk_refusal yk_refusal_by_usage(const struct yk_usage *usage);
/* Whether the two refusals are equal. Both must be of asks of one application: `depth` names a queue only on
 * the path of its leaf. */
static inline bool yk_refusal_is(struct yk_refusal a, struct yk_refusal b)
{
    return a.kind == b.kind && a.depth == b.depth;
}
/* Appends the description of `refusal`, such as "quota of queue 'root.a' has been exceeded", which continues
 * a sentence after "because the". Appends nothing for YK_REFUSAL_NONE. The refusal must be one of asks of
 * `group`, whose application must have a leaf. */
void yk_refusal_text(const struct yk_group *group, struct yk_refusal refusal, struct yk_buf *text);

#endif
