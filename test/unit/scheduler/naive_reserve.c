/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations for asks that were overtaken, as docs/reference/scheduling.md 4 says, found by looking at
 * everything. */
#include "scheduler/naive.h"

#include <limits.h>
#include <string.h>

#define DELAY_NS    (2 * YK_NS_PER_S)
#define PATIENCE_NS (60 * YK_NS_PER_S)
#define QUIET_NS    (10 * YK_NS_PER_S)

#define RESERVABLE 0.07 /* of what is in use, for asks that were overtaken */
#define EARLY      0.3  /* the same before a later ask is placed */
#define FAR        1.35 /* how many times larger the other share is */
#define EARNED     0.25 /* of an ask */

enum { RESERVATIONS_MAX = 64, RUN_TIME_DECAY = 1024, GROUP_RUN_DECAY = 4, MOVABLE_MAX = 8 };

static const int64_t least_gain = 1000000000, no_end = INT64_MAX;

/* ---- groups and turns ---- */

bool naive_is_alike(const struct naive_pod *a, const struct naive_pod *b)
{
    return a->app == b->app && memcmp(&a->size, &b->size, sizeof(a->size)) == 0 &&
           a->priority == b->priority && a->picky == b->picky && a->task_group == b->task_group &&
           a->placeholder == b->placeholder;
}

static bool is_pending(const struct naive_pod *pod)
{
    return pod->used && pod->stage == NAIVE_PENDING;
}

void naive_take_turns(struct naive *naive)
{
    int pods[NAIVE_PODS], count = naive_order(naive, pods);
    for (int i = 0; i < NAIVE_PODS; i++)
        naive->turn[i] = INT_MAX;
    for (int i = 0; i < count; i++)
        naive->turn[pods[i]] = i;
}

/* The place of a group of equal asks is that of its first one. */
static int turn_of(const struct naive *naive, const struct naive_pod *like)
{
    int first = INT_MAX;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (is_pending(&naive->pods[i]) && naive_is_alike(&naive->pods[i], like))
            first = YK_MIN(first, naive->turn[i]);
    }
    return first;
}

/* No limit of a queue or user refuses it, and its application may start. */
static bool is_within_limits(const struct naive *naive, int pod)
{
    return naive_may_start(naive, naive->pods[pod].app) && !naive_waits_for_placeholder(naive, pod) &&
           naive_refuses(naive, pod) == NULL;
}

static bool has_reservation(const struct naive_pod *pod)
{
    return is_pending(pod) && pod->reserved >= 0;
}

int naive_holder(const struct naive *naive, int node)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (has_reservation(&naive->pods[i]) && naive->pods[i].reserved == node)
            return i;
    }
    return -1;
}

/* By creation. Returns how many. */
static int all_reservations(const struct naive *naive, int ret_pods[NAIVE_PODS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (!has_reservation(&naive->pods[i]))
            continue;
        int at = count++;
        for (; at > 0 && naive->pods[ret_pods[at - 1]].reserved_sequence > naive->pods[i].reserved_sequence;
             at--)
            ret_pods[at] = ret_pods[at - 1];
        ret_pods[at] = i;
    }
    return count;
}

/* ---- guarantees ---- */

/* What the queue or a queue above it is guaranteed, whichever is less. */
static struct naive_amount guaranteed_to(const struct naive *naive, int queue)
{
    struct naive_amount least = {{NAIVE_FREE, NAIVE_FREE}};
    for (; queue >= 0; queue = naive->queues[queue].parent) {
        for (int t = 0; t < NAIVE_TYPES; t++)
            least.v[t] = YK_MIN(least.v[t], naive->queues[queue].guaranteed.v[t]);
    }
    return least;
}

static bool is_guaranteed(const struct naive *naive, const struct naive_pod *pod)
{
    int queue = naive->apps[pod->app].queue;
    struct naive_amount guaranteed = guaranteed_to(naive, queue), used = naive_queue_sum(naive, queue, false);
    bool matches = false;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        matches |= guaranteed.v[t] != NAIVE_FREE;
        if (guaranteed.v[t] != NAIVE_FREE && used.v[t] + pod->size.v[t] > guaranteed.v[t])
            return false;
    }
    return matches;
}

/* ---- who is overtaken (4.1) ---- */

