/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/quota_choice.h"

#include "preemption/dry_run.h"
#include "preemption/guarantee.h"

/* ---- how much ---- */

/* What the queue uses of the type, without victims that have not ended yet. */
static int64_t used(const struct yk_queue *queue, int type)
{
    return yk_i64_sub(yk_resvec_get(&queue->allocated, type), yk_resvec_get(&queue->preempting, type));
}

static bool guarantees(const struct yk_queue *queue, int type)
{
    return queue->has_guaranteed && yk_resvec_has(&queue->guaranteed, type);
}

/* What the queue uses above its guarantee of the type; without a guarantee, all that it uses. */
static int64_t over_guarantee(const struct yk_queue *queue, int type)
{
    int64_t over = used(queue, type);
    if (guarantees(queue, type))
        over = yk_i64_sub(over, yk_resvec_get(&queue->guaranteed, type));
    return YK_MAX(over, 0);
}

/* Whether the guarantee of the queue limits what is taken. A queue that uses less than its guarantee already
 * protects no victim. */
static bool limits(const struct yk_queue *queue, int type)
{
    return guarantees(queue, type) && used(queue, type) >= yk_resvec_get(&queue->guaranteed, type);
}

/* Sets `ret_target` to what is to be taken from the queue: its excess, but not more than the queue and each
 * queue above it use above their guarantees. A queue that uses less than its guarantee does not count
 * (limits()). False: nothing is to be taken. */
static bool quota_target(const struct yk_queue *queue, struct yk_resvec *ret_target)
{
    yk_resvec_clear(ret_target);
    yk_resvec_foreach(t, queue->has_max ? &queue->max : NULL)
    {
        int64_t target = yk_i64_sub(used(queue, t), yk_resvec_get(&queue->max, t));
        for (const struct yk_queue *up = queue; up != NULL && target > 0; up = up->parent) {
            if (limits(up, t))
                target = YK_MIN(target, over_guarantee(up, t));
        }
        if (target > 0)
            yk_resvec_put(ret_target, t, target);
    }
    return !yk_resvec_is_empty(ret_target);
}

/* The parent has to give `target`. Returns the part of it that a child has to give, which is proportional to
 * `over`, what the child uses above its guarantee; `sum` is the sum of `over` of all children, and of what the
 * parent's own applications use. */
static int64_t part_of(int64_t target, int64_t over, int64_t sum)
{
    if (sum <= 0)
        return 0;
    return YK_MIN(over, (int64_t)((__int128)target * over / sum));
}

struct share {
    struct yk_queue *queue;
    struct yk_resvec target;
};

static void add_share(struct yk_vec *shares, struct yk_queue *queue, const struct yk_resvec *target)
{
    struct share *share = yk_new0(struct share);
    share->queue = queue;
    yk_resvec_copy(&share->target, target);
    yk_vec_append(shares, share);
}

/* What the applications of the queue itself use of the type, without victims that have not ended yet. */
static int64_t used_by_apps(const struct yk_queue *queue, int type)
{
    int64_t left = used(queue, type);
    const struct yk_queue *child;
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children)
        left = yk_i64_sub(left, used(child, type));
    return left;
}

/* Appends the parts of the children to `shares`, and sets `ret_own` to what the applications of the queue
 * itself have to give. A queue that changed its type may have both (R15); what its applications use then
 * counts like that of a child without a guarantee. */
