/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/node_choice.h"

void yk_candidates_done(struct yk_candidates *candidates)
{
    free(candidates->items);
    *candidates = (struct yk_candidates){0};
}

void yk_candidates_add(struct yk_candidates *candidates, struct yk_ask *ask, uint32_t rank)
{
    if (candidates->count == candidates->capacity) {
        candidates->capacity = YK_MAX(candidates->capacity * 2, (size_t)16);
        candidates->items =
            yk_realloc_array(candidates->items, candidates->capacity, sizeof(struct yk_candidate));
    }
    candidates->items[candidates->count++] = (struct yk_candidate){.ask = ask, .rank = rank};
}

static int compare(const struct yk_candidate *a, const struct yk_candidate *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return yk_victim_compare_age(a->ask, b->ask);
}

static int by_rank_and_age(const void *a, const void *b)
{
    return compare(a, b);
}

void yk_candidates_sort(struct yk_candidates *candidates)
{
    if (candidates->count > 1)
        qsort(candidates->items, candidates->count, sizeof(struct yk_candidate), by_rank_and_age);
}

/* Gives the candidate at `index` the worse rank `rank`, and moves it back to its place among the candidates
 * behind it, which are in order. O(n). */
static void candidates_postpone(struct yk_candidates *candidates, size_t index, uint32_t rank)
{
    struct yk_candidate later = {.ask = candidates->items[index].ask, .rank = rank};
    for (; index + 1 < candidates->count && compare(&later, &candidates->items[index + 1]) > 0; index++)
        candidates->items[index] = candidates->items[index + 1];
    candidates->items[index] = later;
}

void yk_node_chooser_done(struct yk_node_chooser *chooser)
{
    yk_candidates_done(&chooser->candidates);
    yk_vec_done(&chooser->cookies);
    yk_vec_done(&chooser->taken);
    yk_vec_done(&chooser->in_order);
}

/* Whether the allocation was asked to end and no ask replaces it, such as a victim, or a placeholder of a
 * gang that timed out. */
static bool is_leaving(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PREEMPTED) != 0 ||
           ((ask->flags & YK_ASK_RELEASED) != 0 && yk_ask_peer(ask) == NULL);
}

/* Sets `ret_free` to the free amounts of the node after all allocations that were asked to end have ended and
 * all nominated asks have started; negative if that is too much for the node. */
static void free_in_the_end(const struct yk_node *node, struct yk_resvec *ret_free)
{
    const struct yk_ask *ask;
    yk_resvec_copy(ret_free, node->available);
    if (node->nominated != NULL)
        yk_resvec_sub(ret_free, node->nominated);
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if (is_leaving(ask))
            yk_resvec_add(ret_free, yk_ask_size(ask));
    }
}

/* Sets `ret_lack` to what of `size` does not fit into the free amounts. False: it fits, and `ret_lack` is
 * empty. */
static bool lacks(const struct yk_resvec *free_amounts, const struct yk_resvec *size,
                  struct yk_resvec *ret_lack)
{
    yk_resvec_clear(ret_lack);
    yk_resvec_foreach(t, size)
    {
        int64_t lack = yk_i64_sub(yk_resvec_get(size, t), yk_resvec_get(free_amounts, t));
        if (yk_resvec_get(size, t) > 0 && lack > 0)
            yk_resvec_put(ret_lack, t, lack);
    }
    return !yk_resvec_is_empty(ret_lack);
}

bool yk_node_fits_nominated(const struct yk_node *node, const struct yk_resvec *size)
{
    YK_RESVEC(free_amounts);
    YK_RESVEC(lack);
    free_in_the_end(node, &free_amounts);
    yk_resvec_add(&free_amounts, size); /* its own nomination */
    return !lacks(&free_amounts, size, &lack);
}

/* Whether the ask could run on the node if nothing else did, as far as its capacity and the fixed constraints
 * say. */
