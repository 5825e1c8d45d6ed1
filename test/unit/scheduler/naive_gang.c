/* SPDX-License-Identifier: Apache-2.0 */
/* Incomplete gangs and to whom they give way, as docs/reference/scheduling.md 5.6 to 5.8 say, found by
 * looking at everything. */
#include "scheduler/naive.h"

#include <string.h>

#define NEVER    INT64_MAX
#define HELD_NS  (120 * YK_NS_PER_S) /* after it gave way a gang is placed only as a whole */
#define RESTS_NS (5 * YK_NS_PER_S)   /* after a dry run that failed */

/* ---- incomplete gangs ---- */

/* Inherited; a dynamic queue has its parent's. */
static enum naive_placement placement_in(const struct naive *naive, int queue)
{
    while (!naive->queues[queue].has_placement && naive->queues[queue].parent >= 0)
        queue = naive->queues[queue].parent;
    return naive->queues[queue].placement;
}

bool naive_is_incomplete(const struct naive *naive, int app)
{
    const struct naive_app *a = &naive->apps[app];
    if (!a->used || a->real_came || a->gang_total.v[0] == 0 ||
        (a->state != NAIVE_NEW && a->state != NAIVE_ACCEPTED))
        return false;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->stage == NAIVE_BOUND && !pod->placeholder)
            return false;
    }
    return placement_in(naive, a->queue) != NAIVE_KEEP;
}

static bool is_placeholder_of(const struct naive_pod *pod, int app, enum naive_stage stage)
{
    return pod->used && pod->app == app && pod->placeholder && pod->stage == stage;
}

static void update_held(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    a->held = a->waits && naive_is_incomplete(naive, app) &&
              (placement_in(naive, a->queue) == NAIVE_WHOLE || naive->now_ns < a->held_until_ns ||
               (a->never_fits && a->gave_way));
}

void naive_gang_pod_came(struct naive *naive, int pod)
{
    const struct naive_pod *p = &naive->pods[pod];
    struct naive_app *app = &naive->apps[p->app];
    app->real_came |= !p->placeholder && p->task_group >= 0;
    if (!p->placeholder)
        return;
    app->gang_priority = p->priority;
    if (app->waits || !naive_is_incomplete(naive, p->app))
        return;
    app->waits = true;
    update_held(naive, p->app);
}

void naive_gang_done(struct naive *naive, int app)
{
    naive->apps[app].waits = naive->apps[app].held = false;
    for (int i = 0; i < NAIVE_HANDOVERS; i++) {
        if (naive->handovers[i].used && naive->handovers[i].gang == app)
            naive_break_handover(naive, i);
    }
}

/* ---- the order (5.6) ---- */

static int queue_above_both(const struct naive *naive, int a, int b)
{
    while (!naive_is_below(naive, b, a))
        a = naive->queues[a].parent;
    return a;
}

struct standing { /* of a queue among its siblings */
    int32_t priority;
    bool is_below_guarantee;
    double share;
    int64_t oldest_ns;
};

/* Of the queue in which the application is, as if what incomplete gangs hold was still pending. */
static struct standing standing_of(const struct naive *naive, int queue, int app)
{
    static struct naive without;
    struct standing standing = {.oldest_ns = naive->apps[app].submit_ns};
    without = *naive;
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_pod *pod = &without.pods[i];
        if (pod->used && pod->placeholder && pod->stage == NAIVE_BOUND && naive->apps[pod->app].waits &&
            naive_is_incomplete(naive, pod->app))
            pod->stage = NAIVE_PENDING;
    }
    standing.is_below_guarantee = naive_is_below_guarantee(&without, queue);
    standing.share = naive_fair_share(&without, queue);
    standing.priority = naive_queue_priority(naive, queue);
    for (int i = 0; i < NAIVE_APPS; i++) {
        const struct naive_app *other = &naive->apps[i];
        if (!other->waits || !naive_is_incomplete(naive, i) || !naive_is_below(naive, other->queue, queue))
            continue;
        int32_t priority = other->gang_priority;
        for (int q = other->queue; q != naive->queues[queue].parent; q = naive->queues[q].parent)
            priority = naive_seen_priority(naive, q, priority);
        standing.priority = YK_MAX(standing.priority, priority);
        standing.oldest_ns = YK_MIN(standing.oldest_ns, other->submit_ns);
    }
    return standing;
}

