/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/need.h"

/* A gain that exceeds the loss by less than this part of the loss does not count: the difference may be an
 * error of rounding. */
#define ROUNDING 1e-9

/* What ends (`less`) and what starts (`more`) in a queue; NULL: nothing. */
struct change {
    const struct yk_resvec *less, *more;
};

static int64_t used_before(const struct yk_queue *queue, const struct change *change, int type)
{
    int64_t used = yk_guarantee_used(queue, type);
    if (change->less != NULL)
        used = yk_i64_add(used, yk_resvec_get(change->less, type));
    return change->more != NULL ? yk_i64_sub(used, yk_resvec_get(change->more, type)) : used;
}

static double unserved(int64_t used, int64_t guaranteed)
{
    if (used >= guaranteed)
        return 0;
    return used <= 0 ? 1 : 1 - (double)used / (double)guaranteed;
}

enum measure { NEED, SHORTFALL, MEASURES };

/* The measure of a queue before `change`; with an empty change, as the queue counts now. */
static double measure_of(const struct yk_queue *queue, const struct change *change, enum measure measure)
{
    double product = 1, sum = 0;
    bool any = false;
    yk_resvec_foreach(t, queue->has_guaranteed ? &queue->guaranteed : NULL)
    {
        if (yk_resvec_get(&queue->guaranteed, t) <= 0)
            continue;
        double part = unserved(used_before(queue, change, t), yk_resvec_get(&queue->guaranteed, t));
        product *= part;
        sum += part;
        any = true;
    }
    if (!any)
        return 0;
    return measure == NEED ? product : sum;
}

/* ---- the queues that an exchange touches ---- */

/* Whether the queue was added with an earlier victim. Each queue is added once: with the first victim in its
 * branch, or with the ask if there is none. */
static bool is_seen_before(const struct yk_exchange *exchange, const struct yk_queue *queue, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        const struct yk_ask *victim = exchange->victims->items[i];
        if (yk_queue_is_in_branch(yk_ask_app(victim)->leaf, queue))
            return true;
    }
    return false;
}

struct totals {
    double gain, loss;
};

static void add_queue(const struct yk_exchange *exchange, const struct yk_queue *queue, enum measure measure,
                      struct totals *totals)
{
    YK_RESVEC(less);
    YK_RESVEC(more);
    const struct yk_ask *victim;
    bool on_path = yk_queue_is_in_branch(exchange->scope->leaf, queue);
    yk_vec_foreach (victim, exchange->victims) {
        if (yk_queue_is_in_branch(yk_ask_app(victim)->leaf, queue))
            yk_resvec_add(&less, yk_ask_size(victim));
    }
    if (on_path)
        yk_resvec_add(&more, exchange->booked);
    double before = measure_of(queue, &(struct change){&less, &more}, measure);
    if (on_path) /* counts the size of the ask in place of `booked` */
        yk_resvec_sub(&more, exchange->size);
    double after = measure_of(queue, &(struct change){NULL, &more}, measure);
    if (after < before)
        totals->gain += before - after;
    else
        totals->loss += after - before;
}

enum { LEAVES = UINT32_MAX };

static void add_path(const struct yk_exchange *exchange, const struct yk_queue *leaf, size_t index,
                     uint32_t level, enum measure measure, struct totals *totals)
{
    for (const struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        bool counts = queue->has_guaranteed && level == (queue->is_leaf ? LEAVES : queue->depth);
        if (counts && !is_seen_before(exchange, queue, index))
            add_queue(exchange, queue, measure, totals);
    }
}

static struct totals at_level(const struct yk_exchange *exchange, uint32_t level, enum measure measure)
{
    struct totals totals = {0};
    size_t count = exchange->victims->count;
    for (size_t i = 0; i < count; i++) {
        const struct yk_ask *victim = exchange->victims->items[i];
        add_path(exchange, yk_ask_app(victim)->leaf, i, level, measure, &totals);
    }
    add_path(exchange, exchange->scope->leaf, count, level, measure, &totals);
    return totals;
}

static uint32_t greatest_depth(const struct yk_exchange *exchange)
{
    uint32_t depth = exchange->scope->leaf->depth;
    const struct yk_ask *victim;
    yk_vec_foreach (victim, exchange->victims)
        depth = YK_MAX(depth, yk_ask_app(victim)->leaf->depth);
    return depth;
}

/* 1: the exchange lowers the measure. -1: it does not, or by so little that it may be an error of rounding.
 * 0: the measure stays the same at all levels. */
static int compare(const struct yk_exchange *exchange, enum measure measure)
{
    for (int64_t depth = (int64_t)greatest_depth(exchange) + 1; depth >= 0; depth--) {
        uint32_t level = depth > greatest_depth(exchange) ? LEAVES : (uint32_t)depth;
        struct totals totals = at_level(exchange, level, measure);
        if (totals.gain > 0 || totals.loss > 0)
            return totals.gain > totals.loss * (1 + ROUNDING) ? 1 : -1;
    }
    return 0;
}

bool yk_exchange_lowers_need(const struct yk_exchange *exchange)
{
    int need = compare(exchange, NEED);
    return need != 0 ? need > 0 : compare(exchange, SHORTFALL) > 0;
}

bool yk_exchange_serves_leaf(const struct yk_exchange *exchange)
{
    struct totals totals = {0};
    if (!exchange->scope->leaf
             ->is_leaf) /* it became a parent: its need is compared after that of all leaves */
        return false;
    add_queue(exchange, exchange->scope->leaf, NEED, &totals);
    return totals.gain > 0;
}

/* False also if a reload turned a queue above the victim's leaf into a leaf. This queue counts as a leaf,
 * too, and the ask may be in its branch, so the caller has to compare the needs
 * (yk_exchange_lowers_need()). */
bool yk_exchange_is_free(const struct yk_ask *victim)
{
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf;
    for (const struct yk_queue *queue = leaf->parent; queue != NULL; queue = queue->parent) {
        if (queue->is_leaf)
            return false;
    }
    double before = measure_of(leaf, &(struct change){yk_ask_size(victim), NULL}, NEED);
    return measure_of(leaf, &(struct change){0}, NEED) <= before;
}