static bool can_ever_run(const struct yk_ask *ask, const struct yk_node *node)
{
    const struct yk_shape *shape = ask->group->shape;
    return node->schedulable && !node->leaving && yk_resvec_fit(node->total, &shape->size) &&
           (shape->class_ == NULL || yk_bitset_test(&shape->class_->feasible, node->index));
}

uint32_t yk_node_least_victims(const struct yk_scope *scope, const struct yk_ask *ask,
                               const struct yk_node *node)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    YK_RESVEC(free_amounts);
    YK_RESVEC(lack);
    YK_RESVEC(largest);
    YK_RESVEC(all);
    const struct yk_ask *victim;
    if (!can_ever_run(ask, node))
        return YK_NODE_NEVER;
    free_in_the_end(node, &free_amounts);
    if (!lacks(&free_amounts, size, &lack))
        return 0;
    yk_list_foreach (victim, &node->allocations, struct yk_ask, in_node) {
        if (!yk_victim_eligible(victim, size) || !yk_scope_admits(scope, victim))
            continue;
        yk_resvec_max(&largest, yk_ask_size(victim));
        yk_resvec_add(&all, yk_ask_size(victim));
    }
    int64_t least = 1;
    yk_resvec_foreach(t, &lack)
    {
        if (yk_resvec_get(&all, t) < yk_resvec_get(&lack, t))
            return YK_NODE_NEVER;
        least = YK_MAX(least, (yk_resvec_get(&lack, t) - 1) / yk_resvec_get(&largest, t) + 1);
    }
    return (uint32_t)YK_MIN(least, INT32_MAX);
}

/* ---- filters, which the resource manager checks ---- */

static bool has_predicates(const struct yk_node_chooser *chooser, const struct yk_ask *ask)
{
    return ask->group->shape->class_ != NULL && chooser->ranking.callbacks->class_fits_now != NULL;
}

static void add_leaving(struct yk_node_chooser *chooser, const struct yk_node *node)
{
    const struct yk_ask *ask;
    yk_vec_clear(&chooser->cookies);
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if (is_leaving(ask))
            yk_vec_append(&chooser->cookies, ask->cookie);
    }
}

static void add_taken(struct yk_node_chooser *chooser, const struct yk_trial *trial,
                      const struct yk_node *node)
{
    const struct yk_ask *victim;
    yk_vec_foreach (victim, &trial->run.asks) {
        if (victim->node == node)
            yk_vec_append(&chooser->cookies, victim->cookie);
    }
}

/* The number of allocations in `chooser->cookies` that have to end, from the first one on, so that the ask
 * passes its filters; at least `start`. -1: the ask does not pass even if all of them end. */
static int64_t passes_after(const struct yk_node_chooser *chooser, const struct yk_ask *ask,
                            const struct yk_node *node, size_t start)
{
    const struct yk_si_callbacks *callbacks = chooser->ranking.callbacks;
    const struct yk_vec *cookies = &chooser->cookies;
    yk_si_class number = ask->group->shape->class_->number;
    void *rm = chooser->ranking.rm;
    if (start == 0 && callbacks->class_fits_now(rm, number, node->cookie, YK_SI_TO_ALLOCATE))
        return 0;
    if (cookies->count == 0)
        return -1;
    if (callbacks->class_fits_without == NULL)
        return (int64_t)YK_MAX(start, (size_t)1);
    int index = callbacks->class_fits_without(rm, number, node->cookie, cookies->items, cookies->count,
                                              start > 0 ? start - 1 : 0);
    return index < 0 ? -1 : index + 1;
}

bool yk_node_suits(struct yk_node_chooser *chooser, const struct yk_trial *trial, const struct yk_ask *ask,
                   const struct yk_node *node)
{
    YK_RESVEC(free_amounts);
    YK_RESVEC(lack);
    const struct yk_ask *victim;
    free_in_the_end(node, &free_amounts);
    yk_vec_foreach (victim, &trial->run.asks) {
        if (victim->node == node)
            yk_resvec_add(&free_amounts, yk_ask_size(victim));
    }
    if (lacks(&free_amounts, yk_ask_size(ask), &lack))
        return false;
    if (!has_predicates(chooser, ask))
        return true;
    add_leaving(chooser, node);
    add_taken(chooser, trial, node);
    return passes_after(chooser, ask, node, chooser->cookies.count) >= 0;
}

