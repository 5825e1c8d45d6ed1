/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/make_reservation.h"

#include "pending/active.h"
#include "pending/limit_hold.h"
#include "pending/wait_order.h"
#include "reservation/release_estimate.h"
#include "reservation/required_node.h"
#include "reservation/reservable_node.h"
#include "reservation/reservation_look.h"
#include "reservation/reservation_share.h"
#include "reservation/use_reservation.h"
#include "reservation/waiting_group.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/turn.h"
#include "state/turn_order.h"

enum {
    OVERTAKEN_MAX = 256, /* groups in the list of overtaken groups */
    VISITS_MAX = 64,     /* waiting groups that one placement looks at for the one that it overtakes */
    /* Number of short allocations after which the longest run time has fallen by about two thirds. */
    RUN_TIME_DECAY = 1024,
    GROUP_RUN_DECAY = 4, /* the same for the run time of a group */
    MOVABLE_MAX = 8,     /* reservations, the oldest ones, that may move when an allocation has ended */
};

/* The part of what is in use that all reservations may hold together with a new one for an overtaken group.
 * About a fifth of what is reserved is free, and so unused, at a time (test/bench/steady). */
#define MOST_RESERVED 0.07

/* The part of an ask that later asks have to take before the group gets one more reservation. It is far below
 * 1, because later asks take more until the node is free. With 0.5, a queue of two-core asks that half-core
 * and one-core asks overtake stays below its guarantee for so long that it preempts
 * (test/bench/steady/tree.yaml). */
#define EARNED_SHARE 0.25

/* A reservation moves if it gains at least the cost of keeping capacity for the whole ask free for one
 * second, and at least a tenth of the present cost. */
#define LEAST_GAIN      (1000 * YK_RELEASE_COST_PER_MS)
#define LEAST_GAIN_PART 10

#define USELESS_LOOK_NS (10 * YK_NS_PER_S) /* time between two searches for reservations that are of no use */

static bool is_off(const struct yk_partition *partition)
{
    return partition->core->reservation_delay_ns == INT64_MAX;
}

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

/* ---- times ---- */

/* Updates `*of_ns`, about the longest of the last run times: a longer run time replaces it; a shorter one
 * lowers it by the difference divided by `decay`. */
static void adapt_run_time(int64_t *of_ns, int64_t run_ns, int64_t decay)
{
    *of_ns = run_ns >= *of_ns ? run_ns : *of_ns - (*of_ns - run_ns) / decay;
}

void yk_make_reservation_note_ended(struct yk_partition *partition, struct yk_ask *ended, int64_t run_ns)
{
    struct yk_node *node = ended->node;
    node->ended_mono_ns = now_mono(partition);
    if (partition->reservation.waiting_count > 0 && !yk_list_linked(&node->in_ended))
        yk_list_append(&partition->reservation.ended_nodes, &node->in_ended);
    adapt_run_time(&partition->reservation.longest_run_ns, run_ns, RUN_TIME_DECAY);
    if (ended->group != NULL)
        adapt_run_time(&ended->group->reservation.run_ns, run_ns, GROUP_RUN_DECAY);
    if (ended->group != NULL && ended->group->required_node != NULL) /* it counted as one that never ends */
        yk_required_node_note_candidate(partition, node);
    yk_reservation_look_again(partition);
}

/* ---- reservations that are of no use ---- */

/* Drops useless reservations, at most every USELESS_LOOK_NS, because no event reports that one has become
 * useless. */
static void drop_useless(struct yk_partition *partition)
{
    if (!partition->reservation.looks_for_useless)
        return;
    if (yk_reservation_look_until_useless_ns(partition) == 0) {
        partition->reservation.useless_look_mono_ns = now_mono(partition) + USELESS_LOOK_NS;
        partition->reservation.looks_for_useless = yk_use_reservation_drop_vain(partition);
    }
    if (partition->reservation.looks_for_useless)
        yk_reservation_look_in(partition, yk_reservation_look_until_useless_ns(partition));
}

/* Marks the reservations for preemption or a required node that are YK_RESERVATION_WAIT_NS old, so that those
 * whose queue or user has no headroom are dropped in their turn. */
static void look_at_old(struct yk_partition *partition)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.list, struct yk_reservation, in_partition) {
        if (reservation->why == YK_RESERVE_WAITING)
            continue;
        if (yk_reservation_look_until_old_ns(partition, reservation) > 0) {
            yk_reservation_look_in(partition, yk_reservation_look_until_old_ns(partition, reservation));
            return;
        }
        yk_reservation_look_at(partition, reservation);
    }
}