static void split(struct yk_vec *shares, const struct yk_queue *queue, const struct yk_resvec *target,
                  struct yk_resvec *ret_own)
{
    YK_RESVEC(own);
    YK_RESVEC(sum);
    struct yk_queue *child;
    yk_resvec_foreach(t, target)
    {
        int64_t over = used_by_apps(queue, t);
        yk_resvec_put(&own, t, over);
        yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children)
            over = yk_i64_add(over, over_guarantee(child, t));
        yk_resvec_put(&sum, t, over);
    }
    yk_list_foreach (child, &queue->child_list, struct yk_queue, in_children) {
        YK_RESVEC(part);
        yk_resvec_foreach(t, target)
        {
            int64_t amount =
                part_of(yk_resvec_get(target, t), over_guarantee(child, t), yk_resvec_get(&sum, t));
            if (amount > 0)
                yk_resvec_put(&part, t, amount);
        }
        if (!yk_resvec_is_empty(&part))
            add_share(shares, child, &part);
    }
    yk_resvec_foreach(t, target)
    {
        int64_t amount = part_of(yk_resvec_get(target, t), yk_resvec_get(&own, t), yk_resvec_get(&sum, t));
        if (amount > 0)
            yk_resvec_put(ret_own, t, amount);
    }
}

/* ---- the victims ---- */

struct candidate {
    struct yk_ask *ask;
    uint32_t kind; /* yk_victim_rank() */
    uint32_t rank; /* in_quota_order() */
    int matching;  /* how many of its types are to be taken back, in per cent */
    int64_t age_hours;
    double share; /* its part of the maximum of `top`, summed over the types to be taken back */
};

/* The rank for this order: protected weighs most, then originator, then opted out. */
static uint32_t in_quota_order(uint32_t rank)
{
    return ((rank & YK_VICTIM_PROTECTED) != 0 ? 4u : 0) | ((rank & YK_VICTIM_ORIGINATOR) != 0 ? 2u : 0) |
           ((rank & YK_VICTIM_OPTED_OUT) != 0 ? 1u : 0);
}

static double share_of(const struct yk_resvec *size, const struct yk_resvec *target,
                       const struct yk_resvec *max)
{
    double share = 0;
    yk_resvec_foreach_common(t, size, target)
    {
        int64_t whole = yk_resvec_get(max, t);
        share += whole > 0 ? (double)yk_resvec_get(size, t) / (double)whole : (double)yk_resvec_get(size, t);
    }
    return share;
}

static int in_documented_order(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->matching != y->matching)
        return x->matching > y->matching ? -1 : 1;
    int32_t x_priority = yk_ask_priority(x->ask), y_priority = yk_ask_priority(y->ask);
    if (x_priority != y_priority)
        return x_priority < y_priority ? -1 : 1;
    if (x->age_hours != y->age_hours)
        return x->age_hours < y->age_hours ? -1 : 1;
    if (x->share < y->share || x->share > y->share)
        return x->share < y->share ? -1 : 1;
    int order = strcmp(x->ask->key, y->ask->key);
    return order != 0 ? order : (x->ask->sequence > y->ask->sequence) - (x->ask->sequence < y->ask->sequence);
}

struct choice {
    const struct yk_victim_ranking *ranking;
    const struct yk_queue *top; /* the queue that uses more than its maximum */
    struct yk_victim_limits *victim_limits;
    struct candidate *items; /* owned */
    size_t count, capacity;
    struct yk_dry_run run; /* its steps are the victims that are taken */
    struct yk_vec cookies; /* for yk_victim_rank_with() */
};

static void add_candidate(struct choice *choice, struct yk_ask *ask, const struct yk_resvec *target)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    if (choice->count == choice->capacity) {
        choice->capacity = YK_MAX(2 * choice->capacity, (size_t)16);
        choice->items = yk_realloc_array(choice->items, choice->capacity, sizeof(struct candidate));
    }
    uint32_t kind = yk_victim_rank(choice->ranking, ask);
    int64_t age_ns = yk_i64_sub(choice->victim_limits->now_wall_ns, ask->create_wall_ns);
    choice->items[choice->count++] = (struct candidate){
        .ask = ask,
        .kind = kind,
        .rank = in_quota_order(kind),
        .matching = 100 * yk_resvec_count_common(size, target) / yk_resvec_count(size),
        .age_hours = age_ns / (3600 * YK_NS_PER_S),
        .share = share_of(size, target, &choice->top->max),
    };
}

