/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/make_reservation.h"

#include "pending/backoff.h"
#include "pending/limit_gate.h"
#include "pending/stateaware.h"
#include "pending/wait_order.h"
#include "reservation/release_estimate.h"
#include "reservation/reservable_node.h"
#include "reservation/reservation_look.h"
#include "reservation/use_reservation.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/turn.h"
#include "state/turn_order.h"

enum {
    OVERTAKEN_MAX = 256,   /* groups that are remembered as overtaken */
    VISITS_MAX = 64,       /* waiting groups that are asked whether a placement overtakes them */
    RESERVATIONS_MAX = 64, /* of a partition, for asks that wait */
    RUN_TIME_DECAY = 1024, /* ended allocations after which the longest run time has fallen by two thirds */
    GROUP_RUN_DECAY = 4,   /* the same for the run time of a group */
    MOVABLE_MAX = 8,       /* reservations, the oldest ones, that are compared when something has ended */
};

/* Of what is in use: a fifth of what is reserved is free at a time (test/bench/steady). */
#define RESERVABLE_SHARE 0.08

/* Of an ask: what later asks have taken when the group gets one more reservation. By the time that a node has
 * come free more is lost. With 0.5 a queue of two-core asks that half-core and one-core asks overtake stays
 * below its guarantee for so long that it preempts (test/bench/steady/tree.yaml). */
#define EARNED_SHARE 0.25

/* For which a reservation moves: the cost of a second with all that the ask needs, and a tenth. */
#define LEAST_GAIN      (1000 * YK_RELEASE_COST_PER_MS)
#define LEAST_GAIN_PART 10

#define USELESS_LOOK_NS (10 * YK_NS_PER_S) /* between two looks for reservations that are of no use */

static bool is_off(const struct yk_partition *partition)
{
    return partition->core->reservation_delay_ns == INT64_MAX;
}

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

/* ---- times ---- */

/* As long as the longest of the last ones; it falls by a part of the difference with each that runs less. */
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
    yk_reservation_look_again(partition);
}

/* ---- reservations that are of no use ---- */

/* At times, because nothing says when a reservation has become useless. */
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

/* Reservations for preemptors that have become old: whether a queue holds them up is found out there. */
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
    yk_turn_order_changed(partition); /* an ask may have waited for long enough to use a reserved node */
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

/* ---- who is overtaken ---- */

static bool is_within_limits(struct yk_group *group)
{
    struct yk_app *app = group->app;
    const struct yk_resvec *size = &group->shape->size;
    return !yk_backoff_rests(app) && !yk_stateaware_holds(app) && yk_limit_gate_check_start(app) &&
           yk_usage_without_headroom(app, size) == NULL && yk_queue_has_headroom(app->leaf, size, NULL);
}

static bool could_run_on(const struct yk_group *group, const struct yk_node *node)
{
    const struct yk_class *class_ = group->shape->class_;
    return yk_resvec_fit(node->total, &group->shape->size) &&
           (class_ == NULL || (class_->filled && yk_bitset_test(&class_->feasible, node->index)));
}

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

static struct yk_ask *first_without_reservation(const struct yk_group *group)
{
    struct yk_ask *ask;
    if (group->reservation.nominated == group->asks.count) /* each of them has one */
        return NULL;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        if (yk_ask_reservation(ask) == NULL)
            return ask;
    }
    return NULL;
}

/* What is added up for a group at most: what one more of its asks needs. */
static double most_added(const struct yk_group *group)
{
    return 1 + (double)reservations_of(group);
}

static bool has_most_added(const struct yk_group *group)
{
    return yk_list_linked(&group->reservation.in_overtaken) &&
           group->reservation.overtaken >= most_added(group);
}

/* A group for which no more is added up, or whose asks all have reservations, does not hide those behind
 * it. */
static enum yk_wait_visit is_overtaken(void *context, struct yk_group *group)
{
    struct overtaking *overtaking = context;
    if (overtaking->visits++ == VISITS_MAX || yk_turn_compare(group, overtaking->by) >= 0)
        return YK_WAIT_VISIT_STOP;
    /* What an incomplete gang holds is its reservation. */
    bool counts = !yk_gang_preempts_whole(group) && could_run_on(group, overtaking->on) &&
                  !has_most_added(group) && first_without_reservation(group) != NULL &&
                  is_within_limits(group);
    return counts ? YK_WAIT_VISIT_TAKE : YK_WAIT_VISIT_NEXT;
}

