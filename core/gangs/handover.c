/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/handover.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "pending/active.h"
#include "pending/parked.h"
#include "report/preemption_log.h"
#include "reservation/victims.h"
#include "state/core.h"
#include "state/node_search.h"

static void free_if_done(struct yk_handover *handover)
{
    if (handover->asks.count > 0 || handover->ending > 0)
        return;
    yk_list_remove(&handover->in_settled);
    yk_vec_done(&handover->asks);
    free(handover);
}

static void settle_later(struct yk_handover *handover)
{
    if (!yk_list_linked(&handover->in_settled))
        yk_list_append(&handover->partition->gang_waits.settled, &handover->in_settled);
}

static void leave_gang(struct yk_handover *handover)
{
    if (handover->gang == NULL)
        return;
    handover->gang->handover = NULL;
    yk_gang_wait_note(handover->partition);
    handover->gang = NULL;
}

/* ---- begin ---- */

static void add_ask(struct yk_handover *handover, struct yk_ask *ask, struct yk_node *node)
{
    struct yk_app *app = yk_ask_app(ask);
    /* This comes first, so that the application stays in the order of its leaf when it has no pending ask
     * left. */
    app->handed_over++;
    handover->partition->steps->sub_pending(ask);
    yk_active_update_queue(app->leaf);
    ask->flags |= YK_ASK_REPLACING;
    ask->bind_wall_ns = yk_core_now(handover->partition->core);
    yk_ask_set_handover(ask, handover);
    yk_vec_append(&handover->asks, ask);
    if (app->gang != NULL)
        yk_gang_count_replacing(app->gang, 1);
    handover->partition->steps->node_book(handover->partition, node, ask);
    yk_queue_add_nominated(app->leaf, yk_ask_size(ask));
    yk_usage_add_nominated(&handover->partition->usages, app, yk_ask_size(ask));
}

/* Allocates the ask on its node, or on another one if asks that were allocated before exclude it from the
 * node: the dry run does not check constraints between asks. */
static void allocate_now(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node)
{
    if (!yk_node_takes(partition, ask, node))
        node = yk_node_for(partition, ask);
    if (node != NULL)
        partition->steps->commit(partition, ask, node);
}

void yk_handover_begin(struct yk_partition *partition, struct yk_gang *gang, const struct yk_vec *asks,
                       const struct yk_vec *nodes, const struct yk_vec *victims, const char *message)
{
    if (victims->count == 0) {
        for (size_t i = 0; i < asks->count; i++)
            allocate_now(partition, asks->items[i], nodes->items[i]);
        return;
    }
    struct yk_handover *handover = yk_new0(struct yk_handover);
    *handover = (struct yk_handover){.partition = partition, .gang = gang, .ending = victims->count};
    yk_list_init(&handover->in_settled);
    if (gang != NULL)
        gang->handover = handover;
    for (size_t i = 0; i < asks->count; i++)
        add_ask(handover, asks->items[i], nodes->items[i]);
    for (size_t i = 0; i < victims->count; i++)
        yk_ask_set_handover(victims->items[i], handover);
    const struct yk_ask *first = asks->count > 0 ? asks->items[0] : NULL;
    yk_preemption_note(partition, (struct yk_ask *const *)victims->items, victims->count, YK_PREEMPTION_GANG,
                       first, NULL);
    yk_victims_take(partition, (struct yk_ask *const *)victims->items, victims->count, message);
}

/* ---- asks that leave it ---- */

/* Takes back what add_ask() did, except that the node still counts the ask. */
static void take_out(struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    yk_queue_sub_nominated(app->leaf, yk_ask_size(ask));
    yk_usage_sub_nominated(app, yk_ask_size(ask));
    yk_ask_set_handover(ask, NULL);
    ask->flags &= ~(uint32_t)YK_ASK_REPLACING;
    app->handed_over--;
    if (app->gang != NULL)
        yk_gang_count_replacing(app->gang, -1);
}

void yk_handover_drop(struct yk_ask *ask)
{
    struct yk_handover *handover = yk_ask_handover(ask);
    yk_vec_remove(&handover->asks, yk_vec_find(&handover->asks, ask));
    take_out(ask);
    handover->partition->steps->node_unbook(handover->partition, ask);
    yk_wake_for_headroom(yk_ask_app(ask)->leaf);
    yk_active_update_app(yk_ask_app(ask));
    handover->broken = true;
    leave_gang(handover);
    settle_later(handover); /* so that the other asks wait again */
    free_if_done(handover);
}

static void wait_again(struct yk_handover *handover, struct yk_ask *ask)
{
    take_out(ask);
    handover->partition->steps->node_unbook(handover->partition, ask);
    handover->partition->steps->add_pending(ask);
    yk_wake_for_headroom(yk_ask_app(ask)->leaf);
}

static struct yk_ask *next_of(struct yk_handover *handover)
{
    struct yk_ask *ask = handover->asks.items[0];
    yk_vec_remove(&handover->asks, 0);
    return ask;
}

