/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits of one queue as configured, ready to be looked up: by user, by group, and who comes first.
 *
 * Owns: copies of the names and amounts. Never changed after it was made: a reload puts another in its place.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L7 and L8.
 */
#ifndef YK_OBJECTS_LIMIT_LIST_H
#define YK_OBJECTS_LIMIT_LIST_H

#include "base/arena.h"
#include "base/map.h"
#include "config/config.h"

/* What one name may use. Written by: objects. */
struct yk_limit {
    bool has_resources; /* else only the number of applications is limited */
    struct yk_resvec resources;
    uint64_t max_apps; /* 0: unlimited */
};

/* Written by: objects. */
struct yk_limit_name {
    struct yk_str name;    /* terminated */
    struct yk_limit limit; /* its own copy: an entry that names many limits each of them */
};

/* Written by: objects. */
struct yk_limit_list {
    struct yk_arena arena;
    struct yk_limit_name *users, *groups; /* in configuration order, wildcards included */
    uint32_t user_count, group_count;
    struct yk_strmap users_by_name, groups_by_name; /* -> struct yk_limit_name */
    const struct yk_limit *any_user; /* the wildcard: for each user who is not named. NULL: none */
    bool any_group;                  /* there is a group "*": one for all who are in no named one */
};

#define YK_LIMIT_WILDCARD "*"

/* Copies the limits of `config`. NULL when `config` is NULL or lists nothing. The caller frees the result
 * with yk_limit_list_free(). */
struct yk_limit_list *yk_limit_list_new(const struct yk_config_limits *config);
void yk_limit_list_free(struct yk_limit_list *list);
/* Whether both say the same, in the same order; NULL is an empty list. */
bool yk_limit_list_same(const struct yk_limit_list *a, const struct yk_limit_list *b);
/* Whether both limits allow the same. NULL, no limit, is the same as NULL only. */
bool yk_limit_same(const struct yk_limit *a, const struct yk_limit *b);

/* The limit of the named user, else that of the wildcard, else NULL (L7). Borrowed from the list. `list` may be NULL,
 * here and below. */
const struct yk_limit *yk_limit_list_user(const struct yk_limit_list *list, struct yk_str user);
/* The limit of exactly that group ("*" is a group, too), or NULL. Borrowed from the list. */
const struct yk_limit *yk_limit_list_group(const struct yk_limit_list *list, struct yk_str group);
/* The limit of exactly that name among the groups (`group`: true) or the users (false), without the wildcard
 * for others; NULL: it is not listed. Borrowed from the list. */
const struct yk_limit *yk_limit_list_named(const struct yk_limit_list *list, bool group, struct yk_str name);
/* The first configured group among the `count` names in `groups`, else "*" if there is a limit for it, else NULL (L8,
 * for one queue). Borrowed from the list. */
const char *yk_limit_list_choose(const struct yk_limit_list *list, const char *const *groups, size_t count);

#endif