/* ---- the choice ---- */

static void collect(struct yk_node_chooser *chooser, const struct yk_trial *trial, const struct yk_node *node)
{
    struct yk_ask *victim;
    chooser->candidates.count = 0;
    yk_list_foreach (victim, &node->allocations, struct yk_ask, in_node) {
        if (yk_victim_eligible(victim, trial->wanted) && yk_scope_admits(trial->scope, victim))
            yk_candidates_add(&chooser->candidates, victim, yk_victim_rank(&chooser->ranking, victim));
    }
    yk_candidates_sort(&chooser->candidates);
}

static bool reduces(const struct yk_resvec *lack, const struct yk_ask *victim)
{
    const struct yk_resvec *size = yk_ask_size(victim);
    yk_resvec_foreach_common(t, lack, size)
    {
        if (yk_resvec_get(lack, t) > 0 && yk_resvec_get(size, t) > 0)
            return true;
    }
    return false;
}

/* Moves the candidate at `index` back if it shares a disruption budget with victims that are taken. True: it
 * was moved, which happens at most once for each candidate, because its rank is worse then. */
static bool goes_later(struct yk_node_chooser *chooser, const struct yk_trial *trial, size_t index)
{
    const struct yk_candidate *candidate = &chooser->candidates.items[index];
    uint32_t rank = yk_victim_rank_with(&chooser->ranking, candidate->ask, candidate->rank, &trial->run.asks,
                                        &chooser->taken);
    if (rank == candidate->rank)
        return false;
    candidates_postpone(&chooser->candidates, index, rank);
    return true;
}

/* Takes, in order, candidates that reduce what the node lacks, until it lacks nothing. False: it still lacks
 * something, and the victims taken so far stay taken. */
static bool take_in_order(struct yk_node_chooser *chooser, struct yk_trial *trial,
                          const struct yk_resvec *free_before)
{
    YK_RESVEC(free_amounts);
    YK_RESVEC(lack);
    yk_resvec_copy(&free_amounts, free_before);
    for (size_t i = 0; i < chooser->candidates.count && lacks(&free_amounts, trial->wanted, &lack);) {
        if (goes_later(chooser, trial, i))
            continue;
        struct yk_ask *victim = chooser->candidates.items[i++].ask;
        if (reduces(&lack, victim) && yk_trial_take(trial, victim))
            yk_resvec_add(&free_amounts, yk_ask_size(victim));
    }
    return !lacks(&free_amounts, trial->wanted, &lack);
}

/* Whether an amount of `left` is positive. */
static bool is_missing(const struct yk_resvec *left)
{
    yk_resvec_foreach(t, left)
    {
        if (yk_resvec_get(left, t) > 0)
            return true;
    }
    return false;
}

/* Subtracts from `amounts` the sizes of the victims. */
static void sub_all(struct yk_resvec *amounts, const struct yk_trial *trial)
{
    const struct yk_ask *victim;
    yk_vec_foreach (victim, &trial->run.asks)
        yk_resvec_sub_existing(amounts, yk_ask_size(victim));
}

/* Gives back the victims that are not needed for the capacity, in reverse order of choice. */
static void keep_needed(struct yk_trial *trial, const struct yk_resvec *lack)
{
    for (size_t i = trial->run.asks.count; i-- > 0;) {
        const struct yk_dry_step step = yk_dry_run_remove(&trial->run, i);
        YK_RESVEC(left);
        yk_resvec_copy(&left, lack);
        sub_all(&left, trial);
        if (is_missing(&left))
            yk_dry_run_insert(&trial->run, i, &step);
    }
}

/* How much the victim has of the lacking types: the sum, over these types, of its amount divided by the
 * amount that is lacking. */
