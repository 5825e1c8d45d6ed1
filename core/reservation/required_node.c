/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/required_node.h"

#include "base/log.h"
#include "pending/active.h"
#include "report/preemption_log.h"
#include "report/report.h"
#include "reservation/reservation_look.h"
#include "reservation/victims.h"
#include "state/core.h"
#include "state/node_search.h"

/* ---- trying ---- */

static struct yk_list *waits_for(struct yk_partition *partition, const char *node_id)
{
    return &partition->reservation.required_waits[yk_hash(node_id, strlen(node_id)) % YK_REQUIRED_WAITS];
}

/* Lets the group wait until its node is added or changes. Reports `why` for the ask, because such asks are
 * not reported to the autoscaler. */
static enum yk_turn wait_for_node(struct yk_partition *partition, struct yk_group *group, const char *why)
{
    yk_report_its_node(group, why);
    yk_active_set_wait(group, YK_WAIT_REQUIRED_NODE);
    yk_active_link_required(group, waits_for(partition, group->required_node));
    return YK_TURN_PARKED;
}

/* Whether the first reservation of the node is for another ask that requires it. */
static bool is_reserved_by_others(const struct yk_node *node, const struct yk_ask *ask)
{
    return !yk_list_empty(&node->reservations) &&
           yk_list_first(&node->reservations, struct yk_reservation, in_node)->ask != ask;
}

enum yk_turn yk_required_node_try(struct yk_partition *partition, struct yk_group *group)
{
    static const char refusal[] = "refuses it, as it is or for what runs there";
    struct yk_ask *ask = group->first;
    struct yk_node *node = yk_partition_find_node(partition, group->required_node);
    if (node == NULL)
        return wait_for_node(partition, group, "is not there");
    if (!yk_node_allows(partition, ask, node))
        return wait_for_node(partition, group, refusal);
    yk_unreserve_node(partition, node); /* drops reservations for asks that may run elsewhere */
    if (!is_reserved_by_others(node, ask) && yk_node_takes(partition, ask, node)) {
        partition->steps->commit(partition, ask, node);
        return YK_TURN_DECIDED;
    }
    if (!yk_resvec_fit(node->total, yk_ask_size(ask)))
        return wait_for_node(partition, group, "is too small for it");
    if (!yk_required_node_waits_for_capacity(partition, ask, node)) {
        yk_unreserve(partition, ask);
        return wait_for_node(partition, group, refusal);
    }
    if (yk_ask_reservation(ask) == NULL && !yk_reserve(partition, ask, node, YK_RESERVE_REQUIRED))
        return wait_for_node(partition, group, refusal);
    yk_active_set_wait(group, YK_WAIT_REQUIRED_NODE);
    return YK_TURN_PARKED;
}

void yk_required_node_note_candidate(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_group *group;
    yk_reservation_look_for_node(partition);
    yk_list_foreach (group, waits_for(partition, node->id), struct yk_group, waiting.in_required) {
        if (strcmp(group->required_node, node->id) == 0)
            yk_active_set_wait(group, YK_WAIT_NONE);
    }
}

/* ---- preemption on the node (6.2) ---- */

struct candidate {
    struct yk_ask *allocation;
    uint32_t rank; /* yk_victim_rank() */
    double size;   /* share_of() */
};

/* The kind of a candidate, smaller kinds end first: 0 regular, 1 opted out, 2 originator; 3 to 5 the same for
 * allocations that are protected. */
static int kind_of(const struct candidate *candidate)
{
    uint32_t rank = candidate->rank;
    int kind = (rank & YK_VICTIM_ORIGINATOR) != 0 ? 2 : (rank & YK_VICTIM_OPTED_OUT) != 0;
    return (rank & YK_VICTIM_PROTECTED) != 0 ? kind + 3 : kind;
}

/* The sum, over the types that are asked for, of `size` divided by the amount asked. */
static double share_of(const struct yk_resvec *size, const struct yk_resvec *asked)
{
    double sum = 0;
    yk_resvec_foreach_common(t, size, asked)
    {
        if (yk_resvec_get(asked, t) > 0)
            sum += (double)yk_resvec_get(size, t) / (double)yk_resvec_get(asked, t);
    }
    return sum;
}

