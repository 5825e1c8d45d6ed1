/* SPDX-License-Identifier: Apache-2.0 */
#include "limits/usage.h"

#include "limits/usage_priv.h"

/* ---- trackers and entries ---- */

void yk_usages_init(struct yk_usages *usages, struct yk_events *events, const struct yk_clock *clock)
{
    *usages = (struct yk_usages){.events = events, .clock = clock};
    yk_list_init(&usages->user_list);
    yk_list_init(&usages->group_list);
    yk_list_init(&usages->changed);
}

static void free_entry(struct yk_usage *usage)
{
    YK_ASSERT(yk_list_empty(&usage->members) && yk_list_empty(&usage->children) &&
              usage->waiting_entries == 0 && usage->blocked_apps.count == 0 && usage->gated.count == 0 &&
              yk_resvec_is_zero(&usage->allocated) && yk_resvec_is_zero(&usage->nominated) &&
              usage->running == 0 && usage->hold.holder == NULL);
    (void)yk_idmap_remove(&usage->tracker->by_queue, (uintptr_t)usage->queue); /* returns `usage` */
    yk_list_remove(&usage->in_parent);
    yk_list_remove(&usage->in_queue);
    yk_list_remove(&usage->in_changed);
    yk_list_remove(&usage->hold.in_ended);
    yk_list_remove(&usage->hold.in_force);
    yk_list_remove(&usage->in_eased);
    yk_unclaimed_free(usage->unclaimed);
    yk_resvec_done(&usage->allocated);
    yk_resvec_done(&usage->nominated);
    free(usage);
}

static void free_tracker(struct yk_usages *usages, struct yk_tracker *tracker)
{
    struct yk_strmap *by_name = tracker->is_group ? &usages->groups : &usages->users;
    (void)yk_strmap_remove(by_name, yk_str_from(tracker->name)); /* returns `tracker` */
    yk_list_remove(&tracker->in_list);
    yk_idmap_done(&tracker->by_queue);
    free(tracker->name);
    free(tracker);
}

void yk__usage_drop_unused(struct yk_usages *usages, struct yk_usage *usage)
{
    while (usage != NULL && usage->apps == 0 && !usage->pinned && yk_list_empty(&usage->children)) {
        struct yk_usage *parent = usage->parent;
        struct yk_tracker *tracker = usage->tracker;
        free_entry(usage);
        if (parent == NULL)
            free_tracker(usages, tracker);
        usage = parent;
    }
}

/* Frees all entries, also those that exist because a limit names them. */
static void free_list(struct yk_usages *usages, struct yk_list *trackers)
{
    struct yk_tracker *tracker;
    while ((tracker = yk_list_first(trackers, struct yk_tracker, in_list)) != NULL) {
        struct yk_usage *last = tracker->root, *child;
        while ((child = yk_list_first(&last->children, struct yk_usage, in_parent)) != NULL)
            last = child;
        YK_ASSERT(last->apps == 0);
        bool was_root = last == tracker->root;
        free_entry(last);
        if (was_root)
            free_tracker(usages, tracker);
    }
}

void yk_usages_done(struct yk_usages *usages)
{
    free_list(usages, &usages->user_list);
    free_list(usages, &usages->group_list);
    yk_strmap_done(&usages->users);
    yk_strmap_done(&usages->groups);
}

const struct yk_limit *yk__usage_limit(const struct yk_usage *usage)
{
    struct yk_str name = yk_str_from(usage->tracker->name);
    return usage->tracker->is_group ? yk_limit_list_group(usage->queue->limits, name)
                                    : yk_limit_list_user(usage->queue->limits, name);
}

static struct yk_usage *entry_new(struct yk_tracker *tracker, struct yk_usage *parent, struct yk_queue *queue)
{
    struct yk_usage *usage = yk_new0_aligned(struct yk_usage);
    usage->tracker = tracker;
    usage->parent = parent;
    usage->queue = queue;
    yk_list_init(&usage->in_eased);
    yk_list_init(&usage->hold.in_ended);
    yk_list_init(&usage->hold.in_holder);
    yk_list_init(&usage->hold.in_force);
    usage->hold.of_usage = true;
    yk_list_init(&usage->gated_apps);
    yk_list_init(&usage->members);
    yk_list_init(&usage->children);
    yk_list_init(&usage->in_parent);
    yk_list_init(&usage->in_changed);
    yk_list_append(&queue->usages, &usage->in_queue);
    if (parent != NULL)
        yk_list_append(&parent->children, &usage->in_parent);
    else
        tracker->root = usage;
    usage->limit = yk__usage_limit(usage);
    (void)yk_idmap_put(&tracker->by_queue, (uintptr_t)queue, usage); /* returns NULL: there was none */
    return usage;
}