static struct naive_overtaken *overtaken_of(struct naive *naive, const struct naive_pod *like)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->overtaken[i].used && naive_is_alike(&naive->overtaken[i].like, like))
            return &naive->overtaken[i];
    }
    return NULL;
}

static int reservations_of(const struct naive *naive, const struct naive_pod *like)
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++)
        count += has_reservation(&naive->pods[i]) && naive_is_alike(&naive->pods[i], like);
    return count;
}

static void note_overtaken(struct naive *naive, const struct naive_pod *like, double amount)
{
    int at = -1;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->overtaken[i].used && naive_is_alike(&naive->overtaken[i].like, like)) {
            at = i;
            break;
        }
        at = at < 0 && !naive->overtaken[i].used ? i : at;
    }
    struct naive_overtaken *overtaken = &naive->overtaken[at];
    if (!overtaken->used)
        *overtaken = (struct naive_overtaken){
            .used = true, .like = *like, .since_ns = naive->now_ns, .served_ns = naive->now_ns};
    overtaken->amount = YK_MIN(overtaken->amount + amount, 1 + (double)reservations_of(naive, like));
}

static void note_served(struct naive *naive, const struct naive_pod *placed)
{
    struct naive_overtaken *overtaken = overtaken_of(naive, placed);
    if (overtaken == NULL)
        return;
    overtaken->amount = YK_MAX(overtaken->amount - 1, 0);
    overtaken->has_started = true;
    overtaken->served_ns = naive->now_ns;
    overtaken->used = overtaken->amount > 0;
}

/* How much of `overtaken` the placed pod takes, of what that lacks on the node. */
static double amount_taken(const struct naive *naive, const struct naive_pod *overtaken,
                           const struct naive_pod *placed, int node)
{
    const struct naive_amount left = naive_available(naive, node);
    double most = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (overtaken->size.v[t] > left.v[t])
            most = YK_MAX(most, (double)placed->size.v[t] / (double)overtaken->size.v[t]);
    }
    return most;
}

/* As much is added up for its group as may be. */
static bool has_most_added(struct naive *naive, const struct naive_pod *like)
{
    const struct naive_overtaken *overtaken = overtaken_of(naive, like);
    return overtaken != NULL && overtaken->amount >= 1 + (double)reservations_of(naive, like);
}

/* The first in order that could run there, has no reservation yet, and for which more may be added up. */
static void find_overtaken(struct naive *naive, int pod, int node)
{
    int first = -1, first_turn = turn_of(naive, &naive->pods[pod]);
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (!is_pending(other) || other->reserved >= 0 || turn_of(naive, other) >= first_turn ||
            !naive_fits_empty(naive, i, node) || !is_within_limits(naive, i) || has_most_added(naive, other))
            continue;
        first = i;
        first_turn = turn_of(naive, other);
    }
    if (first >= 0)
        note_overtaken(naive, &naive->pods[first],
                       amount_taken(naive, &naive->pods[first], &naive->pods[pod], node));
}

/* The first ask of the group that has no reservation, or -1. */
static int ask_of(const struct naive *naive, const struct naive_pod *like)
{
    int first = -1;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (is_pending(&naive->pods[i]) && naive_is_alike(&naive->pods[i], like) &&
            naive->pods[i].reserved < 0 && (first < 0 || naive->turn[i] < naive->turn[first]))
            first = i;
    }
    return first;
}

static void give(struct naive *naive, int pod, int node)
{
    struct naive_pod *p = &naive->pods[pod];
    p->reserved = node;
    p->reserved_ns = naive->now_ns;
    p->reserved_sequence = ++naive->reservations;
}

static bool is_of_shape(const struct naive_shape *shape, const struct naive_pod *pod)
{
    return shape->used && shape->picky == pod->picky &&
           memcmp(&shape->size, &pod->size, sizeof(pod->size)) == 0;
}

static int find_shape(const struct naive *naive, const struct naive_pod *pod)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (is_of_shape(&naive->shapes[i], pod))
            return i;
    }
    return -1;
}

