/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/limit_wait.h"

#include "base/vec.h"
#include "pending/active.h"
#include "policies/queue_order.h"
#include "state/limit_held.h"
#include "state/turn_order.h"

/* eased entries that are compared in one turn; others follow when these have been tried */
enum { USAGES_MAX = 16 };

/* ---- from links to objects, and their order ---- */

static struct yk_group *group_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_group, limit.branch.link);
}
static struct yk_limit_place *place_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_limit_place, branch.link);
}
static struct yk_app *gated_app_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_app, start.in_gate);
}

static int order_groups(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_group_compare(group_of(a), group_of(b));
}
static int order_places(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_app_compare(place_of(a)->app, place_of(b)->app);
}
static int order_gated(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_app_compare(gated_app_of(a), gated_app_of(b));
}

static bool summarize_group(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    return same != NULL ? yk_wait_branch_take_over(link, same)
                        : yk_wait_branch_summarize(link, &group_of(link)->shape->size);
}

static bool summarize_place(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    if (same != NULL)
        return yk_wait_branch_take_over(link, same);
    return yk_wait_branch_summarize(link, &yk_wait_branch_of(place_of(link)->groups.root)->least);
}

/* ---- membership ---- */

/* The entry of the application's leaf for the user or group to which `refusing` belongs. */
static struct yk_usage *entry_for(const struct yk_app *app, const struct yk_usage *refusing)
{
    return refusing->tracker->is_group ? app->limit.group : app->limit.user;
}

static bool has_waiting(const struct yk_usage *entry)
{
    return entry->blocked_apps.count > 0 || entry->gated.count > 0;
}

/* Updates `waiting_entries` of the entry and of those above it after something began or ended to wait there.
 * A search skips branches in which it is 0. */
static void count_entry(struct yk_usage *entry, bool had_waiting)
{
    int by = (int)has_waiting(entry) - (int)had_waiting;
    for (struct yk_usage *at = entry; by != 0 && at != NULL; at = at->parent)
        at->waiting_entries += (uint32_t)by;
}

static struct yk_limit_place *place_for(struct yk_app *app, bool of_group)
{
    if (app->wait.limits == NULL) {
        app->wait.limits = yk_new0(struct yk_limit_waits);
        app->wait.limits->of_user.app = app->wait.limits->of_group.app = app;
    }
    return of_group ? &app->wait.limits->of_group : &app->wait.limits->of_user;
}

static void enter(struct yk_limit_place *place, struct yk_usage *entry)
{
    bool had_waiting = has_waiting(entry);
    place->entry = entry;
    entry->blocked_apps.order = order_places;
    entry->blocked_apps.summarize = summarize_place;
    yk_tree_insert(&entry->blocked_apps, &place->branch.link);
    count_entry(entry, had_waiting);
}

static void leave(struct yk_limit_place *place)
{
    struct yk_usage *entry = place->entry;
    bool had_waiting = has_waiting(entry);
    yk_tree_remove(&entry->blocked_apps, &place->branch.link);
    place->entry = NULL;
    count_entry(entry, had_waiting);
}

void yk_limit_wait_add_group(struct yk_group *group, const struct yk_usage *refusing)
{
    struct yk_limit_place *place = place_for(group->app, refusing->tracker->is_group);
    place->groups.order = order_groups;
    place->groups.summarize = summarize_group;
    yk_tree_insert(&place->groups, &group->limit.branch.link);
    group->limit.place = place;
    if (place->entry == NULL)
        enter(place, entry_for(group->app, refusing));
    else
        yk_tree_refresh(&place->entry->blocked_apps, &place->branch.link);
}

void yk_limit_wait_remove_group(struct yk_group *group)
{
    struct yk_limit_place *place = group->limit.place;
    if (place == NULL)
        return;
    group->limit.place = NULL;
    if (place->groups.count == 1)
        leave(place); /* before the group is removed: leave() reads the amounts of the groups */
    yk_tree_remove(&place->groups, &group->limit.branch.link);
    if (place->entry != NULL)
        yk_tree_refresh(&place->entry->blocked_apps, &place->branch.link);
}

