/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/gang.h"

#include "objects/app.h"
#include "objects/queue.h"

struct yk_gang *yk_gang_new(struct yk_app *app)
{
    struct yk_gang *gang = yk_new0(struct yk_gang);
    gang->app = app;
    yk_list_init(&gang->groups);
    yk_list_init(&gang->in_replaceable);
    yk_list_init(&gang->in_waiting);
    gang->held_until_mono_ns = gang->retry_mono_ns = INT64_MIN;
    return gang;
}

void yk_gang_free(struct yk_gang *gang)
{
    struct yk_task_group *group;
    if (gang == NULL)
        return;
    YK_ASSERT(!yk_timer_armed(&gang->timer) && !yk_list_linked(&gang->in_replaceable) &&
              !yk_list_linked(&gang->in_waiting) && !yk_tree_linked(&gang->in_order) &&
              gang->handover == NULL);
    yk_strmap_done(&gang->by_name);
    yk_list_foreach (group, &gang->groups, struct yk_task_group, in_gang) {
        YK_ASSERT(group->placeholders.count == 0 && group->waiting == 0);
        yk_resvec_done(&group->placeholder_size);
        free(group->name);
        free(group);
    }
    yk_resvec_done(&gang->total);
    free(gang);
}

struct yk_task_group *yk_gang_group(struct yk_gang *gang, const char *name)
{
    struct yk_task_group *group = yk_strmap_get(&gang->by_name, yk_str_from(name));
    if (group != NULL)
        return group;
    group = yk_new0(struct yk_task_group);
    group->name = yk_strdup(name);
    group->gang = gang;
    group->placeholders.order = yk_ask_place_order;
    yk_list_append(&gang->groups, &group->in_gang);
    (void)yk_strmap_put(&gang->by_name, yk_str_from(group->name), group); /* returns NULL: the name is new */
    return group;
}

void yk_gang_group_put(struct yk_task_group *group)
{
    if (--group->users > 0 || group->count > 0)
        return;
    (void)yk_strmap_remove(&group->gang->by_name, yk_str_from(group->name)); /* returns `group` */
    yk_list_remove(&group->in_gang);
    yk_resvec_done(&group->placeholder_size);
    free(group->name);
    free(group);
}

void yk_gang_count_replacing(struct yk_gang *gang, int by)
{
    gang->replacing += (uint32_t)by;
}

void yk_gang_restart_timeout(struct yk_gang *gang, struct yk_timers *timers)
{
    if (yk_timer_armed(&gang->timer))
        yk_timer_arm(timers, &gang->timer, yk_gang_timeout_ns(gang));
}

bool yk_gang_ends_by_timeout(const struct yk_gang *gang)
{
    return gang->style != YK_SI_GANG_HARD && yk_timer_armed(&gang->timer);
}

bool yk_gang_may_time_out(const struct yk_gang *gang)
{
    enum yk_app_state state = gang->app->state;
    return yk_timer_armed(&gang->timer) && (state == YK_APP_NEW || state == YK_APP_ACCEPTED);
}

/* A dynamic leaf has only the properties of a template. If the template does not set the property to another
 * value than the default, the queue above decides. */
enum yk_gang_placement yk_gang_placement_in(const struct yk_queue *leaf)
{
    const struct yk_queue *queue = leaf;
    while (!queue->managed && queue->settings.gang_placement == YK_GANG_GRADUAL && queue->parent != NULL)
        queue = queue->parent;
    return queue->settings.gang_placement;
}

bool yk_gang_is_incomplete(const struct yk_gang *gang)
{
    const struct yk_app *app = gang->app;
    /* When a real ask has come, the resource manager regards the gang as started. */
    return (app->state == YK_APP_ACCEPTED || app->state == YK_APP_NEW) && !gang->real_came &&
           !yk_resvec_is_empty(&gang->total) && yk_resvec_is_empty(&app->allocated) && app->leaf != NULL &&
           yk_gang_placement_in(app->leaf) != YK_GANG_KEEP;
}

bool yk_gang_preempts_whole(const struct yk_group *group)
{
    return group->placeholders && yk_list_linked(&group->task_group->gang->in_waiting) &&
           yk_gang_is_incomplete(group->task_group->gang);
}
