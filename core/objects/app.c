/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/app.h"

static char *dup_or_empty(const char *text)
{
    return yk_strdup(text != NULL ? text : "");
}

struct yk_app *yk_app_new(const struct yk_si_new_app *from, const char *user, const char *const *groups,
                          size_t group_count, int64_t now_wall_ns)
{
    struct yk_app *app = yk_new0_aligned(struct yk_app);
    app->id = yk_strdup(from->application_id);
    app->user = dup_or_empty(user);
    app->submitted_queue = dup_or_empty(from->queue);
    app->queue_path = yk_strdup("");
    app->cookie = from->cookie;
    app->submit_wall_ns = now_wall_ns;
    app->priority = YK_PRIORITY_NONE;
    app->groups = yk_calloc(group_count, sizeof(*app->groups));
    for (; app->group_count < group_count; app->group_count++)
        app->groups[app->group_count] = yk_strdup(groups[app->group_count]);
    yk_tags_init(&app->tags, from->tags, from->tag_count);
    const char *force = yk_tags_get_nocase(&app->tags, YK_SI_TAG_FORCE_CREATE);
    if (force == NULL || yk_str_to_bool(yk_str_from(force), &app->forced) != YK_OK)
        app->forced = false;
    yk_text_set_init_hashed(&app->asks, yk_ask_key, yk_ask_key_hash);
    app->pending_groups.order = yk_group_order_pending;
    app->active_groups.order = yk_group_order_active;
    yk_list_init(&app->start.in_gated);
    yk_list_init(&app->start.in_impossible);
    yk_list_init(&app->report.in_skipped);
    yk_list_init(&app->in_leaf);
    yk_list_init(&app->limit.in_user);
    yk_list_init(&app->limit.in_group);
    yk_list_init(&app->life.in_ended);
    return app;
}

void yk_app_free(struct yk_app *app)
{
    if (app == NULL)
        return;
    YK_ASSERT(app->asks.count == 0 && app->groups_by_shape.count == 0 && !yk_timer_armed(&app->life.timer));
    for (size_t i = 0; i < app->group_count; i++)
        free(app->groups[i]);
    free(app->groups);
    free(app->id);
    free(app->user);
    free(app->submitted_queue);
    free(app->queue_path);
    free(app->life.message);
    free(app->state_log);
    free(app->shares);
    yk_resvec_done(&app->allocated);
    yk_resvec_done(&app->pending);
    yk_resvec_done(&app->max_used);
    yk_resvec_done(&app->allocated_placeholder);
    yk_resvec_done(&app->wait.branch.least);
    if (app->wait.limits != NULL) {
        yk_resvec_done(&app->wait.limits->of_user.branch.least);
        yk_resvec_done(&app->wait.limits->of_group.branch.least);
    }
    free(app->wait.limits);
    yk_app_history_clear(&app->life.history);
    yk_timeline_free(app->report.timeline);
    free(app->report.starts);
    free(app->report.added);
    yk_gang_free(app->gang);
    yk_tags_done(&app->tags);
    yk_text_set_done(&app->asks);
    yk_idmap_done(&app->groups_by_shape);
    free(app);
}

void yk_app_set_leaf(struct yk_app *app, struct yk_queue *leaf)
{
    app->leaf = leaf;
}

void yk_app_shrink(struct yk_app *app)
{
    free(yk_move(app->report.starts));
    free(yk_move(app->report.added));
    if (app->asks.count == 0)
        yk_text_set_done(&app->asks);
    if (app->groups_by_shape.count == 0)
        yk_idmap_done(&app->groups_by_shape);
}

struct yk_ask *yk_app_find_ask(const struct yk_app *app, struct yk_str key)
{
    return yk_text_set_get(&app->asks, key);
}