/* The queue below `above` in which the application is. */
static int child_below(const struct naive *naive, int above, int app)
{
    int queue = naive->apps[app].queue;
    while (naive->queues[queue].parent != above)
        queue = naive->queues[queue].parent;
    return queue;
}

static int compare_times(const struct naive *naive, int a, int b)
{
    const struct naive_app *x = &naive->apps[a], *y = &naive->apps[b];
    if (x->submit_ns != y->submit_ns)
        return x->submit_ns < y->submit_ns ? -1 : 1;
    return strcmp(x->id, y->id);
}

static int compare_queues(const struct naive *naive, int above, int app_a, int app_b)
{
    int a = child_below(naive, above, app_a), b = child_below(naive, above, app_b);
    struct standing x = standing_of(naive, a, app_a), y = standing_of(naive, b, app_b);
    int by_priority = (x.priority < y.priority) - (x.priority > y.priority);
    if (by_priority != 0 && naive->queues[above].priority_sort)
        return by_priority;
    if (x.is_below_guarantee != y.is_below_guarantee)
        return x.is_below_guarantee ? -1 : 1;
    if (x.share < y.share || x.share > y.share)
        return x.share < y.share ? -1 : 1;
    if (by_priority != 0)
        return by_priority;
    if (x.oldest_ns != y.oldest_ns)
        return x.oldest_ns < y.oldest_ns ? -1 : 1;
    return strcmp(naive->queues[a].path, naive->queues[b].path);
}

int naive_gang_order(const struct naive *naive, int app_a, int32_t priority_a, int app_b, int32_t priority_b)
{
    int a = naive->apps[app_a].queue, b = naive->apps[app_b].queue, above = queue_above_both(naive, a, b);
    int by_priority = (priority_a < priority_b) - (priority_a > priority_b);
    if (a == b)
        return by_priority != 0 && naive->queues[a].priority_sort ? by_priority
                                                                  : compare_times(naive, app_a, app_b);
    if (above == a || above == b) /* R15: what is left in a queue that became a parent goes first */
        return above == a ? -1 : 1;
    return compare_queues(naive, above, app_a, app_b);
}

static int order_gangs(const struct naive *naive, int a, int b)
{
    return naive_gang_order(naive, a, naive->apps[a].gang_priority, b, naive->apps[b].gang_priority);
}

int naive_gangs_in_order(const struct naive *naive, int ret_apps[NAIVE_APPS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (!naive->apps[i].used || !naive->apps[i].waits)
            continue;
        int at = count++;
        for (; at > 0 && order_gangs(naive, i, ret_apps[at - 1]) < 0; at--)
            ret_apps[at] = ret_apps[at - 1];
        ret_apps[at] = i;
    }
    return count;
}

/* ---- gangs that never fit (5.8) ---- */

static bool exceeds(const struct naive_amount *size, const struct naive_amount *max)
{
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (max->v[t] != NAIVE_FREE && size->v[t] > max->v[t])
            return true;
    }
    return false;
}

/* Nothing is used: does a limit of a queue, the user or the group refuse the whole gang? */
static bool exceeds_limits(const struct naive *naive, int app)
{
    static struct naive empty;
    empty = *naive;
    for (int i = 0; i < NAIVE_PODS; i++)
        empty.pods[i].used = false;
    empty.pods[0] = (struct naive_pod){.app = app, .size = naive->apps[app].gang_total};
    return naive_refuses(&empty, 0) != NULL;
}

