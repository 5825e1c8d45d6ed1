/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/nomination.h"

#include "base/log.h"
#include "pending/parked.h"
#include "preemption/node_choice.h"
#include "reservation/preempt.h"
#include "reservation/reservation_look.h"
#include "reservation/reservations.h"

struct yk_nomination {
    struct yk_ask *ask; /* NULL: the nomination was dropped, but victims are still to end */
    size_t victims;     /* victims that have not ended */
    /* In a list of the partition: the victims have ended, but the ask waits for other allocations to end. */
    struct yk_list in_settled;
};

static void link_group(struct yk_group *group)
{
    struct yk_queue *leaf = group->app->leaf;
    yk_list_append(&leaf->reservation.nominated_groups, &group->reservation.in_nominated);
    if (!yk_list_linked(&leaf->reservation.in_nominated))
        yk_list_append(&group->app->partition->reservation.nominated_leaves, &leaf->reservation.in_nominated);
}

static void unlink_group(struct yk_group *group)
{
    struct yk_queue *leaf = group->app->leaf;
    yk_list_remove(&group->reservation.in_nominated);
    if (yk_list_empty(&leaf->reservation.nominated_groups))
        yk_list_remove(&leaf->reservation.in_nominated);
}

static void book(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    struct yk_app *app = yk_ask_app(ask);
    yk_queue_add_nominated(app->leaf, yk_ask_size(ask));
    yk_usage_add_nominated(&app->partition->usages, app, yk_ask_size(ask));
    if (group->reservation.nominated++ == 0)
        link_group(group);
}

static void unbook(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    yk_queue_sub_nominated(yk_ask_app(ask)->leaf, yk_ask_size(ask));
    yk_usage_sub_nominated(yk_ask_app(ask), yk_ask_size(ask));
    if (--group->reservation.nominated == 0)
        unlink_group(group);
}

void yk_nomination_make(struct yk_ask *ask, struct yk_ask *const *victims, size_t count)
{
    struct yk_nomination *nomination = yk_new0(struct yk_nomination);
    nomination->ask = ask;
    nomination->victims = count;
    yk_list_init(&nomination->in_settled);
    yk_ask_set_nomination(ask, nomination);
    ask->flags |= YK_ASK_PREEMPTION_TRIGGERED;
    book(ask);
    for (size_t i = 0; i < count; i++)
        yk_ask_set_nomination(victims[i], nomination);
}

static void free_if_done(struct yk_nomination *nomination)
{
    if (nomination->ask == NULL && nomination->victims == 0)
        free(nomination);
}

/* Separates the nomination from the ask, and returns it. */
static struct yk_nomination *take_from(struct yk_ask *ask)
{
    struct yk_nomination *nomination = yk_ask_nomination(ask);
    yk_ask_set_nomination(ask, NULL);
    ask->flags &= ~(uint32_t)YK_ASK_PREEMPTION_TRIGGERED;
    unbook(ask);
    nomination->ask = NULL;
    yk_list_remove(&nomination->in_settled);
    return nomination;
}

/* Whether the ask is nominated. The nomination of a victim belongs to another ask, and does not count. */
static bool has_nominated(const struct yk_ask *ask)
{
    return yk_ask_nomination(ask) != NULL && yk_ask_is_pending(ask);
}

void yk_nomination_end(struct yk_ask *ask)
{
    if (!has_nominated(ask))
        return;
    free_if_done(take_from(ask));
    yk_unreserve(yk_ask_app(ask)->partition, ask);
    yk_wake_for_headroom(yk_ask_app(ask)->leaf);
}

void yk_nomination_break(struct yk_ask *ask)
{
    if (!has_nominated(ask))
        return;
    yk_nomination_end(ask);
    yk_preempt_again(ask->group);
}

static void end_all_of(struct yk_group *group)
{
    struct yk_ask *ask;
    group->preempt.passed = NULL;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        yk_nomination_end(ask);
}

void yk_nominations_end(struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        end_all_of(group);
}

