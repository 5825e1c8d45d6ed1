/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configured limits of one queue, with look-ups by user and by group, and the choice of a user's group.
 *
 * Owns: copies of the names and amounts. A list never changes: a reload of the configuration makes another
 * one.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L7 and L8.
 */
#ifndef YK_OBJECTS_LIMIT_LIST_H
#define YK_OBJECTS_LIMIT_LIST_H

#include "base/arena.h"
#include "base/map.h"
#include "config/config.h"

/* What one user or group may use in the queue. Written by: objects. */
struct yk_limit {
    bool has_resources;         /* false: no resources are limited, and `resources` means nothing */
    struct yk_resvec resources; /* maximum in base units; types that it lacks are unlimited */
    uint64_t max_apps;          /* maximum number of running applications; 0: unlimited */
};

/* The limit of one user or group. Written by: objects. */
struct yk_limit_name {
    struct yk_str name;    /* NUL-terminated */
    struct yk_limit limit; /* a copy: an entry of the configuration may limit several users or groups */
};

/* Written by: objects. */
struct yk_limit_list {
    struct yk_arena arena;
    struct yk_limit_name *users, *groups; /* in configuration order, wildcards included */
    uint32_t user_count, group_count;
    /* Name -> struct yk_limit_name; users_by_name is without the wildcard. */
    struct yk_strmap users_by_name, groups_by_name;
    const struct yk_limit *any_user; /* the wildcard "*": limit of each user who is not named; NULL: none */
    /* A group "*" is listed: its limit is shared by all users who have groups, none of which is named. A user
     * without any group does not count for it. */
    bool any_group;
};

#define YK_LIMIT_WILDCARD "*"

/* Makes a list with copies of the limits of `config`. NULL: `config` is NULL or lists nothing. The caller
 * frees the result with yk_limit_list_free(). */
struct yk_limit_list *yk_limit_list_new(const struct yk_config_limits *config);
void yk_limit_list_free(struct yk_limit_list *list);
/* Whether both have the same names with the same limits, in the same order. A list may be NULL; it is then
 * the same only if the other is NULL, too. */
bool yk_limit_list_same(const struct yk_limit_list *a, const struct yk_limit_list *b);
/* Whether both limits allow the same. A limit may be NULL (unlimited); it is then the same only if the other
 * is NULL, too. */
bool yk_limit_same(const struct yk_limit *a, const struct yk_limit *b);

/* The limit of the named user; if there is none, the limit of the wildcard; NULL: the user is not limited
 * (L7). Borrowed from the list. `list` may be NULL. */
const struct yk_limit *yk_limit_list_user(const struct yk_limit_list *list, struct yk_str user);
/* The limit of exactly that group, or NULL; "*" is the name of a group, too. Borrowed from the list, which
 * may be NULL. */
const struct yk_limit *yk_limit_list_group(const struct yk_limit_list *list, struct yk_str group);
/* The limit of exactly that name among the groups (`group`: true) or the users (false); NULL: the name is not
 * listed. Unlike yk_limit_list_user(), it never answers with the wildcard of users. Borrowed from the list,
 * which may be NULL. */
const struct yk_limit *yk_limit_list_named(const struct yk_limit_list *list, bool group, struct yk_str name);
/* Chooses the group that a user counts for in this queue (L8). `groups`: the `count` groups of the user.
 * Returns the first group of the list, in configuration order, that is one of them. If there is none, returns
 * "*" if the list has it and `count` is not 0, and NULL otherwise: the caller then asks the list of the queue
 * above. The result is borrowed from the list, which may be NULL; "*" is static. */
const char *yk_limit_list_choose(const struct yk_limit_list *list, const char *const *groups, size_t count);

#endif