static double amount_of(const struct yk_resvec *lack, const struct yk_ask *victim)
{
    double amount = 0;
    yk_resvec_foreach(t, lack) amount +=
        (double)yk_resvec_get(yk_ask_size(victim), t) / (double)yk_resvec_get(lack, t);
    return amount;
}

static double amount_of_all(const struct yk_resvec *lack, const struct yk_trial *trial)
{
    double amount = 0;
    const struct yk_ask *victim;
    yk_vec_foreach (victim, &trial->run.asks)
        amount += amount_of(lack, victim);
    return amount;
}

/* How much of `left` the end of the victim provides: the sum, over the types, of that amount divided by the
 * amount in `lack`. */
static double covered_by(const struct yk_resvec *lack, const struct yk_resvec *left,
                         const struct yk_ask *victim)
{
    double covered = 0;
    yk_resvec_foreach(t, left)
    {
        int64_t covers = YK_MIN(yk_resvec_get(yk_ask_size(victim), t), yk_resvec_get(left, t));
        covered += covers > 0 ? (double)covers / (double)yk_resvec_get(lack, t) : 0;
    }
    return covered;
}

/*
 * The candidate whose end provides most of `left`; among equals the one with the least of the lacking types,
 * then the first in order. Leaves out candidates with `passed` set, and those whose rank has a bit that is
 * not in `rank`. NULL: there is none.
 */
static struct yk_candidate *best_for(struct yk_node_chooser *chooser, const struct yk_resvec *lack,
                                     const struct yk_resvec *left, uint32_t rank)
{
    struct yk_candidate *best = NULL;
    double best_covered = 0, best_amount = 0;
    for (size_t i = 0; i < chooser->candidates.count; i++) {
        struct yk_candidate *candidate = &chooser->candidates.items[i];
        if (candidate->passed || (candidate->rank | rank) != rank)
            continue;
        double covered = covered_by(lack, left, candidate->ask), amount = amount_of(lack, candidate->ask);
        if (covered <= 0 || covered < best_covered || (covered <= best_covered && amount >= best_amount))
            continue;
        best = candidate;
        best_covered = covered;
        best_amount = amount;
    }
    return best;
}

/* Takes at most `count` candidates, those that provide most first. False: these are not enough; they stay
 * taken. */
static bool take_largest(struct yk_node_chooser *chooser, struct yk_trial *trial,
                         const struct yk_resvec *lack, uint32_t rank, size_t count)
{
    YK_RESVEC(left);
    struct yk_candidate *candidate;
    yk_resvec_copy(&left, lack);
    for (size_t i = 0; i < chooser->candidates.count; i++)
        chooser->candidates.items[i].passed = false;
    while (is_missing(&left) && count > 0 && (candidate = best_for(chooser, lack, &left, rank)) != NULL) {
        uint32_t with = yk_victim_rank_with(&chooser->ranking, candidate->ask, candidate->rank,
                                            &trial->run.asks, &chooser->taken);
        candidate->passed = true;
        if ((with | rank) != rank || !yk_trial_take(trial, candidate->ask))
            continue;
        yk_resvec_sub_existing(&left, yk_ask_size(candidate->ask));
        count--;
    }
    return !is_missing(&left);
}

static void take_again(struct yk_trial *trial, const struct yk_vec *victims)
{
    struct yk_ask *victim;
    yk_vec_foreach (victim, victims)
        (void)YK_ASSERT(yk_trial_take(trial, victim)); /* it was taken before in the same order */
}

/* The bits of the ranks of all victims. */
static uint32_t ranks_of(const struct yk_node_chooser *chooser, const struct yk_trial *trial)
{
    uint32_t rank = 0;
    for (size_t i = 0; i < chooser->candidates.count; i++) {
        if (yk_vec_find(&trial->run.asks, chooser->candidates.items[i].ask) != SIZE_MAX)
            rank |= chooser->candidates.items[i].rank;
    }
    return rank;
}

/* Replaces the victims by fewer ones, if there are fewer that have no worse rank and no more of the lacking
 * types. */