/* How much of an ask of the group `placed` takes, of what the ask lacks on the node: 0 if it lacks
 * nothing. */
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
        group->reservation.overtaken_mono_ns = now_mono(partition);
        yk_list_append(&partition->reservation.overtaken, &group->reservation.in_overtaken);
        partition->reservation.overtaken_count++;
    }
    group->reservation.overtaken = YK_MIN(group->reservation.overtaken + amount, most_added(group));
    yk_reservation_look_in(partition, partition->core->reservation_delay_ns);
}

/* An ask of the group starts. */
static void note_served(struct yk_group *group)
{
    group->reservation.overtaken = YK_MAX(group->reservation.overtaken - 1, 0);
    group->reservation.has_started = true;
    if (group->reservation.overtaken <= 0)
        yk_make_reservation_forget(group);
}

void yk_make_reservation_note_placed(struct yk_partition *partition, struct yk_group *group,
                                     const struct yk_node *node)
{
    struct overtaking overtaking = {.by = group, .on = node};
    const struct yk_wait_search search = {.visit = is_overtaken, .context = &overtaking};
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

/* ---- how many ---- */

/* The largest share of an ask in what is in use: nodes that stay idle have no part in it. */
static double share_of(const struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_resvec *all = &partition->root->allocated, *size = yk_ask_size(ask);
    double share = 0;
    yk_resvec_foreach_common(t, size, all)
    {
        if (yk_resvec_get(all, t) > 0)
            share = YK_MAX(share, (double)yk_resvec_get(size, t) / (double)yk_resvec_get(all, t));
    }
    return share;
}

/* What is reserved for the leaf, or, without one, for all. */
static double reserved_share(const struct yk_partition *partition, const struct yk_queue *leaf)
{
    const struct yk_reservation *reservation;
    double sum = 0;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (leaf == NULL || yk_ask_app(reservation->ask)->leaf == leaf)
            sum += share_of(partition, reservation->ask);
    }
    return sum;
}

/* Whether one more reservation, for this ask, is within what may be reserved in all. One always is. */
static bool is_within_total(const struct yk_partition *partition, const struct yk_ask *ask)
{
    if (partition->reservation.waiting_count == 0)
        return true;
    return partition->reservation.waiting_count < RESERVATIONS_MAX &&
           reserved_share(partition, NULL) + share_of(partition, ask) <= RESERVABLE_SHARE;
}

static bool waits(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES && group->asks.count > 0;
}

/* Leaves with an overtaken group. */
static uint32_t overtaken_leaves(struct yk_partition *partition)
{
    const struct yk_group *group;
    uint32_t count = 0;
    partition->reservation.leaf_scan++;
    yk_list_foreach (group, &partition->reservation.overtaken, struct yk_group, reservation.in_overtaken) {
        if (waits(group) && group->app->leaf->reservation.leaf_scan != partition->reservation.leaf_scan) {
            group->app->leaf->reservation.leaf_scan = partition->reservation.leaf_scan;
            count++;
        }
    }
    return YK_MAX(count, 1);
}

/* Leaves with overtaken groups have equal parts of that, of one reservation at least. */
static bool is_within_part(struct yk_partition *partition, const struct yk_ask *ask)
{
    double reserved = reserved_share(partition, yk_ask_app(ask)->leaf);
    return reserved <= 0 ||
           reserved + share_of(partition, ask) <= RESERVABLE_SHARE / overtaken_leaves(partition);
}

/* Of the asks of `leaf`, or of all if that is NULL. */
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

enum source { FROM_UNUSED, FROM_LATER, FROM_NOWHERE };

/* Where a reservation for the group comes from: one may still be made, or one of an ask that comes after the
 * group is handed on (`*ret_later`), within the leaf if that has its part. */
static enum source source_for(struct yk_partition *partition, const struct yk_ask *ask,
                              struct yk_reservation **ret_later)
{
    const struct yk_group *group = ask->group;
    bool within_part = is_within_part(partition, ask);
    if (within_part && is_within_total(partition, ask))
        return FROM_UNUSED;
    *ret_later = last_in_order(partition, within_part ? NULL : group->app->leaf);
    return *ret_later != NULL && yk_turn_compare(group, (*ret_later)->ask->group) < 0 ? FROM_LATER
                                                                                      : FROM_NOWHERE;
}

