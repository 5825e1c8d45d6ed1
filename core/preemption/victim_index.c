/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/victim_index.h"

#include "preemption/guarantee.h"

enum { KEPT = UINT32_MAX }; /* `place` of a node that yk_victim_index_keep() put aside */

void yk_victim_index_done(struct yk_victim_index *victim_index)
{
    free(victim_index->least);
    free(victim_index->place);
    free(victim_index->heap);
    free(victim_index->failed);
    yk_all_candidates_done(&victim_index->candidates);
    *victim_index = (struct yk_victim_index){0};
}

void yk_victim_index_reset(struct yk_victim_index *victim_index, uint64_t key)
{
    if (victim_index->capacity > 0)
        memset(victim_index->place, 0, victim_index->capacity * sizeof(uint32_t));
    victim_index->key = key;
    victim_index->pass = (struct yk_plan_pass){0};
    yk_all_candidates_reset(&victim_index->candidates);
    victim_index->count = victim_index->failed_count = victim_index->kept = 0;
}

/* ---- a heap of node indices ---- */

static const struct yk_node *node_at(const struct yk_plan_view *view, uint32_t index)
{
    return view->nodes[index];
}

static bool before(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t a,
                   uint32_t b)
{
    victim_index->compared++;
    if (victim_index->least[a] != victim_index->least[b])
        return victim_index->least[a] < victim_index->least[b];
    return strcmp(node_at(view, a)->id, node_at(view, b)->id) < 0;
}

static void set_at(struct yk_victim_index *victim_index, uint32_t at, uint32_t index)
{
    victim_index->heap[at] = index;
    victim_index->place[index] = at + 1;
}

static void move_up(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t at)
{
    uint32_t index = victim_index->heap[at];
    for (; at > 0 && before(victim_index, view, index, victim_index->heap[(at - 1) / 2]); at = (at - 1) / 2)
        set_at(victim_index, at, victim_index->heap[(at - 1) / 2]);
    set_at(victim_index, at, index);
}

static void move_down(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t at)
{
    uint32_t index = victim_index->heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < victim_index->count &&
            before(victim_index, view, victim_index->heap[child + 1], victim_index->heap[child]))
            child++;
        if (child >= victim_index->count || !before(victim_index, view, victim_index->heap[child], index))
            break;
        set_at(victim_index, at, victim_index->heap[child]);
        at = child;
    }
    set_at(victim_index, at, index);
}

static void push(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t index)
{
    set_at(victim_index, victim_index->count++, index);
    move_up(victim_index, view, victim_index->count - 1);
}

static void remove_at(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t at)
{
    victim_index->place[victim_index->heap[at]] = 0;
    if (at == --victim_index->count)
        return;
    set_at(victim_index, at, victim_index->heap[victim_index->count]);
    move_up(victim_index, view, at);
    move_down(victim_index, view, at);
}

/* ---- the nodes in the index ---- */

/* Removes all nodes that changed. Does not compare them, because some of them have left and been freed. */
static void drop_changed(struct yk_victim_index *victim_index, const struct yk_plan_view *view)
{
    uint32_t kept = 0;
    for (uint32_t at = 0; at < victim_index->count; at++) {
        uint32_t index = victim_index->heap[at];
        victim_index->place[index] = 0;
        if (index < view->node_count && view->nodes[index] != NULL &&
            view->changed[index] <= victim_index->pass.seen)
            victim_index->heap[kept++] = index;
    }
    victim_index->count = kept;
    for (uint32_t at = 0; at < kept; at++)
        victim_index->place[victim_index->heap[at]] = at + 1;
    for (uint32_t at = kept / 2; at-- > 0;)
        move_down(victim_index, view, at);
}

static void grow(struct yk_victim_index *victim_index, uint32_t nodes)
{
    if (nodes <= victim_index->capacity)
        return;
    uint32_t capacity = YK_MAX(nodes, 2 * victim_index->capacity);
    victim_index->least = yk_realloc_array(victim_index->least, capacity, sizeof(uint32_t));
    victim_index->place = yk_realloc_array(victim_index->place, capacity, sizeof(uint32_t));
    victim_index->heap = yk_realloc_array(victim_index->heap, capacity, sizeof(uint32_t));
    victim_index->failed = yk_realloc_array(victim_index->failed, capacity, sizeof(uint32_t));
    memset(victim_index->place + victim_index->capacity, 0,
           (capacity - victim_index->capacity) * sizeof(uint32_t));
    victim_index->capacity = capacity;
}

/* Puts back the nodes that yk_victim_index_put_aside() put aside. */
static void look_again(struct yk_victim_index *victim_index, const struct yk_plan_view *view)
{
    uint32_t count = victim_index->failed_count;
    victim_index->failed_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = victim_index->failed[i];
        if (index < view->node_count && view->nodes[index] != NULL && victim_index->place[index] == 0 &&
            victim_index->least[index] != YK_NODE_NEVER)
            push(victim_index, view, index);
    }
}

static void take_out(struct yk_victim_index *victim_index, const struct yk_plan_view *view, uint32_t index)
{
    uint32_t place = victim_index->place[index];
    if (place == KEPT) {
        victim_index->place[index] = 0;
        victim_index->kept--;
    } else if (place > 0) {
        remove_at(victim_index, view, place - 1);
    }
}

static void begin_pass(struct yk_victim_index *victim_index, const struct yk_plan_view *view)
{
    yk_plan_pass_begin(&victim_index->pass, view);
    if (view->last_left > victim_index->pass.seen || victim_index->pass.seen == 0)
        drop_changed(victim_index, view);
}

static void look_at(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                    const struct yk_scope *scope, const struct yk_ask *ask, uint32_t index)
{
    take_out(victim_index, view, index);
    victim_index->least[index] =
        view->nodes[index] != NULL ? yk_node_least_victims(scope, ask, node_at(view, index)) : YK_NODE_NEVER;
    if (victim_index->least[index] != YK_NODE_NEVER)
        push(victim_index, view, index);
}

bool yk_victim_index_update(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                            const struct yk_scope *scope, const struct yk_ask *ask, uint32_t *work)
{
    struct yk_plan_pass *pass = &victim_index->pass;
    while (pass->seen != view->change) {
        grow(victim_index, view->node_count);
        /* A node that has left may be in the heap, which must not compare it. */
        if (!yk_plan_pass_is_under_way(pass) || YK_MAX(view->all_changed, view->last_left) > pass->begun)
            begin_pass(victim_index, view);
        for (uint32_t index; yk_plan_pass_next(pass, view, work, &index);)
            look_at(victim_index, view, scope, ask, index);
        if (!yk_plan_pass_end(pass, view))
            return false;
        look_again(victim_index, view);
    }
    return true;
}

struct yk_node *yk_victim_index_take(struct yk_victim_index *victim_index, const struct yk_plan_view *view)
{
    if (victim_index->count == 0)
        return NULL;
    uint32_t index = victim_index->heap[0];
    remove_at(victim_index, view, 0);
    return view->nodes[index];
}

void yk_victim_index_put(struct yk_victim_index *victim_index, const struct yk_plan_view *view,
                         const struct yk_node *node, uint32_t least)
{
    victim_index->least[node->index] = least;
    push(victim_index, view, node->index);
}

void yk_victim_index_put_aside(struct yk_victim_index *victim_index, const struct yk_node *node)
{
    victim_index->failed[victim_index->failed_count++] = node->index;
}

void yk_victim_index_keep(struct yk_victim_index *victim_index, const struct yk_node *node)
{
    victim_index->place[node->index] = KEPT;
    victim_index->kept++;
}
