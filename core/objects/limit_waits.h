/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of an application among those that wait for a limit of its user, and among those that wait for a
 * limit of its group of users.
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
    struct yk_tree groups; /* struct yk_group, by limit.branch: groups of asks that wait for the limit */
    struct yk_app *app;    /* the application that has this place */
    /* Usage of the user or group of users in the leaf of the application; NULL while `groups` is empty. */
    struct yk_usage *entry;
};

/* Both places of an application. Written by: pending. */
struct yk_limit_waits {
    struct yk_limit_place of_user, of_group;
};

#endif
