/* SPDX-License-Identifier: Apache-2.0 */
/* What is decided next, found by looking at everything. */
#include "scheduler/naive.h"

#include <string.h>

static const struct naive_amount nothing;

/* ---- sums ---- */

bool naive_is_below(const struct naive *naive, int queue, int top)
{
    while (queue >= 0 && queue != top)
        queue = naive->queues[queue].parent;
    return queue == top;
}

static void add(struct naive_amount *sum, const struct naive_amount *size, int sign)
{
    for (int t = 0; t < NAIVE_TYPES; t++)
        sum->v[t] += sign * size->v[t];
}

struct naive_amount naive_queue_sum(const struct naive *naive, int queue, bool pending)
{
    struct naive_amount sum = nothing;
    bool counts[NAIVE_APPS];
    for (int i = 0; i < NAIVE_APPS; i++)
        counts[i] = naive->apps[i].used && naive_is_below(naive, naive->apps[i].queue, queue);
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->stage == (pending ? NAIVE_PENDING : NAIVE_BOUND) && counts[pod->app])
            add(&sum, &pod->size, 1);
    }
    return sum;
}

/* u0: g0; u1: g1; u2: a group that nothing is said about; u3: g1 and g0, the first in the configuration
 * counts (L8). */
int naive_group_of(int user)
{
    static const int groups[NAIVE_USERS] = {0, 1, 2, 0};
    return groups[user];
}

static bool is_of(const struct naive_app *app, int user, int group)
{
    return (user < 0 || app->user == user) && (group < 0 || naive_group_of(app->user) == group);
}

struct naive_amount naive_usage(const struct naive *naive, int queue, int user, int group)
{
    struct naive_amount sum = nothing;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->stage != NAIVE_BOUND)
            continue;
        const struct naive_app *app = &naive->apps[pod->app];
        if (is_of(app, user, group) && naive_is_below(naive, app->queue, queue))
            add(&sum, &pod->size, 1);
    }
    return sum;
}

struct naive_amount naive_available(const struct naive *naive, int node)
{
    struct naive_amount left = naive->nodes[node].capacity;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->pods[i].used && naive->pods[i].node == node)
            add(&left, &naive->pods[i].size, -1);
    }
    for (int i = 0; i < NAIVE_FOREIGN; i++) {
        if (naive->foreign[i].used && naive->foreign[i].node == node)
            add(&left, &naive->foreign[i].size, -1);
    }
    return left;
}

/* R2 */
static struct naive_amount cluster(const struct naive *naive)
{
    struct naive_amount all = nothing;
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (naive->nodes[i].used)
            add(&all, &naive->nodes[i].capacity, 1);
    }
    return all;
}

/* ---- room ---- */

static bool within(const struct naive_amount *max, const struct naive_amount *used,
                   const struct naive_amount *size)
{
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (max->v[t] != NAIVE_FREE && used->v[t] + size->v[t] > max->v[t])
            return false;
    }
    return true;
}

/* L7: the one by name, else the wildcard's; NULL: none. */
static const struct naive_limit *user_limit(const struct naive_queue *queue, int user)
{
    const struct naive_limit *named = &queue->users[user], *wildcard = &queue->users[NAIVE_USERS];
    return named->is_set ? named : (wildcard->is_set ? wildcard : NULL);
}

static const struct naive_limit *group_limit(const struct naive_queue *queue, int user)
{
    const struct naive_limit *limit = &queue->groups[naive_group_of(user)];
    return limit->is_set ? limit : NULL;
}

/* 6.1: what ends for a handover is what its asks get. */
static struct naive_amount used_or_promised(const struct naive *naive, int queue)
{
    struct naive_amount used = naive_queue_sum(naive, queue, false), then = used;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || !naive_is_below(naive, naive->apps[pod->app].queue, queue))
            continue;
        if (pod->stage == NAIVE_BOUND && pod->preempted)
            add(&then, &pod->size, -1);
        if (pod->stage == NAIVE_HANDED)
            add(&then, &pod->size, 1);
    }
    for (int t = 0; t < NAIVE_TYPES; t++)
        used.v[t] = YK_MAX(used.v[t], then.v[t]);
    return used;
}