static struct yk_tracker *tracker_get(struct yk_usages *usages, bool group, struct yk_str name)
{
    struct yk_tracker *tracker = yk_usages_find(usages, group, name);
    if (tracker != NULL)
        return tracker;
    tracker = yk_new0(struct yk_tracker);
    tracker->name = yk_str_dup(name);
    tracker->is_group = group;
    yk_list_append(group ? &usages->group_list : &usages->user_list, &tracker->in_list);
    (void)yk_strmap_put(group ? &usages->groups : &usages->users, yk_str_from(tracker->name),
                        tracker); /* returns NULL: the name is new */
    return tracker;
}

/* The entry for `queue`, made if there is none. Recursion is as deep as the queue tree, which is bounded. */
static struct yk_usage *entry_get(struct yk_tracker *tracker, struct yk_queue *queue)
{
    struct yk_usage *usage = yk_tracker_entry(tracker, queue);
    if (usage != NULL)
        return usage;
    return entry_new(tracker, queue->parent == NULL ? NULL : entry_get(tracker, queue->parent), queue);
}

struct yk_usage *yk__usage_get(struct yk_usages *usages, bool group, struct yk_str name,
                               struct yk_queue *queue)
{
    return entry_get(tracker_get(usages, group, name), queue);
}

struct yk_tracker *yk_usages_find(const struct yk_usages *usages, bool group, struct yk_str name)
{
    return yk_strmap_get(group ? &usages->groups : &usages->users, name);
}

struct yk_usage *yk_tracker_entry(const struct yk_tracker *tracker, const struct yk_queue *queue)
{
    return yk_idmap_get(&tracker->by_queue, (uintptr_t)queue);
}

struct yk_usage *yk_usage_next(const struct yk_usage *usage)
{
    struct yk_usage *child = yk_list_first(&usage->children, struct yk_usage, in_parent);
    if (child != NULL)
        return child;
    for (; usage->parent != NULL; usage = usage->parent) {
        if (usage->in_parent.next != &usage->parent->children)
            return YK_CONTAINER(usage->in_parent.next, struct yk_usage, in_parent);
    }
    return NULL;
}

/* ---- events ---- */

static void tell_at(const struct yk_usages *usages, int64_t wall_ns, enum yk_event_change change,
                    enum yk_event_detail detail, struct yk_str name, const char *reference,
                    const struct yk_resvec *amount)
{
    YK_EVENT(event); /* set field by field, because zeroing the whole struct takes long */
    event.type = YK_EVENT_USER_GROUP;
    event.change = change;
    event.detail = detail;
    event.wall_ns = wall_ns;
    event.object_id = name;
    event.reference_id = yk_str_from(reference);
    event.message = (struct yk_str){0};
    if (amount != NULL)
        yk_resvec_copy(&event.resource, amount);
    yk_events_tell(usages->events, &event);
}

void yk__usage_tell(const struct yk_usages *usages, enum yk_event_change change, enum yk_event_detail detail,
                    struct yk_str name, const char *reference, const struct yk_resvec *amount)
{
    if (yk_events_on(usages->events))
        tell_at(usages, yk_clock_wall_ns(usages->clock), change, detail, name, reference, amount);
}

static void tell_amount_at(const struct yk_usages *usages, const struct yk_usage *leaf,
                           enum yk_event_change change, const struct yk_resvec *amount, int64_t wall_ns)
{
    if (leaf == NULL)
        return;
    const struct yk_tracker *tracker = leaf->tracker;
    tell_at(usages, wall_ns, change,
            tracker->is_group ? YK_EVENT_UG_GROUP_RESOURCE : YK_EVENT_UG_USER_RESOURCE,
            yk_str_from(tracker->name), leaf->queue->path, amount);
}

static void tell_amount(const struct yk_usages *usages, const struct yk_usage *leaf,
                        enum yk_event_change change, const struct yk_resvec *amount)
{
    if (leaf != NULL && yk_events_on(usages->events))
        tell_amount_at(usages, leaf, change, amount, yk_clock_wall_ns(usages->clock));
}

static void tell_link(const struct yk_usages *usages, const struct yk_app *app, enum yk_event_change change)
{
    yk__usage_tell(usages, change, YK_EVENT_UG_APP_LINK, yk_str_from(app->limit.group->tracker->name),
                   app->id, NULL);
}

