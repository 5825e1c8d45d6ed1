/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/reserving.h"

#include "scheduler/backoff.h"
#include "scheduler/core.h"
#include "scheduler/gang_wait.h"
#include "scheduler/node_search.h"
#include "scheduler/quota.h"
#include "scheduler/reserved.h"
#include "scheduler/stateaware.h"

enum {
    BATCH = 64,     /* asks that share one walk over the nodes */
    LOOK_MAX = 512, /* groups looked at for some that are alike */
};

#define VAIN_LOOK_NS (10 * YK_NS_PER_S) /* between two looks at what is kept */

static bool is_off(const struct yk_partition *partition)
{
    return partition->core->reservation_delay_ns == INT64_MAX;
}

/* ---- when ---- */

static void arm(struct yk_partition *partition, int64_t delay_ns)
{
    const struct yk_core *core = partition->core;
    struct yk_timer *timer = &partition->reserving_timer;
    int64_t due_ns = yk_i64_add(yk_clock_mono_ns(core->clock), delay_ns);
    if (!yk_timer_armed(timer) || due_ns < timer->due_mono_ns)
        yk_timer_arm(core->timers, timer, delay_ns);
}

static int64_t rest_ns(const struct yk_partition *partition, const struct yk_reservation *reservation)
{
    return reservation->created_mono_ns + YK_RESERVATION_WAIT_NS - yk_clock_mono_ns(partition->core->clock);
}

void yk_reserving_watch(struct yk_partition *partition, const struct yk_reservation *reservation)
{
    arm(partition, rest_ns(partition, reservation));
    yk_reserving_note_others(partition);
}

/* ---- nodes that are kept in vain ---- */

static int64_t until_next_look_ns(const struct yk_partition *partition)
{
    return YK_MAX(partition->vain_look_mono_ns - yk_clock_mono_ns(partition->core->clock), 0);
}

void yk_reserving_note_others(struct yk_partition *partition)
{
    bool others_wait = partition->shapes.parked_count > 0 || !yk_list_empty(&partition->replace_waits);
    if (partition->looks_for_vain || partition->reservation_count == 0 || !others_wait ||
        partition->rm->callbacks.class_fits_now == NULL)
        return;
    partition->looks_for_vain = true;
    arm(partition, until_next_look_ns(partition));
}

/* As long as it may be of use to somebody; at times, because nothing says when. */
static void drop_vain(struct yk_partition *partition)
{
    if (!partition->looks_for_vain)
        return;
    if (until_next_look_ns(partition) == 0) {
        partition->vain_look_mono_ns = yk_clock_mono_ns(partition->core->clock) + VAIN_LOOK_NS;
        partition->looks_for_vain = yk_reserved_drop_vain(partition);
    }
    if (partition->looks_for_vain)
        arm(partition, until_next_look_ns(partition));
}

/* Who found no node that could be reserved waits for one that can; nothing else helps. */
static void look_again(struct yk_partition *partition)
{
    yk_list_splice(&partition->reserving_again, &partition->reserving_later);
    if (partition->candidates_seen == partition->candidates_epoch)
        return;
    partition->candidates_seen = partition->candidates_epoch;
    yk_list_splice(&partition->reserving_again, &partition->reserving_hopeless);
}

/* Those that have become old are looked at: which are held up by a queue is found out there. */
static void look_at_old(struct yk_partition *partition)
{
    struct yk_reservation *reservation;
    yk_list_foreach (reservation, &partition->reservations, struct yk_reservation, in_partition) {
        if (rest_ns(partition, reservation) > 0) {
            yk_reserving_watch(partition, reservation);
            return;
        }
        yk_reserved_note(partition, reservation);
    }
}

static void on_timer(struct yk_timer *timer)
{
    struct yk_partition *partition = YK_CONTAINER(timer, struct yk_partition, reserving_timer);
    look_again(partition);
    look_at_old(partition);
    drop_vain(partition);
}

void yk_reserving_init(struct yk_partition *partition)
{
    yk_list_init(&partition->reservations);
    yk_list_init(&partition->unreserved_nodes);
    yk_list_init(&partition->reserving);
    yk_list_init(&partition->reserving_again);
    yk_list_init(&partition->reserving_later);
    yk_list_init(&partition->reserving_hopeless);
    for (size_t i = 0; i < YK_REQUIRED_WAITS; i++)
        yk_list_init(&partition->required_waits[i]);
    partition->reserved_ready.order = yk_reservation_order;
    partition->reserving_timer.fire = on_timer;
    partition->candidates_epoch = 1;
}

void yk_reserving_want(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (is_off(partition) || yk_gang_wait_preempts_whole(group) || group->wait != YK_WAIT_NODES)
        return;
    if (yk_list_linked(&group->in_reserving)) /* it has looked before, and not long ago */
        yk_reserving_note_end(partition);
    else
        yk_list_append(&partition->reserving, &group->in_reserving);
}

void yk_reserving_note_end(struct yk_partition *partition)
{
    if (!yk_list_empty(&partition->reserving_later))
        arm(partition, partition->core->reservation_delay_ns);
}

void yk_reserving_class_changed(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (!yk_list_linked(&group->in_reserving))
        return;
    yk_list_remove(&group->in_reserving);
    yk_list_append(&partition->reserving_later, &group->in_reserving);
    yk_reserving_note_end(partition);
}

void yk_reserving_note_candidate(struct yk_partition *partition)
{
    partition->candidates_epoch++;
    if (!yk_list_empty(&partition->reserving_later) || !yk_list_empty(&partition->reserving_hopeless))
        arm(partition, partition->core->reservation_delay_ns);
}

/* ---- who ---- */