void yk_limit_wait_update_group(struct yk_group *group)
{
    if (group->limit.place != NULL)
        yk_tree_moved(&group->limit.place->groups, &group->limit.branch.link);
}

void yk_limit_wait_add_app(struct yk_app *app, struct yk_usage *refusing)
{
    struct yk_usage *entry = entry_for(app, refusing);
    bool had_waiting = has_waiting(entry);
    enum yk_pending_hold before = yk_pending_hold(app);
    yk_list_append(&entry->gated_apps, &app->start.in_gated);
    yk_pending_hold_changed(app, before);
    entry->gated.order = order_gated;
    yk_tree_insert(&entry->gated, &app->start.in_gate);
    app->start.gate = entry;
    count_entry(entry, had_waiting);
}

void yk_limit_wait_remove_app(struct yk_app *app)
{
    struct yk_usage *entry = app->start.gate;
    if (entry == NULL)
        return;
    enum yk_pending_hold before = yk_pending_hold(app);
    yk_list_remove(&app->start.in_gated);
    yk_pending_hold_changed(app, before);
    yk_tree_remove(&entry->gated, &app->start.in_gate);
    app->start.gate = NULL;
    count_entry(entry, true);
}

bool yk_limit_wait_end_app(struct yk_app *app)
{
    if (app->start.gate == NULL)
        return false;
    yk_limit_wait_remove_app(app);
    yk_active_update_app(app);
    return true;
}

static void update_place(struct yk_limit_place *place)
{
    if (place->entry != NULL)
        yk_tree_moved(&place->entry->blocked_apps, &place->branch.link);
}

void yk_limit_wait_update_app(struct yk_app *app)
{
    if (app->start.gate != NULL)
        yk_tree_moved(&app->start.gate->gated, &app->start.in_gate);
    if (app->wait.limits == NULL)
        return;
    update_place(&app->wait.limits->of_user);
    update_place(&app->wait.limits->of_group);
}

void yk_limit_wait_sort_changed(const struct yk_queue *leaf)
{
    struct yk_usage *entry;
    yk_list_foreach (entry, &leaf->usages, struct yk_usage, in_queue) {
        yk_wait_branches_restore_order(&entry->blocked_apps);
        yk_wait_branches_restore_order(&entry->gated);
    }
}

/* ---- what fits now ---- */

/* What the limits on a path leave for further asks and applications. */
struct allowance {
    struct yk_resvec capacity; /* types without a limit are absent */
    bool has_slot;             /* one more application may start */
};

static void allowance_done(struct allowance *allowance)
{
    yk_resvec_done(&allowance->capacity);
}

static void narrow(struct allowance *allowance, const struct yk_usage *usage)
{
    allowance->has_slot = allowance->has_slot && yk_usage_has_own_slot(usage);
    if (!usage->limit->has_resources)
        return;
    const struct yk_resvec *max = &usage->limit->resources;
    struct yk_resvec *capacity = &allowance->capacity;
    yk_resvec_foreach(t, max)
    {
        int64_t left = yk_i64_sub(yk_resvec_get(max, t), yk_resvec_get(&usage->allocated, t));
        if (!yk_resvec_has(capacity, t) || left < yk_resvec_get(capacity, t))
            yk_resvec_put(capacity, t, left);
    }
}

/* Sets `*ret_allowance` to what the limits from `usage` up to the root leave; `usage` NULL: no limits. The
 * caller ends it with allowance_done(). */
static void allowance_of(const struct yk_usage *usage, struct allowance *ret_allowance)
{
    yk_resvec_init(&ret_allowance->capacity);
    ret_allowance->has_slot = true;
    for (; usage != NULL; usage = usage->parent) {
        if (usage->limit != NULL)
            narrow(ret_allowance, usage);
    }
}