/* How many such pods an empty node takes. */
static int64_t slots_on(const struct naive *naive, const struct naive_pod *pod, int node)
{
    int64_t slots = INT64_MAX;
    const struct naive_node *n = &naive->nodes[node];
    if (!n->used || (pod->picky && !n->takes_picky))
        return 0;
    for (int t = 0; t < NAIVE_TYPES; t++)
        slots = YK_MIN(slots, n->capacity.v[t] / pod->size.v[t]);
    return slots;
}

/* The members of the pod's task group, which are all alike, do not find nodes that are empty. */
static bool exceeds_slots(const struct naive *naive, const struct naive_pod *pod)
{
    int64_t slots = 0, members = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        members += other->used && other->app == pod->app && other->placeholder &&
                   other->task_group == pod->task_group;
    }
    for (int i = 0; i < NAIVE_NODES; i++)
        slots += slots_on(naive, pod, i);
    return members > slots;
}

static bool never_fits(const struct naive *naive, int app)
{
    struct naive_amount all = {{0, 0}};
    for (int i = 0; i < NAIVE_NODES; i++) {
        for (int t = 0; t < NAIVE_TYPES && naive->nodes[i].used; t++)
            all.v[t] += naive->nodes[i].capacity.v[t];
    }
    if (exceeds_limits(naive, app) || exceeds(&naive->apps[app].gang_total, &all))
        return true;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (is_placeholder_of(pod, app, NAIVE_PENDING) && exceeds_slots(naive, pod))
            return true;
    }
    return false;
}

void naive_gang_look(struct naive *naive)
{
    for (int i = 0; i < NAIVE_APPS; i++) {
        struct naive_app *app = &naive->apps[i];
        if (!app->used || !app->waits)
            continue;
        if (!naive_is_incomplete(naive, i)) {
            naive_gang_done(naive, i);
            continue;
        }
        app->never_fits = never_fits(naive, i);
        update_held(naive, i);
    }
}

/* ---- who gives (5.6) ---- */

static bool is_taking(const struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_HANDOVERS; i++) {
        if (naive->handovers[i].used && naive->handovers[i].gang == app)
            return true;
    }
    return false;
}

static bool is_free_placeholder(const struct naive_pod *pod, int app)
{
    return is_placeholder_of(pod, app, NAIVE_BOUND) && !pod->released && !pod->preempted;
}

static bool gives_to(const struct naive *naive, int giver, const struct naive_plan *plan)
{
    const struct naive_app *app = &naive->apps[giver];
    if (!app->used || !app->waits || giver == plan->app || !naive_is_incomplete(naive, giver) ||
        is_taking(naive, giver))
        return false;
    return app->never_fits || (plan->is_gang && !app->was_overtaken) ||
           naive_gang_order(naive, plan->app, plan->priority, giver, app->gang_priority) < 0;
}

/* The last one in the order first, those that can never start before all; the placeholder that came last
 * first. Returns how many. */
static int list_pool(const struct naive *naive, const struct naive_plan *plan, int ret_pods[NAIVE_PODS])
{
    int gangs[NAIVE_APPS], count = naive_gangs_in_order(naive, gangs), found = 0;
    for (int i = 2 * count - 1; i >= 0; i--) {
        int giver = gangs[i % count], from = found;
        if (naive->apps[giver].never_fits != (i >= count) || !gives_to(naive, giver, plan))
            continue;
        for (int p = 0; p < NAIVE_PODS; p++) {
            if (!is_free_placeholder(&naive->pods[p], giver))
                continue;
            int at = found++;
            for (; at > from && naive->pods[ret_pods[at - 1]].arrival < naive->pods[p].arrival; at--)
                ret_pods[at] = ret_pods[at - 1];
            ret_pods[at] = p;
        }
    }
    return found;
}

/* ---- plans (5.6) ---- */

static void put(struct naive *naive, int pod, int node)
{
    naive->pods[pod].stage = NAIVE_BOUND;
    naive->pods[pod].node = node;
}