void naive_note_shape(struct naive *naive, int pod)
{
    const struct naive_pod *p = &naive->pods[pod];
    const struct naive_shape shape = {.used = true, .size = p->size, .picky = p->picky};
    int at = find_shape(naive, p);
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (i != pod && naive->pods[i].used && is_of_shape(&shape, &naive->pods[i]))
            return;
    }
    if (at >= 0)
        naive->shapes[at].used = false;
}

static void note_shape_placed(struct naive *naive, const struct naive_pod *p)
{
    int at = find_shape(naive, p), oldest = 0;
    for (int i = 0; i < NAIVE_PODS; i++) { /* those of pods that have ended may be left */
        if (!naive->shapes[i].used || naive->shapes[i].placed_ns < naive->shapes[oldest].placed_ns)
            oldest = i;
        if (!naive->shapes[i].used)
            break;
    }
    naive->shapes[at >= 0 ? at : oldest] = (struct naive_shape){true, p->size, p->picky, naive->now_ns};
}

void naive_note_placed(struct naive *naive, int pod, int node)
{
    struct naive_pod *p = &naive->pods[pod];
    note_shape_placed(naive, p);
    if (!naive->reserves)
        return;
    note_served(naive, p);
    find_overtaken(naive, pod, node);
    int reserved = p->reserved;
    naive->used_its_node = reserved == node;
    if (reserved < 0 || reserved == node)
        return;
    int next = is_guaranteed(naive, p) ? ask_of(naive, p) : -1;
    p->reserved = -1;
    if (next >= 0)
        give(naive, next, reserved);
}

/* ---- run times ---- */

/* Of pods that are like that one: an index, or -1. */
static int run_of(const struct naive *naive, const struct naive_pod *like)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->runs[i].used && naive_is_alike(&naive->runs[i].like, like))
            return i;
    }
    return -1;
}

static void adapt(int64_t *longest_ns, int64_t run_ns, int64_t decay)
{
    if (run_ns >= *longest_ns)
        *longest_ns = run_ns;
    else
        *longest_ns -= (*longest_ns - run_ns) / decay;
}

static void note_run(struct naive *naive, const struct naive_pod *ended, int64_t run_ns)
{
    int run = run_of(naive, ended);
    for (int i = 0; run < 0; i++) {
        if (!naive->runs[i].used) {
            naive->runs[i] = (struct naive_run){.used = true, .like = *ended};
            run = i;
        }
    }
    adapt(&naive->runs[run].run_ns, run_ns, GROUP_RUN_DECAY);
}

/* Nothing is known about pods that come when none like them is there. */
static void forget_runs(struct naive *naive)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        bool is_there = false;
        for (int p = 0; p < NAIVE_PODS; p++)
            is_there |= naive->pods[p].used && naive_is_alike(&naive->pods[p], &naive->runs[i].like);
        naive->runs[i].used &= is_there;
    }
}

void naive_note_pods(struct naive *naive)
{
    forget_runs(naive);
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_overtaken *overtaken = &naive->overtaken[i];
        bool waits = false;
        for (int p = 0; p < NAIVE_PODS; p++)
            waits |= is_pending(&naive->pods[p]) && naive_is_alike(&naive->pods[p], &overtaken->like) &&
                     !naive_waits_for_placeholder(naive, p);
        overtaken->used &= waits;
    }
    for (int p = 0; p < NAIVE_PODS; p++) { /* 3.5: it waits for nothing else */
        if (has_reservation(&naive->pods[p]) && naive_waits_for_placeholder(naive, p))
            naive->pods[p].reserved = -1;
    }
}

void naive_note_ended(struct naive *naive, int pod)
{
    const struct naive_pod *p = &naive->pods[pod];
    int64_t run_ns = naive->now_ns - p->bound_ns;
    naive->nodes[p->node].ended_ns = naive->now_ns;
    naive->nodes[p->node].has_ended = true;
    adapt(&naive->longest_run_ns, run_ns, RUN_TIME_DECAY);
    note_run(naive, p, run_ns);
}

void naive_note_node(struct naive *naive, int node)
{
    int holder = naive_holder(naive, node);
    const struct naive_node *n = &naive->nodes[node];
    if (holder >= 0 && (!n->used || !n->schedulable || !naive_fits_empty(naive, holder, node)))
        naive->pods[holder].reserved = -1;
}

/* ---- times ---- */

