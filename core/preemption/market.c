/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/market.h"

#include "preemption/guarantee.h"

enum { KEPT = UINT32_MAX }; /* the place of a node that is kept for others */

void yk_market_done(struct yk_market *market)
{
    free(market->least);
    free(market->place);
    free(market->heap);
    free(market->failed);
    yk_elsewhere_done(&market->elsewhere);
    *market = (struct yk_market){0};
}

void yk_market_reset(struct yk_market *market, uint64_t key)
{
    if (market->capacity > 0)
        memset(market->place, 0, market->capacity * sizeof(uint32_t));
    market->key = key;
    market->seen = 0;
    yk_elsewhere_reset(&market->elsewhere);
    market->count = market->failed_count = market->kept = 0;
}

/* ---- a heap of node indices ---- */

static const struct yk_node *node_at(const struct yk_plan_view *view, uint32_t index)
{
    return view->nodes[index];
}

static bool before(const struct yk_market *market, const struct yk_plan_view *view, uint32_t a, uint32_t b)
{
    if (market->least[a] != market->least[b])
        return market->least[a] < market->least[b];
    return strcmp(node_at(view, a)->id, node_at(view, b)->id) < 0;
}

static void set_at(struct yk_market *market, uint32_t at, uint32_t index)
{
    market->heap[at] = index;
    market->place[index] = at + 1;
}

static void move_up(struct yk_market *market, const struct yk_plan_view *view, uint32_t at)
{
    uint32_t index = market->heap[at];
    for (; at > 0 && before(market, view, index, market->heap[(at - 1) / 2]); at = (at - 1) / 2)
        set_at(market, at, market->heap[(at - 1) / 2]);
    set_at(market, at, index);
}

static void move_down(struct yk_market *market, const struct yk_plan_view *view, uint32_t at)
{
    uint32_t index = market->heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < market->count && before(market, view, market->heap[child + 1], market->heap[child]))
            child++;
        if (child >= market->count || !before(market, view, market->heap[child], index))
            break;
        set_at(market, at, market->heap[child]);
        at = child;
    }
    set_at(market, at, index);
}

static void push(struct yk_market *market, const struct yk_plan_view *view, uint32_t index)
{
    set_at(market, market->count++, index);
    move_up(market, view, market->count - 1);
}

static void remove_at(struct yk_market *market, const struct yk_plan_view *view, uint32_t at)
{
    market->place[market->heap[at]] = 0;
    if (at == --market->count)
        return;
    set_at(market, at, market->heap[market->count]);
    move_up(market, view, at);
    move_down(market, view, at);
}

/* ---- what is in it ---- */

/* A node that has gone may stand in the heap: nothing is asked about it before all such are out. */
static void drop_gone(struct yk_market *market, const struct yk_plan_view *view)
{
    uint32_t kept = 0;
    for (uint32_t at = 0; at < market->count; at++) {
        uint32_t index = market->heap[at];
        market->place[index] = 0;
        if (index < view->node_count && view->nodes[index] != NULL && view->changed[index] <= market->seen)
            market->heap[kept++] = index;
    }
    market->count = kept;
    for (uint32_t at = 0; at < kept; at++)
        market->place[market->heap[at]] = at + 1;
    for (uint32_t at = kept / 2; at-- > 0;)
        move_down(market, view, at);
}

static void make_room(struct yk_market *market, uint32_t nodes)
{
    if (nodes <= market->capacity)
        return;
    uint32_t capacity = YK_MAX(nodes, 2 * market->capacity);
    market->least = yk_realloc_array(market->least, capacity, sizeof(uint32_t));
    market->place = yk_realloc_array(market->place, capacity, sizeof(uint32_t));
    market->heap = yk_realloc_array(market->heap, capacity, sizeof(uint32_t));
    market->failed = yk_realloc_array(market->failed, capacity, sizeof(uint32_t));
    memset(market->place + market->capacity, 0, (capacity - market->capacity) * sizeof(uint32_t));
    market->capacity = capacity;
}

static void look_again(struct yk_market *market, const struct yk_plan_view *view)
{
    uint32_t count = market->failed_count;
    market->failed_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = market->failed[i];
        if (index < view->node_count && view->nodes[index] != NULL && market->place[index] == 0 &&
            market->least[index] != YK_NODE_NEVER)
            push(market, view, index);
    }
}

static void forget_kept(struct yk_market *market, uint32_t index)
{
    if (market->place[index] != KEPT)
        return;
    market->place[index] = 0;
    market->kept--;
}

void yk_market_update(struct yk_market *market, const struct yk_plan_view *view, const struct yk_scope *scope,
                      const struct yk_ask *ask)
{
    if (market->seen == view->change)
        return;
    make_room(market, view->node_count);
    if (view->all_changed > market->seen)
        market->seen = 0;
    drop_gone(market, view);
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->changed[i] <= market->seen)
            continue;
        forget_kept(market, i);
        market->least[i] =
            view->nodes[i] != NULL ? yk_node_least_victims(scope, ask, node_at(view, i)) : YK_NODE_NEVER;
        if (market->least[i] != YK_NODE_NEVER)
            push(market, view, i);
    }
    look_again(market, view);
    market->seen = view->change;
}

struct yk_node *yk_market_take(struct yk_market *market, const struct yk_plan_view *view)
{
    if (market->count == 0)
        return NULL;
    uint32_t index = market->heap[0];
    remove_at(market, view, 0);
    return view->nodes[index];
}

void yk_market_put(struct yk_market *market, const struct yk_plan_view *view, const struct yk_node *node,
                   uint32_t least)
{
    market->least[node->index] = least;
    push(market, view, node->index);
}

void yk_market_put_aside(struct yk_market *market, const struct yk_node *node)
{
    market->failed[market->failed_count++] = node->index;
}

void yk_market_keep(struct yk_market *market, const struct yk_node *node)
{
    market->place[node->index] = KEPT;
    market->kept++;
}