/* With only these victims gone, all still fit where they are to go. */
static bool fits_without(const struct naive *naive, const struct naive_plan *plan, int spared)
{
    static struct naive then;
    then = *naive;
    for (int i = 0; i < plan->victim_count; i++)
        then.pods[plan->victims[i]].used = i == spared;
    for (int i = 0; i < plan->count; i++) {
        if (naive_refuses(&then, plan->pods[i]) != NULL || !naive_fits(&then, plan->pods[i], plan->nodes[i]))
            return false;
        put(&then, plan->pods[i], plan->nodes[i]);
    }
    return true;
}

/* Those first in the order first. */
static void leave_out(const struct naive *naive, struct naive_plan *plan)
{
    for (int i = plan->victim_count - 1; i >= 0; i--) {
        if (!fits_without(naive, plan, i))
            continue;
        plan->victim_count--;
        memmove(plan->victims + i, plan->victims + i + 1,
                sizeof(plan->victims[0]) * (size_t)(plan->victim_count - i));
    }
}

static bool make_plan(const struct naive *naive, struct naive_plan *plan)
{
    static struct naive then;
    int pool[NAIVE_PODS], left = list_pool(naive, plan, pool), next = 0;
    then = *naive;
    for (int i = 0; i < plan->count; i++) {
        int pod = plan->pods[i], node = naive_refuses(&then, pod) == NULL ? naive_node_for(&then, pod) : -1;
        for (; node < 0 && next < left; next++) {
            then.pods[pool[next]].used = false;
            plan->victims[plan->victim_count++] = pool[next];
            if (naive_refuses(&then, pod) == NULL)
                node = naive_node_for(&then, pod);
        }
        if (node < 0)
            return false;
        plan->nodes[i] = node;
        put(&then, pod, node);
    }
    leave_out(naive, plan);
    return true;
}

static bool is_like_last(const struct naive *naive, const struct naive_plan *plan,
                         const struct naive_pod *pod)
{
    return plan->count > 0 && naive_is_alike(pod, &naive->pods[plan->pods[plan->count - 1]]);
}

/* In order, but those that are alike together. */
static void list_missing(const struct naive *naive, int app, struct naive_plan *plan)
{
    bool is_listed[NAIVE_PODS] = {false};
    for (;;) {
        int first = -1;
        for (int i = 0; i < NAIVE_PODS; i++) {
            const struct naive_pod *pod = &naive->pods[i];
            if (!is_placeholder_of(pod, app, NAIVE_PENDING) || is_listed[i])
                continue;
            bool goes_on = is_like_last(naive, plan, pod);
            bool first_does = first >= 0 && is_like_last(naive, plan, &naive->pods[first]);
            if (first < 0 || goes_on > first_does ||
                (goes_on == first_does && naive_is_before(pod, &naive->pods[first])))
                first = i;
        }
        if (first < 0)
            return;
        is_listed[first] = true;
        plan->pods[plan->count++] = first;
    }
}

/* Nothing of it ends, and what it has and what waits is together what it announced. */
static bool has_all(const struct naive *naive, int app, const struct naive_plan *plan)
{
    struct naive_amount sum = {{0, 0}};
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        bool is_bound = is_placeholder_of(pod, app, NAIVE_BOUND);
        if (is_bound && !is_free_placeholder(pod, app))
            return false;
        for (int t = 0; t < NAIVE_TYPES && (is_bound || is_placeholder_of(pod, app, NAIVE_PENDING)); t++)
            sum.v[t] += pod->size.v[t];
    }
    return plan->count > 0 && memcmp(&sum, &naive->apps[app].gang_total, sizeof(sum)) == 0;
}

bool naive_plan_gang(const struct naive *naive, int app, struct naive_plan *ret_plan)
{
    const struct naive_app *a = &naive->apps[app];
    *ret_plan = (struct naive_plan){.app = app, .is_gang = true, .priority = a->gang_priority};
    if (!a->waits || a->never_fits || !naive_is_incomplete(naive, app) || is_taking(naive, app) ||
        !naive_may_start(naive, app))
        return false;
    list_missing(naive, app, ret_plan);
    return has_all(naive, app, ret_plan) && make_plan(naive, ret_plan);
}