/* L12, R29 */
const char *naive_refuses(const struct naive *naive, int pod)
{
    const struct naive_pod *p = &naive->pods[pod];
    const struct naive_app *app = &naive->apps[p->app];
    for (int q = app->queue; q >= 0; q = naive->queues[q].parent) {
        const struct naive_queue *queue = &naive->queues[q];
        const struct naive_limit *limit = user_limit(queue, app->user);
        struct naive_amount used = naive_usage(naive, q, app->user, -1);
        if (limit != NULL && !within(&limit->max, &used, &p->size))
            return "user limit";
        limit = group_limit(queue, app->user);
        used = naive_usage(naive, q, -1, naive_group_of(app->user));
        if (limit != NULL && !within(&limit->max, &used, &p->size))
            return "group limit";
    }
    /* The root's maximum is what the nodes offer; whether they have room is asked of the nodes. */
    for (int q = app->queue; naive->queues[q].parent >= 0; q = naive->queues[q].parent) {
        struct naive_amount used = used_or_promised(naive, q);
        if (!within(&naive->queues[q].max, &used, &p->size))
            return naive->queues[q].path;
    }
    return NULL;
}

bool naive_fits(const struct naive *naive, int pod, int node)
{
    const struct naive_amount left = naive_available(naive, node), *size = &naive->pods[pod].size;
    if (naive->pods[pod].picky && !naive->nodes[node].takes_picky)
        return false;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (size->v[t] > left.v[t])
            return false;
    }
    return true;
}

bool naive_fits_empty(const struct naive *naive, int pod, int node)
{
    const struct naive_amount *size = &naive->pods[pod].size, *capacity = &naive->nodes[node].capacity;
    return (!naive->pods[pod].picky || naive->nodes[node].takes_picky) && size->v[0] <= capacity->v[0] &&
           size->v[1] <= capacity->v[1];
}

/* O11, O12 */
double naive_score(const struct naive *naive, int node)
{
    const struct naive_amount left = naive_available(naive, node), *all = &naive->nodes[node].capacity;
    double used = 0, weights = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (all->v[t] == 0)
            continue;
        used += 1 - (double)left.v[t] / (double)all->v[t];
        weights += 1;
    }
    used = weights > 0 ? used / weights : 0;
    return naive->binpacking ? 1 - used : used;
}

int naive_node_for(const struct naive *naive, int pod)
{
    int required = naive->pods[pod].required; /* 3.7: open or not */
    if (required >= 0)
        return naive->nodes[required].used && !naive->nodes[required].reserved &&
                       naive_fits(naive, pod, required)
                   ? required
                   : -1;
    int best = -1;
    double best_score = 0;
    for (int i = 0; i < NAIVE_NODES; i++) {
        const struct naive_node *node = &naive->nodes[i];
        if (!node->used || node->leaving || !node->schedulable || node->reserved ||
            naive_holder(naive, i) >= 0 || !naive_fits(naive, pod, i))
            continue;
        double here = naive_score(naive, i);
        if (best < 0 || here < best_score ||
            (here <= best_score && strcmp(node->id, naive->nodes[best].id) < 0)) {
            best = i;
            best_score = here;
        }
    }
    return best;
}

int naive_any_node_for(const struct naive *naive, int pod)
{
    int node = naive_node_for(naive, pod);
    return node >= 0 ? node : naive_reserved_node_for(naive, pod);
}

/* ---- may it start? (3.4, R35, L13, O7) ---- */

static bool is_running(const struct naive_app *app)
{
    return app->state == NAIVE_RUNNING || app->state == NAIVE_STARTING;
}

static bool queues_let_start(const struct naive *naive, int app)
{
    if (naive->apps[app].allocating)
        return true;
    for (int q = naive->apps[app].queue; q >= 0; q = naive->queues[q].parent) {
        int counted = 0;
        for (int i = 0; i < NAIVE_APPS; i++) {
            const struct naive_app *other = &naive->apps[i];
            counted += other->used && naive_is_below(naive, other->queue, q) &&
                       (is_running(other) || other->allocating);
        }
        if (naive->queues[q].max_apps != 0 && counted + 1 > naive->queues[q].max_apps)
            return false;
    }
    return true;
}

static bool has_slot(const struct naive *naive, int queue, const struct naive_limit *limit, int user,
                     int group)
{
    int counted = 0;
    for (int i = 0; i < NAIVE_APPS; i++) {
        const struct naive_app *app = &naive->apps[i];
        counted +=
            app->used && app->counted && is_of(app, user, group) && naive_is_below(naive, app->queue, queue);
    }
    return limit == NULL || limit->apps == 0 || counted + 1 <= limit->apps;
}