/* By kind, then the lower priority, then the younger allocation, then the smaller one, then by key. */
static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int32_t px = yk_ask_priority(x->allocation), py = yk_ask_priority(y->allocation);
    if (kind_of(x) != kind_of(y))
        return kind_of(x) - kind_of(y);
    if (px != py)
        return px < py ? -1 : 1;
    if (x->allocation->create_wall_ns == y->allocation->create_wall_ns &&
        (x->size < y->size || x->size > y->size))
        return x->size < y->size ? -1 : 1;
    return yk_victim_compare_age(x->allocation, y->allocation);
}

static struct yk_victim_ranking ranking_of(const struct yk_partition *partition)
{
    return (struct yk_victim_ranking){&partition->rm->callbacks, partition->rm->context};
}

static void collect_candidates(const struct yk_partition *partition, const struct yk_ask *ask,
                               const struct yk_node *node, struct yk_vec *ret_candidates)
{
    const struct yk_victim_ranking ranking = ranking_of(partition);
    struct yk_ask *other;
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if (!yk_victim_eligible(other, yk_ask_size(ask)) || yk_ask_priority(other) > yk_ask_priority(ask))
            continue;
        struct candidate *candidate = yk_new0(struct candidate);
        *candidate = (struct candidate){other, yk_victim_rank(&ranking, other),
                                        share_of(yk_ask_size(other), yk_ask_size(ask))};
        yk_vec_append(ret_candidates, candidate);
    }
    yk_vec_sort(ret_candidates, compare);
}

/* Moves the candidate at `index` back to its place in order if it ranks worse now, because it shares
 * a disruption budget with victims that are taken. True: its rank has changed, which happens at most once for
 * each candidate. */
static bool goes_later(const struct yk_victim_ranking *ranking, struct yk_vec *candidates, size_t index,
                       const struct yk_vec *victims, struct yk_vec *scratch)
{
    struct candidate *later = candidates->items[index];
    uint32_t rank = yk_victim_rank_with(ranking, later->allocation, later->rank, victims, scratch);
    if (rank == later->rank)
        return false;
    later->rank = rank;
    for (; index + 1 < candidates->count && compare(later, candidates->items[index + 1]) > 0; index++)
        candidates->items[index] = candidates->items[index + 1];
    candidates->items[index] = later;
    return true;
}

static bool is_missing(const struct yk_resvec *left)
{
    yk_resvec_foreach(t, left)
    {
        if (yk_resvec_get(left, t) > 0)
            return true;
    }
    return false;
}

/* Takes candidates that help, in order, until they cover `need` or none is left. */
static void take_in_order(const struct yk_partition *partition, struct yk_vec *candidates,
                          const struct yk_resvec *need, struct yk_vec *ret_victims)
{
    const struct yk_victim_ranking ranking = ranking_of(partition);
    struct yk_vec scratch = {0};
    YK_RESVEC(left);
    yk_resvec_copy(&left, need);
    for (size_t i = 0; i < candidates->count && is_missing(&left);) {
        if (goes_later(&ranking, candidates, i, ret_victims, &scratch))
            continue;
        const struct candidate *candidate = candidates->items[i++];
        if (!yk_victim_helps(candidate->allocation, &left))
            continue;
        yk_resvec_sub_existing(&left, yk_ask_size(candidate->allocation));
        yk_vec_append(ret_victims, candidate->allocation);
    }
    yk_vec_done(&scratch);
}

static const struct candidate *candidate_of(const struct yk_vec *candidates, const struct yk_ask *allocation)
{
    const struct candidate *candidate;
    yk_vec_foreach (candidate, candidates) {
        if (candidate->allocation == allocation)
            return candidate;
    }
    return NULL; /* does not happen: each victim was a candidate */
}

static double size_of_all(const struct yk_vec *candidates, const struct yk_vec *victims)
{
    const struct yk_ask *victim;
    double sum = 0;
    yk_vec_foreach (victim, victims)
        sum += candidate_of(candidates, victim)->size;
    return sum;
}

/* Replaces all victims by a single candidate that is enough alone, is smaller than all of them together, and
 * whose kind and priority are not above those of the last victim: the smallest such candidate, and among
 * equals the first in order. */