/* ---- who is next ---- */

/* Later asks have taken enough for one more reservation. */
static bool has_earned_one(const struct yk_group *group)
{
    return group->reservation.overtaken >= EARNED_SHARE + (double)reservations_of(group);
}

/* How long a group must have been overtaken. A first reservation comes in time even where little ends. */
static int64_t overtaken_delay_ns(const struct yk_partition *partition, const struct yk_group *group)
{
    int64_t delay_ns = partition->core->reservation_delay_ns;
    return has_earned_one(group) ? delay_ns : YK_MAX(delay_ns, partition->reservation.longest_run_ns / 4);
}

/* Arms the timer for a group that is not overtaken for long enough yet. */
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

/* A search that found no node is not repeated; the node of a later ask may do nevertheless. */
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
    const struct yk_ask *ask = first_without_reservation(group);
    bool is_first = reservations_of(group) == 0 && !group->reservation.has_started;
    return ask != NULL && (is_first || has_earned_one(group)) && is_old_enough(partition, group, ask) &&
           is_within_limits(group) && has_source(partition, ask);
}

static struct yk_group *first_in_order(struct yk_partition *partition)
{
    struct yk_group *group, *first = NULL;
    yk_list_foreach (group, &partition->reservation.overtaken, struct yk_group, reservation.in_overtaken) {
        if (!waits(group))
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
    return left_ns <= 0 || !is_within_limits(reservation->ask->group);
}

static bool drop_one(struct yk_partition *partition)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (is_kept_for_nothing(partition, reservation)) {
            struct yk_ask *ask = reservation->ask;
            yk_unreserve(partition, ask);
            yk_make_reservation_forget(ask->group); /* it has to be overtaken again */
            return true;
        }
    }
    return false;
}

/* The node of `later`, or, if that is NULL or cannot serve the ask, the node that lacks least. */
static struct yk_node *node_to_reserve(struct yk_partition *partition, const struct yk_ask *ask,
                                       const struct yk_reservation *later)
{
    if (later != NULL && yk_node_could_serve(partition, later->node, ask))
        return later->node;
    return yk_reservable_node(partition, ask,
                              now_mono(partition) - yk_reservation_look_patience_ns(partition));
}

struct move {
    struct yk_reservation *reservation; /* NULL: none */
    struct yk_node *node;
    int64_t gain; /* what waiting for the node costs less than waiting for its own node */
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

/* 0: it does not pay to move there. */
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
        if (!could_run_on(ask->group, node) || !yk_node_could_serve(partition, node, ask))
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
    note_overtaken(partition, group, 1); /* it waits on for its next reservation */
}

static void make_one(struct yk_partition *partition, struct yk_group *group)
{
    struct yk_ask *ask = first_without_reservation(group);
    struct yk_reservation *later = NULL;
    (void)source_for(partition, ask, &later); /* the group has been chosen, so there is a source */
    struct yk_node *node = node_to_reserve(partition, ask, later);
    yk_turn_note_long(partition);
    if (node != NULL && later != NULL)
        take_from(partition, later);
    if (node == NULL || !yk_reserve(partition, ask, node, YK_RESERVE_WAITING))
        group->shape->no_candidate_epoch = partition->reservation.candidates_epoch;
}

void yk_make_reservation_hand_on(struct yk_partition *partition, struct yk_ask *ask)
{
    const struct yk_reservation *reservation = yk_ask_reservation(ask);
    struct yk_node *node = reservation->node;
    struct yk_ask *next = first_without_reservation(ask->group);
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
    struct yk_ask *next = first_without_reservation(group);
    struct yk_reservation *later;
    if (next == NULL || !yk_list_linked(&group->reservation.in_overtaken) ||
        !has_something_free(node, yk_ask_size(next)) || !may_reserve(partition, group) ||
        source_for(partition, next, &later) != FROM_UNUSED || !yk_node_could_serve(partition, node, next))
        return;
    (void)yk_reserve(partition, next, node, YK_RESERVE_WAITING); /* if not, another node is looked for */
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
    partition->reservation.is_due = true; /* there may be others */
    return YK_TURN_PARKED;
}

bool yk_make_reservation_has_work(const struct yk_partition *partition)
{
    return partition->reservation.is_due;
}
