/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of an application among those that wait for the limits of its user, and of its group.
 *
 * Owned and written by pending/limit_wait.c.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_LIMIT_WAITS_H
#define YK_OBJECTS_LIMIT_WAITS_H

#include "objects/wait_branch.h"

struct yk_app;
struct yk_usage;

/* Written by: pending. */
struct yk_limit_place {
    struct yk_wait_branch branch; /* of the entry's blocked_apps, while `groups` is not empty */
    struct yk_tree groups; /* struct yk_group, by limit.branch: refused by this user's, or group's, limits */
    struct yk_app *app;
    struct yk_usage *entry; /* of the user or group for the leaf; NULL while `groups` is empty */
};

/* Written by: pending. */
struct yk_limit_waits {
    struct yk_limit_place of_user, of_group;
};

#endif