/* ---- an entry and those above it ---- */

static void add(struct yk_usage *at, const struct yk_resvec *size)
{
    for (; at != NULL; at = at->parent)
        yk_resvec_add(&at->allocated, size);
}

/* Subtracts `size`, and removes types of `size` whose amount becomes 0. */
static void subtract_here(struct yk_resvec *from, const struct yk_resvec *size)
{
    yk_resvec_foreach(t, size)
    {
        int64_t left = yk_i64_sub(yk_resvec_get(from, t), yk_resvec_get(size, t));
        YK_ASSERT(left >= 0);
        if (left > 0)
            yk_resvec_put(from, t, left);
        else
            yk_resvec_remove(from, t);
    }
}

static void subtract(struct yk_usage *at, const struct yk_resvec *size)
{
    for (; at != NULL; at = at->parent)
        subtract_here(&at->allocated, size);
}

static void count(struct yk_usage *at, int by)
{
    for (; at != NULL; at = at->parent)
        at->running += (uint32_t)by;
}

static void sum_of(const struct yk_app *app, struct yk_resvec *ret_sum)
{
    yk_resvec_copy(ret_sum, &app->allocated);
    yk_resvec_add(ret_sum, &app->allocated_placeholder);
}

void yk_usage_hold(struct yk_usage *usage)
{
    for (; usage != NULL; usage = usage->parent)
        usage->apps++;
}

void yk_usage_unhold(struct yk_usages *usages, struct yk_usage *usage)
{
    for (struct yk_usage *at = usage; at != NULL; at = at->parent)
        at->apps--;
    yk__usage_drop_unused(usages, usage);
}

static void enter(struct yk_usage *leaf, struct yk_list *link, const struct yk_app *app)
{
    YK_RESVEC(sum);
    sum_of(app, &sum);
    yk_list_append(&leaf->members, link);
    add(leaf, &sum);
    count(leaf, app->limit.counted);
    yk_usage_hold(leaf);
}

static void withdraw(struct yk_usages *usages, struct yk_usage *leaf, struct yk_list *link,
                     const struct yk_app *app)
{
    YK_RESVEC(sum);
    sum_of(app, &sum);
    yk_list_remove(link);
    subtract(leaf, &sum);
    count(leaf, -(int)app->limit.counted);
    yk_usage_unhold(usages, leaf);
}

/* ---- applications ---- */

/* Records what an application that joins or leaves adds to the entry or takes from it, so that the sum of
 * the events is the usage. */
static void tell_share(const struct yk_usages *usages, const struct yk_usage *leaf, const struct yk_app *app,
                       enum yk_event_change change)
{
    YK_RESVEC(sum);
    sum_of(app, &sum);
    if (!yk_resvec_is_zero(&sum))
        tell_amount(usages, leaf, change, &sum);
}

void yk_usage_join(struct yk_usages *usages, struct yk_app *app)
{
    app->limit.user = yk__usage_get(usages, false, yk_str_from(app->user), app->leaf);
    enter(app->limit.user, &app->limit.in_user, app);
    tell_share(usages, app->limit.user, app, YK_EVENT_ADD);
}

void yk_usage_leave(struct yk_usages *usages, struct yk_app *app)
{
    yk_usage_drop_group(usages, app, true);
    if (app->limit.user == NULL)
        return;
    tell_share(usages, app->limit.user, app, YK_EVENT_REMOVE);
    withdraw(usages, yk_move(app->limit.user), &app->limit.in_user, app);
}

/* L8: the group that the limits of a queue on the path choose. If several queues do, the choice of the lowest
 * one counts. NULL: no queue chooses a group. */
static const char *choose(const struct yk_app *app)
{
    const char *chosen = NULL;
    for (const struct yk_queue *queue = app->leaf; queue != NULL && chosen == NULL; queue = queue->parent)
        chosen = yk_limit_list_choose(queue->limits, (const char *const *)app->groups, app->group_count);
    return chosen;
}

void yk_usage_choose_group(struct yk_usages *usages, struct yk_app *app)
{
    if (app->limit.group_chosen)
        return;
    app->limit.group_chosen = true;
    const char *group = choose(app);
    if (group == NULL)
        return;
    app->limit.group = yk__usage_get(usages, true, yk_str_from(group), app->leaf);
    enter(app->limit.group, &app->limit.in_group, app);
    tell_link(usages, app, YK_EVENT_SET);
    tell_share(usages, app->limit.group, app, YK_EVENT_ADD);
}

