/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/guarantee.h"

static bool guarantees(const struct yk_queue *queue)
{
    return queue->has_guaranteed && queue->guaranteed.set != 0;
}

int64_t yk_guarantee_used(const struct yk_queue *queue, int type)
{
    int64_t used =
        yk_i64_sub(yk_resvec_get(&queue->allocated, type), yk_resvec_get(&queue->preempting, type));
    return yk_i64_add(used, yk_resvec_get(&queue->promised, type));
}

static void left_here(const struct yk_queue *queue, struct yk_resvec *ret_left)
{
    ret_left->set = 0;
    if (!guarantees(queue))
        return;
    yk_resvec_foreach(t, queue->guaranteed.set)
        yk_resvec_put(ret_left, (int)t, yk_i64_sub(queue->guaranteed.v[t], yk_guarantee_used(queue, (int)t)));
}

/* Leaves below answer by guarantees of their own, so that siblings do not fight over what is above them. */
static bool ends_here(const struct yk_scope *scope, const struct yk_queue *queue)
{
    return queue != scope->leaf && guarantees(queue) && guarantees(scope->leaf) &&
           queue->depth < scope->leaf->depth && scope->path[queue->depth] == queue;
}

bool yk_guarantee_left(const struct yk_scope *scope, const struct yk_queue *queue, struct yk_resvec *ret_left)
{
    struct yk_resvec here;
    ret_left->set = 0;
    uint32_t own = 0; /* what the ask's leaf guarantees itself is not lowered by those above */
    if (queue == scope->leaf && guarantees(queue)) {
        left_here(queue, ret_left);
        own = ret_left->set;
        queue = queue->parent;
    }
    for (; queue != NULL && !ends_here(scope, queue); queue = queue->parent) {
        left_here(queue, &here);
        here.set &= ~own;
        yk_resvec_min(ret_left, &here);
    }
    return ret_left->set != 0;
}

void yk_guarantee_lacks(const struct yk_scope *scope, const struct yk_resvec *size,
                        const struct yk_resvec *apart, struct yk_resvec *ret_lack)
{
    struct yk_resvec left;
    ret_lack->set = 0;
    if (!yk_guarantee_left(scope, scope->leaf, &left))
        return;
    yk_resvec_foreach(t, left.set & size->set)
    {
        int64_t lack = yk_i64_sub(size->v[t], yk_i64_add(left.v[t], yk_resvec_get(apart, (int)t)));
        if (size->v[t] > 0 && lack > 0)
            yk_resvec_put(ret_lack, (int)t, lack);
    }
}

struct yk_queue *yk_guarantee_holder(struct yk_queue *leaf)
{
    while (leaf != NULL && !guarantees(leaf))
        leaf = leaf->parent;
    return leaf;
}

bool yk_guarantee_is_missed(const struct yk_queue *queue)
{
    return yk_resvec_is_below(&queue->allocated, &queue->guaranteed, &queue->guaranteed);
}

/* ---- victims ---- */

static bool guarantees_type(const struct yk_queue *queue, int type)
{
    return queue->has_guaranteed && yk_resvec_has(&queue->guaranteed, type);
}

/* The queue has its full guarantee now and would have less afterwards. */
static bool falls_below(const struct yk_queue *queue, const struct yk_resvec *size, int type)
{
    int64_t used = yk_guarantee_used(queue, type), guaranteed = queue->guaranteed.v[type];
    return size->v[type] > 0 && used >= guaranteed && yk_i64_sub(used, size->v[type]) < guaranteed;
}

/* The types whose guarantees protect the queue. */
static uint32_t protecting_types(const struct yk_queue *queue, const struct yk_resvec *size,
                                 const struct yk_resvec *lacking)
{
    uint32_t types = guarantees(queue) ? queue->guaranteed.set & size->set : 0;
    uint32_t wanted = 0;
    yk_resvec_foreach(t, types & lacking->set) wanted |= size->v[t] > 0 ? 1u << t : 0;
    return wanted != 0 ? wanted : types;
}

bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size,
                        const struct yk_resvec *lacking)
{
    yk_resvec_foreach(t, protecting_types(queue, size, lacking))
    {
        if (falls_below(queue, size, (int)t))
            return false;
    }
    return true;
}

/* Whether each queue from `leaf` up to `meet` that guarantees the type has more than that, by `amount`. */
static bool is_above_by(const struct yk_queue *leaf, const struct yk_queue *meet, int type, int64_t amount)
{
    for (const struct yk_queue *queue = leaf; queue != meet; queue = queue->parent) {
        if (guarantees_type(queue, type) &&
            yk_i64_sub(yk_guarantee_used(queue, type), amount) < queue->guaranteed.v[type])
            return false;
    }
    return true;
}

static bool has_to_give(const struct yk_queue *leaf, const struct yk_queue *meet,
                        const struct yk_resvec *size, const struct yk_resvec *lacking)
{
    yk_resvec_foreach(t, lacking->set & size->set)
    {
        if (size->v[t] > 0 && is_above_by(leaf, meet, (int)t, size->v[t]))
            return true;
    }
    return false;
}

bool yk_guarantee_spares(const struct yk_scope *scope, const struct yk_ask *victim,
                         const struct yk_resvec *lacking)
{
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf, *meet = yk_scope_meet(scope, leaf);
    const struct yk_queue *holder = yk_guarantee_holder(scope->leaf);
    if (holder == NULL || meet->depth >= holder->depth)
        return false; /* the victim is below the queue whose guarantee is claimed */
    if (!has_to_give(leaf, meet, yk_ask_size(victim), lacking))
        return false;
    for (const struct yk_queue *queue = leaf; queue != meet; queue = queue->parent) {
        if (!yk_guarantee_keeps(queue, yk_ask_size(victim), lacking))
            return false;
    }
    return true;
}