static void on_timer(struct yk_timer *timer)
{
    struct yk_partition *partition = YK_CONTAINER(timer, struct yk_partition, reservation.timer);
    partition->reservation.is_due = true;
    yk_turn_order_changed(partition); /* an ask may now have waited long enough to use a reserved node */
    look_at_old(partition);
    drop_useless(partition);
}

void yk_make_reservation_init(struct yk_partition *partition)
{
    yk_list_init(&partition->reservation.list);
    yk_list_init(&partition->reservation.waiting);
    yk_list_init(&partition->reservation.nominated_leaves);
    yk_list_init(&partition->reservation.unreserved_nodes);
    yk_list_init(&partition->reservation.overtaken);
    yk_list_init(&partition->reservation.ended_nodes);
    yk_list_init(&partition->reservation.quota_preemptions);
    yk_list_init(&partition->reservation.settled_nominations);
    for (size_t i = 0; i < YK_REQUIRED_WAITS; i++)
        yk_list_init(&partition->reservation.required_waits[i]);
    partition->reservation.active.order = yk_reservation_order;
    partition->reservation.timer.fire = on_timer;
    partition->reservation.candidates_epoch = 1;
}

void yk_make_reservation_done(struct yk_partition *partition)
{
    yk_timer_cancel(partition->core->timers, &partition->reservation.timer);
    yk_timer_cancel(partition->core->timers, &partition->reservation.quota_timer);
}

/* ---- overtaken groups ---- */

static size_t reservations_of(const struct yk_group *group)
{
    size_t count = 0;
    for (const struct yk_list *at = group->reservation.list.next; at != &group->reservation.list;
         at = at->next)
        count++;
    return count;
}

struct overtaking {
    const struct yk_group *by;
    const struct yk_node *on;
    size_t visits;
};

/* The largest sum of a group (`overtaken`): one ask more than it has reservations. */
static double most_added(const struct yk_group *group)
{
    return 1 + (double)reservations_of(group);
}

static bool has_most_added(const struct yk_group *group)
{
    return yk_list_linked(&group->reservation.in_overtaken) &&
           group->reservation.overtaken >= most_added(group);
}

/* Finds the group that the placement overtakes. Groups whose sum is the largest possible, or whose asks all
 * have reservations, are skipped, so that a group after them may count. */
static enum yk_wait_visit is_overtaken(void *context, struct yk_group *group)
{
    struct overtaking *overtaking = context;
    if (overtaking->visits++ == VISITS_MAX || yk_turn_compare(group, overtaking->by) >= 0)
        return YK_WAIT_VISIT_STOP;
    bool counts = !has_most_added(group) && yk_waiting_group_may_be_overtaken(group, overtaking->on);
    return counts ? YK_WAIT_VISIT_TAKE : YK_WAIT_VISIT_NEXT;
}

/* How much an ask of `placed` takes of the types that an ask of `group` lacks on the node, measured in asks
 * of `group`, for the type of which it takes most; 0 if nothing is lacking. */
static double amount_taken(const struct yk_group *group, const struct yk_group *placed,
                           const struct yk_node *node)
{
    const struct yk_resvec *size = &group->shape->size;
    double most = 0;
    yk_resvec_foreach(t, size)
    {
        if (yk_resvec_get(size, t) > yk_resvec_get(node->available, t))
            most =
                YK_MAX(most, (double)yk_resvec_get(&placed->shape->size, t) / (double)yk_resvec_get(size, t));
    }
    return most;
}

static void note_overtaken(struct yk_partition *partition, struct yk_group *group, double amount)
{
    if (!yk_list_linked(&group->reservation.in_overtaken)) {
        if (partition->reservation.overtaken_count == OVERTAKEN_MAX)
            return;
        group->reservation.overtaken = 0;
        group->reservation.has_started = false;
        group->reservation.overtaken_mono_ns = group->reservation.served_mono_ns = now_mono(partition);
        yk_list_append(&partition->reservation.overtaken, &group->reservation.in_overtaken);
        partition->reservation.overtaken_count++;
    }
    group->reservation.overtaken = YK_MIN(group->reservation.overtaken + amount, most_added(group));
    yk_reservation_look_in(partition, partition->core->reservation_delay_ns);
}

static void note_served(struct yk_group *group)
{
    group->reservation.overtaken = YK_MAX(group->reservation.overtaken - 1, 0);
    group->reservation.has_started = true;
    group->reservation.served_mono_ns = now_mono(group->app->partition);
    if (group->reservation.overtaken <= 0)
        yk_make_reservation_forget(group);
}