static bool is_within_limits(struct yk_group *group)
{
    struct yk_app *app = group->app;
    const struct yk_resvec *size = &group->shape->size;
    return !yk_backoff_rests(app) && !yk_stateaware_holds(app) && yk_quota_may_start(app) &&
           yk_usage_without_room(app, size) == NULL && yk_queue_has_room(app->leaf, size, NULL);
}

struct batch { /* asks that are alike */
    struct yk_ask *asks[BATCH];
    size_t count;
};

/* Adds the first asks without a reservation that are old enough; the timer is armed for the next one. False:
 * there may be more than the batch takes. */
static bool collect_asks(struct yk_partition *partition, const struct yk_group *group, struct batch *batch)
{
    int64_t born_before = yk_i64_sub(yk_core_now(partition->core), partition->core->reservation_delay_ns);
    struct yk_ask *ask;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        if (yk_ask_reservation(ask) != NULL)
            continue;
        if (ask->create_wall_ns > born_before) {
            arm(partition, yk_i64_sub(ask->create_wall_ns, born_before));
            break;
        }
        batch->asks[batch->count++] = ask;
        if (batch->count == BATCH)
            return false;
    }
    return true;
}

/* ---- where ---- */

struct candidate {
    struct yk_node *node;
    double lacks; /* sum over types of the share of the ask that does not fit */
};

static double lack_of(const struct yk_node *node, const struct yk_resvec *size)
{
    double sum = 0;
    yk_resvec_foreach(t, size->set)
    {
        int64_t lacking = size->v[t] - YK_MAX(yk_resvec_get(node->available, (int)t), 0);
        if (lacking > 0)
            sum += (double)lacking / (double)size->v[t];
    }
    return sum;
}

/* Keeps the best, at most `max`, in order; of equal ones those that came first. */
static size_t keep(struct candidate *best, size_t count, size_t max, struct candidate candidate)
{
    size_t at = count < max ? count++ : max - 1;
    for (; at > 0 && best[at - 1].lacks > candidate.lacks; at--)
        best[at] = best[at - 1];
    best[at] = candidate;
    return count;
}

static size_t find_candidates(struct yk_partition *partition, const struct yk_ask *ask, size_t max,
                              struct candidate ret_best[BATCH])
{
    const struct yk_resvec *size = yk_ask_size(ask);
    const struct yk_class *class_ = ask->group->shape->class_;
    size_t count = 0;
    struct yk_node *node;
    yk_node_search_prepare(partition, ask);
    if ((class_ != NULL && class_->feasible.ones == 0) || !yk_class_has_a_chance(partition, class_))
        return 0;
    yk_tree_foreach (node, &partition->node_order.tree, struct yk_node, in_order) {
        if ((class_ != NULL && !yk_bitset_test(&class_->feasible, node->index)) ||
            !yk_resvec_fit(node->total, size))
            continue;
        struct candidate candidate = {node, lack_of(node, size)};
        bool full = count == max && ret_best[max - 1].lacks <= candidate.lacks;
        bool would_help = candidate.lacks > 0; /* else it is not room that is missing */
        if (!full && would_help && yk_node_could_serve(partition, node, ask))
            count = keep(ret_best, count, max, candidate);
    }
    return count;
}

static void reserve_some(struct yk_partition *partition, const struct batch *batch)
{
    struct candidate best[BATCH];
    struct yk_shape *shape = batch->asks[0]->group->shape;
    size_t found = find_candidates(partition, batch->asks[0], batch->count, best);
    partition->turn_was_long = true;
    if (found == 0)
        shape->no_candidate_epoch = partition->candidates_epoch;
    for (size_t i = 0; i < found; i++)
        (void)yk_reserve(partition, batch->asks[i], best[i].node,
                         YK_RESERVE_DELAY); /* was found to be possible */
}

static bool is_hopeless(const struct yk_partition *partition, const struct yk_group *group)
{
    return group->shape->no_candidate_epoch == partition->candidates_epoch;
}

/* Adds what the group has to reserve for. If there may be more, it stays where it was; else something has to
 * change before it is looked at again. */
static void take_turn(struct yk_partition *partition, struct yk_group *group, struct yk_list *from,
                      struct batch *batch)
{
    yk_list_remove(&group->in_reserving);
    if (group->wait != YK_WAIT_NODES)
        return;
    bool hopeless = is_hopeless(partition, group);
    bool more = !hopeless && is_within_limits(group) && !collect_asks(partition, group, batch);
    struct yk_list *to = more       ? from
                         : hopeless ? &partition->reserving_hopeless
                                    : &partition->reserving_later;
    yk_list_append(to, &group->in_reserving);
}

static enum yk_turn look(struct yk_partition *partition, struct yk_list *from)
{
    struct batch batch;
    batch.count = 0; /* the places for its asks are not all written for that */
    struct yk_group *group = yk_list_first(from, struct yk_group, in_reserving);
    if (group == NULL)
        return YK_TURN_IDLE;
    const struct yk_shape *shape = group->shape;
    size_t looked_at = 0;
    yk_list_foreach (group, from, struct yk_group, in_reserving) {
        if (looked_at++ == LOOK_MAX || batch.count == BATCH)
            break;
        if (group->shape == shape)
            take_turn(partition, group, from, &batch);
    }
    if (batch.count > 0)
        reserve_some(partition, &batch);
    return YK_TURN_PARKED;
}

enum yk_turn yk_reserving_turn(struct yk_partition *partition)
{
    return look(partition, &partition->reserving);
}

enum yk_turn yk_reserving_again_turn(struct yk_partition *partition)
{
    return look(partition, &partition->reserving_again);
}

bool yk_reserving_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->reserving) || !yk_list_empty(&partition->reserving_again);
}
