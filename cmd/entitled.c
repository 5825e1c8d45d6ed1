/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/entitled.h"

#include <float.h>
#include <math.h>

static const double step_share = 1.0 / 1024;
static const double nothing = 1e-9;

struct filling {
    struct yk_entitled *in;
    double total[YK_RESTYPE_MAX];            /* capacity of all groups */
    double (*room)[YK_RESTYPE_MAX];          /* per group: the amounts that are still free; owned */
    double (*given)[YK_ENTITLED_GROUPS_MAX]; /* per demand: the part of it that is in each group; owned */
    /* Per queue: the highest priority of open demands below it; owned. */
    int32_t *priority;
    bool *open;           /* per queue: there are open demands below it; owned */
    bool *closed;         /* per demand: it can get no more; owned */
    bool guarantees_only; /* the first pass: only demands below a guarantee are open */
};

int32_t yk_entitled_priority(const struct yk_entitled_queue *queue, int32_t priority)
{
    if (priority == INT32_MIN || queue->priority_fence)
        return priority == INT32_MIN ? priority : queue->priority_offset;
    int64_t sum = (int64_t)priority + queue->priority_offset;
    return (int32_t)YK_MAX((int64_t)INT32_MIN + 1, YK_MIN(sum, INT32_MAX));
}

double yk_entitled_of_guarantee(const struct yk_entitled_queue *queue, const double *has)
{
    double share = 0;
    if (!queue->has_guaranteed || !yk_resvec_is_positive(&queue->guaranteed))
        return 1;
    yk_resvec_foreach(type, &queue->guaranteed)
    {
        double whole = (double)yk_resvec_get(&queue->guaranteed, type);
        if (whole > 0)
            share = fmax(share, has[type] / whole);
    }
    return share;
}

/* The amount of `type` by which amounts of the queue are divided to get a share: its guarantee. Without a
 * guarantee, the nearest maximum on its path below the root; without a maximum, the capacity. */
static double whole_of(const struct yk_entitled_queue *queues, size_t index, int type, const double *total)
{
    if (queues[index].has_guaranteed && yk_resvec_has(&queues[index].guaranteed, type))
        return (double)yk_resvec_get(&queues[index].guaranteed, type);
    for (size_t i = index; queues[i].parent != i; i = queues[i].parent) {
        if (queues[i].has_max && yk_resvec_has(&queues[i].max, type))
            return (double)yk_resvec_get(&queues[i].max, type);
    }
    return total[type];
}

double yk_entitled_share(const struct yk_entitled_queue *queues, size_t index, const double *has,
                         const double *total)
{
    double share = 0;
    for (int type = 0; type < yk_restype_count(); type++) {
        if (has[type] <= 0 || type == YK_RESTYPE_PODS)
            continue;
        double whole = whole_of(queues, index, type, total);
        share = fmax(share, whole > 0 ? has[type] / whole : 1);
    }
    return share;
}

/* Whether some queue on the path of the leaf has a guarantee, and none of these guarantees is reached. */
static bool is_below_guarantee(const struct filling *filling, size_t leaf)
{
    const struct yk_entitled_queue *queues = filling->in->queues;
    bool any = false;
    for (size_t i = leaf;; i = queues[i].parent) {
        if (queues[i].has_guaranteed && yk_resvec_is_positive(&queues[i].guaranteed)) {
            if (yk_entitled_of_guarantee(&queues[i], queues[i].entitled) >= 1 - nothing)
                return false;
            any = true;
        }
        if (queues[i].parent == i)
            return any;
    }
}

static void find_open(struct filling *filling)
{
    struct yk_entitled *in = filling->in;
    for (size_t i = 0; i < in->queue_count; i++) {
        filling->open[i] = false;
        filling->priority[i] = INT32_MIN;
    }
    for (size_t d = 0; d < in->demand_count; d++) {
        const struct yk_entitled_demand *demand = &in->demands[d];
        if (filling->closed[d] || (filling->guarantees_only && !is_below_guarantee(filling, demand->queue)))
            continue;
        filling->open[demand->queue] = true;
        filling->priority[demand->queue] = YK_MAX(filling->priority[demand->queue], demand->priority);
    }
    for (size_t i = in->queue_count; i-- > 1;) {
        size_t parent = in->queues[i].parent;
        filling->open[parent] |= filling->open[i];
        int32_t seen = yk_entitled_priority(&in->queues[i], filling->priority[i]);
        filling->priority[parent] = YK_MAX(filling->priority[parent], seen);
    }
}