static bool quotas_let_start(const struct naive *naive, int app)
{
    const struct naive_app *a = &naive->apps[app];
    for (int q = a->queue; q >= 0 && !a->counted; q = naive->queues[q].parent) {
        const struct naive_queue *queue = &naive->queues[q];
        if (!has_slot(naive, q, user_limit(queue, a->user), a->user, -1) ||
            !has_slot(naive, q, group_limit(queue, a->user), -1, naive_group_of(a->user)))
            return false;
    }
    return true;
}

/* Below every maximum on the path and every limit of the user, if nothing was in use. */
static bool maxima_allow(const struct naive *naive, int pod)
{
    static const struct naive_amount none;
    const struct naive_pod *p = &naive->pods[pod];
    for (int q = naive->apps[p->app].queue; q >= 0; q = naive->queues[q].parent) {
        const struct naive_queue *queue = &naive->queues[q];
        const struct naive_limit *limit = user_limit(queue, naive->apps[p->app].user);
        if ((limit != NULL && !within(&limit->max, &none, &p->size)) ||
            (queue->parent >= 0 && !within(&queue->max, &none, &p->size)))
            return false;
    }
    return true;
}

/* On some node, if it was empty. */
static bool has_node(const struct naive *naive, int pod)
{
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (naive->nodes[i].used && naive_fits_empty(naive, pod, i))
            return true;
    }
    return false;
}

static bool could_ever_run(const struct naive *naive, int pod)
{
    return maxima_allow(naive, pod) && has_node(naive, pod);
}

/* Whether the priority of the pod counts (R46). Without nodes, only maxima matter. */
static bool counts(const struct naive *naive, int pod)
{
    bool has_nodes = false;
    for (int i = 0; i < NAIVE_NODES; i++)
        has_nodes |= naive->nodes[i].used;
    return maxima_allow(naive, pod) && (!has_nodes || has_node(naive, pod));
}

static bool has_pending(const struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->pods[i].used && naive->pods[i].app == app && naive->pods[i].stage == NAIVE_PENDING)
            return true;
    }
    return false;
}

/* Something of it is pending that could run, or waits for what ends on its node. */
static bool could_start(const struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->app != app)
            continue;
        if (pod->stage == NAIVE_HANDED || (pod->stage == NAIVE_PENDING && could_ever_run(naive, i)))
            return true;
    }
    return false;
}

/* O7: the oldest that could start, and only while no other is starting. */
static bool is_its_turn(const struct naive *naive, int app)
{
    const struct naive_app *a = &naive->apps[app];
    if (naive->queues[a->queue].sort != NAIVE_STATEAWARE)
        return true;
    if (!could_start(naive, app))
        return false;
    for (int i = 0; i < NAIVE_APPS; i++) {
        const struct naive_app *other = &naive->apps[i];
        if (!other->used || other->queue != a->queue || i == app)
            continue;
        if (other->state == NAIVE_STARTING)
            return false;
        bool is_older = other->submit_ns < a->submit_ns ||
                        (other->submit_ns == a->submit_ns && strcmp(other->id, a->id) < 0);
        if (other->state == NAIVE_ACCEPTED && is_older && could_start(naive, i))
            return false;
    }
    return true;
}

bool naive_may_start(const struct naive *naive, int app)
{
    return naive->apps[app].state != NAIVE_ACCEPTED ||
           (is_its_turn(naive, app) && queues_let_start(naive, app) && quotas_let_start(naive, app));
}

/* ---- one ask (3.5) ---- */

/* 5.6: its gang is placed only as a whole. */
static bool is_held(const struct naive *naive, const struct naive_pod *pod)
{
    return pod->placeholder && naive->apps[pod->app].held;
}

/* Its task group has placeholders that have not ended. */
static bool waits_for_placeholder(const struct naive *naive, const struct naive_pod *pod)
{
    if (pod->task_group < 0 || pod->placeholder)
        return false;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (other->used && other->app == pod->app && other->placeholder &&
            other->task_group == pod->task_group)
            return true;
    }
    return false;
}

bool naive_is_before(const struct naive_pod *a, const struct naive_pod *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->created_ns != b->created_ns)
        return a->created_ns < b->created_ns;
    return a->arrival < b->arrival;
}