const struct yk_usage *yk_usage_group_to_be(const struct yk_usages *usages, const struct yk_app *app)
{
    const struct yk_usage *entry = NULL;
    if (app->limit.group_chosen || app->leaf == NULL)
        return app->limit.group;
    const char *group = choose(app);
    const struct yk_tracker *tracker =
        group != NULL ? yk_usages_find(usages, true, yk_str_from(group)) : NULL;
    if (tracker == NULL)
        return NULL;
    for (const struct yk_queue *queue = app->leaf; queue != NULL && entry == NULL; queue = queue->parent)
        entry = yk_tracker_entry(tracker, queue);
    return entry;
}

void yk_usage_drop_group(struct yk_usages *usages, struct yk_app *app, bool forget)
{
    if (app->limit.group != NULL) {
        tell_share(usages, app->limit.group, app, YK_EVENT_REMOVE);
        tell_link(usages, app, YK_EVENT_REMOVE);
        withdraw(usages, yk_move(app->limit.group), &app->limit.in_group, app);
    }
    app->limit.group_chosen = !forget;
}

bool yk_usage_uncount(struct yk_app *app)
{
    if (!app->limit.counted)
        return false;
    app->limit.counted = false;
    count(app->limit.user, -1);
    count(app->limit.group, -1);
    return true;
}

/* ---- accounting ---- */

void yk_usage_charge(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size,
                     int64_t wall_ns)
{
    yk_usage_choose_group(usages, app);
    add(app->limit.user, size);
    add(app->limit.group, size);
    if (!app->limit.counted) {
        app->limit.counted = true;
        count(app->limit.user, 1);
        count(app->limit.group, 1);
    }
    tell_amount_at(usages, app->limit.user, YK_EVENT_ADD, size, wall_ns);
    tell_amount_at(usages, app->limit.group, YK_EVENT_ADD, size, wall_ns);
}

void yk_usage_release(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size)
{
    subtract(app->limit.user, size);
    subtract(app->limit.group, size);
    tell_amount(usages, app->limit.user, YK_EVENT_REMOVE, size);
    tell_amount(usages, app->limit.group, YK_EVENT_REMOVE, size);
}

static void nominate(struct yk_usage *at, const struct yk_resvec *size)
{
    for (; at != NULL; at = at->parent)
        yk_resvec_add(&at->nominated, size);
}

static void unnominate(struct yk_usage *at, const struct yk_resvec *size)
{
    for (; at != NULL; at = at->parent)
        subtract_here(&at->nominated, size);
}

void yk_usage_add_nominated(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *size)
{
    yk_usage_choose_group(usages, app);
    nominate(app->limit.user, size);
    nominate(app->limit.group, size);
}

void yk_usage_sub_nominated(struct yk_app *app, const struct yk_resvec *size)
{
    unnominate(app->limit.user, size);
    unnominate(app->limit.group, size);
}

void yk_usage_try(struct yk_app *app, const struct yk_resvec *size, int sign)
{
    struct yk_usage *const paths[] = {app->limit.user, app->limit.group};
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        if (sign > 0)
            add(paths[i], size);
        else
            subtract(paths[i], size);
    }
}

/* Sets `ret_part` to the positive amounts of `delta` (`sign` 1), or to the absolute values of the
 * negative ones (`sign` -1). */
static void part_of(const struct yk_resvec *delta, int sign, struct yk_resvec *ret_part)
{
    yk_resvec_clear(ret_part);
    yk_resvec_foreach(t, delta)
    {
        if (sign * (yk_resvec_get(delta, t) > 0) - sign * (yk_resvec_get(delta, t) < 0) > 0)
            yk_resvec_put(ret_part, t, sign * yk_resvec_get(delta, t));
    }
}

void yk_usage_resize(struct yk_usages *usages, struct yk_app *app, const struct yk_resvec *delta)
{
    YK_RESVEC(more);
    YK_RESVEC(less);
    part_of(delta, 1, &more);
    part_of(delta, -1, &less);
    struct yk_usage *const paths[] = {app->limit.user, app->limit.group};
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        add(paths[i], &more);
        subtract(paths[i], &less);
        if (!yk_resvec_is_empty(&more))
            tell_amount(usages, paths[i], YK_EVENT_ADD, &more);
        if (!yk_resvec_is_empty(&less))
            tell_amount(usages, paths[i], YK_EVENT_REMOVE, &less);
    }
}

