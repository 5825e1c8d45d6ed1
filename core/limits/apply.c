/* SPDX-License-Identifier: Apache-2.0 */
#include "limits/apply.h"

#include "limits/usage_priv.h"

/* ---- entries that exist because a limit names them (L15) ---- */

static void pin(struct yk_usages *usages, struct yk_queue *queue, bool group, struct yk_str name)
{
    uint32_t levels = queue->depth + 1;
    if (usages->pinned_levels + levels > YK_LIMITS_PINNED_MAX)
        return;
    struct yk_usage *usage = yk__usage_get(usages, group, name, queue);
    if (!usage->pinned)
        usages->pinned_levels += levels;
    usage->pinned = true;
}

static void unpin(struct yk_usages *usages, const struct yk_queue *queue, bool group, struct yk_str name)
{
    const struct yk_tracker *tracker = yk_usages_find(usages, group, name);
    struct yk_usage *usage = tracker == NULL ? NULL : yk_tracker_entry(tracker, queue);
    if (usage == NULL || !usage->pinned)
        return;
    usage->pinned = false;
    usages->pinned_levels -= queue->depth + 1;
    yk__usage_drop_unused(usages, usage);
}

/* Whether a name in a limit has entries: the wildcard of users has none, that of groups has. */
static bool is_tracked(bool group, struct yk_str name)
{
    return group || !yk_str_is(name, YK_LIMIT_WILDCARD);
}

static void pin_names(struct yk_usages *usages, struct yk_queue *queue, const struct yk_limit_list *list)
{
    for (uint32_t i = 0; list != NULL && i < list->user_count; i++) {
        if (is_tracked(false, list->users[i].name))
            pin(usages, queue, false, list->users[i].name);
    }
    for (uint32_t i = 0; list != NULL && i < list->group_count; i++)
        pin(usages, queue, true, list->groups[i].name);
}

static void unpin_missing(struct yk_usages *usages, const struct yk_queue *queue,
                          const struct yk_limit_list *old)
{
    for (uint32_t i = 0; old != NULL && i < old->user_count; i++) {
        if (yk_limit_list_named(queue->limits, false, old->users[i].name) == NULL)
            unpin(usages, queue, false, old->users[i].name);
    }
    for (uint32_t i = 0; old != NULL && i < old->group_count; i++) {
        if (yk_limit_list_named(queue->limits, true, old->groups[i].name) == NULL)
            unpin(usages, queue, true, old->groups[i].name);
    }
}

/* ---- events (L17) ---- */

static const struct yk_limit *listed(const struct yk_limit_list *list, bool group, struct yk_str name)
{
    if (list != NULL && !is_tracked(group, name))
        return list->any_user;
    return yk_limit_list_named(list, group, name);
}

/* Records an event for each name of `list` that `other` lacks or, if `set`, has with another limit. */
static void tell_names(const struct yk_usages *usages, const struct yk_queue *queue, bool group,
                       const struct yk_limit_list *list, const struct yk_limit_list *other, bool set)
{
    uint32_t names = list == NULL ? 0 : group ? list->group_count : list->user_count;
    for (uint32_t i = 0; i < names; i++) {
        const struct yk_limit_name *entry = group ? &list->groups[i] : &list->users[i];
        const struct yk_limit *before = listed(other, group, entry->name);
        if (set ? !yk_limit_same(before, &entry->limit) : before == NULL)
            yk__usage_tell(usages, set ? YK_EVENT_SET : YK_EVENT_REMOVE,
                           group ? YK_EVENT_UG_GROUP_LIMIT : YK_EVENT_UG_USER_LIMIT, entry->name, queue->path,
                           NULL);
    }
}

static void tell_changes(const struct yk_usages *usages, const struct yk_queue *queue,
                         const struct yk_limit_list *old)
{
    if (!yk_events_on(usages->events))
        return;
    for (int group = 0; group <= 1; group++) {
        tell_names(usages, queue, group != 0, old, queue->limits, false);
        tell_names(usages, queue, group != 0, queue->limits, old, true);
    }
}

/* ---- replacing the limits of a queue ---- */

/* Gives all entries of the queue their limits of the new list. Call it before the old list is freed: the
 * limits of both are compared. */
static void refresh(struct yk_usages *usages, struct yk_queue *queue)
{
    struct yk_usage *usage;
    yk_list_foreach (usage, &queue->usages, struct yk_usage, in_queue) {
        const struct yk_limit *before = usage->limit;
        usage->limit = yk__usage_limit(usage);
        if (!yk_limit_same(before, usage->limit) && !yk_list_linked(&usage->in_changed))
            yk_list_append(&usages->changed, &usage->in_changed);
    }
}

void yk_limits_set(struct yk_usages *usages, struct yk_queue *queue, const struct yk_config_limits *config)
{
    if (queue->limits == NULL && (config == NULL || config->count == 0))
        return;
    struct yk_limit_list *fresh = yk_limit_list_new(config);
    if (yk_limit_list_same(fresh, queue->limits)) {
        yk_limit_list_free(fresh);
        return;
    }
    struct yk_limit_list *old = queue->limits;
    queue->limits = fresh;
    refresh(usages, queue);
    unpin_missing(usages, queue, old);
    pin_names(usages, queue, fresh);
    tell_changes(usages, queue, old);
    yk_limit_list_free(old);
}

static bool is_named(const struct yk_usage *at)
{
    while (at != NULL && at->limit == NULL)
        at = at->parent;
    return at != NULL;
}

static void orphans_of(const struct yk_tracker *group, struct yk_vec *apps)
{
    for (const struct yk_usage *at = group->root; at != NULL; at = yk_usage_next(at)) {
        struct yk_app *app;
        if (yk_list_empty(&at->members) || is_named(at))
            continue;
        yk_list_foreach (app, &at->members, struct yk_app, limit.in_group)
            yk_vec_append(apps, app);
    }
}

struct yk_usage *yk_limits_take_changed(struct yk_usages *usages)
{
    struct yk_usage *usage = yk_list_first(&usages->changed, struct yk_usage, in_changed);
    if (usage != NULL)
        yk_list_remove(&usage->in_changed);
    return usage;
}

void yk_limits_orphans(const struct yk_usages *usages, struct yk_vec *apps)
{
    const struct yk_tracker *group;
    yk_list_foreach (group, &usages->group_list, struct yk_tracker, in_list)
        orphans_of(group, apps);
}