/* What waits of the application, in order (O14). */
static int collect(const struct naive *naive, int app, int ret_pods[NAIVE_PODS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (!naive->pods[i].used || naive->pods[i].app != app || naive->pods[i].stage != NAIVE_PENDING)
            continue;
        int at = count++;
        for (; at > 0 && naive_is_before(&naive->pods[i], &naive->pods[ret_pods[at - 1]]); at--)
            ret_pods[at] = ret_pods[at - 1];
        ret_pods[at] = i;
    }
    return count;
}

/* Of what waits, those whose priority counts come first. */
static void put_counting_first(const struct naive *naive, int *pods, int count)
{
    for (int i = 1; i < count; i++) {
        int pod = pods[i], at = i;
        for (; at > 0 && counts(naive, pod) && !counts(naive, pods[at - 1]); at--)
            pods[at] = pods[at - 1];
        pods[at] = pod;
    }
}

bool naive_waits_for_placeholder(const struct naive *naive, int pod)
{
    return waits_for_placeholder(naive, &naive->pods[pod]);
}

/* What is done with each application, in order. */
struct visit {
    bool (*app)(const struct naive *naive, int app, struct visit *visit); /* true: no further */
    int pod, node;                                                        /* of a decision */
    int pods[NAIVE_PODS], count;                                          /* of a list */
};

static bool list_app(const struct naive *naive, int app, struct visit *visit)
{
    visit->count += collect(naive, app, visit->pods + visit->count);
    return false;
}

static bool try_app(const struct naive *naive, int app, struct visit *visit)
{
    int pods[NAIVE_PODS];
    if (!naive_may_start(naive, app))
        return false;
    int count = collect(naive, app, pods);
    for (int i = 0; i < count; i++) {
        if (is_held(naive, &naive->pods[pods[i]]) || waits_for_placeholder(naive, &naive->pods[pods[i]]) ||
            naive_refuses(naive, pods[i]) != NULL)
            continue;
        visit->pod = pods[i];
        visit->node = naive_any_node_for(naive, pods[i]);
        if (visit->node >= 0)
            return true;
    }
    return false;
}

bool naive_could_run(const struct naive *naive, int pod)
{
    const struct naive_pod *p = &naive->pods[pod];
    return p->stage == NAIVE_PENDING && naive_may_start(naive, p->app) && !waits_for_placeholder(naive, p) &&
           naive_refuses(naive, pod) == NULL && naive_any_node_for(naive, pod) >= 0;
}

/* ---- order of applications (8.2) ---- */

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int32_t app_priority(const struct naive *naive, int app)
{
    int32_t highest = INT32_MIN;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->stage == NAIVE_PENDING && counts(naive, i))
            highest = YK_MAX(highest, pod->priority);
    }
    return highest;
}

/* M18: of what its real pods use, against what its queue is guaranteed; ascending. */
static int shares(const struct naive *naive, int app, double ret[NAIVE_TYPES])
{
    const struct naive_amount *guaranteed = &naive->queues[naive->apps[app].queue].guaranteed;
    struct naive_amount used = nothing;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->stage == NAIVE_BOUND && !pod->placeholder)
            add(&used, &pod->size, 1);
    }
    int count = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        bool is_set = guaranteed->v[t] != NAIVE_FREE && guaranteed->v[t] != 0;
        if (used.v[t] != 0)
            ret[count++] = is_set ? (double)used.v[t] / (double)guaranteed->v[t] : (double)used.v[t];
    }
    if (count == 2 && ret[0] > ret[1]) {
        double larger = ret[0];
        ret[0] = ret[1];
        ret[1] = larger;
    }
    return count;
}

/* M19 */
static int compare_shares(const struct naive *naive, int a, int b)
{
    double x[NAIVE_TYPES], y[NAIVE_TYPES];
    int left = shares(naive, a, x), right = shares(naive, b, y);
    while (left > 0 && right > 0) {
        left--, right--;
        if (x[left] > y[right] || x[left] < y[right])
            return x[left] > y[right] ? 1 : -1;
    }
    return (left > 0) - (right > 0); /* no share is negative */
}

static int compare_apps(const struct naive *naive, int a, int b)
{
    const struct naive_app *x = &naive->apps[a], *y = &naive->apps[b];
    const struct naive_queue *queue = &naive->queues[x->queue];
    int by_priority = compare_i64(app_priority(naive, b), app_priority(naive, a));
    int by_age = compare_i64(x->submit_ns, y->submit_ns);
    int order = queue->priority_sort ? by_priority : 0;
    if (order == 0)
        order = queue->sort == NAIVE_FAIR ? compare_shares(naive, a, b) : by_age;
    if (order == 0)
        order = by_priority;
    if (order == 0)
        order = by_age;
    return order != 0 ? order : strcmp(x->id, y->id);
}

