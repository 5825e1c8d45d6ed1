/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps that are taken, in their order, when an ask becomes an allocation, and when an allocation or an
 * ask ends. Amounts, and what depends on them, are changed in accounting.c.
 *
 * Source: docs/reference/scheduling.md 1.5, 2.6, 7.4.
 */
#include "base/log.h"
#include "partition/accounting.h"
#include "partition/gang.h"
#include "partition/lifecycle.h"
#include "partition/partition.h"
#include "pending/active.h"
#include "pending/limit_gate.h"
#include "report/report.h"
#include "report/rm_calls.h"
#include "report/timeline.h"
#include "reservation/make_reservation.h"
#include "reservation/nomination.h"
#include "reservation/reservations.h"
#include "state/core.h"
#include "state/partition.h"

/* ---- an allocation is made ---- */

void yk_partition_commit(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node)
{
    const struct yk_reservation *reservation = yk_ask_reservation(ask);
    bool waited = reservation != NULL && reservation->why == YK_RESERVE_WAITING;
    bool used_node = waited && reservation->node == node;
    yk_make_reservation_note_placed(partition, ask->group, node);
    if (waited && !used_node)
        yk_make_reservation_hand_on(partition, ask);
    else if (reservation != NULL && reservation->node != node)
        yk_nomination_pass_on(ask);
    yk_reservation_used(partition, ask);
    yk_accounting_sub_pending(ask);
    yk_accounting_add_allocation(partition, ask, node, false);
    if (used_node && ask->group->asks.count > 0)
        yk_make_reservation_keep(partition, ask->group, node);
    yk_debug(yk_log_alloc, "ask placed", KV("app", yk_ask_app(ask)->id), KV("ask", ask->key),
             KV("node", node->id), KV("queue", yk_ask_app(ask)->queue_path));
    yk_rm_call_allocated(partition, ask);
}

void yk_partition_commit_accounted(struct yk_partition *partition, struct yk_ask *ask)
{
    yk_accounting_add_allocation(partition, ask, NULL, false);
    yk_rm_call_allocated(partition, ask);
}

/* ---- an allocation or an ask ends ---- */

static void forget_ask(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_app *app = yk_ask_app(ask);
    YK_ASSERT(yk_text_set_take(&app->asks, ask, ask->key_hash));
    yk_group_put(ask->group, &partition->shapes);
    yk_ask_free(&partition->ask_pool, ask);
    if (app->asks.count == 0)
        yk_limit_gate_app_done(app);
}

/* Whether the release is reported to the resource manager. A release that confirms a request of the core is
 * not reported. */
static bool is_told(enum yk_si_termination why)
{
    return why != YK_SI_TIMEOUT && why != YK_SI_PREEMPTED_BY_SCHEDULER && why != YK_SI_KILLED &&
           why != YK_SI_PLACEHOLDER_REPLACED;
}

static void note_use(const struct yk_partition *partition, const struct yk_ask *ask,
                     enum yk_si_termination why)
{
    enum yk_history_kind kind = why == YK_SI_PREEMPTED_BY_SCHEDULER      ? YK_HISTORY_PREEMPTED
                                : (ask->flags & YK_ASK_PLACEHOLDER) != 0 ? YK_HISTORY_PLACEHOLDER
                                                                         : YK_HISTORY_USED;
    yk_app_history_add(&yk_ask_app(ask)->life.history, kind,
                       yk_tags_get(&ask->node->attributes, YK_SI_NODE_INSTANCE_TYPE), yk_ask_size(ask),
                       yk_core_now(partition->core) - ask->bind_wall_ns);
}

void yk_partition_drop_replacing(struct yk_partition *partition, struct yk_ask *real)
{
    yk_gang_give_up(real);
    yk_report_ask_removed(real);
    if ((real->flags & YK_ASK_PLACEHOLDER) != 0)
        yk_gang_placeholder_ends(real, false);
    forget_ask(partition, real);
}

