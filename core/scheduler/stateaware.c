/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/stateaware.h"

static int oldest_first(const struct yk_tree_link *x, const struct yk_tree_link *y)
{
    const struct yk_app *a = YK_CONTAINER(x, struct yk_app, in_accepted),
                        *b = YK_CONTAINER(y, struct yk_app, in_accepted);
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
    return is_aware(app->leaf) && app->state == YK_APP_ACCEPTED && app->leaf->may_start != app;
}

static void choose(struct yk_queue *leaf, struct yk_app *ret_changed[2])
{
    ret_changed[0] = ret_changed[1] = NULL;
    if (!is_aware(leaf) && leaf->may_start == NULL)
        return;
    const struct yk_tree_link *first = yk_tree_first(&leaf->accepted_apps);
    bool one_starts = leaf->apps_by_state[YK_APP_STARTING] > 0;
    struct yk_app *next =
        first == NULL || one_starts ? NULL : YK_CONTAINER(first, struct yk_app, in_accepted);
    if (next == leaf->may_start)
        return;
    ret_changed[0] = leaf->may_start;
    ret_changed[1] = next;
    leaf->may_start = next;
}

static void take_out(struct yk_app *app)
{
    if (yk_tree_linked(&app->in_accepted))
        yk_tree_remove(&app->leaf->accepted_apps, &app->in_accepted);
}

void yk_stateaware_update(struct yk_app *app, struct yk_app *ret_changed[2])
{
    struct yk_queue *leaf = app->leaf;
    bool belongs = is_aware(leaf) && app->state == YK_APP_ACCEPTED && app->pending_groups.count > 0;
    if (!belongs) {
        take_out(app);
    } else if (yk_tree_linked(&app->in_accepted)) {
        yk_tree_moved(&leaf->accepted_apps, &app->in_accepted);
    } else {
        leaf->accepted_apps.order = oldest_first;
        yk_tree_insert(&leaf->accepted_apps, &app->in_accepted);
    }
    choose(leaf, ret_changed);
}

void yk_stateaware_forget(struct yk_app *app, struct yk_app *ret_changed[2])
{
    take_out(app);
    choose(app->leaf, ret_changed);
}

void yk_stateaware_reset(struct yk_queue *leaf)
{
    while (leaf->accepted_apps.root != NULL)
        yk_tree_remove(&leaf->accepted_apps, leaf->accepted_apps.root);
    leaf->may_start = NULL;
}
