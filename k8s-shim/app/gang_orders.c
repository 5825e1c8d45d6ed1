/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the placeholder pods to create next, and handles the answers to the requests that create them.
 * Gangs take turns, so that a large gang does not delay the others.
 *
 * Source: docs/reference/kubernetes.md, "Gangs" (S14).
 */
#include "app/apps_priv.h"
#include "base/log.h"

enum { ROUNDS_MAX = 10 }; /* most rounds in which missing placeholders are created again (gang->rounds) */

static void fill_order(struct yk_apps *apps, const struct yk_app_gang *gang, struct yk_placeholder_order *ret,
                       struct yk_buf *body)
{
    const struct yk_application *app = gang->app;
    struct yk_app_details details;
    yk_app_details_read(gang->details, &details);
    const struct yk_placeholder_draft draft = {
        .namespace_ = gang->namespace_,
        .name = ret->name,
        .application_id = app->id,
        .queue = details.queue,
        .owner_name = gang->owner_name,
        .owner_uid = gang->owner_uid,
        .user_label = details.is_user_info ? "" : details.user,
        .priority_class = details.priority_class,
        .pull_secrets = details.pull_secrets,
        .task_groups = details.task_groups,
        .policy = details.policy,
        .group = &gang->groups.items[gang->group],
        .look = &apps->look,
    };
    ret->application_id = app->id;
    ret->namespace_ = gang->namespace_;
    ret->gang = gang->number;
    ret->group = gang->group;
    yk_encode_placeholder(body, &draft);
}

/* Sets ret->name to the name of the next placeholder of the group that does not exist. False: enough
 * placeholders exist or were requested. */
static bool missing_member(const struct yk_apps *apps, struct yk_app_gang *gang,
                           struct yk_placeholder_order *ret)
{
    const struct yk_gang_group *group = &gang->groups.items[gang->group];
    const struct yk_application *app = gang->app;
    while (gang->member < group->min_member && group->live + group->unseen < group->min_member) {
        yk_placeholder_name(app->id, gang->owner_uid, group->name.p, gang->member++, ret->name);
        if (yk_cache_find_pod(apps->cache, yk_str_from(gang->namespace_), yk_str_from(ret->name)) == NULL)
            return true;
    }
    return false;
}

static bool missing_one(const struct yk_apps *apps, struct yk_app_gang *gang,
                        struct yk_placeholder_order *ret)
{
    for (; gang->group < gang->groups.count; gang->group++, gang->member = 0) {
        if (missing_member(apps, gang, ret))
            return true;
    }
    return false;
}

static bool is_incomplete(const struct yk_app_gang *gang)
{
    for (size_t i = 0; i < gang->groups.count; i++) {
        if (gang->groups.items[i].live < gang->groups.items[i].min_member)
            return true;
    }
    return false;
}

bool yk_apps_next_placeholder(struct yk_apps *apps, struct yk_placeholder_order *ret, struct yk_buf *body)
{
    struct yk_app_gang *gang;
    while ((gang = yk_list_first(&apps->making, struct yk_app_gang, in_work)) != NULL) {
        yk_list_remove(&gang->in_work);
        if (!yk__gang_reserves(gang))
            continue;
        if (!missing_one(apps, gang, ret)) {
            if (is_incomplete(gang))
                yk_list_append(&apps->incomplete, &gang->in_work);
            continue;
        }
        yk_list_append(&apps->making, &gang->in_work);
        gang->groups.items[gang->group].unseen++;
        gang->in_flight++;
        fill_order(apps, gang, ret, body);
        return true;
    }
    return false;
}

static struct yk_app_gang *find_gang(const struct yk_apps *apps, const char *application_id, uint64_t number)
{
    const struct yk_application *app = yk_strmap_get(&apps->by_id, yk_str_from(application_id));
    return app != NULL && app->gang != NULL && app->gang->number == number ? app->gang : NULL;
}

bool yk_apps_gang_reserves(const struct yk_apps *apps, const char *application_id, uint64_t number)
{
    const struct yk_app_gang *gang = find_gang(apps, application_id, number);
    return gang != NULL && yk__gang_reserves(gang);
}

bool yk_apps_note_placeholder_refusal(struct yk_apps *apps, const char *application_id, uint64_t number)
{
    struct yk_app_gang *gang = find_gang(apps, application_id, number);
    return gang != NULL && gang->refusals++ > 0;
}

/* Logs how many requests were refused, if more than one was. bind/ has logged the reason of the first
 * refusal. */
static void log_refusals(struct yk_app_gang *gang)
{
    if (gang->refusals > 1)
        yk_warn(yk_log_shim_app, "placeholders of a gang could not be made", KV("app", gang->app->id),
                KV("namespace", gang->namespace_), KV("count", (uint64_t)gang->refusals));
    gang->refusals = 0;
}

void yk_apps_placeholder_answered(struct yk_apps *apps, const char *application_id, uint64_t number,
                                  size_t group, enum yk_placeholder_answer answer)
{
    struct yk_app_gang *gang = find_gang(apps, application_id, number);
    if (gang == NULL)
        return;
    gang->in_flight--;
    if (answer != YK_PLACEHOLDER_MADE && gang->groups.items[group].unseen > 0)
        gang->groups.items[group].unseen--;
    if (answer == YK_PLACEHOLDER_REFUSED && yk__gang_reserves(gang)) {
        yk__gang_fail(gang, "cannot be created: the API server refuses them");
        yk__application_queue(apps, gang->app);
    }
    if (gang->in_flight == 0)
        log_refusals(gang);
}

static void remake(struct yk_apps *apps, struct yk_app_gang *gang)
{
    if (gang->in_flight > 0) {
        yk_list_append(&apps->incomplete, &gang->in_work); /* checked again in the next call */
        return;
    }
    if (!gang->admitted) { /* no placeholder has been created yet */
        if (yk__gang_reserves(gang))
            yk_list_append(yk__gang_admit(apps, gang) ? &apps->making : &apps->incomplete, &gang->in_work);
        return;
    }
    for (size_t i = 0; i < gang->groups.count; i++)
        gang->groups.items[i].unseen = 0;
    gang->group = 0;
    gang->member = 0;
    if (!yk__gang_reserves(gang) || !is_incomplete(gang))
        return;
    if (gang->lost || !gang->gave_way)
        gang->rounds++;
    gang->lost = gang->gave_way = false;
    if (gang->rounds <= ROUNDS_MAX) {
        yk_list_append(&apps->making, &gang->in_work);
        return;
    }
    yk__gang_fail(gang, "were deleted again and again");
    yk__application_queue(apps, gang->app);
}

void yk_apps_remake_placeholders(struct yk_apps *apps)
{
    struct yk_list due;
    struct yk_app_gang *gang;
    yk_list_init(&due);
    yk_list_splice(&due, &apps->incomplete);
    while ((gang = yk_list_first(&due, struct yk_app_gang, in_work)) != NULL) {
        yk_list_remove(&gang->in_work);
        remake(apps, gang);
    }
}
