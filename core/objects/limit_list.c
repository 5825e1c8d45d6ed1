/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/limit_list.h"

static bool is_wildcard(struct yk_str name)
{
    return yk_str_is(name, YK_LIMIT_WILDCARD);
}

static const struct yk_config_names *names_of(const struct yk_config_limit *limit, bool groups)
{
    return groups ? &limit->groups : &limit->users;
}

/* Makes one entry per name. The check of the configuration has made sure that no name is there twice (L2). */
static struct yk_limit_name *flatten(struct yk_limit_list *list, const struct yk_config_limits *config,
                                     bool groups, uint32_t *ret_count)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < config->count; i++)
        count += names_of(&config->items[i], groups)->count;
    struct yk_limit_name *flat = yk_arena_alloc0(&list->arena, yk_size_mul(count, sizeof(*flat)));
    for (uint32_t i = 0; i < config->count; i++) {
        const struct yk_config_limit *limit = &config->items[i];
        const struct yk_config_names *names = names_of(limit, groups);
        for (uint32_t n = 0; n < names->count; n++, at++) {
            flat[at].name = yk_arena_str(&list->arena, names->items[n]);
            flat[at].limit.max_apps = limit->max_applications;
            flat[at].limit.has_resources = yk_resvec_is_positive(&limit->max_resources.amounts);
            yk_resvec_copy(&flat[at].limit.resources, &limit->max_resources.amounts);
        }
    }
    *ret_count = count;
    return flat;
}

struct yk_limit_list *yk_limit_list_new(const struct yk_config_limits *config)
{
    if (config == NULL || config->count == 0)
        return NULL;
    struct yk_limit_list *list = yk_new0(struct yk_limit_list);
    list->users = flatten(list, config, false, &list->user_count);
    list->groups = flatten(list, config, true, &list->group_count);
    for (uint32_t i = 0; i < list->user_count; i++) {
        struct yk_limit_name *user = &list->users[i];
        if (is_wildcard(user->name))
            list->any_user = &user->limit;
        else
            (void)yk_strmap_put(&list->users_by_name, user->name, user); /* returns NULL: names are unique */
    }
    for (uint32_t i = 0; i < list->group_count; i++) {
        struct yk_limit_name *group = &list->groups[i];
        list->any_group |= is_wildcard(group->name);
        (void)yk_strmap_put(&list->groups_by_name, group->name, group); /* returns NULL: names are unique */
    }
    return list;
}

void yk_limit_list_free(struct yk_limit_list *list)
{
    if (list == NULL)
        return;
    yk_strmap_done(&list->users_by_name);
    yk_strmap_done(&list->groups_by_name);
    for (uint32_t i = 0; i < list->user_count; i++)
        yk_resvec_done(&list->users[i].limit.resources);
    for (uint32_t i = 0; i < list->group_count; i++)
        yk_resvec_done(&list->groups[i].limit.resources);
    yk_arena_done(&list->arena);
    free(list);
}

bool yk_limit_same(const struct yk_limit *a, const struct yk_limit *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->has_resources == b->has_resources && a->max_apps == b->max_apps &&
           yk_resvec_same(&a->resources, &b->resources);
}

static bool names_same(const struct yk_limit_name *a, uint32_t a_count, const struct yk_limit_name *b,
                       uint32_t b_count)
{
    if (a_count != b_count)
        return false;
    for (uint32_t i = 0; i < a_count; i++) {
        if (!yk_str_eq(a[i].name, b[i].name) || !yk_limit_same(&a[i].limit, &b[i].limit))
            return false;
    }
    return true;
}

bool yk_limit_list_same(const struct yk_limit_list *a, const struct yk_limit_list *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return names_same(a->users, a->user_count, b->users, b->user_count) &&
           names_same(a->groups, a->group_count, b->groups, b->group_count);
}

static const struct yk_limit *find(const struct yk_strmap *by_name, struct yk_str name)
{
    const struct yk_limit_name *found = yk_strmap_get(by_name, name);
    return found == NULL ? NULL : &found->limit;
}

const struct yk_limit *yk_limit_list_user(const struct yk_limit_list *list, struct yk_str user)
{
    if (list == NULL)
        return NULL;
    const struct yk_limit *named = find(&list->users_by_name, user);
    return named != NULL ? named : list->any_user;
}

const struct yk_limit *yk_limit_list_group(const struct yk_limit_list *list, struct yk_str group)
{
    return list == NULL ? NULL : find(&list->groups_by_name, group);
}

const struct yk_limit *yk_limit_list_named(const struct yk_limit_list *list, bool group, struct yk_str name)
{
    if (list == NULL)
        return NULL;
    return find(group ? &list->groups_by_name : &list->users_by_name, name);
}

const char *yk_limit_list_choose(const struct yk_limit_list *list, const char *const *groups, size_t count)
{
    const struct yk_limit_name *first = NULL; /* the first one in the order of the configuration */
    if (list == NULL || list->group_count == 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct yk_limit_name *group = yk_strmap_get(&list->groups_by_name, yk_str_from(groups[i]));
        if (group != NULL && (first == NULL || group < first))
            first = group;
    }
    if (first != NULL)
        return first->name.p;
    return list->any_group && count > 0 ? YK_LIMIT_WILDCARD : NULL;
}
