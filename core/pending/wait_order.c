/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/wait_order.h"

#include "pending/freed_nodes.h"
#include "pending/limit_hold.h"
#include "policies/queue_order.h"
#include "state/partition.h"

/* ---- from links to objects ---- */

static struct yk_group *group_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_group, waiting.branch.link);
}
static struct yk_app *app_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_app, wait.branch.link);
}
static struct yk_queue *queue_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_queue, waiting.branch.link);
}

static int order_groups(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_group_compare(group_of(a), group_of(b));
}
static int order_apps(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_app_compare(app_of(a), app_of(b));
}
static int order_queues(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    return yk_queue_compare(queue_of(a), queue_of(b));
}

/* ---- summaries ---- */

static bool summarize_group(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    return same != NULL ? yk_wait_branch_take_over(link, same)
                        : yk_wait_branch_summarize(link, &group_of(link)->shape->size);
}

static bool summarize_app(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    if (same != NULL)
        return yk_wait_branch_take_over(link, same);
    return yk_wait_branch_summarize(link, &yk_wait_branch_of(app_of(link)->wait.groups.root)->least);
}

static void least_in_queue(const struct yk_queue *queue, struct yk_resvec *ret_least)
{
    const struct yk_tree_link *apps = queue->waiting.apps.root, *children = queue->waiting.children.root;
    yk_resvec_copy(ret_least, &yk_wait_branch_of(apps != NULL ? apps : children)->least);
    yk_wait_branch_lower(ret_least, children);
}

static bool summarize_queue(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    YK_RESVEC(own);
    if (same != NULL)
        return yk_wait_branch_take_over(link, same);
    least_in_queue(queue_of(link), &own);
    return yk_wait_branch_summarize(link, &own);
}

/* ---- membership ---- */

/* If `belongs`, adds the item to the tree, or restores its order there. Otherwise removes the item. True: the
 * item is or was in the tree, so the tree may have changed. */
static bool place(struct yk_tree *tree, struct yk_tree_link *link, bool belongs)
{
    bool was_linked = yk_tree_linked(link);
    if (belongs && was_linked)
        yk_tree_moved(tree, link);
    else if (belongs)
        yk_tree_insert(tree, link);
    else if (was_linked)
        yk_tree_remove(tree, link);
    return belongs || was_linked;
}

static bool has_waiting(const struct yk_queue *queue)
{
    return queue->waiting.apps.count > 0 || queue->waiting.children.count > 0;
}

static bool place_queue(struct yk_queue *queue)
{
    struct yk_tree *tree = &queue->parent->waiting.children;
    tree->order = order_queues;
    tree->summarize = summarize_queue;
    return place(tree, &queue->waiting.branch.link, has_waiting(queue));
}

static void update_upwards(struct yk_queue *queue)
{
    while (queue->parent != NULL && place_queue(queue))
        queue = queue->parent;
}

static void place_app(struct yk_app *app, bool may_try)
{
    struct yk_tree *tree = &app->leaf->waiting.apps;
    tree->order = order_apps;
    tree->summarize = summarize_app;
    if (place(tree, &app->wait.branch.link, may_try && app->wait.groups.count > 0))
        update_upwards(app->leaf);
}

/* Counts a group that became a member, or ceased to be one. A shape without members is not parked: freed
 * nodes are offered to members only, so the next ask of the shape has to be tried on all nodes. */
static void count_in_shape(const struct yk_group *group, bool is_member)
{
    struct yk_shape *shape = group->shape;
    shape->waiting_count += is_member ? 1 : UINT32_MAX; /* +1 or -1 */
    if (shape->waiting_count == 0)
        yk_shape_set_parked(&group->app->partition->shapes, shape, false);
}

/* Tries the shape of the group again, because its application may be tried again: a node may have become free
 * for it while the application could not be tried. */
static void retry(const struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    yk_shape_set_parked(&partition->shapes, group->shape, true);
    yk_freed_nodes_retry(partition, group->shape);
}

static void set_may_wait(struct yk_app *app, bool may_wait)
{
    const struct yk_group *group;
    if (app->wait.may_wait == may_wait)
        return;
    app->wait.may_wait = may_wait;
    if (!may_wait) /* its holds are not in force */
        yk_limit_hold_order_changed(app->partition);
    yk_tree_foreach (group, &app->wait.groups, struct yk_group, waiting.branch.link) {
        count_in_shape(group, may_wait);
        if (may_wait)
            retry(group);
    }
}

void yk_wait_order_update_app(struct yk_app *app, bool may_try)
{
    if (app->leaf == NULL)
        return;
    set_may_wait(app, may_try);
    place_app(app, may_try);
}