void yk_make_reservation_note_placed(struct yk_partition *partition, struct yk_group *group,
                                     const struct yk_node *node)
{
    struct overtaking overtaking = {.by = group, .on = node};
    const struct yk_wait_search search = {.visit = is_overtaken, .context = &overtaking};
    group->shape->placed_mono_ns = now_mono(partition);
    if (yk_list_linked(&group->reservation.in_overtaken))
        note_served(group);
    yk_reservation_look_again(partition);
    if (is_off(partition) || yk_wait_order_is_empty(partition->root))
        return;
    struct yk_group *first = yk_wait_order_find(partition->root, &search);
    if (first != NULL)
        note_overtaken(partition, first, amount_taken(first, group, node));
}

void yk_make_reservation_forget(struct yk_group *group)
{
    if (!yk_list_linked(&group->reservation.in_overtaken))
        return;
    yk_list_remove(&group->reservation.in_overtaken);
    group->app->partition->reservation.overtaken_count--;
}

/* ---- how many reservations ---- */

/* The reservation whose ask comes last in order, among those of `leaf` (NULL: among all); NULL: there is
 * none. */
static struct yk_reservation *last_in_order(const struct yk_partition *partition, const struct yk_queue *leaf)
{
    struct yk_reservation *reservation, *last = NULL;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if ((leaf == NULL || yk_ask_app(reservation->ask)->leaf == leaf) &&
            (last == NULL || yk_turn_compare(reservation->ask->group, last->ask->group) > 0))
            last = reservation;
    }
    return last;
}

enum source {
    FROM_UNUSED,  /* the limits allow one more */
    FROM_LATER,   /* an ask that comes later in order gives up its own */
    FROM_NOWHERE, /* neither */
};

/* Where a reservation for the ask comes from. FROM_LATER: `*ret_later` is the reservation to be given up, one
 * of the same leaf if the leaf has its part already. */
static enum source source_for(struct yk_partition *partition, const struct yk_ask *ask,
                              struct yk_reservation **ret_later)
{
    const struct yk_group *group = ask->group;
    bool within_part = yk_reservation_share_check_leaf(partition, ask, MOST_RESERVED);
    if (within_part && yk_reservation_share_allows(partition, ask, MOST_RESERVED))
        return FROM_UNUSED;
    *ret_later = last_in_order(partition, within_part ? NULL : group->app->leaf);
    return *ret_later != NULL && yk_turn_compare(group, (*ret_later)->ask->group) < 0 ? FROM_LATER
                                                                                      : FROM_NOWHERE;
}

/* ---- the group that is next ---- */

static bool has_earned_one(const struct yk_group *group)
{
    return group->reservation.overtaken >= EARNED_SHARE + (double)reservations_of(group);
}

/* The time for which a group must have been overtaken before it may reserve. A group that has not earned a
 * reservation waits longer, but it gets a first one even if later asks take little. */
static int64_t overtaken_delay_ns(const struct yk_partition *partition, const struct yk_group *group)
{
    int64_t delay_ns = partition->core->reservation_delay_ns;
    return has_earned_one(group) ? delay_ns : YK_MAX(delay_ns, partition->reservation.longest_run_ns / 4);
}

/* Whether the group has been overtaken, and its ask has waited, for long enough. If not, arms the timer. */
static bool is_old_enough(struct yk_partition *partition, const struct yk_group *group,
                          const struct yk_ask *ask)
{
    int64_t overtaken_ns = now_mono(partition) - group->reservation.overtaken_mono_ns;
    int64_t age_ns = yk_i64_sub(yk_core_now(partition->core), ask->create_wall_ns);
    int64_t left_ns = YK_MAX(overtaken_delay_ns(partition, group) - overtaken_ns,
                             yk_i64_sub(partition->core->reservation_delay_ns, age_ns));
    if (left_ns > 0)
        yk_reservation_look_in(partition, left_ns);
    return left_ns <= 0;
}

/* Whether there may be a reservation and a node for the ask. If a search has found no node to reserve and no
 * node has changed since, only the node of a later ask counts. */
static bool has_source(struct yk_partition *partition, const struct yk_ask *ask)
{
    struct yk_reservation *later;
    enum source source = source_for(partition, ask, &later);
    if (ask->group->shape->no_candidate_epoch == partition->reservation.candidates_epoch)
        return source == FROM_LATER && yk_node_could_serve(partition, later->node, ask);
    return source != FROM_NOWHERE;
}

