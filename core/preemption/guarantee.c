/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/guarantee.h"

static bool guarantees(const struct yk_queue *queue)
{
    return queue->has_guaranteed && !yk_resvec_is_empty(&queue->guaranteed);
}

int64_t yk_guarantee_used(const struct yk_queue *queue, int type)
{
    int64_t used =
        yk_i64_sub(yk_resvec_get(&queue->allocated, type), yk_resvec_get(&queue->preempting, type));
    return yk_i64_add(used, yk_resvec_get(&queue->nominated, type));
}

static void left_here(const struct yk_queue *queue, struct yk_resvec *ret_left)
{
    yk_resvec_clear(ret_left);
    if (!guarantees(queue))
        return;
    yk_resvec_foreach(t, &queue->guaranteed) yk_resvec_put(
        ret_left, t, yk_i64_sub(yk_resvec_get(&queue->guaranteed, t), yk_guarantee_used(queue, t)));
}

/* Whether `queue` and the queues above it are left out of yk_guarantee_left(): `queue` is above the ask's
 * leaf, and both have guarantees. Victims in other leaves below `queue` are judged by the guarantees below
 * it, so that siblings do not preempt each other for the guarantee of their common parent. */
static bool ends_here(const struct yk_scope *scope, const struct yk_queue *queue)
{
    return queue != scope->leaf && guarantees(queue) && guarantees(scope->leaf) &&
           queue->depth < scope->leaf->depth && scope->path[queue->depth] == queue;
}

bool yk_guarantee_left(const struct yk_scope *scope, const struct yk_queue *queue, struct yk_resvec *ret_left)
{
    YK_RESVEC(here);
    YK_RESVEC(own); /* what remains of the guarantee of the ask's leaf itself */
    if (queue == scope->leaf && guarantees(queue)) {
        left_here(queue, &own);
        queue = queue->parent;
    }
    yk_resvec_copy(ret_left, &own);
    for (; queue != NULL && !ends_here(scope, queue); queue = queue->parent) {
        left_here(queue, &here);
        yk_resvec_remove_types(&here, &own);
        yk_resvec_min(ret_left, &here);
    }
    return !yk_resvec_is_empty(ret_left);
}

void yk_guarantee_lacks(const struct yk_scope *scope, const struct yk_resvec *size,
                        const struct yk_resvec *apart, struct yk_resvec *ret_lack)
{
    YK_RESVEC(left);
    yk_resvec_clear(ret_lack);
    if (!yk_guarantee_left(scope, scope->leaf, &left))
        return;
    yk_resvec_foreach_common(t, &left, size)
    {
        int64_t lack =
            yk_i64_sub(yk_resvec_get(size, t), yk_i64_add(yk_resvec_get(&left, t), yk_resvec_get(apart, t)));
        if (yk_resvec_get(size, t) > 0 && lack > 0)
            yk_resvec_put(ret_lack, t, lack);
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

/* Whether the queue has its full guarantee of the type now, and less without an allocation of `size`. */
static bool falls_below(const struct yk_queue *queue, const struct yk_resvec *size, int type)
{
    int64_t used = yk_guarantee_used(queue, type), guaranteed = yk_resvec_get(&queue->guaranteed, type);
    return yk_resvec_get(size, type) > 0 && used >= guaranteed &&
           yk_i64_sub(used, yk_resvec_get(size, type)) < guaranteed;
}

/* Whether `size` has some of a type that is lacking and that the queue guarantees. */
static bool has_wanted_type(const struct yk_queue *queue, const struct yk_resvec *size,
                            const struct yk_resvec *lacking)
{
    yk_resvec_foreach_common(t, size, lacking)
    {
        if (yk_resvec_get(size, t) > 0 && guarantees_type(queue, t))
            return true;
    }
    return false;
}

bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size,
                        const struct yk_resvec *lacking)
{
    bool only_lacking = has_wanted_type(queue, size, lacking);
    yk_resvec_foreach(t, size)
    {
        bool protects = guarantees_type(queue, t) && (!only_lacking || yk_resvec_has(lacking, t));
        if (protects && falls_below(queue, size, t))
            return false;
    }
    return true;
}

/* Whether the queues from `leaf` up to, but without, `meet` use at least `amount` more of the type than they
 * guarantee. Queues that do not guarantee the type are passed over. */
static bool is_above_by(const struct yk_queue *leaf, const struct yk_queue *meet, int type, int64_t amount)
{
    for (const struct yk_queue *queue = leaf; queue != meet; queue = queue->parent) {
        if (guarantees_type(queue, type) &&
            yk_i64_sub(yk_guarantee_used(queue, type), amount) < yk_resvec_get(&queue->guaranteed, type))
            return false;
    }
    return true;
}

static bool has_to_give(const struct yk_queue *leaf, const struct yk_queue *meet,
                        const struct yk_resvec *size, const struct yk_resvec *lacking)
{
    yk_resvec_foreach_common(t, lacking, size)
    {
        if (yk_resvec_get(size, t) > 0 && is_above_by(leaf, meet, t, yk_resvec_get(size, t)))
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
