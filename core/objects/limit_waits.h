/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of an application among those that wait for a limit of its user, and among those that wait for a
 * limit of its group.
 *
 * The application owns its places.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_LIMIT_WAITS_H
#define YK_OBJECTS_LIMIT_WAITS_H

#include "objects/wait_branch.h"

struct yk_app;
struct yk_usage;

/* Written by: pending. */
struct yk_limit_place {
    struct yk_wait_branch branch; /* in entry->blocked_apps while `groups` is not empty */
    struct yk_tree groups;        /* struct yk_group, by limit.branch: those that the limits refuse */
    struct yk_app *app;           /* the application that has this place */
    struct yk_usage *entry;       /* usage of the user or group in the leaf; NULL while `groups` is empty */
};

/* Both places of an application. Written by: pending. */
struct yk_limit_waits {
    struct yk_limit_place of_user, of_group;
};

#endif