static bool may_reserve(struct yk_partition *partition, struct yk_group *group)
{
    const struct yk_ask *ask = yk_waiting_group_first_unreserved(group);
    bool is_first = reservations_of(group) == 0 && !group->reservation.has_started;
    return ask != NULL && (is_first || has_earned_one(group)) && is_old_enough(partition, group, ask) &&
           yk_waiting_group_may_reserve_one_more(group) && has_source(partition, ask);
}

/* Tries a group again that waits for nodes although a limit refuses it, so that it waits for this limit and holds
 * it. True: it is tried again. */
static bool retry_for_hold(struct yk_group *group)
{
    if (!yk_waiting_group_waits(group) || !yk_waiting_group_could_hold_limit(group))
        return false;
    yk_active_set_wait(group, YK_WAIT_NONE);
    return true;
}

static struct yk_group *first_in_order(struct yk_partition *partition)
{
    struct yk_group *group, *first = NULL;
    yk_list_foreach (group, &partition->reservation.overtaken, struct yk_group, reservation.in_overtaken) {
        if (!yk_waiting_group_waits(group) || retry_for_hold(group))
            yk_make_reservation_forget(group);
        else if ((first == NULL || yk_turn_compare(group, first) < 0) && may_reserve(partition, group))
            first = group;
    }
    return first;
}

/* ---- one step ---- */

static bool is_kept_for_nothing(struct yk_partition *partition, const struct yk_reservation *reservation)
{
    int64_t since_ns = YK_MAX(reservation->created_mono_ns, reservation->node->ended_mono_ns);
    int64_t left_ns = yk_i64_add(since_ns, yk_reservation_look_patience_ns(partition)) - now_mono(partition);
    if (left_ns > 0)
        yk_reservation_look_in(partition, left_ns);
    return left_ns <= 0 || yk_waiting_group_waits_for_gang(reservation->ask->group) ||
           !yk_waiting_group_is_within_limits(reservation->ask->group);
}

static bool drop_one(struct yk_partition *partition)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (is_kept_for_nothing(partition, reservation)) {
            struct yk_group *group = reservation->ask->group;
            yk_unreserve(partition, reservation->ask);
            yk_make_reservation_forget(group); /* until it is overtaken again */
            if (!retry_for_hold(group))
                yk_limit_hold_end(group); /* with its holds it would reserve again at once */
            return true;
        }
    }
    return false;
}

/* The node of `later`; if that is NULL or its node cannot serve the ask, the best node to reserve; NULL:
 * none. */
static struct yk_node *node_to_reserve(struct yk_partition *partition, const struct yk_ask *ask,
                                       const struct yk_reservation *later)
{
    if (later != NULL && yk_node_could_serve(partition, later->node, ask))
        return later->node;
    return yk_reservable_node(partition, ask);
}

struct move {
    struct yk_reservation *reservation; /* NULL: none */
    struct yk_node *node;
    int64_t gain; /* the cost of waiting for its present node, less that of waiting for `node` */
};

static bool is_better_move(const struct move *best, int64_t gain, const struct yk_reservation *reservation,
                           const struct yk_node *node)
{
    if (best->reservation == NULL || gain != best->gain)
        return best->reservation == NULL || gain > best->gain;
    if (reservation != best->reservation)
        return reservation->sequence < best->reservation->sequence;
    return strcmp(node->id, best->node->id) < 0;
}

/* The gain if the reservation moves to the node; 0: too little. */
static int64_t gain_of(const struct yk_partition *partition, const struct yk_reservation *reservation,
                       const struct yk_node *node)
{
    int64_t there = yk_release_cost(partition, node, reservation->ask);
    if (there == YK_RELEASE_UNKNOWN)
        return 0;
    int64_t here = yk_release_cost(partition, reservation->node, reservation->ask);
    int64_t gain = here - there;
    return gain >= LEAST_GAIN && gain >= here / LEAST_GAIN_PART ? gain : 0;
}

static void consider_node(struct yk_partition *partition, struct yk_node *node, struct move *best)
{
    struct yk_reservation *reservation;
    int count = 0;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        const struct yk_ask *ask = reservation->ask;
        if (count++ == MOVABLE_MAX)
            return;
        if (yk_node_lacks(node, yk_ask_size(ask)) <= 0)
            continue;
        int64_t gain = gain_of(partition, reservation, node);
        if (gain == 0 || !is_better_move(best, gain, reservation, node))
            continue;
        yk_node_search_prepare(partition, ask);
        if (!yk_waiting_group_could_run_on(ask->group, node) || !yk_node_could_serve(partition, node, ask))
            continue;
        *best = (struct move){reservation, node, gain};
    }
}