/* Whether `size` fits. Types of which `size` has 0 may be above their limit (L11). */
static bool fits(const struct yk_resvec *capacity, const struct yk_resvec *size)
{
    yk_resvec_foreach_common(t, capacity, size)
    {
        if (yk_resvec_get(size, t) > 0 && yk_resvec_get(size, t) > yk_resvec_get(capacity, t))
            return false;
    }
    return true;
}

static bool branch_fits(const struct yk_resvec *capacity, const struct yk_tree_link *top)
{
    return top != NULL && fits(capacity, &yk_wait_branch_of(top)->least);
}

/* The next two functions recurse as deep as the trees, which are balanced. */
static struct yk_group *first_group(const struct yk_tree_link *top, const struct yk_resvec *capacity)
{
    if (!branch_fits(capacity, top))
        return NULL;
    struct yk_group *found = first_group(top->left, capacity);
    if (found == NULL && fits(capacity, &group_of(top)->shape->size))
        found = group_of(top);
    return found != NULL ? found : first_group(top->right, capacity);
}

static struct yk_group *first_in_places(const struct yk_tree_link *top, const struct yk_resvec *capacity)
{
    if (!branch_fits(capacity, top))
        return NULL;
    struct yk_group *found = first_in_places(top->left, capacity);
    if (found == NULL)
        found = first_group(place_of(top)->groups.root, capacity);
    return found != NULL ? found : first_in_places(top->right, capacity);
}

/* The first group, from `group` on, that leaves room for the earlier groups that hold limits. A later group comes
 * after the same holders, too, so what these leave is an upper bound for it. */
static struct yk_group *first_not_held(const struct yk_usage *entry, const struct yk_resvec *capacity,
                                       struct yk_group *group)
{
    YK_RESVEC(rest);
    YK_RESVEC(held);
    if (!yk_limit_held_types(entry, group, &held))
        return group;
    yk_resvec_copy(&rest, capacity);
    do {
        yk_resvec_min(&rest, &held);
        group = first_in_places(entry->blocked_apps.root, &rest);
    } while (group != NULL && yk_limit_held_types(entry, group, &held));
    return group;
}

/* ---- the first in order ---- */

static bool is_before(const struct yk_limit_candidate *a, const struct yk_limit_candidate *b)
{
    if (b->app == NULL)
        return true;
    if (a->group != NULL && b->group != NULL)
        return yk_turn_compare(a->group, b->group) < 0;
    return yk_turn_compare_apps(a->app, b->app) < 0;
}

static void offer(struct yk_limit_candidate *best, struct yk_app *app, struct yk_group *group)
{
    const struct yk_limit_candidate candidate = {app, group};
    if (app != NULL && is_before(&candidate, best))
        *best = candidate;
}

static void look_at_entry(const struct yk_usage *entry, const struct allowance *allowance,
                          struct yk_limit_candidate *best)
{
    struct yk_tree_link *gated = yk_tree_first(&entry->gated);
    struct yk_group *group = first_in_places(entry->blocked_apps.root, &allowance->capacity);
    if (group != NULL)
        group = first_not_held(entry, &allowance->capacity, group);
    if (gated != NULL && allowance->has_slot)
        offer(best, gated_app_of(gated), NULL);
    if (group != NULL)
        offer(best, group->app, group);
}

bool yk_limit_wait_first_at(const struct yk_usage *entry, struct yk_limit_candidate *ret_first)
{
    YK_CLEANUP(allowance_done) struct allowance allowance;
    *ret_first = (struct yk_limit_candidate){0};
    allowance_of(entry, &allowance);
    look_at_entry(entry, &allowance, ret_first);
    return ret_first->app != NULL;
}

static bool may_start(const struct yk_usage *entry, const struct allowance *allowance)
{
    return branch_fits(&allowance->capacity, entry->blocked_apps.root) ||
           (entry->gated.count > 0 && allowance->has_slot);
}

/* Appends those entries of the branch of `usage` where something may start. `above`: what the limits above
 * `usage` leave. Recurses as deep as the queue tree, which is bounded. */
