/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/early_reservation.h"

#include "pending/wait_order.h"
#include "reservation/reservable_node.h"
#include "reservation/reservation_share.h"
#include "reservation/reservations.h"
#include "reservation/waiting_group.h"
#include "state/core.h"
#include "state/turn.h"
#include "state/turn_order.h"

enum { VISITS_MAX = 64 }; /* waiting groups that one placement looks at */

/* The most that all reservations may hold together with a new early one, as a part of what is in use. */
#define MOST_RESERVED 0.3

/* For how many longest run times later asks of its own leaf may overtake a group of which nothing starts. It
 * then gets a node within about two (test/bench/steady, and random scenarios). */
#define OVERTAKEN_MAX_RUNS 1.5

struct placement {
    const struct yk_partition *partition;
    const struct yk_group *group; /* its ask is to be placed */
    const struct yk_node *node;
    size_t visits;
};

/* The fair share of the queue after an ask of this size, and all asks below the queue with reservations of
 * the kind YK_RESERVE_WAITING, have started. */
static double later_share(const struct yk_partition *partition, const struct yk_queue *queue,
                          const struct yk_resvec *size)
{
    YK_RESVEC(used);
    yk_resvec_copy(&used, &queue->allocated);
    yk_resvec_add(&used, size);
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (yk_queue_is_in_branch(yk_ask_app(reservation->ask)->leaf, queue))
            yk_resvec_add(&used, yk_ask_size(reservation->ask));
    }
    return yk_queue_share_of(queue, &used);
}

/* Whether later asks have overtaken the group for so long, without a start, that one more of its leaf has to
 * wait. */
static bool is_overtaken_too_long(const struct yk_partition *partition, const struct yk_group *group)
{
    int64_t since_ns = yk_clock_mono_ns(partition->core->clock) - group->reservation.served_mono_ns;
    int64_t longest_run_ns = partition->reservation.longest_run_ns;
    return yk_list_linked(&group->reservation.in_overtaken) && longest_run_ns > 0 &&
           (double)since_ns >= OVERTAKEN_MAX_RUNS * (double)longest_run_ns;
}

/* Whether the ask that is to be placed must not overtake `group`. Where the paths of their queues part, the
 * queue of `group` stays within its guarantee and the other does not, or it is far behind the other one.
 * Within one leaf, only the time counts for which the group has been overtaken. */
static bool goes_first(const struct placement *placement, const struct yk_group *group)
{
    const struct yk_group *placed = placement->group;
    const struct yk_queue *queue = group->app->leaf, *other = placed->app->leaf;
    yk_queue_find_siblings(&queue, &other);
    if (queue == other) /* one leaf, or a former leaf and a queue below it (R15), which are not compared */
        return group->app->leaf == placed->app->leaf && is_overtaken_too_long(placement->partition, group);
    double share = later_share(placement->partition, queue, &group->shape->size);
    double other_share = later_share(placement->partition, other, &placed->shape->size);
    bool is_guaranteed = queue->has_guaranteed && share <= 1;
    bool other_is_guaranteed = other->has_guaranteed && other_share <= 1;
    return (is_guaranteed && !other_is_guaranteed) || other_share > YK_FAR_BEHIND * share;
}

/* Whether the group's first ask without a reservation is old enough, and could run on the node. */
static bool may_reserve(const struct yk_partition *partition, const struct yk_group *group,
                        const struct yk_node *node)
{
    const struct yk_ask *ask = yk_waiting_group_first_unreserved(group);
    int64_t age_ns = yk_i64_sub(yk_core_now(partition->core), ask->create_wall_ns);
    return age_ns >= partition->core->reservation_delay_ns && yk_node_could_serve(partition, node, ask);
}

static enum yk_wait_visit has_to_wait(void *context, struct yk_group *group)
{
    struct placement *placement = context;
    const struct yk_node *node = placement->node;
    if (placement->visits++ == VISITS_MAX || yk_turn_compare(group, placement->group) >= 0)
        return YK_WAIT_VISIT_STOP;
    bool reserves = !yk_node_has_capacity(node, &group->shape->size) &&
                    yk_waiting_group_may_be_overtaken(group, node) && goes_first(placement, group) &&
                    may_reserve(placement->partition, group, node);
    return reserves ? YK_WAIT_VISIT_TAKE : YK_WAIT_VISIT_NEXT;
}

static bool reserve(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_node *node = yk_reservable_node(partition, ask);
    yk_turn_note_long(partition);
    return node != NULL && yk_reserve(partition, ask, node, YK_RESERVE_WAITING);
}

bool yk_early_reservation_make(struct yk_partition *partition, const struct yk_group *group,
                               const struct yk_node *node)
{
    struct placement placement = {.partition = partition, .group = group, .node = node};
    const struct yk_wait_search search = {.visit = has_to_wait, .context = &placement};
    if (partition->core->reservation_delay_ns == INT64_MAX || yk_wait_order_is_empty(partition->root) ||
        !yk_list_empty(&node->reservations))
        return false;
    const struct yk_group *first = yk_wait_order_find(partition->root, &search);
    if (first == NULL)
        return false;
    struct yk_ask *ask = yk_waiting_group_first_unreserved(first);
    return yk_reservation_share_allows(partition, ask, MOST_RESERVED) && reserve(partition, ask);
}