static bool visit_apps(const struct naive *naive, int queue, struct visit *visit)
{
    int order[NAIVE_APPS], count = 0;
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (!naive->apps[i].used || naive->apps[i].queue != queue || !has_pending(naive, i))
            continue;
        int at = count++;
        for (; at > 0 && compare_apps(naive, i, order[at - 1]) < 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < count; i++) {
        if (visit->app(naive, order[i], visit))
            return true;
    }
    return false;
}

/* ---- order of queues (8.3) ---- */

int32_t naive_seen_priority(const struct naive *naive, int queue, int32_t priority)
{
    const struct naive_queue *q = &naive->queues[queue];
    int64_t seen = q->fence ? q->offset : (int64_t)priority + q->offset;
    return (int32_t)YK_MAX(YK_MIN(seen, INT32_MAX), INT32_MIN);
}

/* R45, R46: of what waits below, as its parent sees it. */
int32_t naive_queue_priority(const struct naive *naive, int queue)
{
    int32_t highest = INT32_MIN;
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (naive->apps[i].used && naive->apps[i].queue == queue)
            highest = YK_MAX(highest, app_priority(naive, i));
    }
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (naive->queues[i].used && naive->queues[i].parent == queue)
            highest = YK_MAX(highest, naive_queue_priority(naive, i));
    }
    return highest == INT32_MIN ? highest : naive_seen_priority(naive, queue, highest);
}

/* R25 */
static struct naive_amount fair_max(const struct naive *naive, int queue)
{
    if (naive->queues[queue].parent < 0)
        return cluster(naive);
    struct naive_amount max = fair_max(naive, naive->queues[queue].parent);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (naive->queues[queue].max.v[t] != NAIVE_FREE)
            max.v[t] = naive->queues[queue].max.v[t];
    }
    return max;
}

/* M20 */
double naive_share_of(const struct naive *naive, int queue, struct naive_amount used)
{
    struct naive_amount max = fair_max(naive, queue);
    const struct naive_amount *guaranteed = &naive->queues[queue].guaranteed;
    double share = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t whole = guaranteed->v[t] != NAIVE_FREE ? guaranteed->v[t] : max.v[t];
        double here = whole > 0 ? (double)used.v[t] / (double)whole : 0;
        share = YK_MAX(share, here);
    }
    return share;
}

double naive_fair_share(const struct naive *naive, int queue)
{
    return naive_share_of(naive, queue, naive_queue_sum(naive, queue, false));
}

/* O8: less than its guarantee of each type, and pods wait for one of these types. */
bool naive_is_below_guarantee(const struct naive *naive, int queue)
{
    struct naive_amount used = naive_queue_sum(naive, queue, false),
                        pending = naive_queue_sum(naive, queue, true);
    bool waits = false;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t guaranteed = naive->queues[queue].guaranteed.v[t];
        if (guaranteed == NAIVE_FREE || guaranteed <= 0)
            continue;
        if (used.v[t] >= guaranteed)
            return false;
        waits |= pending.v[t] > 0;
    }
    return waits;
}

struct seen { /* a child as it is ordered */
    int queue;
    bool is_below_guarantee;
    int32_t priority;
    double share;
    struct naive_amount pending;
};

static int compare_queues(const struct naive *naive, const struct seen *a, const struct seen *b,
                          bool priority_first)
{
    int by_priority = compare_i64(b->priority, a->priority);
    int order = priority_first ? by_priority : 0;
    if (order == 0)
        order = b->is_below_guarantee - a->is_below_guarantee;
    if (order == 0)
        order = (a->share > b->share) - (a->share < b->share);
    if (order == 0)
        order = by_priority;
    uint64_t x = naive->queues[a->queue].served, y = naive->queues[b->queue].served;
    if (order == 0) /* those that are equal take turns */
        order = (x > y) - (x < y);
    if (order == 0)
        order = compare_i64(b->pending.v[0] + b->pending.v[1], a->pending.v[0] + a->pending.v[1]);
    return order != 0 ? order : strcmp(naive->queues[a->queue].path, naive->queues[b->queue].path);
}