static int64_t patience_ns(const struct naive *naive)
{
    return YK_MAX(PATIENCE_NS, 2 * naive->longest_run_ns);
}

/* ---- which node (4.2) ---- */

static double lack(const struct naive *naive, int pod, int node)
{
    const struct naive_amount left = naive_available(naive, node), *size = &naive->pods[pod].size;
    double sum = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t missing = size->v[t] - YK_MAX(left.v[t], 0);
        sum += missing > 0 ? (double)missing / (double)size->v[t] : 0;
    }
    return sum;
}

/* Something was placed there lately, and without what is alike there would be room for the pod. */
static bool is_preferred(const struct naive *naive, int pod, int node)
{
    struct naive_amount most = naive->nodes[node].capacity;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (!other->used || other->stage == NAIVE_PENDING || other->node != node ||
            !naive_is_alike(other, &naive->pods[pod]))
            continue;
        for (int t = 0; t < NAIVE_TYPES; t++)
            most.v[t] -= other->size.v[t];
    }
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (naive->pods[pod].size.v[t] > most.v[t])
            return false;
    }
    return naive->nodes[node].placed_ns >= naive->now_ns - patience_ns(naive);
}

static int order_nodes(const struct naive *naive, int pod, int a, int b)
{
    double x = lack(naive, pod, a), y = lack(naive, pod, b);
    const struct naive_node *left = &naive->nodes[a], *right = &naive->nodes[b];
    int order = (int)is_preferred(naive, pod, b) - (int)is_preferred(naive, pod, a);
    if (order == 0)
        order = (x > y) - (x < y);
    if (order == 0)
        order = (left->ended_ns < right->ended_ns) - (left->ended_ns > right->ended_ns);
    x = naive_score(naive, a), y = naive_score(naive, b);
    if (order == 0)
        order = (x > y) - (x < y);
    return order != 0 ? order : strcmp(left->id, right->id);
}

static bool could_serve(const struct naive *naive, int pod, int node)
{
    const struct naive_node *n = &naive->nodes[node];
    return n->used && n->schedulable && naive_fits_empty(naive, pod, node);
}

static int node_to_reserve(const struct naive *naive, int pod)
{
    int best = -1;
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (could_serve(naive, pod, i) && naive_holder(naive, i) < 0 && lack(naive, pod, i) > 0 &&
            (best < 0 || order_nodes(naive, pod, i, best) < 0))
            best = i;
    }
    return best;
}

/* ---- when it moves (4.2) ---- */

static int64_t expected_end_ns(const struct naive *naive, const struct naive_pod *pod)
{
    int run = run_of(naive, pod);
    int64_t age_ns = naive->now_ns - pod->bound_ns;
    int64_t run_ns =
        run >= 0 && naive->runs[run].run_ns > 0 ? naive->runs[run].run_ns : naive->longest_run_ns;
    return run_ns > age_ns ? run_ns - age_ns : age_ns;
}

/* What is free on the node in so many nanoseconds, without those that are alike. */
static struct naive_amount free_in(const struct naive *naive, int pod, int node, int64_t ns)
{
    struct naive_amount left = naive_available(naive, node);
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (!other->used || other->stage == NAIVE_PENDING || other->node != node ||
            naive_is_alike(other, &naive->pods[pod]) || expected_end_ns(naive, other) / 1000 > ns / 1000)
            continue;
        for (int t = 0; t < NAIVE_TYPES; t++)
            left.v[t] += other->size.v[t];
    }
    return left;
}

/* When the next pod that is not alike ends, after `ns`. */
static int64_t next_end(const struct naive *naive, int pod, int node, int64_t ns)
{
    int64_t next = no_end;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (!other->used || other->stage == NAIVE_PENDING || other->node != node ||
            naive_is_alike(other, &naive->pods[pod]))
            continue;
        int64_t end = expected_end_ns(naive, other);
        if (end / 1000 > ns / 1000)
            next = YK_MIN(next, end);
    }
    return next;
}