void yk_partition_end_replacing(struct yk_partition *partition, struct yk_ask *real, const char *message)
{
    yk_rm_call_released(partition, real, YK_SI_TIMEOUT, message);
    yk_partition_drop_replacing(partition, real);
}

void yk_partition_end_allocation(struct yk_partition *partition, struct yk_ask *ask,
                                 enum yk_si_termination why, const char *message)
{
    struct yk_app *app = yk_ask_app(ask);
    bool placeholder = (ask->flags & YK_ASK_PLACEHOLDER) != 0;
    if (placeholder && yk_ask_peer(ask) != NULL && app->state == YK_APP_FAILING)
        yk_partition_end_replacing(partition, yk_ask_peer(ask), message);
    struct yk_ask *real = placeholder && yk_ask_peer(ask) != NULL ? yk_gang_take_over(ask) : NULL;
    if (placeholder)
        yk_gang_placeholder_ends(ask, real != NULL);
    note_use(partition, ask, why);
    yk_timeline_ended(ask, why);
    yk_accounting_sub_allocation(partition, ask);
    yk_report_ended(ask, why);
    if (why == YK_SI_STOPPED_BY_RM)
        /* As in YuniKorn 1.9, the ask is reported as removed after its allocation. */
        yk_report_ask_removed(ask);
    if (is_told(why))
        yk_rm_call_released(partition, ask, YK_SI_STOPPED_BY_RM, message);
    forget_ask(partition, ask);
    if (real != NULL)
        yk_rm_call_allocated(partition, real);
    if (!placeholder)
        yk_lifecycle_real_ended(app);
    else if (yk_gang_placeholder_ended(app))
        return;
    yk_lifecycle_complete_if_done(app);
}

static void end_each(struct yk_partition *partition, struct yk_vec *asks, enum yk_si_termination why,
                     const char *message)
{
    struct yk_ask *ask;
    yk_vec_sort(asks, yk_ask_arrival_order);
    yk_vec_foreach (ask, asks)
        yk_partition_end_allocation(partition, ask, why, message);
    yk_vec_done(asks);
}

void yk_partition_end_all_allocations(struct yk_app *app, enum yk_si_termination why, const char *message)
{
    struct yk_vec allocations = {0}, placeholders = {0}, replacing = {0};
    struct yk_ask *ask;
    yk_text_set_foreach (ask, &app->asks) {
        if ((ask->flags & YK_ASK_REPLACING) != 0)
            yk_vec_append(&replacing, ask);
        else if ((ask->flags & YK_ASK_PLACEHOLDER) != 0 && !yk_ask_is_pending(ask))
            yk_vec_append(&placeholders, ask);
        else if (!yk_ask_is_pending(ask))
            yk_vec_append(&allocations, ask);
    }
    yk_vec_sort(&replacing, yk_ask_arrival_order);
    yk_vec_foreach (ask, &replacing)
        yk_partition_drop_replacing(app->partition, ask);
    yk_vec_done(&replacing);
    end_each(app->partition, &allocations, why, message);
    end_each(app->partition, &placeholders, why, message); /* last, as when a node is removed */
}

/* Removes the pending ask after it was reported. */
static void drop(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_queue *leaf = yk_ask_app(ask)->leaf;
    if ((ask->flags & YK_ASK_PLACEHOLDER) != 0)
        yk_gang_placeholder_ends(ask, false);
    yk_nomination_pass_on(ask);
    yk_accounting_sub_pending(ask);
    yk_active_update_queue(leaf);
    forget_ask(partition, ask);
}

void yk_partition_drop_ask(struct yk_partition *partition, struct yk_ask *ask)
{
    yk_report_ask_removed(ask);
    drop(partition, ask);
}

void yk_partition_time_out_ask(struct yk_partition *partition, struct yk_ask *ask, const char *message)
{
    yk_report_ask_timed_out(ask);
    yk_rm_call_released(partition, ask, YK_SI_TIMEOUT, message);
    drop(partition, ask);
}