/* Two keys may have the same hash: the key that is stored later then gets the next free number. */
static uint64_t hash_of(const struct yk_group_key *key)
{
    uint64_t task_group = (uint64_t)(uintptr_t)key->task_group ^ key->placeholders;
    if (key->required_node != NULL)
        task_group ^= yk_hash(key->required_node, strlen(key->required_node));
    return yk_hash_u64((uint64_t)(uintptr_t)key->shape) ^
           yk_hash_u64((uint64_t)(uint32_t)key->priority << 32 | 1) ^ yk_hash_u64(task_group);
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_of(const struct yk_group *group, const struct yk_group_key *key)
{
    return group->shape == key->shape && group->priority == key->priority &&
           group->task_group == key->task_group && group->placeholders == key->placeholders &&
           is_same_text(group->required_node, key->required_node);
}

static struct yk_group *group_new(struct yk_app *app, const struct yk_group_key *key)
{
    struct yk_group *group = yk_new0(struct yk_group);
    group->app = app;
    group->shape = key->shape;
    group->priority = key->priority;
    group->task_group = key->task_group;
    if (group->task_group != NULL)
        group->task_group->users++;
    group->placeholders = key->placeholders;
    group->required_node = key->required_node != NULL ? yk_strdup(key->required_node) : NULL;
    group->ask_count = 1;
    group->asks.order = yk_ask_order;
    yk_list_init(&group->limit.holds);
    yk_list_init(&group->limit.in_holders);
    yk_list_init(&group->waiting.in_required);
    yk_list_init(&group->waiting.in_looks);
    yk_list_init(&group->report.in_skipped);
    yk_list_init(&group->report.in_lacking);
    yk_list_init(&group->preempt.in_tries);
    yk_list_init(&group->reservation.in_overtaken);
    yk_list_init(&group->in_takers);
    yk_list_init(&group->reservation.list);
    yk_list_init(&group->reservation.in_nominated);
    yk_list_append(&key->shape->groups, &group->in_shape);
    return group;
}

struct yk_group *yk_app_group(struct yk_app *app, const struct yk_group_key *key, struct yk_shapes *shapes)
{
    uint64_t hash = hash_of(key);
    struct yk_group *group = yk_idmap_get(&app->groups_by_shape, hash);
    while (group != NULL && !is_of(group, key))
        group = yk_idmap_get(&app->groups_by_shape, ++hash);
    if (group != NULL) {
        yk_shape_put(shapes, key->shape); /* the group has a reference already */
        group->ask_count++;
        return group;
    }
    group = group_new(app, key);
    (void)yk_idmap_put(&app->groups_by_shape, hash, group); /* returns NULL: the key was free */
    return group;
}

struct yk_task_group *yk_app_task_group(struct yk_app *app, const char *name)
{
    if (app->gang == NULL)
        app->gang = yk_gang_new(app);
    return yk_gang_group(app->gang, name);
}

/* The key under which yk_app_group() stored the group. */
static uint64_t stored_key(const struct yk_group *group)
{
    const struct yk_group_key key = {group->shape, group->priority, group->task_group, group->placeholders,
                                     group->required_node};
    uint64_t hash = hash_of(&key);
    while (yk_idmap_get(&group->app->groups_by_shape, hash) != group)
        hash++;
    return hash;
}

void yk_group_hold(struct yk_group *group)
{
    group->ask_count++;
}

void yk_group_put(struct yk_group *group, struct yk_shapes *shapes)
{
    if (--group->ask_count > 0)
        return;
    if (group->app->last_group == group)
        group->app->last_group = NULL;
    YK_ASSERT(group->asks.count == 0 && !yk_tree_linked(&group->in_active) &&
              !yk_tree_linked(&group->in_pending) && group->limit.place == NULL);
    (void)yk_idmap_remove(&group->app->groups_by_shape, stored_key(group)); /* returns `group` */
    yk_list_remove(&group->waiting.in_required);
    yk_list_remove(&group->report.in_skipped);
    yk_list_remove(&group->report.in_lacking);
    YK_ASSERT(!yk_list_linked(&group->preempt.in_tries) && group->preempt.in_due.place == 0);
    YK_ASSERT(!yk_list_linked(&group->reservation.in_overtaken));
    yk_list_remove(&group->in_takers);
    yk_list_remove(&group->in_shape);
    yk_shape_put(shapes, group->shape);
    if (group->task_group != NULL)
        yk_gang_group_put(group->task_group);
    free(group->required_node);
    yk_resvec_done(&group->waiting.branch.least);
    yk_resvec_done(&group->limit.branch.least);
    free(group);
}

bool yk_app_note_create_time(struct yk_app *app, int64_t wall_ns)
{
    if (wall_ns >= app->submit_wall_ns)
        return false;
    app->submit_wall_ns = wall_ns;
    return true;
}

void yk_app_update_shares(struct yk_app *app)
{
    const struct yk_queue *leaf = app->leaf;
    if (!yk_app_sort_by_share(leaf->settings.app_sort))
        return;
    int types = yk_resvec_count(&app->allocated);
    if (types > app->shares_max) {
        app->shares_max = YK_MAX(types, 8);
        app->shares = yk_realloc_array(app->shares, (size_t)app->shares_max, sizeof(double));
    }
    app->share_count =
        yk_resvec_shares(&app->allocated, leaf->has_guaranteed ? &leaf->guaranteed : NULL, app->shares);
}

void yk_app_log_state(struct yk_app *app, int64_t wall_ns)
{
    if (app->state_log_count == YK_APP_STATE_LOG_MAX) {
        struct yk_app_state_entry *middle = &app->state_log[YK_APP_STATE_LOG_MAX / 2];
        memmove(middle, middle + 1, (YK_APP_STATE_LOG_MAX / 2 - 1) * sizeof(*middle));
        app->state_log_count--;
    }
    /* With any other count, there is room for one more. */
    if ((app->state_log_count & (app->state_log_count - 1)) == 0)
        app->state_log =
            yk_realloc_array(app->state_log, YK_MAX(app->state_log_count * 2, 4), sizeof(*app->state_log));
    app->state_log[app->state_log_count++] = (struct yk_app_state_entry){wall_ns, app->state};
}
