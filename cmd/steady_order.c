/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documented order of pods (docs/reference/scheduling.md 3.3), and for how long pods were overtaken.
 *
 * It is not measured how long gang members and placeholders are overtaken, because a gang may wait for its
 * other members. But a placeholder that is bound can overtake other pods.
 */
#include "cmd/steady_priv.h"

/* ---- within a leaf ---- */

static const struct steady_pod *oldest(const struct steady_class *class)
{
    return yk_list_first(&class->pending, struct steady_pod, link);
}

static int32_t app_priority(const struct steady_app *app)
{
    int32_t priority = INT32_MIN;
    const struct steady_class *class;
    yk_vec_foreach (class, &app->classes) {
        if (class->pending_count > 0)
            priority = YK_MAX(priority, class->priority);
    }
    return priority;
}

static double dominant_share(const struct yk_steady *steady, const struct yk_resvec *amounts)
{
    double share = 0;
    yk_resvec_foreach(type, amounts)
    {
        double whole = (double)yk_resvec_get(&steady->capacity, type);
        if (whole > 0 && type != YK_RESTYPE_PODS)
            share = YK_MAX(share, (double)yk_resvec_get(amounts, type) / whole);
    }
    return share;
}

/* Whether the application `a` comes before `b`; both are of one leaf. */
static bool app_is_before(const struct yk_steady *steady, const struct steady_app *a,
                          const struct steady_app *b)
{
    const struct yk_queue_view *queue = &steady->view.queues[a->leaf->queue];
    if (queue->priority_sort && steady->has_priorities && app_priority(a) != app_priority(b))
        return app_priority(a) > app_priority(b);
    if (queue->order == YK_VIEW_FAIR) {
        double share_a = dominant_share(steady, &a->used), share_b = dominant_share(steady, &b->used);
        if (share_a < share_b || share_a > share_b)
            return share_a < share_b;
    }
    return a->sequence < b->sequence;
}

/* Whether the pod `a` comes before `b`; both are of one leaf. */
static bool pod_is_before(const struct yk_steady *steady, const struct steady_pod *a,
                          const struct steady_pod *b)
{
    if (a->class->app != b->class->app)
        return app_is_before(steady, a->class->app, b->class->app);
    if (a->class->priority != b->class->priority)
        return a->class->priority > b->class->priority;
    return a->sequence < b->sequence;
}

static bool is_measured(const struct steady_class *class)
{
    return class->can_run && class->pending_count > 0 &&
           (class->kind == STEADY_ORDINARY || class->kind == STEADY_DAEMON);
}

/* The class whose oldest pending pod is first in the order of the leaf; NULL: no measured pod waits. */
static struct steady_class *steady_head(const struct yk_steady *steady, struct steady_leaf *leaf)
{
    struct steady_class *class;
    if (!leaf->changed)
        return leaf->head;
    leaf->changed = false;
    leaf->head = NULL;
    yk_vec_foreach (class, &leaf->classes) {
        if (is_measured(class) &&
            (leaf->head == NULL || pod_is_before(steady, oldest(class), oldest(leaf->head))))
            leaf->head = class;
    }
    return leaf->head;
}

/* ---- between leaves ---- */

/* Two siblings in the queue tree, and their parent. */
struct branches {
    size_t a, b, parent; /* indices in the view */
};

static size_t depth_of(const struct yk_core_view *view, size_t queue)
{
    size_t depth = 0;
    for (size_t i = queue; view->queues[i].parent != i; i = view->queues[i].parent)
        depth++;
    return depth;
}

static struct branches branches_of(const struct yk_core_view *view, size_t a, size_t b)
{
    const struct yk_queue_view *queues = view->queues;
    while (depth_of(view, a) > depth_of(view, b))
        a = queues[a].parent;
    while (depth_of(view, b) > depth_of(view, a))
        b = queues[b].parent;
    while (queues[a].parent != queues[b].parent) {
        a = queues[a].parent;
        b = queues[b].parent;
    }
    return (struct branches){a, b, queues[a].parent};
}

/* The highest priority of the pending pods in the leaf that can run, as the parent of `branch` sees it.
 * INT32_MIN: no such pod is pending, or the leaf is not below `branch`. */
static int32_t priority_seen(const struct yk_steady *steady, const struct steady_leaf *leaf, size_t branch)
{
    int32_t priority = INT32_MIN;
    const struct steady_class *class;
    yk_vec_foreach (class, &leaf->classes) {
        if (class->pending_count > 0 && class->can_run)
            priority = YK_MAX(priority, class->priority);
    }
    for (size_t i = leaf->queue; i < steady->view.count; i = steady->settings[i].parent) {
        priority = yk_entitled_priority(&steady->settings[i], priority);
        if (i == branch)
            return priority;
        if (steady->settings[i].parent == i)
            break;
    }
    return INT32_MIN;
}

static int32_t branch_priority(const struct yk_steady *steady, size_t branch)
{
    int32_t priority = INT32_MIN;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        int32_t seen = priority_seen(steady, steady->leaves.items[i], branch);
        priority = YK_MAX(priority, seen);
    }
    return priority;
}

