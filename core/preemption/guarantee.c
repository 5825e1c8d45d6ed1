/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/guarantee.h"

static bool guarantees(const struct yk_queue *queue)
{
    return queue->has_guaranteed && queue->guaranteed.set != 0;
}

static int64_t used_in_the_end(const struct yk_queue *queue, int type)
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
        yk_resvec_put(ret_left, (int)t, yk_i64_sub(queue->guaranteed.v[t], used_in_the_end(queue, (int)t)));
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

static bool is_exceeded(const struct yk_resvec *left, const struct yk_resvec *wanted)
{
    yk_resvec_foreach(t, left->set & wanted->set)
    {
        if (left->v[t] < 0 && wanted->v[t] > 0)
            return true;
    }
    return false;
}

bool yk_guarantee_keeps(const struct yk_queue *queue, const struct yk_resvec *size)
{
    if (!guarantees(queue))
        return true;
    yk_resvec_foreach(t, queue->guaranteed.set & size->set)
    {
        int64_t rest =
            yk_i64_sub(yk_resvec_get(&queue->allocated, (int)t), yk_resvec_get(&queue->preempting, (int)t));
        if (size->v[t] > 0 && yk_i64_sub(rest, size->v[t]) < queue->guaranteed.v[t])
            return false;
    }
    return true;
}

bool yk_guarantee_spares(const struct yk_scope *scope, const struct yk_ask *victim,
                         const struct yk_resvec *wanted)
{
    struct yk_resvec left;
    const struct yk_queue *leaf = yk_ask_app(victim)->leaf, *meet = yk_scope_meet(scope, leaf);
    if (yk_guarantee_left(scope, leaf, &left) && !is_exceeded(&left, wanted))
        return false;
    for (const struct yk_queue *queue = leaf; queue != meet; queue = queue->parent) {
        if (!yk_guarantee_keeps(queue, yk_ask_size(victim)))
            return false;
    }
    return true;
}