bool naive_plan_pod(const struct naive *naive, int pod, struct naive_plan *ret_plan)
{
    const struct naive_pod *p = &naive->pods[pod];
    int pool[NAIVE_PODS];
    *ret_plan = (struct naive_plan){.app = p->app, .priority = p->priority, .pods = {pod}, .count = 1};
    return p->used && p->stage == NAIVE_PENDING && !p->placeholder &&
           !naive_waits_for_placeholder(naive, pod) && list_pool(naive, ret_plan, pool) > 0 &&
           naive_may_start(naive, p->app) && make_plan(naive, ret_plan);
}

/* ---- handovers (5.6) ---- */

static void give_way(struct naive *naive, const struct naive_plan *plan, int giver)
{
    struct naive_app *app = &naive->apps[giver];
    app->gave_way = true;
    if (!app->never_fits) {
        app->was_overtaken |=
            naive_gang_order(naive, plan->app, plan->priority, giver, app->gang_priority) > 0;
        app->held_until_ns = naive->now_ns + HELD_NS;
        if (app->gang_due_ns != NEVER)
            app->gang_due_ns = naive->now_ns + app->gang_timeout_ns;
    }
    update_held(naive, giver);
}

static void tell_victim(struct naive *naive, int pod)
{
    struct naive_told *told = &naive->told[naive->told_count++];
    *told = (struct naive_told){.is_release = true, .why = YK_SI_PREEMPTED_BY_SCHEDULER};
    memcpy(told->key, naive->pods[pod].key, sizeof(told->key));
}

void naive_hand_over(struct naive *naive, const struct naive_plan *plan)
{
    int handover = 0;
    for (int i = 0; i < plan->count && plan->victim_count == 0; i++)
        naive_bind(naive, plan->pods[i], plan->nodes[i]);
    if (plan->victim_count == 0)
        return;
    for (int i = 0; i < plan->victim_count; i++)
        give_way(naive, plan, naive->pods[plan->victims[i]].app);
    while (naive->handovers[handover].used)
        handover++;
    naive->handovers[handover] =
        (struct naive_handover){.used = true, .gang = plan->is_gang ? plan->app : -1};
    for (int i = 0; i < plan->count; i++) {
        struct naive_pod *pod = &naive->pods[plan->pods[i]];
        pod->stage = NAIVE_HANDED;
        pod->bound_ns = naive->now_ns; /* as in naive_link() */
        pod->node = plan->nodes[i];
        pod->booked = ++naive->bookings;
        pod->handover = handover;
    }
    for (int i = 0; i < plan->victim_count; i++) {
        naive->pods[plan->victims[i]].preempted = true;
        naive->pods[plan->victims[i]].handover = handover;
        tell_victim(naive, plan->victims[i]);
    }
}

static int count_in(const struct naive *naive, int handover, enum naive_stage stage)
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        count += pod->used && pod->handover == handover && pod->stage == stage;
    }
    return count;
}

static void forget_if_done(struct naive *naive, int handover)
{
    if (count_in(naive, handover, NAIVE_HANDED) + count_in(naive, handover, NAIVE_BOUND) == 0)
        naive->handovers[handover].used = false;
}

static void settle_later(struct naive *naive, int handover)
{
    if (naive->handovers[handover].sequence == 0)
        naive->handovers[handover].sequence = ++naive->settled;
}

void naive_handover_victim_ended(struct naive *naive, int handover)
{
    if (handover < 0)
        return;
    if (count_in(naive, handover, NAIVE_BOUND) == 0 && count_in(naive, handover, NAIVE_HANDED) > 0)
        settle_later(naive, handover);
    forget_if_done(naive, handover);
}

static void wait_again(struct naive_pod *pod)
{
    pod->stage = NAIVE_PENDING;
    pod->node = pod->handover = -1;
}