void yk_nomination_pass_on(struct yk_ask *ask)
{
    struct yk_partition *partition = yk_ask_app(ask)->partition;
    if (!has_nominated(ask) || yk_ask_reservation(ask) == NULL)
        return;
    struct yk_ask *next = yk_preempt_candidate(ask->group);
    if (next == NULL)
        return;
    struct yk_node *node = yk_ask_reservation(ask)->node;
    struct yk_nomination *nomination = take_from(ask);
    yk_unreserve(partition, ask);
    if (!yk_reserve(partition, next, node, YK_RESERVE_PREEMPTION)) {
        free_if_done(nomination);
        yk_wake_for_headroom(yk_ask_app(ask)->leaf);
        return;
    }
    nomination->ask = next;
    yk_ask_set_nomination(next, nomination);
    next->flags |= YK_ASK_PREEMPTION_TRIGGERED;
    book(next);
}

/* Whether the ask fits after all allocations that were asked to end have ended, not only its victims. */
static bool will_fit(const struct yk_ask *ask)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    YK_RESVEC(lack);
    if (!yk_node_fits_nominated(yk_ask_reservation(ask)->node, size))
        return false;
    for (const struct yk_queue *queue = yk_ask_app(ask)->leaf; queue != NULL; queue = queue->parent) {
        if (yk_queue_lacks(queue, size, size, &lack)) /* its own nomination does not count as used */
            return false;
    }
    return true;
}

static bool fits_now(const struct yk_ask *ask)
{
    return yk_node_has_capacity(yk_ask_reservation(ask)->node, yk_ask_size(ask)) &&
           yk_nomination_has_headroom(ask, NULL);
}

/* Call it when all victims have ended: marks the reservation if the ask fits, waits if it will fit, or breaks
 * the nomination. */
static void settle(struct yk_nomination *nomination)
{
    struct yk_ask *ask = nomination->ask;
    struct yk_partition *partition = yk_ask_app(ask)->partition;
    yk_list_remove(&nomination->in_settled);
    if (fits_now(ask)) {
        yk_reservation_look_at(partition, yk_ask_reservation(ask));
    } else if (will_fit(ask)) {
        yk_list_append(&partition->reservation.settled_nominations, &nomination->in_settled);
    } else {
        yk_info(yk_log_alloc, "victims have ended and the ask does not fit", KV("partition", partition->name),
                KV("app", yk_ask_app(ask)->id), KV("ask", ask->key));
        yk_nomination_break(ask);
    }
}

void yk_nomination_victim_ended(struct yk_nomination *nomination)
{
    nomination->victims--;
    if (nomination->ask == NULL)
        free_if_done(nomination);
    else if (nomination->victims == 0)
        settle(nomination);
    else
        yk_reservation_look_at(yk_ask_app(nomination->ask)->partition, yk_ask_reservation(nomination->ask));
}

void yk_nomination_not_kept(struct yk_ask *ask, bool by_node)
{
    if (!has_nominated(ask) || yk_ask_nomination(ask)->victims > 0)
        return;
    if (!fits_now(ask))
        settle(yk_ask_nomination(ask));
    else if (by_node) /* a filter refuses the ask because of allocations that are not its victims */
        yk_nomination_break(ask);
}

void yk_nominations_settle(struct yk_partition *partition)
{
    struct yk_list waiting;
    struct yk_nomination *nomination;
    if (yk_list_empty(&partition->reservation.settled_nominations))
        return;
    yk_list_init(&waiting);
    yk_list_splice(&waiting, &partition->reservation.settled_nominations);
    while ((nomination = yk_list_first(&waiting, struct yk_nomination, in_settled)) != NULL)
        settle(nomination);
}

bool yk_nomination_has_headroom(const struct yk_ask *ask, struct yk_queue **ret_refusing)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    return yk_queue_has_headroom_for(yk_ask_app(ask)->leaf, size, has_nominated(ask) ? size : NULL,
                                     ret_refusing);
}

bool yk_nomination_could_start(const struct yk_ask *ask)
{
    const struct yk_resvec *size = yk_ask_size(ask);
    return yk_usage_without_headroom_in_the_end(yk_ask_app(ask), size, has_nominated(ask) ? size : NULL) ==
           NULL;
}