static void take_one_instead(const struct yk_vec *candidates, const struct yk_resvec *need,
                             struct yk_vec *victims)
{
    const struct candidate *candidate, *best = NULL;
    if (victims->count == 0)
        return;
    const struct candidate *worst = candidate_of(candidates, victims->items[victims->count - 1]);
    double size = size_of_all(candidates, victims);
    yk_vec_foreach (candidate, candidates) {
        if (kind_of(candidate) <= kind_of(worst) &&
            yk_ask_priority(candidate->allocation) <= yk_ask_priority(worst->allocation) &&
            candidate->size < size && yk_resvec_fit(yk_ask_size(candidate->allocation), need)) {
            best = candidate;
            size = candidate->size;
        }
    }
    if (best != NULL) {
        yk_vec_clear(victims);
        yk_vec_append(victims, best->allocation);
    }
}

/* Sets `ret_victims` to the first candidates in order that cover what the ask lacks, without those that are
 * not needed, or to a smaller single one; empty if all together do not cover it. */
static void choose(const struct yk_partition *partition, const struct yk_ask *ask, const struct yk_node *node,
                   struct yk_vec *ret_victims)
{
    struct yk_vec candidates = {0};
    YK_RESVEC(need);
    struct candidate *candidate;
    yk_victims_need(yk_ask_size(ask), node->available, &need);
    collect_candidates(partition, ask, node, &candidates);
    take_in_order(partition, &candidates, &need, ret_victims);
    yk_victims_reduce(ret_victims, &need);
    take_one_instead(&candidates, &need, ret_victims);
    yk_vec_foreach (candidate, &candidates)
        free(candidate);
    yk_vec_done(&candidates);
}

/* Like choose(), but empty if the ask would not pass the filters of the node after the victims have ended. */
static void choose_useful(const struct yk_partition *partition, const struct yk_ask *ask,
                          const struct yk_node *node, struct yk_vec *ret_victims)
{
    choose(partition, ask, node, ret_victims);
    if (ret_victims->count > 0 && !yk_node_allows_without(partition, ask, node, ret_victims))
        yk_vec_clear(ret_victims);
}

static bool victims_would_help(const struct yk_partition *partition, const struct yk_ask *ask,
                               const struct yk_node *node)
{
    struct yk_vec victims = {0};
    choose_useful(partition, ask, node, &victims);
    bool some = victims.count > 0;
    yk_vec_done(&victims);
    return some;
}

bool yk_required_node_waits_for_capacity(const struct yk_partition *partition, const struct yk_ask *ask,
                                         const struct yk_node *node)
{
    if (!yk_class_has_a_chance(partition, ask->group->shape->class_))
        return false;
    if (yk_node_has_capacity(node, yk_ask_size(ask)))
        return yk_node_takes(partition, ask, node); /* it waits for asks that reserved the node earlier */
    return yk_node_could_serve(partition, node, ask) || yk_node_has_victims(node) ||
           victims_would_help(partition, ask, node);
}

static void note_no_victims(struct yk_group *group)
{
    yk_active_log_wait(group, YK_WAIT_REQUIRED_NODE);
    yk_report_its_node(group, "has no room, and nothing there can be preempted");
}

void yk_required_node_preempt(struct yk_partition *partition, struct yk_reservation *reservation)
{
    struct yk_ask *ask = reservation->ask;
    const struct yk_node *node = reservation->node;
    struct yk_vec victims = {0};
    if (yk_node_has_capacity(node, yk_ask_size(ask)) || yk_node_has_victims(node))
        return; /* it waits for earlier asks or a filter, or victims end already */
    choose_useful(partition, ask, node, &victims);
    if (victims.count > 0) {
        char message[512];
        ask->flags |= YK_ASK_PREEMPTION_TRIGGERED;
        (void)snprintf(message, sizeof(message), "preempted for '%s', which may run on node '%s' only",
                       ask->key, node->id); /* may be truncated */
        yk_preemption_note(partition, (struct yk_ask *const *)victims.items, victims.count,
                           YK_PREEMPTION_DAEMON, ask, NULL);
        yk_victims_take(partition, (struct yk_ask *const *)victims.items, victims.count, message);
    } else {
        note_no_victims(ask->group);
    }
    yk_vec_done(&victims);
}
