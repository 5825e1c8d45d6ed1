/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/stateaware.h"

#include "base/log.h"
#include "pending/active.h"
#include "pending/impossible.h"
#include "report/report.h"

static int oldest_first(const struct yk_tree_link *x, const struct yk_tree_link *y)
{
    const struct yk_app *a = YK_CONTAINER(x, struct yk_app, start.in_accepted),
                        *b = YK_CONTAINER(y, struct yk_app, start.in_accepted);
    if (a->submit_wall_ns != b->submit_wall_ns)
        return a->submit_wall_ns < b->submit_wall_ns ? -1 : 1;
    return strcmp(a->id, b->id);
}

static bool is_aware(const struct yk_queue *leaf)
{
    return leaf->settings.app_sort == YK_APP_SORT_STATEAWARE;
}

bool yk_stateaware_holds(const struct yk_app *app)
{
    return is_aware(app->leaf) && app->state == YK_APP_ACCEPTED && app->leaf->start.may_start != app;
}

/* ---- applications that can never start ---- */

static bool could_start(const struct yk_app *app)
{
    const struct yk_group *group;
    if (app->handed_over > 0)
        return true;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (yk_impossible_could_start(app->partition, group))
            return true;
    }
    return false;
}

static void take_out(struct yk_app *app)
{
    if (yk_tree_linked(&app->start.in_accepted))
        yk_tree_remove(&app->leaf->start.accepted_apps, &app->start.in_accepted);
}

/* Skips the application: others may start before it. It stays Accepted, and is looked at again when its asks,
 * the nodes or the maxima change. */
static void pass_by(struct yk_app *app)
{
    take_out(app);
    yk_list_append(&app->partition->pending.impossible_apps, &app->start.in_impossible);
    yk_info(
        yk_log_app,
        "application can never start and is passed by: no node, or a maximum or limit is too small for it",
        KV("app", app->id), KV("queue", app->queue_path));
    yk_report_app_passed_by(app);
}

/* The oldest application that could start if all nodes and queues were empty; NULL: there is none. Skips
 * older ones (pass_by()). */
static struct yk_app *first_that_could_start(const struct yk_queue *leaf)
{
    const struct yk_tree_link *first;
    while ((first = yk_tree_first(&leaf->start.accepted_apps)) != NULL) {
        struct yk_app *app = YK_CONTAINER(first, struct yk_app, start.in_accepted);
        if (could_start(app))
            return app;
        pass_by(app);
    }
    return NULL;
}

void yk_stateaware_capacity_changed(struct yk_partition *partition)
{
    struct yk_list apps;
    struct yk_app *app;
    yk_list_init(&apps);
    yk_list_splice(&apps, &partition->pending.impossible_apps);
    while ((app = yk_list_first(&apps, struct yk_app, start.in_impossible)) != NULL) {
        yk_list_remove(&app->start.in_impossible);
        yk_active_update_app(app);
    }
    struct yk_queue *leaf;
    yk_list_foreach (leaf, &partition->pending.leaves_to_start, struct yk_queue, start.in_leaves)
        yk_active_update_app(leaf->start.may_start);
}

/* ---- the application that may start ---- */

/* Makes `app` (NULL: none) the application that may start. */
static void let_through(struct yk_queue *leaf, struct yk_app *app)
{
    leaf->start.may_start = app;
    yk_list_remove(&leaf->start.in_leaves);
    if (app != NULL)
        yk_list_append(&app->partition->pending.leaves_to_start, &leaf->start.in_leaves);
}

/* Chooses the application that may start; `ret_changed`: as in yk_stateaware_update(). */
static void choose(struct yk_queue *leaf, struct yk_app *ret_changed[2])
{
    ret_changed[0] = ret_changed[1] = NULL;
    if (!is_aware(leaf) && leaf->start.may_start == NULL)
        return;
    bool one_starts = leaf->apps_by_state[YK_APP_STARTING] > 0;
    struct yk_app *next = one_starts ? NULL : first_that_could_start(leaf);
    if (next == leaf->start.may_start)
        return;
    ret_changed[0] = leaf->start.may_start;
    ret_changed[1] = next;
    let_through(leaf, next);
}

void yk_stateaware_update(struct yk_app *app, struct yk_app *ret_changed[2])
{
    struct yk_queue *leaf = app->leaf;
    bool belongs = is_aware(leaf) && app->state == YK_APP_ACCEPTED &&
                   (app->pending_groups.count > 0 || app->handed_over > 0);
    if (!belongs) {
        take_out(app);
        yk_list_remove(&app->start.in_impossible);
    } else if (yk_list_linked(&app->start.in_impossible) && !could_start(app)) {
        take_out(app);
    } else if (yk_tree_linked(&app->start.in_accepted)) {
        yk_tree_moved(&leaf->start.accepted_apps, &app->start.in_accepted);
    } else {
        leaf->start.accepted_apps.order = oldest_first;
        yk_list_remove(&app->start.in_impossible);
        yk_tree_insert(&leaf->start.accepted_apps, &app->start.in_accepted);
    }
    choose(leaf, ret_changed);
}

void yk_stateaware_forget(struct yk_app *app, struct yk_app *ret_changed[2])
{
    take_out(app);
    yk_list_remove(&app->start.in_impossible);
    choose(app->leaf, ret_changed);
}

void yk_stateaware_reset(struct yk_queue *leaf)
{
    struct yk_app *app;
    while (leaf->start.accepted_apps.root != NULL)
        yk_tree_remove(&leaf->start.accepted_apps, leaf->start.accepted_apps.root);
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf)
        yk_list_remove(&app->start.in_impossible);
    let_through(leaf, NULL);
}