void naive_leave_handover(struct naive *naive, int pod)
{
    int handover = naive->pods[pod].handover;
    wait_again(&naive->pods[pod]);
    naive->handovers[handover].broken = true;
    naive->handovers[handover].gang = -1;
    settle_later(naive, handover);
    forget_if_done(naive, handover);
}

void naive_break_handover(struct naive *naive, int handover)
{
    naive->handovers[handover].broken = true;
    naive->handovers[handover].gang = -1;
    naive->handovers[handover].sequence = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->handover != handover || pod->stage != NAIVE_HANDED)
            continue;
        if (naive->apps[pod->app].state == NAIVE_FAILING) /* it has no pending asks */
            naive_end_waiting(naive, i);
        else
            wait_again(pod);
    }
    naive->handovers[handover].sequence = 0;
    forget_if_done(naive, handover);
}

void naive_break_handovers_of(struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->stage == NAIVE_HANDED)
            naive_break_handover(naive, pod->handover);
    }
}

/* What others are still to end for is not missing on the node. */
static bool has_its_node(const struct naive *naive, const struct naive_pod *pod)
{
    struct naive_amount left = naive_available(naive, pod->node);
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        bool is_later = other->used && other->stage == NAIVE_HANDED && other->node == pod->node &&
                        other->handover != pod->handover;
        for (int t = 0; t < NAIVE_TYPES && is_later; t++)
            left.v[t] += other->size.v[t];
    }
    return naive->nodes[pod->node].schedulable && left.v[0] >= 0 && left.v[1] >= 0;
}

static bool may_start_now(const struct naive *naive, int pod)
{
    static struct naive then;
    then = *naive;
    then.pods[pod].stage = NAIVE_PENDING; /* what is promised to it does not count against it */
    return has_its_node(naive, &naive->pods[pod]) && naive_refuses(&then, pod) == NULL;
}

static int first_settled(const struct naive *naive)
{
    int first = -1;
    for (int i = 0; i < NAIVE_HANDOVERS; i++) {
        const struct naive_handover *handover = &naive->handovers[i];
        if (handover->used && handover->sequence != 0 &&
            (first < 0 || handover->sequence < naive->handovers[first].sequence))
            first = i;
    }
    return first;
}

/* In the order in which they were planned. */
static int next_handed(const struct naive *naive, int handover)
{
    int first = -1;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->stage == NAIVE_HANDED && pod->handover == handover &&
            (first < 0 || pod->booked < naive->pods[first].booked))
            first = i;
    }
    return first;
}

static bool all_may_start(const struct naive *naive, int handover)
{
    if (naive->handovers[handover].broken)
        return false;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->stage == NAIVE_HANDED && pod->handover == handover && !may_start_now(naive, i))
            return false;
    }
    return true;
}

static void start(struct naive *naive, int pod)
{
    int node = naive->pods[pod].node;
    bool starts = may_start_now(naive, pod); /* those before it may have used up a limit */
    uint64_t booked = naive->pods[pod].booked;
    wait_again(&naive->pods[pod]);
    if (starts) {
        naive_bind(naive, pod, node);
        naive->pods[pod].booked = booked; /* since it was planned */
    }
}

bool naive_settle_handover(struct naive *naive)
{
    int handover = first_settled(naive), pod = handover >= 0 ? next_handed(naive, handover) : -1;
    if (handover < 0)
        return false;
    bool fails = pod >= 0 && naive->apps[naive->pods[pod].app].state == NAIVE_FAILING;
    bool starts = !fails && all_may_start(naive, handover);
    naive->handovers[handover].sequence = 0;
    if (starts)
        naive->handovers[handover].gang = -1;
    for (; (starts || fails) && pod >= 0; pod = next_handed(naive, handover)) {
        if (fails)
            naive_end_waiting(naive, pod);
        else
            start(naive, pod);
    }
    if (!starts && !fails)
        naive_break_handover(naive, handover);
    forget_if_done(naive, handover);
    return true;
}