/* Sets only the items of types that exist. */
static void as_doubles(const struct yk_resvec *amounts, double ret[YK_RESTYPE_MAX])
{
    memset(ret, 0, (size_t)yk_restype_count() * sizeof(*ret));
    yk_resvec_foreach(type, amounts) ret[type] = (double)yk_resvec_get(amounts, type);
}

/* How a branch is compared with its siblings. */
struct standing {
    bool within_guarantee; /* it would be within its guarantee with one more pod */
    double share;          /* its share without that pod */
};

static struct standing standing_of(const struct yk_steady *steady, size_t branch,
                                   const struct yk_resvec *more)
{
    double has[YK_RESTYPE_MAX], total[YK_RESTYPE_MAX];
    YK_RESVEC(with_more);
    yk_resvec_copy(&with_more, &steady->used[branch]);
    const struct yk_entitled_queue *queues = steady->settings;
    as_doubles(&steady->used[branch], has);
    as_doubles(&steady->capacity, total);
    double share = yk_entitled_share(queues, branch, has, total);
    yk_resvec_add(&with_more, more);
    as_doubles(&with_more, has);
    double of_guarantee = yk_entitled_of_guarantee(&queues[branch], has);
    struct standing standing = {
        .within_guarantee = queues[branch].has_guaranteed && of_guarantee <= 1,
        .share = share,
    };
    return standing;
}

static bool leaf_is_before(const struct yk_steady *steady, const struct steady_pod *head,
                           const struct steady_pod *bound)
{
    struct branches at =
        branches_of(&steady->view, head->class->app->leaf->queue, bound->class->app->leaf->queue);
    if (steady->view.queues[at.parent].priority_sort && steady->has_priorities) {
        int32_t a = branch_priority(steady, at.a), b = branch_priority(steady, at.b);
        if (a != b)
            return a > b;
    }
    struct standing a = standing_of(steady, at.a, &head->class->size);
    struct standing b = standing_of(steady, at.b, &bound->class->size);
    if (a.within_guarantee != b.within_guarantee)
        return a.within_guarantee;
    return a.share < b.share;
}

/* ---- overtaking ---- */

static bool could_use(const struct yk_steady *steady, const struct steady_pod *head, struct yk_str node_name)
{
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    YK_CLEANUP(yk_freep) char *name = yk_str_dup(node_name);
    const struct yk_object *node = yk_cluster_find(steady->cluster, YK_KIND_NODE, NULL, name);
    return node != NULL && yk__steady_allows(yk__steady_node(node), head->class) &&
           yk_cluster_node_usage(steady->cluster, name, &used, &allocatable) &&
           yk_resvec_fit(&allocatable, &head->class->size) &&
           yk__steady_is_below_max(steady, head->class->app->leaf->queue, &head->class->size, true);
}

static bool is_overtaken(const struct yk_steady *steady, const struct steady_pod *head,
                         const struct steady_pod *bound, struct yk_str node)
{
    const struct steady_leaf *leaf = head->class->app->leaf;
    if (leaf->queue == steady->view.count || bound->class->app->leaf->queue == steady->view.count)
        return false;
    bool is_before = bound->class->app->leaf == leaf ? pod_is_before(steady, head, bound)
                                                     : leaf_is_before(steady, head, bound);
    return is_before && could_use(steady, head, node);
}

/* Adds the time since the previous binding to the time of `head` if this binding overtakes `head`, and `head`
 * was also the first pod of its leaf at the previous binding. */
static void look_at_head(struct yk_steady *steady, struct steady_pod *head, const struct steady_pod *bound,
                         struct yk_str node)
{
    bool was_first_then = head->was_head && head->head_at + 1 == steady->bindings;
    int64_t since_ns = YK_MAX(steady->last_binding_ns, head->created_ns);
    head->was_head = true;
    head->head_at = steady->bindings;
    if (head != bound && was_first_then && is_overtaken(steady, head, bound, node))
        head->overtaken_ns += yk__steady_now(steady) - since_ns;
}

void yk__steady_binding(struct yk_steady *steady, const struct steady_pod *pod, struct yk_str node)
{
    if (pod->class->kind == STEADY_MEMBER)
        return;
    steady->bindings++;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        const struct steady_class *class = steady_head(steady, steady->leaves.items[i]);
        if (class != NULL)
            look_at_head(steady, yk_list_first(&class->pending, struct steady_pod, link), pod, node);
    }
    steady->last_binding_ns = yk__steady_now(steady);
}

void yk__steady_head_left(struct yk_steady *steady, const struct steady_pod *pod)
{
    if (!pod->was_head)
        return;
    if (steady->overtaken_count == steady->overtaken_capacity) {
        steady->overtaken_capacity = YK_MAX((size_t)64, steady->overtaken_capacity * 2);
        steady->overtaken =
            yk_realloc_array(steady->overtaken, steady->overtaken_capacity, sizeof(*steady->overtaken));
    }
    steady->overtaken[steady->overtaken_count++] = pod->overtaken_ns;
    if (pod->overtaken_ns > steady->worst_ns) {
        free(steady->worst);
        steady->worst = yk_strdup(pod->key);
        steady->worst_ns = pod->overtaken_ns;
    }
}