/* O1 */
static bool walk(const struct naive *naive, int queue, struct visit *visit)
{
    struct seen order[NAIVE_QUEUES];
    int count = 0;
    /* R15: what is left from before the queue became a parent goes first. */
    if (!naive->queues[queue].is_leaf && visit_apps(naive, queue, visit))
        return true;
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (!naive->queues[i].used || naive->queues[i].parent != queue)
            continue;
        struct seen child = {.queue = i, .pending = naive_queue_sum(naive, i, true)};
        if (child.pending.v[0] == 0 && child.pending.v[1] == 0)
            continue;
        child.priority = naive_queue_priority(naive, i);
        child.is_below_guarantee = naive_is_below_guarantee(naive, i);
        child.share = naive_fair_share(naive, i);
        int at = count++;
        for (;
             at > 0 && compare_queues(naive, &child, &order[at - 1], naive->queues[queue].priority_sort) < 0;
             at--)
            order[at] = order[at - 1];
        order[at] = child;
    }
    for (int i = 0; i < count; i++) {
        if (walk(naive, order[i].queue, visit))
            return true;
    }
    return naive->queues[queue].is_leaf && visit_apps(naive, queue, visit);
}

static bool walk_all(const struct naive *naive, struct visit *visit)
{
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (naive->queues[i].used && naive->queues[i].parent < 0)
            return walk(naive, i, visit);
    }
    return false;
}

bool naive_decide(const struct naive *naive, int *ret_pod, int *ret_node)
{
    struct visit visit = {.app = try_app};
    if (!walk_all(naive, &visit))
        return false;
    *ret_pod = visit.pod;
    *ret_node = visit.node;
    return true;
}

int naive_order(const struct naive *naive, int ret_pods[NAIVE_PODS])
{
    struct visit visit = {.app = list_app};
    (void)walk_all(naive, &visit); /* to the end */
    memcpy(ret_pods, visit.pods, sizeof(visit.pods));
    return visit.count;
}

/* ---- placeholders (5.2) ---- */

static int free_placeholders(const struct naive *naive, const struct naive_pod *real, int ret[NAIVE_PODS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || !pod->placeholder || pod->app != real->app || pod->task_group != real->task_group ||
            pod->stage != NAIVE_BOUND || pod->released || pod->preempted)
            continue;
        int at = count++;
        for (; at > 0; at--) { /* by creation, arrival */
            const struct naive_pod *before = &naive->pods[ret[at - 1]];
            if (before->created_ns < pod->created_ns ||
                (before->created_ns == pod->created_ns && before->arrival < pod->arrival))
                break;
            ret[at] = ret[at - 1];
        }
        ret[at] = i;
    }
    return count;
}

static bool is_let_go(const struct naive_swap *swap, int placeholder)
{
    for (size_t i = 0; i < swap->let_go_count; i++) {
        if (swap->let_go[i] == placeholder)
            return true;
    }
    return false;
}

static bool replace_one(const struct naive *naive, int real, struct naive_swap *swap)
{
    const struct naive_pod *pod = &naive->pods[real];
    int placeholders[NAIVE_PODS], first = -1;
    int count = free_placeholders(naive, pod, placeholders);
    for (int i = 0; i < count; i++) {
        const struct naive_pod *placeholder = &naive->pods[placeholders[i]];
        if (is_let_go(swap, placeholders[i]))
            continue;
        if (!within(&placeholder->size, &nothing, &pod->size)) {
            swap->let_go[swap->let_go_count++] = placeholders[i];
            continue;
        }
        first = first < 0 ? placeholders[i] : first;
        if (pod->picky && !naive->nodes[placeholder->node].takes_picky)
            continue;
        swap->real = real;
        swap->placeholder = placeholders[i];
        swap->node = placeholder->node;
        return true;
    }
    int node = first >= 0 ? naive_node_for(naive, real) : -1;
    if (node < 0)
        return false;
    swap->real = real;
    swap->placeholder = first;
    swap->node = node;
    return true;
}

void naive_replace(const struct naive *naive, int app, struct naive_swap *ret)
{
    int pods[NAIVE_PODS];
    int count = collect(naive, app, pods);
    put_counting_first(naive, pods, count);
    *ret = (struct naive_swap){.real = -1};
    for (int i = 0; i < count; i++) {
        const struct naive_pod *pod = &naive->pods[pods[i]];
        if (!pod->placeholder && pod->task_group >= 0 && replace_one(naive, pods[i], ret))
            return;
    }
}