static void collect(struct choice *choice, const struct yk_queue *leaf, const struct yk_resvec *target)
{
    const struct yk_app *app;
    choice->count = 0;
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf) {
        struct yk_ask *ask;
        yk_text_set_foreach (ask, &app->asks) {
            if (yk_victim_eligible(ask, target))
                add_candidate(choice, ask, target);
        }
    }
    if (choice->count > 1)
        qsort(choice->items, choice->count, sizeof(struct candidate), in_documented_order);
}

static bool all_keep(const struct yk_queue *queue, const struct yk_resvec *size,
                     const struct yk_resvec *target)
{
    for (; queue != NULL; queue = queue->parent) {
        if (!yk_guarantee_keeps(queue, size, target))
            return false;
    }
    return true;
}

/* Moves the candidate at `index` back if it shares a disruption budget with victims that are taken. True: it
 * was moved, which happens at most once for each candidate, because its rank is worse then. */
static bool goes_later(struct choice *choice, size_t index)
{
    struct candidate later = choice->items[index];
    uint32_t kind =
        yk_victim_rank_with(choice->ranking, later.ask, later.kind, &choice->run.asks, &choice->cookies);
    if (kind == later.kind)
        return false;
    later.kind = kind;
    later.rank = in_quota_order(kind);
    for (; index + 1 < choice->count && in_documented_order(&later, &choice->items[index + 1]) > 0; index++)
        choice->items[index] = choice->items[index + 1];
    choice->items[index] = later;
    return true;
}

static bool reduces(const struct yk_resvec *left, const struct yk_resvec *size)
{
    yk_resvec_foreach_common(t, left, size)
    {
        if (yk_resvec_get(left, t) > 0 && yk_resvec_get(size, t) > 0)
            return true;
    }
    return false;
}

/* Takes candidates in order, each only if it has some of the target and not more than is left of it. */
static void take(struct choice *choice, const struct yk_queue *leaf, struct yk_resvec *left)
{
    for (size_t i = 0; i < choice->count;) {
        if (goes_later(choice, i))
            continue;
        struct yk_ask *victim = choice->items[i++].ask;
        const struct yk_resvec *size = yk_ask_size(victim);
        if (!reduces(left, size) || !yk_resvec_fit_undef(left, size) || !all_keep(leaf, size, left) ||
            !yk_victim_limits_check(choice->victim_limits, victim))
            continue;
        yk_resvec_sub_existing(left, size);
        yk_dry_run_add(&choice->run, YK_DRY_VICTIM, victim, victim->node);
    }
}

/* Splits each share into shares of the children of its queue, which are appended to `shares`, and one of its
 * own applications, for which victims are chosen. Frees the shares. */
static void choose_all(struct choice *choice, struct yk_vec *shares)
{
    for (size_t i = 0; i < shares->count; i++) {
        struct share *share = shares->items[i];
        YK_RESVEC(own);
        split(shares, share->queue, &share->target, &own);
        collect(choice, share->queue, &own);
        take(choice, share->queue, &own);
        yk_resvec_done(&share->target);
        free(share);
    }
}

void yk_quota_choose(struct yk_queue *queue, const struct yk_victim_ranking *ranking,
                     struct yk_victim_limits *victim_limits, struct yk_vec *ret_victims)
{
    struct choice choice = {.ranking = ranking,
                            .top = queue,
                            .victim_limits = victim_limits,
                            .run = {.now_mono_ns = victim_limits->now_mono_ns}};
    struct yk_vec shares = {0};
    struct yk_ask *victim;
    YK_RESVEC(target);
    if (!quota_target(queue, &target))
        return;
    add_share(&shares, queue, &target);
    choose_all(&choice, &shares);
    yk_vec_foreach (victim, &choice.run.asks)
        yk_vec_append(ret_victims, victim);
    yk_dry_run_done(&choice.run);
    yk_vec_done(&shares);
    yk_vec_done(&choice.cookies);
    free(choice.items);
}
