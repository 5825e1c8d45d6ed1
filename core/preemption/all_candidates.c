/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/all_candidates.h"

#include "preemption/victim_index.h"

struct yk_node_victims {
    struct yk_heap_entry in_heap; /* while candidates are left */
    struct yk_candidates candidates;
    size_t next;
    /* Of the next candidate, copied: allocations that have ended since are compared, too, until their list is
     * dropped. */
    uint32_t rank;
    int64_t create_wall_ns;
    uint64_t sequence;
};

/* The younger one first, then the one that arrived later. */
static bool is_better(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct yk_node_victims *x = YK_CONTAINER(a, struct yk_node_victims, in_heap),
                                 *y = YK_CONTAINER(b, struct yk_node_victims, in_heap);
    if (x->rank != y->rank)
        return x->rank < y->rank;
    if (x->create_wall_ns != y->create_wall_ns)
        return x->create_wall_ns > y->create_wall_ns;
    return x->sequence > y->sequence;
}

/* Puts the list into the heap by its candidate `next`, if it has as many. */
static void insert(struct yk_all_candidates *elsewhere, struct yk_node_victims *victims, size_t next)
{
    victims->next = next;
    if (next >= victims->candidates.count)
        return;
    const struct yk_candidate *candidate = &victims->candidates.items[next];
    victims->rank = candidate->rank;
    victims->create_wall_ns = candidate->ask->create_wall_ns;
    victims->sequence = candidate->ask->sequence;
    yk_heap_insert(&elsewhere->heap, &victims->in_heap);
}

static void drop_node(struct yk_all_candidates *elsewhere, uint32_t index)
{
    struct yk_node_victims *victims = elsewhere->nodes[index];
    if (victims == NULL)
        return;
    yk_heap_remove(&elsewhere->heap, &victims->in_heap);
    yk_candidates_done(&victims->candidates);
    free(victims);
    elsewhere->nodes[index] = NULL;
}

void yk_all_candidates_reset(struct yk_all_candidates *elsewhere)
{
    yk_vec_clear(&elsewhere->begun);
    for (uint32_t i = 0; i < elsewhere->capacity; i++)
        drop_node(elsewhere, i);
    elsewhere->seen = 0;
}

void yk_all_candidates_done(struct yk_all_candidates *elsewhere)
{
    yk_all_candidates_reset(elsewhere);
    free(elsewhere->nodes);
    yk_heap_done(&elsewhere->heap);
    yk_vec_done(&elsewhere->begun);
    *elsewhere = (struct yk_all_candidates){0};
}

static void make_capacity(struct yk_all_candidates *elsewhere, uint32_t nodes)
{
    if (nodes <= elsewhere->capacity)
        return;
    uint32_t capacity = YK_MAX(nodes, 2 * elsewhere->capacity);
    elsewhere->nodes = yk_realloc_array(elsewhere->nodes, capacity, sizeof(*elsewhere->nodes));
    for (uint32_t i = elsewhere->capacity; i < capacity; i++)
        elsewhere->nodes[i] = NULL;
    elsewhere->capacity = capacity;
}

static void collect(struct yk_all_candidates *elsewhere, const struct yk_plan_view *view,
                    const struct yk_scope *scope, const struct yk_ask *ask, uint32_t index)
{
    const struct yk_node *node = view->nodes[index];
    struct yk_candidates candidates = {0};
    struct yk_ask *victim;
    yk_list_foreach (victim, &node->allocations, struct yk_ask, in_node) {
        if (yk_victim_eligible(victim, yk_ask_size(ask)) && yk_scope_admits(scope, victim))
            yk_candidates_add(&candidates, victim, yk_victim_rank(&view->ranking, victim));
    }
    if (candidates.count == 0)
        return;
    yk_candidates_sort(&candidates);
    struct yk_node_victims *victims = yk_new0(struct yk_node_victims);
    victims->candidates = candidates;
    elsewhere->nodes[index] = victims;
    insert(elsewhere, victims, 0);
}

void yk_all_candidates_end(struct yk_all_candidates *elsewhere)
{
    struct yk_node_victims *victims;
    yk_vec_foreach (victims, &elsewhere->begun) {
        yk_heap_remove(&elsewhere->heap, &victims->in_heap);
        insert(elsewhere, victims, 0);
    }
    yk_vec_clear(&elsewhere->begun);
}

void yk_all_candidates_begin(struct yk_all_candidates *elsewhere, const struct yk_plan_view *view,
                             const struct yk_scope *scope, const struct yk_ask *ask)
{
    elsewhere->heap.before = is_better;
    if (elsewhere->seen == view->change)
        return;
    if (view->all_changed > elsewhere->seen)
        elsewhere->seen = 0;
    make_capacity(elsewhere, view->node_count);
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->changed[i] <= elsewhere->seen)
            continue;
        drop_node(elsewhere, i);
        if (view->nodes[i] != NULL)
            collect(elsewhere, view, scope, ask, i);
    }
    elsewhere->seen = view->change;
}

/* What was told to end since is out of the list for good. */
static void drop_told(struct yk_all_candidates *elsewhere, struct yk_node_victims *victims)
{
    struct yk_candidates *candidates = &victims->candidates;
    size_t kept = victims->next;
    for (size_t i = victims->next; i < candidates->count; i++) {
        if ((candidates->items[i].ask->flags & YK_ASK_PREEMPTED) == 0)
            candidates->items[kept++] = candidates->items[i];
    }
    candidates->count = kept;
    yk_heap_remove(&elsewhere->heap, &victims->in_heap);
    insert(elsewhere, victims, victims->next);
}

static struct yk_node_victims *first_of(const struct yk_all_candidates *elsewhere)
{
    struct yk_heap_entry *first = yk_heap_first(&elsewhere->heap);
    return first != NULL ? YK_CONTAINER(first, struct yk_node_victims, in_heap) : NULL;
}

static bool is_told(const struct yk_node_victims *victims)
{
    return (victims->candidates.items[victims->next].ask->flags & YK_ASK_PREEMPTED) != 0;
}

const struct yk_candidate *yk_all_candidates_next(struct yk_all_candidates *elsewhere)
{
    struct yk_node_victims *victims = first_of(elsewhere);
    while (victims != NULL && is_told(victims)) {
        drop_told(elsewhere, victims);
        victims = first_of(elsewhere);
    }
    if (victims == NULL)
        return NULL;
    const struct yk_candidate *candidate = &victims->candidates.items[victims->next];
    yk_heap_remove(&elsewhere->heap, &victims->in_heap);
    if (victims->next == 0)
        yk_vec_append(&elsewhere->begun, victims);
    insert(elsewhere, victims, victims->next + 1);
    return candidate;
}
