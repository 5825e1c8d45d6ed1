/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of preemption (docs/reference/scheduling.md 6.1 and 6.2), checked for one set of victims over the
 * plain tables. What will be: preempted allocations have ended, nominated asks have their nodes. */
#include "scheduler/naive.h"

#include <string.h>

/* ---- what will be ---- */

static void as_it_will_be(const struct naive *naive, int asker, struct naive *ret)
{
    *ret = *naive;
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_pod *pod = &ret->pods[i];
        if (pod->preempted)
            pod->used = false;
        if (!pod->used || pod->nominated <= 0 || pod->stage != NAIVE_PENDING || i == asker)
            continue;
        pod->stage = NAIVE_BOUND;
        pod->node = pod->nominated - 1;
    }
}

static void end_victims(struct naive *naive, const struct naive_preemption *preemption, int spared)
{
    for (int i = 0; i < preemption->count; i++)
        naive->pods[preemption->victims[i]].used = i == spared;
}

static bool has_node(const struct naive *then, const struct naive_preemption *preemption)
{
    return naive_refuses(then, preemption->pod) == NULL &&
           naive_fits(then, preemption->pod, preemption->node);
}

static int64_t guaranteed(const struct naive *naive, int queue, int t)
{
    int64_t amount = naive->queues[queue].guaranteed.v[t];
    return amount == NAIVE_FREE ? 0 : amount;
}

static bool has_guarantee(const struct naive *naive, int queue)
{
    return guaranteed(naive, queue, 0) > 0 || guaranteed(naive, queue, 1) > 0;
}

/* ---- need (6.1, "Preemption ends") ---- */

enum { DEPTHS = 8 };

struct need {
    double v[2 * DEPTHS]; /* needs: leaves, then parents from the deepest up; shortfalls in the same order */
};

static int depth_of(const struct naive *naive, int queue)
{
    int depth = 0;
    while ((queue = naive->queues[queue].parent) >= 0)
        depth++;
    return depth;
}

static void add_need(const struct naive *naive, int queue, struct need *need)
{
    struct naive_amount used = naive_queue_sum(naive, queue, false);
    double product = 1, sum = 0;
    int level = naive->queues[queue].is_leaf ? 0 : DEPTHS - 1 - depth_of(naive, queue);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t whole = guaranteed(naive, queue, t);
        if (whole <= 0)
            continue;
        double open = 1 - YK_MIN(1.0, (double)used.v[t] / (double)whole);
        product *= open;
        sum += open;
    }
    if (!has_guarantee(naive, queue))
        return;
    need->v[level] += product;
    need->v[DEPTHS + level] += sum;
}

static struct need need_of(const struct naive *naive)
{
    struct need need = {{0}};
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (naive->queues[i].used)
            add_need(naive, i, &need);
    }
    return need;
}

static bool is_lower(const struct need *a, const struct need *b)
{
    for (int i = 0; i < 2 * DEPTHS; i++) {
        if (a->v[i] < b->v[i] - 1e-9)
            return true;
        if (a->v[i] > b->v[i] + 1e-9)
            return false;
    }
    return false;
}

static bool lowers_need(const struct naive *before, const struct naive *after,
                        const struct naive_preemption *preemption)
{
    static struct naive then;
    then = *after;
    then.pods[preemption->pod].stage = NAIVE_BOUND;
    then.pods[preemption->pod].node = preemption->node;
    struct need x = need_of(before), y = need_of(&then);
    return is_lower(&y, &x);
}

/* ---- the asking queue ---- */

/* The leaf, or the nearest queue above it that has a guarantee; -1: none. */
static int claimed_queue(const struct naive *naive, int pod)
{
    int queue = naive->apps[naive->pods[pod].app].queue;
    while (queue >= 0 && !has_guarantee(naive, queue))
        queue = naive->queues[queue].parent;
    return queue;
}

static const char *judge_asker(const struct naive *before, const struct naive *after,
                               const struct naive_preemption *preemption)
{
    int queue = claimed_queue(before, preemption->pod);
    if (queue < 0)
        return "its queue is guaranteed nothing";
    struct naive_amount used = naive_queue_sum(after, queue, false);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t whole = before->queues[queue].guaranteed.v[t];
        if (whole != NAIVE_FREE && used.v[t] + before->pods[preemption->pod].size.v[t] > whole)
            return "its queue would be above its guarantee";
    }
    return NULL;
}

/* ---- victims ---- */

static int meeting_queue(const struct naive *naive, int a, int b)
{
    while (!naive_is_below(naive, b, a))
        a = naive->queues[a].parent;
    return a;
}

static int32_t priority_below(const struct naive *naive, int pod, int top)
{
    int32_t priority = naive->pods[pod].priority;
    for (int q = naive->apps[naive->pods[pod].app].queue; q != top; q = naive->queues[q].parent)
        priority = naive_seen_priority(naive, q, priority);
    return priority;
}

/* Placeholders that end without a real pod in their place are as good as gone. */
static void end_released(struct naive *then)
{
    for (int i = 0; i < NAIVE_PODS; i++)
        then->pods[i].used = then->pods[i].used && (!then->pods[i].released || then->pods[i].peer >= 0);
}

