/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which groups are held back by a limit: a group that comes before them in order, the holder, holds the limit
 * (pending/limit_hold.h), so they may use only what leaves room for it.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_STATE_LIMIT_HELD_H
#define YK_STATE_LIMIT_HELD_H

#include "state/partition.h"

/* The lowest queue on the path of the application whose maximum is held by an earlier group that lacks a type
 * of `size`; NULL: there is none. Earlier: the group comes before `group` in order; if `group` is NULL, its
 * application comes before `app`. The root is not looked at. The application has a leaf. `size`: what an ask
 * of `group`, or of the application, needs. `group` has pending asks. Whether the queues have headroom is not
 * checked. O(depth). */
struct yk_queue *yk_limit_held_queue(const struct yk_app *app, const struct yk_group *group,
                                     const struct yk_resvec *size);
/* The entry whose limit is held by a group that comes before `group` in order and lacks a type for which
 * `group` asks: an entry of the user of the application, or else of its group of users. NULL: there is none.
 * `group` has pending asks, and its application is in a leaf. Before a group of users is chosen
 * (yk_usage_choose_group()), only entries of the user count. O(depth). */
struct yk_usage *yk_limit_held_usage(const struct yk_group *group);
/* Whether groups that come before `group` in order hold limits of `usage` or of entries above it, and these limits
 * have no room for both. `usage` may be NULL: false. `group` has pending asks. Lowers each type of `left`
 * (initialised) that is lacking to what the limits have left beside the holders, which may be negative, and adds the
 * type if `left` does not have it; other types stay. Groups that come after `group` in order and ask for more of one
 * of these types are held back as well. O(depth). */
bool yk_limit_held_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *left);

#endif
