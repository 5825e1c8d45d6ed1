/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/reserved_capacity.h"

#include "pending/freed_nodes.h"
#include "policies/queue_order.h"
#include "reservation/preempt.h"
#include "reservation/release_estimate.h"
#include "reservation/reservation_look.h"
#include "reservation/reservation_share.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/turn_order.h"

/* An ask within a guarantee is before a holder that is not, also for what comes free elsewhere. So, if
 * nothing is guaranteed to the queue of the holder, it gets what came free on a reserved node only if no ask
 * of its shape was placed for reservation_delay_ns, or if nothing has ended on the node for QUIET_NS.
 * Without this, a node on which asks of a queue that keeps to its guarantee end and come would be filled
 * again and again, and the holder would never start. A holder of a queue that has its guarantee does not
 * need that. If it got more, queues would fall below their guarantees and preempt. An ask that comes first
 * only by a small difference of shares waits for QUIET_NS in both cases. */
#define QUIET_NS (10 * YK_NS_PER_S)

/* The reservation of the kind YK_RESERVE_WAITING of the node; NULL: it has none. */
static const struct yk_reservation *holder_of(const struct yk_node *node)
{
    const struct yk_reservation *first = yk_list_first(&node->reservations, struct yk_reservation, in_node);
    return first != NULL && first->why == YK_RESERVE_WAITING ? first : NULL;
}

const struct yk_group *yk_reserved_capacity_first(const struct yk_partition *partition)
{
    const struct yk_reservation *reservation;
    const struct yk_group *first = NULL;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (first == NULL || yk_turn_compare(reservation->ask->group, first) < 0)
            first = reservation->ask->group;
    }
    return first;
}

static bool has_passed(struct yk_partition *partition, int64_t left_ns)
{
    if (left_ns > 0)
        yk_reservation_look_in(partition, left_ns);
    return left_ns <= 0;
}

/* Whether the ask has waited for reservation_delay_ns; if not, arms the timer. Before that it may not use
 * reserved capacity: as it is the first in order, it gets the next capacity that becomes free elsewhere. */
static bool has_waited(struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_core *core = partition->core;
    int64_t age_ns = yk_i64_sub(yk_core_now(core), ask->create_wall_ns);
    return has_passed(partition, yk_i64_sub(core->reservation_delay_ns, age_ns));
}

/* Whether no ask of the group's shape was placed for `shape_ns`, or the node is quiet (QUIET_NS); if not,
 * arms the timer. */
static bool gets_too_little(struct yk_partition *partition, const struct yk_group *group,
                            const struct yk_node *node, int64_t shape_ns)
{
    int64_t now_ns = yk_clock_mono_ns(partition->core->clock), placed_ns = group->shape->placed_mono_ns;
    int64_t of_shape_ns = placed_ns == 0 ? 0 : yk_i64_add(placed_ns, shape_ns) - now_ns;
    return has_passed(partition, YK_MIN(of_shape_ns, node->ended_mono_ns + QUIET_NS - now_ns));
}

/* The place of a group in the order, for what is free on reserved nodes. */
enum place {
    PLACE_LATER, /* later than the first group with reservations, or it has not waited long enough */
    PLACE_SLIGHTLY_BEFORE, /* before it, by a small difference of shares */
    PLACE_FIRST,           /* it is that group, or well before it */
};

/* Whether the group, which comes before `first`, does so by more than a small difference of shares. It does
 * if no shares are compared, that is in one leaf, or in a former leaf and a queue below it (R15); or if,
 * where the paths of both part, something that counts before the shares decides, or its queue is far behind
 * with one more ask. */
static bool is_well_before(const struct yk_group *group, const struct yk_group *first)
{
    const struct yk_queue *queue = group->app->leaf, *other = first->app->leaf;
    YK_RESVEC(used);
    yk_queue_find_siblings(&queue, &other);
    if (queue == other || yk_queue_compare_ranks(queue, other) < 0)
        return true;
    yk_resvec_copy(&used, &queue->allocated);
    yk_resvec_add(&used, &group->shape->size);
    return other->share > YK_FAR_BEHIND * yk_queue_share_of(queue, &used);
}

/* `first`: the first group in order with reservations; NULL: there is none. */
static enum place place_of(struct yk_partition *partition, const struct yk_group *group,
                           const struct yk_group *first)
{
    int order = first == NULL ? 0 : yk_turn_compare(group, first);
    if (order > 0 || !has_waited(partition, group->first))
        return PLACE_LATER;
    return order == 0 || is_well_before(group, first) ? PLACE_FIRST : PLACE_SLIGHTLY_BEFORE;
}

/* Whether the group may use the node by its place in the order. One that is slightly before all may do so
 * only while it gets too little elsewhere. Without this, queues that are close to their shares, and first in
 * turns, would fill the node piece by piece with small asks. */
static bool may_go_first(struct yk_partition *partition, const struct yk_group *group, enum place place,
                         const struct yk_node *node)
{
    return place == PLACE_FIRST ||
           (place == PLACE_SLIGHTLY_BEFORE && gets_too_little(partition, group, node, QUIET_NS));
}

/* Whether the group is within the guarantee of its queue and the holder is not. Within one leaf, the order of
 * the leaf decides instead. */
static bool goes_first_by_guarantee(const struct yk_reservation *holder, const struct yk_group *group)
{
    const struct yk_queue *leaf = group->app->leaf;
    return leaf != yk_ask_app(holder->ask)->leaf && leaf->has_guaranteed &&
           yk_ask_is_guaranteed(group->first) && !yk_ask_is_guaranteed(holder->ask);
}

/* Whether an ask of the group ends before the holder could start (backfill). */
static bool ends_in_time(const struct yk_partition *partition, const struct yk_reservation *holder,
                         const struct yk_group *group)
{
    int64_t limit_ns = yk_ask_run_limit_ns(group->first);
    return limit_ns > 0 &&
           limit_ns <= yk_release_estimate_ns(partition, holder->node, yk_ask_size(holder->ask));
}

static bool admits(struct yk_partition *partition, const struct yk_reservation *holder,
                   const struct yk_group *group, enum place place)
{
    if (holder->ask->group == group || ends_in_time(partition, holder, group))
        return true;
    if (goes_first_by_guarantee(holder, group))
        return yk_preempt_is_guaranteed(yk_ask_app(holder->ask)->leaf) ||
               gets_too_little(partition, group, holder->node, partition->core->reservation_delay_ns);
    return may_go_first(partition, group, place, holder->node);
}

bool yk_reserved_capacity_try(struct yk_partition *partition, const struct yk_node *node,
                              const struct yk_group *group, const struct yk_group *first)
{
    const struct yk_reservation *holder = holder_of(node);
    return holder != NULL && admits(partition, holder, group, place_of(partition, group, first));
}

struct yk_node *yk_reserved_capacity_node_for(struct yk_partition *partition, const struct yk_group *group)
{
    const struct yk_reservation *reservation;
    struct yk_node *found = NULL;
    if (yk_list_empty(&partition->reservation.waiting))
        return NULL;
    enum place place = place_of(partition, group, yk_reserved_capacity_first(partition));
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        struct yk_node *node = reservation->node;
        bool is_own = reservation->ask->group == group;
        if (!yk_node_has_capacity(node, &group->shape->size) ||
            !admits(partition, reservation, group, place) || !yk_node_takes(partition, group->first, node))
            continue;
        found = node;
        if (is_own)
            break;
    }
    return found;
}

void yk_reserved_capacity_offer(struct yk_partition *partition)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting)
        yk_freed_nodes_add(partition, reservation->node);
}