/* Types that the ask lacks on its node or in a maximum above it, while nothing more has ended. */
static void find_lacking(const struct naive *before, const struct naive_preemption *preemption,
                         bool ret_lacks[NAIVE_TYPES])
{
    static struct naive then;
    const struct naive_pod *pod = &before->pods[preemption->pod];
    then = *before;
    end_released(&then);
    struct naive_amount left = naive_available(&then, preemption->node);
    for (int t = 0; t < NAIVE_TYPES; t++)
        ret_lacks[t] = pod->size.v[t] > left.v[t];
    for (int q = before->apps[pod->app].queue; before->queues[q].parent >= 0; q = before->queues[q].parent) {
        struct naive_amount used = naive_queue_sum(before, q, false);
        const struct naive_amount *max = &before->queues[q].max;
        for (int t = 0; t < NAIVE_TYPES; t++)
            ret_lacks[t] |= max->v[t] != NAIVE_FREE && used.v[t] + pod->size.v[t] > max->v[t];
    }
}

/* Of a queue that is not above the ask. */
static const char *judge_loss(const struct naive *before, const struct naive *after, int queue,
                              const bool lacks[NAIVE_TYPES])
{
    struct naive_amount had = naive_queue_sum(before, queue, false),
                        has = naive_queue_sum(after, queue, false);
    bool is_above = false;
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t whole = guaranteed(before, queue, t);
        if (lacks[t] && whole > 0 && had.v[t] >= whole && has.v[t] < whole)
            return "a victim's queue loses what it is guaranteed";
        is_above |= lacks[t] && had.v[t] > whole;
    }
    return is_above ? NULL : "a victim's queue is not above its guarantee of anything that the ask lacks";
}

static const char *judge_victim(const struct naive *before, const struct naive *after,
                                const struct naive_preemption *preemption, int victim,
                                const bool lacks[NAIVE_TYPES])
{
    const struct naive_pod *pod = &before->pods[preemption->pod], *other = &before->pods[victim];
    int leaf = before->apps[pod->app].queue, its = before->apps[other->app].queue,
        meet = meeting_queue(before, leaf, its);
    const char *law = NULL;
    if (leaf == its)
        return "a victim is of the same leaf";
    if (other->required >= 0)
        return "a victim is bound to its node";
    if (naive_is_below(before, its, claimed_queue(before, preemption->pod)))
        return "a victim is of the branch whose guarantee is claimed";
    if (priority_below(before, victim, meet) > priority_below(before, preemption->pod, meet))
        return "a victim has a higher priority";
    for (int q = its; q != meet && law == NULL; q = before->queues[q].parent)
        law = judge_loss(before, after, q, lacks);
    return law;
}

static const char *judge_number(const struct naive *before, const struct naive_preemption *preemption)
{
    static struct naive then;
    for (int i = 0; i < preemption->count; i++) {
        then = *before;
        end_victims(&then, preemption, i);
        if (has_node(&then, preemption))
            return "a victim could be left out";
    }
    return NULL;
}

static const char *judge_capacity(const struct naive *after, const struct naive_preemption *preemption)
{
    static struct naive then;
    then = *after;
    end_released(&then);
    if (naive_refuses(&then, preemption->pod) != NULL)
        return "a queue would have no room for the ask";
    if (!naive_fits(&then, preemption->pod, preemption->node))
        return "the node would have no room for the ask";
    return NULL;
}

const char *naive_judge_preemption(const struct naive *naive, const struct naive_preemption *preemption)
{
    static struct naive before, after;
    bool lacks[NAIVE_TYPES];
    const char *refuses = naive_refuses(naive, preemption->pod);
    if (refuses != NULL && strstr(refuses, "limit") != NULL) /* else the path of a queue */
        return "a limit of its user or group refuses the ask";
    as_it_will_be(naive, preemption->pod, &before);
    after = before;
    end_victims(&after, preemption, -1);
    find_lacking(&before, preemption, lacks);
    const char *law = judge_capacity(&after, preemption);
    if (law != NULL)
        return law;
    law = judge_asker(&before, &after, preemption);
    for (int i = 0; i < preemption->count && law == NULL; i++)
        law = judge_victim(&before, &after, preemption, preemption->victims[i], lacks);
    if (law == NULL)
        law = judge_number(&before, preemption);
    if (law == NULL && !lowers_need(&before, &after, preemption))
        law = "the need does not become less";
    return law;
}

const char *naive_judge_daemon(const struct naive *naive, const struct naive_preemption *preemption)
{
    static struct naive before, after;
    const struct naive_pod *pod = &naive->pods[preemption->pod];
    before = *naive; /* 3.7: nominated asks lose the node */
    for (int i = 0; i < NAIVE_PODS; i++)
        before.pods[i].nominated = 0;
    as_it_will_be(&before, preemption->pod, &after);
    end_victims(&after, preemption, -1);
    for (int i = 0; i < preemption->count; i++) {
        const struct naive_pod *victim = &naive->pods[preemption->victims[i]];
        if (victim->node != preemption->node || victim->required >= 0)
            return "a victim is elsewhere, or bound to the node";
        if (victim->priority > pod->priority)
            return "a victim has a higher priority";
    }
    return naive_fits(&after, preemption->pod, preemption->node) ? NULL : "there would be no room";
}