/* Until it fits: what is free for it in thousandths, and 500, times microseconds. */
static int64_t cost_of(const struct naive *naive, int pod, int node)
{
    const struct naive_amount *size = &naive->pods[pod].size;
    int64_t cost = 0, at = -1000, next;
    while ((next = next_end(naive, pod, node, at)) != no_end) {
        const struct naive_amount before =
            at < 0 ? naive_available(naive, node) : free_in(naive, pod, node, at);
        double most = 0;
        for (int t = 0; t < NAIVE_TYPES; t++) {
            if (size->v[t] > 0 && before.v[t] > 0)
                most = YK_MAX(most, (double)YK_MIN(before.v[t], size->v[t]) / (double)size->v[t]);
        }
        cost += (next / 1000 - YK_MAX(at, 0) / 1000) * ((int64_t)(most * 1000) + 500);
        at = next;
        const struct naive_amount then = free_in(naive, pod, node, at);
        bool fits = true;
        for (int t = 0; t < NAIVE_TYPES; t++)
            fits &= size->v[t] <= 0 || then.v[t] >= size->v[t];
        if (fits)
            return cost;
    }
    return no_end;
}

static int64_t gain_of(const struct naive *naive, int pod, int node)
{
    int64_t there = cost_of(naive, pod, node);
    if (there == no_end)
        return 0;
    int64_t here = cost_of(naive, pod, naive->pods[pod].reserved);
    return here - there >= least_gain && here - there >= here / 10 ? here - there : 0;
}

/* The pair of a reservation and a node with the largest gain; of equal ones the oldest, then by name. */
static bool move_one(struct naive *naive)
{
    int pods[NAIVE_PODS], count = all_reservations(naive, pods), best = -1, to = -1;
    int64_t most = 0;
    for (int i = 0; i < YK_MIN(count, (int)MOVABLE_MAX); i++) {
        for (int node = 0; node < NAIVE_NODES; node++) {
            if (!naive->nodes[node].has_ended || naive_holder(naive, node) >= 0 ||
                !could_serve(naive, pods[i], node) || lack(naive, pods[i], node) <= 0)
                continue;
            int64_t gain = gain_of(naive, pods[i], node);
            bool is_first_name = best == pods[i] && strcmp(naive->nodes[node].id, naive->nodes[to].id) < 0;
            if (gain > most || (gain > 0 && gain == most && is_first_name)) {
                best = pods[i];
                to = node;
                most = gain;
            }
        }
    }
    if (best >= 0)
        give(naive, best, to);
    return best >= 0;
}

void naive_move_reservations(struct naive *naive)
{
    if (!naive->reserves)
        return;
    while (move_one(naive))
        ;
    for (int i = 0; i < NAIVE_NODES; i++)
        naive->nodes[i].has_ended = false;
}

/* ---- how many (4.1) ---- */

/* The largest share of the pod in what is in use. */
static double share_of(const struct naive *naive, int pod)
{
    int root = 0;
    while (!naive->queues[root].used || naive->queues[root].parent >= 0)
        root++;
    struct naive_amount all = naive_queue_sum(naive, root, false);
    double share = 0;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (all.v[t] > 0)
            share = YK_MAX(share, (double)naive->pods[pod].size.v[t] / (double)all.v[t]);
    }
    return share;
}

/* What is reserved for a queue or, if that is -1, for all. */
static double reserved_share(const struct naive *naive, int queue, int *ret_count)
{
    int pods[NAIVE_PODS], count = all_reservations(naive, pods);
    double sum = 0;
    *ret_count = 0;
    for (int i = 0; i < count; i++) {
        if (queue >= 0 && naive->apps[naive->pods[pods[i]].app].queue != queue)
            continue;
        sum += share_of(naive, pods[i]);
        ++*ret_count;
    }
    return sum;
}

static int overtaken_leaves(const struct naive *naive)
{
    bool is_overtaken[NAIVE_QUEUES] = {false};
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->overtaken[i].used)
            is_overtaken[naive->apps[naive->overtaken[i].like.app].queue] = true;
    }
    for (int i = 0; i < NAIVE_QUEUES; i++)
        count += is_overtaken[i];
    return YK_MAX(count, 1);
}

/* The last in order that has a reservation, of one queue or, if that is -1, of all; of equal ones the one
 * whose reservation is the oldest. -1: none. */