static void improve(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_resvec *lack)
{
    size_t count = trial->run.asks.count;
    struct yk_ask *victim;
    if (count <= 1)
        return;
    double amount = amount_of_all(lack, trial);
    uint32_t rank = ranks_of(chooser, trial);
    yk_vec_clear(&chooser->in_order);
    yk_vec_foreach (victim, &trial->run.asks)
        yk_vec_append(&chooser->in_order, victim);
    yk_dry_run_undo(&trial->run, 0);
    if (take_largest(chooser, trial, lack, rank, count - 1)) {
        keep_needed(trial, lack);
        if (amount_of_all(lack, trial) <= amount)
            return;
    }
    yk_dry_run_undo(&trial->run, 0);
    take_again(trial, &chooser->in_order);
}

/* Takes the victims that the capacity of the node requires. False: the end of victims does not give enough
 * capacity; some victims may be taken. */
static bool take_needed(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_node *node)
{
    YK_RESVEC(free_amounts);
    YK_RESVEC(lack);
    free_in_the_end(node, &free_amounts);
    (void)lacks(&free_amounts, trial->wanted, &lack); /* `lack` may be empty */
    yk_trial_set_lacking(trial, &lack);
    if (!take_in_order(chooser, trial, &free_amounts)) {
        yk_dry_run_undo(&trial->run, 0);
        /* Several victims together may have more than the guarantee of the ask's leaf covers; try a single
         * one. */
        return take_largest(chooser, trial, &lack, UINT32_MAX, 1);
    }
    keep_needed(trial, &lack);
    improve(chooser, trial, &lack);
    return true;
}

/* Takes all other candidates as well: the filters may require that more allocations end than the capacity
 * does. */
static void take_rest(struct yk_node_chooser *chooser, struct yk_trial *trial)
{
    for (size_t i = 0; i < chooser->candidates.count; i++) {
        struct yk_ask *victim = chooser->candidates.items[i].ask;
        if (yk_vec_find(&trial->run.asks, victim) == SIZE_MAX)
            (void)yk_trial_take(trial, victim); /* if it may not be taken, the others may be enough */
    }
}

/* Takes as many further victims as the filters require, after those that were taken for the capacity. False:
 * the ask does not pass the filters even if all candidates end. */
static bool take_for_predicates(struct yk_node_chooser *chooser, struct yk_trial *trial,
                                const struct yk_ask *ask, const struct yk_node *node)
{
    size_t needed = trial->run.asks.count;
    if (needed > 0)
        take_rest(chooser, trial);
    add_leaving(chooser, node);
    size_t leaving = chooser->cookies.count;
    add_taken(chooser, trial, node);
    int64_t gone = passes_after(chooser, ask, node, leaving + needed);
    if (gone < 0)
        return false;
    size_t keep = (size_t)gone > leaving ? (size_t)gone - leaving : 0;
    yk_dry_run_undo(&trial->run, YK_MAX(keep, needed));
    return true;
}

/* Gives back the victims that are not needed because the other victims are enough. The victim that was chosen
 * last is tried first. */
static void leave_out(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_ask *ask,
                      const struct yk_node *node)
{
    for (size_t i = trial->run.asks.count; i-- > 0;) {
        const struct yk_dry_step step = yk_dry_run_remove(&trial->run, i);
        if (!yk_node_suits(chooser, trial, ask, node))
            yk_dry_run_insert(&trial->run, i, &step);
    }
}

bool yk_node_choose(struct yk_node_chooser *chooser, struct yk_trial *trial, const struct yk_ask *ask,
                    const struct yk_node *node, uint32_t *ret_rank)
{
    if (!can_ever_run(ask, node))
        return false;
    collect(chooser, trial, node);
    bool suits = take_needed(chooser, trial, node);
    if (suits && has_predicates(chooser, ask))
        suits = take_for_predicates(chooser, trial, ask, node);
    if (!suits) {
        yk_dry_run_undo(&trial->run, 0);
        return false;
    }
    leave_out(chooser, trial, ask, node);
    *ret_rank = ranks_of(chooser, trial);
    return true;
}