static void collect_entries(struct yk_usage *usage, const struct allowance *above, struct yk_vec *entries)
{
    YK_CLEANUP(allowance_done) struct allowance own;
    struct yk_usage *child;
    yk_resvec_init(&own.capacity);
    if (usage->waiting_entries == 0)
        return;
    if (usage->limit != NULL) {
        yk_resvec_copy(&own.capacity, &above->capacity);
        own.has_slot = above->has_slot;
        narrow(&own, usage);
        above = &own;
    }
    if (may_start(usage, above))
        yk_vec_append(entries, usage);
    yk_list_foreach (child, &usage->children, struct yk_usage, in_parent)
        collect_entries(child, above, entries);
}

static bool leaf_is_before(const struct yk_usage *a, const struct yk_usage *b)
{
    return a->queue != b->queue && yk_turn_compare_leaves(a->queue, b->queue) < 0;
}

/* The first group or application that may start below `usage`. The entry whose leaf comes first is searched
 * first. If nothing at this entry may start, the other entries are searched, except those whose leaf comes
 * after the leaf of the best candidate so far. */
static struct yk_limit_candidate first_below(struct yk_usage *usage)
{
    YK_CLEANUP(yk_vec_done) struct yk_vec entries = {0};
    YK_CLEANUP(allowance_done) struct allowance above;
    struct yk_limit_candidate best = {0}, first;
    struct yk_usage *entry, *from = NULL;
    allowance_of(usage->parent, &above);
    collect_entries(usage, &above, &entries);
    yk_vec_foreach (entry, &entries) {
        if (from == NULL || leaf_is_before(entry, from))
            from = entry;
    }
    if (from == NULL || yk_limit_wait_first_at(from, &best))
        return best;
    from = NULL;
    yk_vec_foreach (entry, &entries) {
        if ((from == NULL || leaf_is_before(entry, from)) && yk_limit_wait_first_at(entry, &first)) {
            best = first;
            from = entry;
        }
    }
    return best;
}

void yk_limit_wait_eased(struct yk_partition *partition, struct yk_usage *usage)
{
    struct yk_usage *top = usage;
    for (; usage != NULL; usage = usage->parent) {
        if (usage->limit != NULL)
            top = usage; /* whatever the change lets start is below it */
    }
    if (top != NULL && top->waiting_entries > 0 && !yk_list_linked(&top->in_eased))
        yk_list_append(&partition->pending.eased_usages, &top->in_eased);
}

bool yk_limit_wait_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->pending.eased_usages);
}

bool yk_limit_wait_first(struct yk_partition *partition, struct yk_limit_candidate *ret_first)
{
    struct yk_limit_candidate best = {0};
    struct yk_usage *usage;
    size_t found = 0;
    yk_list_foreach (usage, &partition->pending.eased_usages, struct yk_usage, in_eased) {
        struct yk_limit_candidate first = first_below(usage);
        if (first.app == NULL) {
            yk_list_remove(&usage->in_eased);
            continue;
        }
        offer(&best, first.app, first.group);
        if (++found == USAGES_MAX)
            break;
    }
    *ret_first = best;
    return best.app != NULL;
}

void yk_limit_wait_wake(const struct yk_limit_candidate *candidate)
{
    if (candidate->group != NULL) {
        yk_active_set_wait(candidate->group, yk_group_wait_for_nodes(candidate->group));
        return;
    }
    (void)yk_limit_wait_end_app(candidate->app); /* it is a member */
}

/* ---- checks ---- */

bool yk_limit_wait_valid(const struct yk_usage *entry)
{
    const struct yk_limit_place *place;
    if (!yk_wait_branches_valid(&entry->blocked_apps) || !yk_tree_valid(&entry->gated))
        return false;
    yk_tree_foreach (place, &entry->blocked_apps, struct yk_limit_place, branch.link) {
        if (place->entry != entry || place->groups.count == 0 || !yk_wait_branches_valid(&place->groups))
            return false;
    }
    return true;
}