static int last_holder(const struct naive *naive, int queue)
{
    int pods[NAIVE_PODS], count = all_reservations(naive, pods), last = -1;
    for (int i = 0; i < count; i++) {
        const struct naive_pod *pod = &naive->pods[pods[i]];
        if ((queue < 0 || naive->apps[pod->app].queue == queue) &&
            (last < 0 || turn_of(naive, pod) > turn_of(naive, &naive->pods[last])))
            last = pods[i];
    }
    return last;
}

/* Whether the pod may get one; *ret_from: who gives it up; -1: none. */
static bool may_get_one(const struct naive *naive, int pod, int *ret_from)
{
    int queue = naive->apps[naive->pods[pod].app].queue, all, in_leaf;
    double share = share_of(naive, pod), sum = reserved_share(naive, -1, &all),
           leaf_sum = reserved_share(naive, queue, &in_leaf);
    bool in_part = in_leaf == 0 || leaf_sum + share <= RESERVABLE / overtaken_leaves(naive);
    bool in_total = all == 0 || (all < RESERVATIONS_MAX && sum + share <= RESERVABLE);
    *ret_from = -1;
    if (in_part && in_total)
        return true;
    *ret_from = last_holder(naive, in_part ? -1 : queue);
    return turn_of(naive, &naive->pods[pod]) < turn_of(naive, &naive->pods[*ret_from]);
}

/* ---- before a later ask is placed (4.1) ---- */

/* The queue itself is guaranteed something. */
static bool has_guarantee(const struct naive_queue *queue)
{
    return queue->guaranteed.v[0] != NAIVE_FREE || queue->guaranteed.v[1] != NAIVE_FREE;
}

/* The share of the queue when the pod, and all below the queue that have reservations, have started. */
static double later_share(const struct naive *naive, int queue, const struct naive_pod *pod)
{
    struct naive_amount used = naive_queue_sum(naive, queue, false);
    int pods[NAIVE_PODS], count = all_reservations(naive, pods);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        used.v[t] += pod->size.v[t];
        for (int i = 0; i < count; i++) {
            if (naive_is_below(naive, naive->apps[naive->pods[pods[i]].app].queue, queue))
                used.v[t] += naive->pods[pods[i]].size.v[t];
        }
    }
    return naive_share_of(naive, queue, used);
}

/* The queue above (or at) `queue` whose parent is `parent`; -1: there is none. */
static int child_towards(const struct naive *naive, int parent, int queue)
{
    while (queue >= 0 && naive->queues[queue].parent != parent)
        queue = naive->queues[queue].parent;
    return queue;
}

/* Of those like the pod none has started for one and a half longest run times, while later ones have. */
static bool is_stuck(const struct naive *naive, const struct naive_pod *pod)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_overtaken *overtaken = &naive->overtaken[i];
        if (overtaken->used && naive_is_alike(&overtaken->like, pod))
            return naive->longest_run_ns > 0 &&
                   2 * (naive->now_ns - overtaken->served_ns) >= 3 * naive->longest_run_ns;
    }
    return false;
}

/* In one leaf, the one that is stuck. Else, where the queues of both part, that of `a` keeps its guarantee
 * and the other does not, or has much less. */
static bool goes_first(const struct naive *naive, const struct naive_pod *a, const struct naive_pod *b)
{
    int from = naive->apps[a->app].queue, to = naive->apps[b->app].queue;
    if (from == to)
        return is_stuck(naive, a);
    for (int parent = naive->queues[from].parent; parent >= 0; parent = naive->queues[parent].parent) {
        int x = child_towards(naive, parent, from), y = child_towards(naive, parent, to);
        if (y < 0)
            continue;
        double left = later_share(naive, x, a), right = later_share(naive, y, b);
        bool left_keeps = has_guarantee(&naive->queues[x]) && left <= 1;
        bool right_keeps = has_guarantee(&naive->queues[y]) && right <= 1;
        return x != y && ((left_keeps && !right_keeps) || right > FAR * left);
    }
    return false;
}