static bool is_before(const struct filling *filling, size_t a, size_t b)
{
    const struct yk_entitled_queue *queues = filling->in->queues;
    if (queues[queues[a].parent].priority_sort) {
        int32_t of_a = yk_entitled_priority(&queues[a], filling->priority[a]);
        int32_t of_b = yk_entitled_priority(&queues[b], filling->priority[b]);
        if (of_a != of_b)
            return of_a > of_b;
    }
    return yk_entitled_share(queues, a, queues[a].entitled, filling->total) <
           yk_entitled_share(queues, b, queues[b].entitled, filling->total);
}

static size_t next_leaf(const struct filling *filling)
{
    const struct yk_entitled *in = filling->in;
    size_t at = 0;
    while (!in->queues[at].is_leaf) {
        size_t best = in->queue_count;
        for (size_t i = 1; i < in->queue_count; i++) {
            if (in->queues[i].parent == at && filling->open[i] &&
                (best == in->queue_count || is_before(filling, i, best)))
                best = i;
        }
        at = best;
    }
    return at;
}

static size_t next_demand(const struct filling *filling, size_t leaf)
{
    const struct yk_entitled *in = filling->in;
    size_t best = in->demand_count;
    for (size_t d = 0; d < in->demand_count; d++) {
        const struct yk_entitled_demand *demand = &in->demands[d];
        if (demand->queue == leaf && !filling->closed[d] && demand->priority == filling->priority[leaf] &&
            (best == in->demand_count || demand->given < in->demands[best].given))
            best = d;
    }
    return best;
}

static double part_below(const struct yk_resvec *max, const double *has, const struct yk_resvec *amounts)
{
    double part = DBL_MAX;
    yk_resvec_foreach_common(type, max, amounts)
    {
        double more = (double)yk_resvec_get(amounts, type);
        if (more > 0)
            part = fmin(part, fmax(0, (double)yk_resvec_get(max, type) - has[type]) / more);
    }
    return part;
}

/* The part of `amounts` that the maxima on the path of the leaf still allow, DBL_MAX if there are none. */
static double part_below_maxima(const struct filling *filling, size_t leaf, const struct yk_resvec *amounts)
{
    const struct yk_entitled_queue *queues = filling->in->queues;
    double part = DBL_MAX;
    for (size_t i = leaf; queues[i].parent != i; i = queues[i].parent) {
        if (queues[i].has_max)
            part = fmin(part, part_below(&queues[i].max, queues[i].entitled, amounts));
        if (queues[i].has_limit)
            part = fmin(part, part_below(&queues[i].limit, queues[i].entitled, amounts));
    }
    return part;
}

static double part_in_group(const struct filling *filling, size_t group, const struct yk_resvec *amounts)
{
    double part = DBL_MAX;
    yk_resvec_foreach(type, amounts)
    {
        double more = (double)yk_resvec_get(amounts, type);
        if (more > 0)
            part = fmin(part, fmax(0, filling->room[group][type]) / more);
    }
    return part;
}

static double dominant_share(const struct filling *filling, const struct yk_resvec *amounts)
{
    double share = 0;
    yk_resvec_foreach(type, amounts)
    {
        if (yk_resvec_get(amounts, type) > 0)
            share = fmax(share, filling->total[type] > 0
                                    ? (double)yk_resvec_get(amounts, type) / filling->total[type]
                                    : DBL_MAX);
    }
    return share;
}

/* The number of demands that may use the group. Groups with few users are filled first. */
static size_t users_of(const struct yk_entitled *in, size_t group)
{
    size_t count = 0;
    for (size_t d = 0; d < in->demand_count; d++)
        count += in->demands[d].groups >> group & 1;
    return count;
}

static size_t group_for(const struct filling *filling, const struct yk_entitled_demand *demand)
{
    const struct yk_entitled *in = filling->in;
    size_t best = in->group_count;
    for (size_t g = 0; g < in->group_count; g++) {
        if ((demand->groups >> g & 1) == 0 || part_in_group(filling, g, &demand->amounts) < nothing)
            continue;
        if (best == in->group_count || users_of(in, g) < users_of(in, best))
            best = g;
    }
    return best;
}

static void take(struct filling *filling, struct yk_entitled_demand *demand, size_t group, double part)
{
    struct yk_entitled_queue *queues = filling->in->queues;
    demand->given += part;
    filling->given[demand - filling->in->demands][group] += part;
    yk_resvec_foreach(type, &demand->amounts)
    {
        double amount = part * (double)yk_resvec_get(&demand->amounts, type);
        filling->room[group][type] -= amount;
        for (size_t i = demand->queue;; i = queues[i].parent) {
            queues[i].entitled[type] += amount;
            if (queues[i].parent == i)
                break;
        }
    }
}