/* Whether the application fails, so that its asks must not wait again but end. */
static bool fails(const struct yk_handover *handover)
{
    return handover->asks.count > 0 && yk_ask_app(handover->asks.items[0])->state == YK_APP_FAILING;
}

static void end_all(struct yk_handover *handover)
{
    handover->ending++; /* so that it is not freed before all asks have ended */
    while (handover->asks.count > 0)
        handover->partition->steps->end_replacing(handover->partition, handover->asks.items[0],
                                                  "the application fails");
    handover->ending--;
    yk_list_remove(&handover->in_settled);
}

void yk_handover_break(struct yk_handover *handover)
{
    leave_gang(handover);
    handover->broken = true;
    yk_list_remove(&handover->in_settled);
    if (fails(handover))
        end_all(handover);
    while (handover->asks.count > 0)
        wait_again(handover, next_of(handover));
    free_if_done(handover);
}

void yk_handovers_end(struct yk_app *app)
{
    struct yk_vec found = {0};
    struct yk_handover *handover;
    struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        bool is_taker = (ask->flags & YK_ASK_REPLACING) != 0 && yk_ask_handover(ask) != NULL;
        if (is_taker)
            yk_vec_append(&found, ask);
    }
    yk_vec_sort(&found, yk_ask_arrival_order);
    yk_vec_foreach (ask, &found) {
        handover = yk_ask_handover(ask);
        if (handover != NULL && (ask->flags & YK_ASK_REPLACING) != 0)
            yk_handover_break(handover);
    }
    yk_vec_done(&found);
}

/* ---- the end ---- */

struct yk_handover *yk_handover_victim_ends(struct yk_ask *allocation)
{
    struct yk_handover *handover = yk_ask_handover(allocation);
    if (handover != NULL)
        yk_ask_set_handover(allocation, NULL);
    return handover;
}

void yk_handover_victim_ended(struct yk_handover *handover)
{
    handover->ending--;
    if (handover->ending == 0 && handover->asks.count > 0)
        settle_later(handover);
    free_if_done(handover);
}

/* Whether the node has capacity, in the types of the ask, for all that is counted there, except asks of other
 * handovers, whose victims may not have ended yet. O(allocations on the node). */
static bool node_has_it(const struct yk_handover *handover, const struct yk_ask *ask)
{
    YK_RESVEC(left);
    const struct yk_ask *other;
    yk_resvec_copy(&left, ask->node->available);
    yk_list_foreach (other, &ask->node->allocations, struct yk_ask, in_node) {
        bool waits = (other->flags & YK_ASK_REPLACING) != 0 && yk_ask_handover(other) != NULL;
        if (waits && yk_ask_handover(other) != handover)
            yk_resvec_add(&left, yk_ask_size(other));
    }
    yk_resvec_foreach(t, yk_ask_size(ask))
    {
        if (yk_resvec_get(yk_ask_size(ask), t) > 0 && yk_resvec_get(&left, t) < 0)
            return false;
    }
    return true;
}

static bool may_start(const struct yk_handover *handover, const struct yk_ask *ask)
{
    return ask->node->schedulable && node_has_it(handover, ask) &&
           yk_usage_without_headroom(yk_ask_app(ask), yk_ask_size(ask)) == NULL &&
           yk_queue_has_headroom_for(yk_ask_app(ask)->leaf, yk_ask_size(ask), yk_ask_size(ask), NULL) &&
           yk_class_fits_there(handover->partition, ask->group->shape->class_, ask->node);
}

static bool all_may_start(const struct yk_handover *handover)
{
    const struct yk_ask *ask;
    if (handover->broken)
        return false;
    yk_vec_foreach (ask, &handover->asks) {
        if (!may_start(handover, ask))
            return false;
    }
    return true;
}

/* Allocates the ask, or lets it wait again: asks that were allocated before it may have used up a limit. */
static void allocate(struct yk_handover *handover, struct yk_ask *ask)
{
    if (!may_start(handover, ask)) {
        wait_again(handover, ask);
        return;
    }
    take_out(ask);
    handover->partition->steps->commit_accounted(handover->partition, ask);
}

enum yk_turn yk_handover_turn(struct yk_partition *partition)
{
    struct yk_handover *handover =
        yk_list_first(&partition->gang_waits.settled, struct yk_handover, in_settled);
    if (handover == NULL)
        return YK_TURN_IDLE;
    yk_list_remove(&handover->in_settled);
    handover->ending++; /* so that it is not freed while it is settled */
    if (fails(handover)) {
        end_all(handover);
    } else if (all_may_start(handover)) {
        leave_gang(handover);
        while (handover->asks.count > 0)
            allocate(handover, next_of(handover));
    } else {
        yk_info(yk_log_alloc, "others gave way and the asks do not fit", KV("partition", partition->name),
                KV("broken", handover->broken));
        yk_handover_break(handover);
    }
    handover->ending--;
    yk_list_remove(&handover->in_settled);
    free_if_done(handover);
    return YK_TURN_DECIDED;
}
