/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which groups are held back below a limit, because a group that comes first holds the limit
 * (pending/limit_hold.h). Changes nothing.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_STATE_LIMIT_HELD_H
#define YK_STATE_LIMIT_HELD_H

#include "state/partition.h"

/* The queue, or the usage, on the path of the application where a group that comes first holds what `size`
 * asks for; NULL: none. `group` is the group that asks; NULL: any of the application. O(depth). */
struct yk_queue *yk_limit_held_queue(const struct yk_app *app, const struct yk_group *group,
                                     const struct yk_resvec *size);
/* The entry of the group's user or group of users whose limit is held for a group that comes before `group`;
 * NULL: none. */
struct yk_usage *yk_limit_held_usage(const struct yk_group *group);
/* Whether groups before `group` hold types that it asks for on the path of `usage`. Adds these types to
 * `types`, with amount 0. All groups behind it that ask for one of these are held back, too. O(depth). */
bool yk_limit_held_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *types);

#endif
