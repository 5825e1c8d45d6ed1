/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/scope.h"

void yk_scope_done(struct yk_scope *scope)
{
    free(scope->path);
    free(scope->priorities);
    *scope = (struct yk_scope){0};
}

bool yk_queue_lacks(const struct yk_queue *queue, const struct yk_resvec *size, const struct yk_resvec *apart,
                    struct yk_resvec *ret_lack)
{
    yk_resvec_clear(ret_lack);
    if (queue->parent == NULL || !queue->has_max)
        return false;
    yk_resvec_foreach(t, size)
    {
        if (yk_resvec_get(size, t) == 0 || !yk_resvec_has(&queue->max, t))
            continue;
        int64_t used = yk_i64_sub(yk_resvec_get(&queue->allocated, t), yk_resvec_get(&queue->preempting, t));
        used = yk_i64_add(used, yk_resvec_get(&queue->nominated, t));
        if (apart != NULL)
            used = yk_i64_sub(used, yk_resvec_get(apart, t));
        int64_t lack = yk_i64_sub(yk_i64_add(used, yk_resvec_get(size, t)), yk_resvec_get(&queue->max, t));
        if (lack > 0)
            yk_resvec_put(ret_lack, t, lack);
    }
    return !yk_resvec_is_empty(ret_lack);
}

static void grow(struct yk_scope *scope, uint32_t depths)
{
    if (depths <= scope->capacity)
        return;
    scope->capacity = YK_MAX(depths, 16u);
    scope->path = yk_realloc_array(scope->path, scope->capacity, sizeof(struct yk_queue *));
    scope->priorities = yk_realloc_array(scope->priorities, scope->capacity, sizeof(int64_t));
}

static bool is_fence(const struct yk_queue *queue, const struct yk_resvec *size)
{
    YK_RESVEC(lack);
    return queue->parent == NULL || queue->settings.preemption_policy == YK_PREEMPTION_FENCE ||
           yk_queue_lacks(queue, size, NULL, &lack);
}

static int64_t priority_seen_by(const struct yk_queue *queue, int64_t priority)
{
    int64_t offset = queue->settings.priority_offset;
    return queue->settings.priority_policy == YK_PRIORITY_FENCE ? offset : priority + offset;
}

bool yk_scope_set(struct yk_scope *scope, struct yk_queue *leaf, const struct yk_resvec *size,
                  int32_t priority)
{
    int64_t seen = priority;
    bool fenced = false;
    grow(scope, leaf->depth + 1);
    scope->leaf = leaf;
    for (struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        scope->path[queue->depth] = queue;
        scope->priorities[queue->depth] = seen;
        seen = priority_seen_by(queue, seen);
        if (!fenced && is_fence(queue, size)) {
            fenced = true;
            scope->fence_depth = queue->depth;
        }
    }
    return scope->fence_depth < leaf->depth;
}

static bool is_on_path(const struct yk_scope *scope, const struct yk_queue *queue)
{
    return queue->depth <= scope->leaf->depth && scope->path[queue->depth] == queue;
}

const struct yk_queue *yk_scope_meet(const struct yk_scope *scope, const struct yk_queue *queue)
{
    while (!is_on_path(scope, queue))
        queue = queue->parent;
    return queue;
}

bool yk_scope_admits(const struct yk_scope *scope, const struct yk_ask *victim)
{
    const struct yk_queue *queue = yk_ask_app(victim)->leaf;
    if (queue == scope->leaf || queue->settings.preemption_policy == YK_PREEMPTION_DISABLED)
        return false;
    /* In `queue`, the ask must have at least the priorities `least` and `least_fence`. `least` comes from the
     * priority of the victim, if there was no priority fence above the victim so far. `least_fence` is the
     * highest priority of the fences so far. */
    int64_t least = yk_ask_priority(victim), least_fence = INT64_MIN / 2;
    for (; !is_on_path(scope, queue); queue = queue->parent) {
        int64_t offset = queue->settings.priority_offset;
        if (queue->settings.priority_policy == YK_PRIORITY_FENCE) {
            least = INT64_MIN / 2;
            least_fence = YK_MAX(least_fence, offset);
        } else {
            least += offset;
            least_fence += offset;
        }
    }
    return queue->depth >= scope->fence_depth && queue != scope->leaf &&
           YK_MAX(least, least_fence) <= scope->priorities[queue->depth];
}