/* ---- questions ---- */

/* Whether `used` plus `size` is within the limit, for types of which `size` has more than 0: other types may
 * be above the limit. */
static bool is_within(const struct yk_limit *limit, const struct yk_resvec *used,
                      const struct yk_resvec *size)
{
    if (limit == NULL || !limit->has_resources)
        return true;
    yk_resvec_foreach_common(t, size, &limit->resources)
    {
        if (yk_resvec_get(size, t) > 0 &&
            yk_i64_add(yk_resvec_get(used, t), yk_resvec_get(size, t)) > yk_resvec_get(&limit->resources, t))
            return false;
    }
    return true;
}

static bool usage_has_own_headroom(const struct yk_usage *usage, const struct yk_resvec *size)
{
    return is_within(usage->limit, &usage->allocated, size);
}

static struct yk_usage *path_without_headroom(struct yk_usage *at, const struct yk_resvec *size)
{
    struct yk_usage *refusing = NULL;
    for (; at != NULL; at = at->parent) {
        if (at->limit != NULL && !usage_has_own_headroom(at, size))
            refusing = at;
    }
    return refusing;
}

struct yk_usage *yk_usage_without_headroom(const struct yk_app *app, const struct yk_resvec *size)
{
    struct yk_usage *refusing = path_without_headroom(app->limit.user, size);
    return refusing != NULL ? refusing : path_without_headroom(app->limit.group, size);
}

static struct yk_usage *path_without_headroom_in_the_end(struct yk_usage *at, const struct yk_resvec *size,
                                                         const struct yk_resvec *own)
{
    struct yk_usage *refusing = NULL;
    for (; at != NULL; at = at->parent) {
        YK_RESVEC(used);
        if (at->limit == NULL)
            continue;
        yk_resvec_copy(&used, &at->allocated);
        yk_resvec_add(&used, &at->nominated);
        if (own != NULL)
            yk_resvec_sub(&used, own);
        if (!is_within(at->limit, &used, size))
            refusing = at;
    }
    return refusing;
}

struct yk_usage *yk_usage_without_headroom_in_the_end(const struct yk_app *app, const struct yk_resvec *size,
                                                      const struct yk_resvec *own)
{
    struct yk_usage *refusing = path_without_headroom_in_the_end(app->limit.user, size, own);
    return refusing != NULL ? refusing : path_without_headroom_in_the_end(app->limit.group, size, own);
}

bool yk_usage_has_own_slot(const struct yk_usage *usage)
{
    const struct yk_limit *limit = usage->limit;
    return limit == NULL || limit->max_apps == 0 || (uint64_t)usage->running + 1 <= limit->max_apps;
}

static struct yk_usage *path_without_slot(struct yk_usage *at)
{
    while (at != NULL && yk_usage_has_own_slot(at))
        at = at->parent;
    return at;
}

struct yk_usage *yk_usage_without_slot(const struct yk_app *app)
{
    if (app->limit.counted)
        return NULL; /* it counts in all entries of both paths already */
    struct yk_usage *refusing = path_without_slot(app->limit.user);
    return refusing != NULL ? refusing : path_without_slot(app->limit.group);
}

const struct yk_usage *yk_usage_exceeded(const struct yk_usage *usage, const struct yk_resvec *size)
{
    const struct yk_usage *found = NULL;
    for (; usage != NULL; usage = usage->parent) {
        if (usage->limit != NULL && usage->limit->has_resources &&
            !yk_resvec_fit_undef(&usage->limit->resources, size))
            found = usage;
    }
    return found;
}

void yk_usage_own_headroom(const struct yk_usage *usage, struct yk_resvec *ret_headroom)
{
    yk_resvec_copy(ret_headroom, &usage->limit->resources);
    yk_resvec_sub_existing(ret_headroom, &usage->allocated);
}

static bool path_headroom(const struct yk_usage *at, struct yk_resvec *room)
{
    bool limited = false;
    for (; at != NULL; at = at->parent) {
        YK_RESVEC(here);
        if (at->limit == NULL || !at->limit->has_resources)
            continue;
        yk_usage_own_headroom(at, &here);
        yk_resvec_min(room, &here);
        limited = true;
    }
    return limited;
}

bool yk_usage_headroom(const struct yk_app *app, struct yk_resvec *room)
{
    bool user = path_headroom(app->limit.user, room), group = path_headroom(app->limit.group, room);
    return user || group;
}
