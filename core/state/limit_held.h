/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which groups are held back by a limit: a group that comes before them in order holds the limit
 * (pending/limit_hold.h), so they may not use the types that this group lacks. The functions change nothing.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md 8.5.
 */
#ifndef YK_STATE_LIMIT_HELD_H
#define YK_STATE_LIMIT_HELD_H

#include "state/partition.h"

/* The lowest queue on the path of the application, from its leaf up but without the root, whose maximum is
 * held by a group before it in order that lacks a type of `size`; NULL: none. The application has a leaf.
 * `size`: what an ask needs. `group`: its group, which has pending asks; NULL: all groups of the application
 * count as if they were at its place in the order. Whether the queues have headroom is not checked.
 * O(depth). */
struct yk_queue *yk_limit_held_queue(const struct yk_app *app, const struct yk_group *group,
                                     const struct yk_resvec *size);
/* The entry of the user of the application, or else of its group of users, whose limit is held by a group
 * before `group` in order that lacks a type which `group` asks for; NULL: none. `group` has pending asks, and
 * its application is in a leaf. Before a group of users is chosen (yk_usage_choose_group()), only entries of
 * the user count. O(depth). */
struct yk_usage *yk_limit_held_usage(const struct yk_group *group);
/* Whether limits of `usage` (may be NULL: none) and the entries above it are held by groups before
 * `group`, which has pending asks, in order that lack types which `group` asks for. Adds these types to
 * `types` (initialised) with amount 0; other types in it stay. Groups behind `group` in order that ask for
 * one of these types are held back as well. O(depth). */
bool yk_limit_held_types(const struct yk_usage *usage, const struct yk_group *group, struct yk_resvec *types);

#endif