static void move(struct filling *filling, size_t d, size_t from, size_t to, double part)
{
    const struct yk_resvec *amounts = &filling->in->demands[d].amounts;
    filling->given[d][from] -= part;
    filling->given[d][to] += part;
    yk_resvec_foreach(type, amounts)
    {
        filling->room[from][type] += part * (double)yk_resvec_get(amounts, type);
        filling->room[to][type] -= part * (double)yk_resvec_get(amounts, type);
    }
}

/*
 * Makes free capacity in the group: moves a part of what demands have there to another group with free
 * capacity. If the other group has none, first makes free capacity there, in the same way. `tried` has a bit
 * for each group that was tried already. True: there is free capacity now. The recursion is at most as deep
 * as there are groups.
 */
static bool make_capacity(struct filling *filling, size_t group, uint64_t *tried)
{
    const struct yk_entitled *in = filling->in;
    *tried |= UINT64_C(1) << group;
    for (size_t d = 0; d < in->demand_count; d++) {
        const struct yk_entitled_demand *demand = &in->demands[d];
        for (size_t g = 0; g < in->group_count && filling->given[d][group] > nothing; g++) {
            if (((demand->groups & ~*tried) >> g & 1) == 0)
                continue;
            double part = part_in_group(filling, g, &demand->amounts);
            if (part < nothing && make_capacity(filling, g, tried))
                part = part_in_group(filling, g, &demand->amounts);
            if (part < nothing)
                continue;
            move(filling, d, group, g, fmin(part, filling->given[d][group]));
            return true;
        }
    }
    return false;
}

/* Like group_for(), after moving parts of demands out of a group that `demand` may use. */
static size_t group_after_moves(struct filling *filling, const struct yk_entitled_demand *demand)
{
    uint64_t tried = 0;
    for (size_t g = 0; g < filling->in->group_count; g++) {
        if ((demand->groups & ~tried) >> g & 1 && make_capacity(filling, g, &tried))
            return group_for(filling, demand);
    }
    return filling->in->group_count;
}

/* Gives the demand its next step. False: the demand can get no more. */
static bool give(struct filling *filling, struct yk_entitled_demand *demand)
{
    double part = fmin(1 - demand->given, step_share / dominant_share(filling, &demand->amounts));
    part = fmin(part, part_below_maxima(filling, demand->queue, &demand->amounts));
    if (part < nothing)
        return false;
    size_t group = group_for(filling, demand);
    if (group == filling->in->group_count)
        group = group_after_moves(filling, demand);
    if (group == filling->in->group_count) {
        filling->in->lacks_capacity = true;
        return false;
    }
    take(filling, demand, group, fmin(part, part_in_group(filling, group, &demand->amounts)));
    return true;
}

static void fill(struct filling *filling, bool guarantees_only)
{
    filling->guarantees_only = guarantees_only;
    for (find_open(filling); filling->in->queue_count > 0 && filling->open[0]; find_open(filling)) {
        size_t d = next_demand(filling, next_leaf(filling));
        if (!give(filling, &filling->in->demands[d]))
            filling->closed[d] = true;
    }
}

static void prepare(struct filling *filling)
{
    struct yk_entitled *in = filling->in;
    in->lacks_capacity = false;
    for (size_t i = 0; i < in->queue_count; i++)
        memset(in->queues[i].entitled, 0, (size_t)yk_restype_count() * sizeof(double));
    for (size_t d = 0; d < in->demand_count; d++) {
        in->demands[d].given = 0;
        filling->closed[d] = yk_resvec_is_zero(&in->demands[d].amounts);
    }
    for (size_t g = 0; g < in->group_count; g++) {
        yk_resvec_foreach(type, &in->groups[g])
        {
            filling->room[g][type] = (double)yk_resvec_get(&in->groups[g], type);
            filling->total[type] += (double)yk_resvec_get(&in->groups[g], type);
        }
    }
}

void yk_entitled_compute(struct yk_entitled *entitled)
{
    struct filling filling = {
        .in = entitled,
        .room = yk_calloc(entitled->group_count + 1, sizeof(*filling.room)),
        .given = yk_calloc(entitled->demand_count + 1, sizeof(*filling.given)),
        .priority = yk_calloc(entitled->queue_count + 1, sizeof(*filling.priority)),
        .open = yk_calloc(entitled->queue_count + 1, sizeof(*filling.open)),
        .closed = yk_calloc(entitled->demand_count + 1, sizeof(*filling.closed)),
    };
    prepare(&filling);
    fill(&filling, true);
    fill(&filling, false);
    free(filling.room);
    free(filling.given);
    free(filling.priority);
    free(filling.open);
    free(filling.closed);
}