bool naive_reserve_early(struct naive *naive, int pod, int node)
{
    int first = -1, first_turn = turn_of(naive, &naive->pods[pod]), all;
    if (!naive->reserves || naive->pods[pod].required >= 0 || naive_holder(naive, node) >= 0)
        return false;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *other = &naive->pods[i];
        if (!is_pending(other) || other->reserved >= 0 || turn_of(naive, other) >= first_turn ||
            !naive_fits_empty(naive, i, node) || lack(naive, i, node) <= 0 || !is_within_limits(naive, i) ||
            naive->now_ns - naive->pods[ask_of(naive, other)].created_ns < DELAY_NS ||
            !goes_first(naive, other, &naive->pods[pod]))
            continue;
        first = i;
        first_turn = turn_of(naive, other);
    }
    int ask = first >= 0 ? ask_of(naive, &naive->pods[first]) : -1;
    if (ask < 0)
        return false;
    double sum = reserved_share(naive, -1, &all) + share_of(naive, ask);
    if (all > 0 && (all >= RESERVATIONS_MAX || sum > EARLY))
        return false;
    give(naive, ask, node_to_reserve(naive, ask));
    return true;
}

/* ---- one step ---- */

static bool drop_one(struct naive *naive)
{
    int pods[NAIVE_PODS], count = all_reservations(naive, pods);
    for (int i = 0; i < count; i++) {
        struct naive_pod *pod = &naive->pods[pods[i]];
        int64_t since_ns = YK_MAX(pod->reserved_ns, naive->nodes[pod->reserved].ended_ns);
        if (naive->now_ns - since_ns < patience_ns(naive) && is_within_limits(naive, pods[i]))
            continue;
        pod->reserved = -1;
        struct naive_overtaken *overtaken = overtaken_of(naive, pod);
        if (overtaken != NULL)
            overtaken->used = false;
        return true;
    }
    return false;
}

struct plan {
    int pod, node, from;
};

static bool is_overtaken_enough(const struct naive *naive, const struct naive_overtaken *overtaken, int pod)
{
    int reservations = reservations_of(naive, &overtaken->like);
    bool has_earned_one = overtaken->amount >= EARNED + (double)reservations;
    int64_t delay_ns = has_earned_one ? DELAY_NS : YK_MAX(DELAY_NS, naive->longest_run_ns / 4);
    return (has_earned_one || (reservations == 0 && !overtaken->has_started)) &&
           naive->now_ns - overtaken->since_ns >= delay_ns &&
           naive->now_ns - naive->pods[pod].created_ns >= DELAY_NS;
}

/* False: it gets none now. */
static bool plan_one(const struct naive *naive, const struct naive_overtaken *overtaken,
                     struct plan *ret_plan)
{
    int pod = overtaken->used ? ask_of(naive, &overtaken->like) : -1;
    if (pod < 0 || !is_overtaken_enough(naive, overtaken, pod) || !is_within_limits(naive, pod))
        return false;
    *ret_plan = (struct plan){.pod = pod};
    if (!may_get_one(naive, pod, &ret_plan->from))
        return false;
    int handed_on = ret_plan->from >= 0 ? naive->pods[ret_plan->from].reserved : -1;
    ret_plan->node =
        handed_on >= 0 && naive_fits_empty(naive, pod, handed_on) ? handed_on : node_to_reserve(naive, pod);
    return ret_plan->node >= 0;
}

static void carry_out(struct naive *naive, const struct plan *plan)
{
    if (plan->from >= 0) {
        naive->pods[plan->from].reserved = -1;
        note_overtaken(naive, &naive->pods[plan->from], 1);
    }
    give(naive, plan->pod, plan->node);
}

void naive_note_started(struct naive *naive, int pod, int node)
{
    const struct naive_amount left = naive_available(naive, node);
    const struct naive_overtaken *overtaken = overtaken_of(naive, &naive->pods[pod]);
    int next = ask_of(naive, &naive->pods[pod]), from;
    if (!naive->reserves || !naive->used_its_node || overtaken == NULL || next < 0 ||
        !is_overtaken_enough(naive, overtaken, next) || !is_within_limits(naive, next) ||
        !may_get_one(naive, next, &from) || from >= 0 || !could_serve(naive, next, node))
        return;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (naive->pods[next].size.v[t] > 0 && left.v[t] <= 0)
            return;
    }
    give(naive, next, node);
}

bool naive_reserve_step(struct naive *naive)
{
    struct plan plan, first = {.pod = -1};
    if (!naive->reserves)
        return false;
    if (drop_one(naive))
        return true;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (plan_one(naive, &naive->overtaken[i], &plan) &&
            (first.pod < 0 ||
             turn_of(naive, &naive->pods[plan.pod]) < turn_of(naive, &naive->pods[first.pod])))
            first = plan;
    }
    if (first.pod >= 0)
        carry_out(naive, &first);
    return first.pod >= 0;
}

