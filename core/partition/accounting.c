/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/accounting.h"

#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "partition/gang.h"
#include "partition/lifecycle.h"
#include "partition/node_accounting.h"
#include "pending/active.h"
#include "pending/limit_gate.h"
#include "pending/limit_wait.h"
#include "pending/parked.h"
#include "preemption/guarantee.h"
#include "report/outstanding.h"
#include "report/refusal.h"
#include "report/report.h"
#include "reservation/make_reservation.h"
#include "reservation/nomination.h"
#include "reservation/preempt.h"
#include "reservation/quota_preemption.h"
#include "reservation/reservation_look.h"
#include "reservation/victims.h"
#include "state/core.h"
#include "state/turn.h"

static bool is_placeholder(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PLACEHOLDER) != 0;
}

struct yk_resvec *yk_ask_account(struct yk_app *app, const struct yk_ask *ask)
{
    return is_placeholder(ask) ? &app->allocated_placeholder : &app->allocated;
}

static void count_allocation(struct yk_app *app, const struct yk_ask *ask)
{
    struct yk_resvec *account = yk_ask_account(app, ask);
    yk_usage_charge(&app->partition->usages, app, yk_ask_size(ask), ask->bind_wall_ns);
    yk_resvec_add(account, yk_ask_size(ask));
    yk_resvec_max(&app->max_used, account);
    app->allocation_count++;
    app->placeholder_count += is_placeholder(ask);
    app->partition->allocation_count++;
    app->leaf->containers_allocated++;
    yk_app_update_shares(app);
}

static void uncount_allocation(struct yk_app *app, const struct yk_ask *ask)
{
    struct yk_resvec *account = yk_ask_account(app, ask);
    YK_ASSERT(yk_resvec_take(account, yk_ask_size(ask)));
    app->allocation_count--;
    yk_usage_release(&app->partition->usages, app, yk_ask_size(ask));
    app->placeholder_count -= is_placeholder(ask);
    app->partition->allocation_count--;
    app->leaf->containers_released++;
    yk_app_update_shares(app);
}

/* ---- pending asks ---- */

void yk_accounting_add_pending(struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    yk_resvec_add(&app->pending, yk_ask_size(ask));
    yk_queue_add_pending(app->leaf, yk_ask_size(ask));
    yk_active_add_ask(ask);
    yk_gang_pending(ask);
    yk_active_update_pending(app->leaf);
    yk_turn_order_changed(app->partition);
    if (ask->group->wait == YK_WAIT_NONE && !yk_refusal_gates(app))
        return;
    /* The group waits already, or its application could not start: a later step reports what the ask waits
     * for. */
    yk_outstanding_note_group(ask->group);
}

void yk_accounting_sub_pending(struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    yk_nomination_end(ask);
    yk_active_remove_ask(ask);
    yk_preempt_forget(ask->group);
    yk_gang_not_pending(ask);
    YK_ASSERT(yk_resvec_take(&app->pending, yk_ask_size(ask)));
    yk_queue_sub_pending(app->leaf, yk_ask_size(ask));
    yk_unreserve(app->partition, ask);
    ask->flags &= ~(uint32_t)YK_ASK_PREEMPTION_TRIGGERED;
    yk_turn_order_changed(app->partition);
}

/* ---- an allocation is made ---- */

static void mark_served(struct yk_partition *partition, struct yk_queue *queue)
{
    uint64_t now = ++partition->served_sequence;
    for (; queue != NULL; queue = queue->parent)
        queue->served = now;
}

/* Updates the place of the application in its leaf. With the policy FIFO the place does not depend on
 * allocated amounts. It then changes only if the application was parked because a limit of its user or group
 * kept it from starting; yk_limit_wait_end_app() updates the place itself. */
static void keep_in_order(struct yk_app *app)
{
    if (!yk_limit_wait_end_app(app) && app->leaf->settings.app_sort != YK_APP_SORT_FIFO)
        yk_active_update_app(app);
}

void yk_accounting_add_allocation(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                                  bool is_restored)
{
    struct yk_app *app = yk_ask_app(ask);
    /* Sums: queues, node, application, user and group. */
    ask->bind_wall_ns = yk_core_now(partition->core);
    ask->bound_after_ms = 0;
    yk_queue_add_allocated(app->leaf, yk_ask_size(ask));
    if (node != NULL) {
        yk_node_book(partition, node, ask);
        node->placed_mono_ns = yk_clock_mono_ns(partition->core->clock);
    }
    yk_reservation_look_again(partition); /* a limit may now refuse an ask with a reservation */
    count_allocation(app, ask);
    /* Report. */
    yk_report_allocated(ask, is_restored);
    /* Order: of queues, then of the application in its leaf. */
    mark_served(partition, app->leaf);
    yk_turn_order_changed(partition);
    yk_active_update_queue(app->leaf);
    keep_in_order(app);
    /* State: of the application, then of its gang. */
    yk_lifecycle_allocated(app, ask);
    if (is_placeholder(ask))
        yk_gang_placeholder_allocated(ask);
}

/* ---- an allocation ends ---- */

/* `holder` (NULL: none) is the queue with the guarantee. Notes the time if it is below its guarantee now and
 * was not before the allocation ended (`before`), because the delay of preemption begins then. */
static void note_fall(struct yk_partition *partition, struct yk_queue *holder, bool before)
{
    if (holder != NULL && !before && yk_guarantee_is_missed(holder))
        holder->housekeeping.fell_below_wall_ns = yk_core_now(partition->core);
}

void yk_accounting_sub_allocation(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    struct yk_queue *holder = yk_guarantee_holder(app->leaf);
    bool was_below = holder != NULL && yk_guarantee_is_missed(holder);
    /* The nomination or the handover for which the allocation ends; NULL: none. */
    struct yk_nomination *nomination = yk_victim_ended(ask);
    struct yk_handover *handover = yk_handover_victim_ends(ask);
    if (ask->node != NULL)
        yk_make_reservation_note_ended(partition, ask,
                                       yk_i64_sub(yk_core_now(partition->core), ask->bind_wall_ns));
    /* Sums: queues, application, user and group. */
    yk_queue_sub_allocated(app->leaf, yk_ask_size(ask));
    note_fall(partition, holder, was_below);
    yk_quota_preemption_lowered(app->leaf);
    uncount_allocation(app, ask);
    /* Order: before the wakes below, because what is woken is compared with this queue and this
     * application. */
    yk_turn_order_changed(partition);
    yk_active_update_queue(app->leaf);
    yk_active_update_app(app);
    /* Wakes what waits for the node, for headroom of the queues, and for the limits of user and group. */
    yk_node_unbook(partition, ask);
    yk_wake_for_headroom(app->leaf);
    yk_limit_gate_freed(app);
    if (app->allocation_count == 0 && (app->state == YK_APP_COMPLETING || app->state == YK_APP_FAILING))
        yk_limit_gate_uncount(app);
    if (nomination != NULL)
        yk_nomination_victim_ended(nomination);
    yk_nominations_settle(partition);
    if (handover != NULL)
        yk_handover_victim_ended(handover);
    yk_gang_wait_note(partition);
}