void yk_wait_order_update_group(struct yk_group *group)
{
    struct yk_app *app = group->app;
    struct yk_tree *tree = &app->wait.groups;
    tree->order = order_groups;
    tree->summarize = summarize_group;
    bool belongs = group->wait == YK_WAIT_NODES && group->asks.count > 0;
    if (app->wait.may_wait && belongs != yk_tree_linked(&group->waiting.branch.link))
        count_in_shape(group, belongs);
    if (place(tree, &group->waiting.branch.link, belongs) && app->leaf != NULL)
        place_app(app, app->wait.may_wait);
}

void yk_wait_order_update_queue(struct yk_queue *queue)
{
    if (yk_tree_linked(&queue->waiting.branch.link))
        yk_tree_moved(&queue->parent->waiting.children, &queue->waiting.branch.link);
}

void yk_wait_order_forget_app(struct yk_app *app)
{
    set_may_wait(app, false);
    if (app->leaf != NULL)
        place_app(app, false);
}

void yk_wait_order_sort_changed(struct yk_queue *queue)
{
    yk_wait_branches_restore_order(&queue->waiting.apps);
    yk_wait_branches_restore_order(&queue->waiting.children);
}

/* ---- search ---- */

struct visitor {
    const struct yk_wait_search *search;
    struct yk_group *found;
};

static bool may_fit(const struct visitor *visitor, const struct yk_tree_link *top)
{
    return visitor->search->capacity == NULL ||
           yk_resvec_fit(visitor->search->capacity, &yk_wait_branch_of(top)->least);
}

/* The functions visit_*() return true when the search is over. */
static bool visit_group(struct visitor *visitor, struct yk_group *group)
{
    const struct yk_wait_search *search = visitor->search;
    if (search->capacity != NULL && !yk_resvec_fit(search->capacity, &group->shape->size))
        return false;
    enum yk_wait_visit answer = search->visit(search->context, group);
    if (answer == YK_WAIT_VISIT_TAKE)
        visitor->found = group;
    return answer != YK_WAIT_VISIT_NEXT;
}

static bool visit_groups(struct visitor *visitor, const struct yk_tree_link *top)
{
    if (top == NULL || !may_fit(visitor, top))
        return false;
    return visit_groups(visitor, top->left) || visit_group(visitor, group_of(top)) ||
           visit_groups(visitor, top->right);
}

static bool visit_apps(struct visitor *visitor, const struct yk_tree_link *top)
{
    if (top == NULL || !may_fit(visitor, top))
        return false;
    return visit_apps(visitor, top->left) || visit_groups(visitor, app_of(top)->wait.groups.root) ||
           visit_apps(visitor, top->right);
}

static bool visit_queue(struct visitor *visitor, const struct yk_queue *queue);

static bool visit_children(struct visitor *visitor, const struct yk_tree_link *top)
{
    if (top == NULL || !may_fit(visitor, top))
        return false;
    return visit_children(visitor, top->left) || visit_queue(visitor, queue_of(top)) ||
           visit_children(visitor, top->right);
}

/* Visits the groups in the order of the cycle. A queue that changed its type may have both children and
 * applications. The children or applications from its former type go first (rule R15). */
static bool visit_queue(struct visitor *visitor, const struct yk_queue *queue)
{
    const struct yk_tree_link *apps = queue->waiting.apps.root, *children = queue->waiting.children.root;
    if (queue->is_leaf)
        return visit_children(visitor, children) || visit_apps(visitor, apps);
    return visit_apps(visitor, apps) || visit_children(visitor, children);
}

struct yk_group *yk_wait_order_find(const struct yk_queue *top, const struct yk_wait_search *search)
{
    struct visitor visitor = {.search = search};
    (void)visit_queue(&visitor, top); /* what it found is in `visitor` */
    return visitor.found;
}

bool yk_wait_order_is_empty(const struct yk_queue *root)
{
    return !has_waiting(root);
}

/* ---- checks ---- */

bool yk_wait_order_valid(const struct yk_queue *queue)
{
    const struct yk_app *app;
    if (!yk_wait_branches_valid(&queue->waiting.apps) || !yk_wait_branches_valid(&queue->waiting.children) ||
        (queue->parent != NULL && yk_tree_linked(&queue->waiting.branch.link) != has_waiting(queue)))
        return false;
    yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
        bool belongs = app->wait.may_wait && app->wait.groups.count > 0;
        if (!yk_wait_branches_valid(&app->wait.groups) || yk_tree_linked(&app->wait.branch.link) != belongs)
            return false;
    }
    return true;
}