/* ---- who may use the node (4.3) ---- */

/* Something is guaranteed to its queue. */
static bool has_guaranteed_type(const struct naive *naive, const struct naive_pod *pod)
{
    const struct naive_amount guaranteed = guaranteed_to(naive, naive->apps[pod->app].queue);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (guaranteed.v[t] != NAIVE_FREE)
            return true;
    }
    return false;
}

/* The two are in one leaf, or where their queues part that of the pod has a higher priority, alone lacks what
 * it is guaranteed, or has much less. */
static bool is_well_before(const struct naive *naive, const struct naive_pod *pod,
                           const struct naive_pod *holder)
{
    int from = naive->apps[pod->app].queue, to = naive->apps[holder->app].queue;
    if (from == to)
        return true;
    for (int parent = naive->queues[from].parent; parent >= 0; parent = naive->queues[parent].parent) {
        int x = child_towards(naive, parent, from), y = child_towards(naive, parent, to);
        if (y < 0 || x == y)
            continue;
        struct naive_amount more = naive_queue_sum(naive, x, false);
        for (int t = 0; t < NAIVE_TYPES; t++)
            more.v[t] += pod->size.v[t];
        return (naive->queues[parent].priority_sort &&
                naive_queue_priority(naive, x) > naive_queue_priority(naive, y)) ||
               (naive_is_below_guarantee(naive, x) && !naive_is_below_guarantee(naive, y)) ||
               naive_share_of(naive, y, naive_queue_sum(naive, y, false)) >
                   FAR * naive_share_of(naive, x, more);
    }
    return true;
}

/* None like it was placed for so long, or nothing has ended on the node for 10 s. */
static bool gets_too_little(const struct naive *naive, const struct naive_pod *pod, int node,
                            int64_t not_for_ns)
{
    int shape = find_shape(naive, pod);
    return shape < 0 || naive->now_ns - naive->shapes[shape].placed_ns >= not_for_ns ||
           naive->now_ns - naive->nodes[node].ended_ns >= QUIET_NS;
}

/* Before all that have reservations. */
static bool may_go_first(const struct naive *naive, const struct naive_pod *pod, int node)
{
    const struct naive_pod *first = NULL;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *holder = &naive->pods[i];
        if (has_reservation(holder) && (first == NULL || turn_of(naive, holder) < turn_of(naive, first)))
            first = holder;
    }
    if (first == NULL || turn_of(naive, first) == turn_of(naive, pod))
        return true;
    return turn_of(naive, pod) < turn_of(naive, first) &&
           (is_well_before(naive, pod, first) || gets_too_little(naive, pod, node, QUIET_NS));
}

static bool may_use(const struct naive *naive, const struct naive_pod *pod, const struct naive_pod *holder)
{
    int queue = naive->apps[pod->app].queue;
    bool has_waited = naive->now_ns - pod->created_ns >= DELAY_NS;
    if (naive_is_alike(pod, holder))
        return true;
    bool is_first_by_guarantee = queue != naive->apps[holder->app].queue &&
                                 has_guarantee(&naive->queues[queue]) && is_guaranteed(naive, pod) &&
                                 !is_guaranteed(naive, holder);
    if (is_first_by_guarantee)
        return has_guaranteed_type(naive, holder) || gets_too_little(naive, pod, holder->reserved, DELAY_NS);
    return has_waited && may_go_first(naive, pod, holder->reserved);
}

/* Its own one first, then the one that was reserved last. */
int naive_reserved_node_for(const struct naive *naive, int pod)
{
    int pods[NAIVE_PODS], count = all_reservations(naive, pods), found = -1;
    for (int i = 0; i < count; i++) {
        const struct naive_pod *holder = &naive->pods[pods[i]];
        bool is_own = naive_is_alike(&naive->pods[pod], holder);
        if (!naive_fits(naive, pod, holder->reserved) || !may_use(naive, &naive->pods[pod], holder))
            continue;
        found = holder->reserved;
        if (is_own)
            break;
    }
    return found;
}