static struct move best_move(struct yk_partition *partition)
{
    struct move best = {0};
    struct yk_node *node;
    yk_list_foreach (node, &partition->reservation.ended_nodes, struct yk_node, in_ended) {
        if (yk_list_empty(&node->reservations) && node->schedulable)
            consider_node(partition, node, &best);
    }
    return best;
}

void yk_make_reservation_move(struct yk_partition *partition)
{
    struct move best;
    while (!yk_list_empty(&partition->reservation.ended_nodes) &&
           (best = best_move(partition)).reservation != NULL)
        YK_ASSERT(yk_reserve(partition, best.reservation->ask, best.node, YK_RESERVE_WAITING));
    struct yk_node *node;
    while ((node = yk_list_first(&partition->reservation.ended_nodes, struct yk_node, in_ended)) != NULL)
        yk_list_remove(&node->in_ended);
}

static void take_from(struct yk_partition *partition, const struct yk_reservation *later)
{
    struct yk_group *group = later->ask->group;
    yk_unreserve(partition, later->ask);
    note_overtaken(partition, group, 1); /* so that it may get a reservation again */
}

static void make_one(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_ask *ask = yk_waiting_group_first_unreserved(group);
    struct yk_reservation *later = NULL;
    (void)source_for(partition, ask, &later); /* the group has been chosen, so there is a source */
    struct yk_node *node = node_to_reserve(partition, ask, later);
    yk_turn_note_long(partition);
    if (node != NULL && later != NULL)
        take_from(partition, later);
    if (node == NULL || !yk_reserve(partition, ask, node, YK_RESERVE_WAITING))
        group->shape->no_candidate_epoch = partition->reservation.candidates_epoch;
}

/* Whether the first ask of the group has a reservation now: it had one, or reserves a node. */
static bool reserves_for_holder(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_reservation *later = NULL;
    if (!yk_list_empty(&group->reservation.list))
        return true;
    if (is_off(partition) || yk_waiting_group_waits_for_gang(group) ||
        !yk_waiting_group_may_reserve_one_more(group) ||
        source_for(partition, group->first, &later) == FROM_NOWHERE)
        return false;
    make_one(partition, group);
    return !yk_list_empty(&group->reservation.list);
}

void yk_make_reservation_for_holders(struct yk_partition *partition)
{
    struct yk_group *group;
    while ((group = yk_limit_hold_next_on_nodes(partition)) != NULL) {
        if (yk_waiting_group_waits(group) && !reserves_for_holder(partition, group) && !retry_for_hold(group))
            yk_limit_hold_end(group);
    }
}

void yk_make_reservation_hand_on(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_node *node = yk_ask_reservation(ask)->node;
    struct yk_ask *next = yk_ask_is_guaranteed(ask) ? yk_waiting_group_first_unreserved(ask->group) : NULL;
    yk_reservation_used(partition, ask);
    if (next != NULL && !yk_reserve(partition, next, node, YK_RESERVE_WAITING))
        yk_reservation_look_again(partition);
}

static bool has_something_free(const struct yk_node *node, const struct yk_resvec *size)
{
    yk_resvec_foreach(t, size)
    {
        if (yk_resvec_get(size, t) > 0 && yk_resvec_get(node->available, t) <= 0)
            return false;
    }
    return true;
}

void yk_make_reservation_keep(struct yk_partition *partition, struct yk_group *group, struct yk_node *node)
{
    struct yk_ask *next = yk_waiting_group_first_unreserved(group);
    struct yk_reservation *later;
    if (next == NULL || !yk_list_linked(&group->reservation.in_overtaken) ||
        !has_something_free(node, yk_ask_size(next)) || !may_reserve(partition, group) ||
        source_for(partition, next, &later) != FROM_UNUSED || !yk_node_could_serve(partition, node, next))
        return;
    (void)yk_reserve(partition, next, node, YK_RESERVE_WAITING); /* if it fails, a later turn looks for one */
}

enum yk_turn yk_make_reservation_turn(struct yk_partition *partition)
{
    if (!partition->reservation.is_due)
        return YK_TURN_IDLE;
    partition->reservation.is_due = false;
    if (!is_off(partition) && drop_one(partition)) {
        partition->reservation.is_due = true;
        return YK_TURN_PARKED;
    }
    struct yk_group *group = is_off(partition) ? NULL : first_in_order(partition);
    if (group == NULL)
        return YK_TURN_IDLE;
    make_one(partition, group);
    partition->reservation.is_due = true; /* other groups may be due, too */
    return YK_TURN_PARKED;
}

bool yk_make_reservation_has_work(const struct yk_partition *partition)
{
    return partition->reservation.is_due;
}
