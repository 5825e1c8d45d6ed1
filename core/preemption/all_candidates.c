/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/all_candidates.h"

struct yk_node_victims {
    struct yk_heap_entry in_heap; /* linked while candidates are left */
    struct yk_candidates candidates;
    size_t next; /* index of the next candidate */
    /* Copied from the next candidate, because the heap still compares the list when that allocation has
     * ended. */
    uint32_t rank;
    int64_t create_wall_ns;
    uint64_t sequence;
};

/* Compares two lists by their next candidates: the smaller rank first, then the younger allocation, then the
 * one that arrived later. */
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

/* Makes the candidate at index `next` the next one of the list, and adds the list to the heap. If the list
 * has no such candidate, it stays out of the heap. */
static void insert(struct yk_all_candidates *all, struct yk_node_victims *victims, size_t next)
{
    victims->next = next;
    if (next >= victims->candidates.count)
        return;
    const struct yk_candidate *candidate = &victims->candidates.items[next];
    victims->rank = candidate->rank;
    victims->create_wall_ns = candidate->ask->create_wall_ns;
    victims->sequence = candidate->ask->sequence;
    yk_heap_insert(&all->heap, &victims->in_heap);
}

static void drop_node(struct yk_all_candidates *all, uint32_t index)
{
    struct yk_node_victims *victims = all->nodes[index];
    if (victims == NULL)
        return;
    yk_heap_remove(&all->heap, &victims->in_heap);
    yk_candidates_done(&victims->candidates);
    free(victims);
    all->nodes[index] = NULL;
}

void yk_all_candidates_reset(struct yk_all_candidates *all)
{
    yk_vec_clear(&all->begun);
    for (uint32_t i = 0; i < all->capacity; i++)
        drop_node(all, i);
    all->pass = (struct yk_plan_pass){0};
}

void yk_all_candidates_done(struct yk_all_candidates *all)
{
    yk_all_candidates_reset(all);
    free(all->nodes);
    yk_heap_done(&all->heap);
    yk_vec_done(&all->begun);
    *all = (struct yk_all_candidates){0};
}

static void grow(struct yk_all_candidates *all, uint32_t nodes)
{
    if (nodes <= all->capacity)
        return;
    uint32_t capacity = YK_MAX(nodes, 2 * all->capacity);
    all->nodes = yk_realloc_array(all->nodes, capacity, sizeof(*all->nodes));
    for (uint32_t i = all->capacity; i < capacity; i++)
        all->nodes[i] = NULL;
    all->capacity = capacity;
}

/* Makes the list of the node at `index`, if there are candidates. */
static void collect(struct yk_all_candidates *all, const struct yk_plan_view *view,
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
    all->nodes[index] = victims;
    insert(all, victims, 0);
}

void yk_all_candidates_end(struct yk_all_candidates *all)
{
    struct yk_node_victims *victims;
    yk_vec_foreach (victims, &all->begun) {
        yk_heap_remove(&all->heap, &victims->in_heap);
        insert(all, victims, 0);
    }
    yk_vec_clear(&all->begun);
}

static void look_at(struct yk_all_candidates *all, const struct yk_plan_view *view,
                    const struct yk_scope *scope, const struct yk_ask *ask, uint32_t index)
{
    drop_node(all, index);
    if (view->nodes[index] != NULL)
        collect(all, view, scope, ask, index);
}

bool yk_all_candidates_update(struct yk_all_candidates *all, const struct yk_plan_view *view,
                              const struct yk_scope *scope, const struct yk_ask *ask, uint32_t *work)
{
    all->heap.before = is_better;
    grow(all, view->node_count);
    while (all->pass.seen != view->change) {
        if (!yk_plan_pass_is_under_way(&all->pass) || view->all_changed > all->pass.begun)
            yk_plan_pass_begin(&all->pass, view);
        for (uint32_t index; yk_plan_pass_next(&all->pass, view, work, &index);)
            look_at(all, view, scope, ask, index);
        if (!yk_plan_pass_end(&all->pass, view))
            return false;
    }
    return true;
}

/* Removes candidates that have become victims (YK_ASK_PREEMPTED) since the list was made. */
static void drop_told(struct yk_all_candidates *all, struct yk_node_victims *victims)
{
    struct yk_candidates *candidates = &victims->candidates;
    size_t kept = victims->next;
    for (size_t i = victims->next; i < candidates->count; i++) {
        if ((candidates->items[i].ask->flags & YK_ASK_PREEMPTED) == 0)
            candidates->items[kept++] = candidates->items[i];
    }
    candidates->count = kept;
    yk_heap_remove(&all->heap, &victims->in_heap);
    insert(all, victims, victims->next);
}

static struct yk_node_victims *first_of(const struct yk_all_candidates *all)
{
    struct yk_heap_entry *first = yk_heap_first(&all->heap);
    return first != NULL ? YK_CONTAINER(first, struct yk_node_victims, in_heap) : NULL;
}

static bool is_told(const struct yk_node_victims *victims)
{
    return (victims->candidates.items[victims->next].ask->flags & YK_ASK_PREEMPTED) != 0;
}

const struct yk_candidate *yk_all_candidates_next(struct yk_all_candidates *all)
{
    struct yk_node_victims *victims = first_of(all);
    while (victims != NULL && is_told(victims)) {
        drop_told(all, victims);
        victims = first_of(all);
    }
    if (victims == NULL)
        return NULL;
    const struct yk_candidate *candidate = &victims->candidates.items[victims->next];
    yk_heap_remove(&all->heap, &victims->in_heap);
    if (victims->next == 0)
        yk_vec_append(&all->begun, victims);
    insert(all, victims, victims->next + 1);
    return candidate;
}
