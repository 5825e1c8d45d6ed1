/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_give_way.h"

#include "base/log.h"
#include "gangs/gang_order.h"
#include "gangs/gang_supply.h"
#include "gangs/gang_wait.h"
#include "gangs/handover.h"
#include "state/core.h"

#define HELD_NS (120 * YK_NS_PER_S) /* how long a gang that gave way is placed only as a whole */

/* Marks a gang that gives way. If the gang may start later, its timeout begins again, and it is placed only
 * as a whole for HELD_NS: placed one by one, its placeholders would take capacity that they may have to give
 * up again. */
static void note_gave_way(const struct yk_gang_plan *plan, struct yk_gang *loser)
{
    struct yk_partition *partition = loser->app->partition;
    loser->gave_way = true;
    if (!loser->never_fits) {
        struct yk_claim its = yk_gang_claim(loser);
        loser->was_overtaken |= yk_gang_order(&plan->claim, &its) > 0;
        yk_gang_restart_timeout(loser, partition->core->timers);
        loser->held_until_mono_ns = yk_i64_add(yk_clock_mono_ns(partition->core->clock), HELD_NS);
    }
    yk_gang_wait_update_held(loser);
}

static void carry_out(struct yk_gang_plan *plan)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    const struct yk_app *app = plan->claim.app;
    struct yk_ask *victim;
    yk_buf_printf(&message, "Gives way to %s '%s' in queue '%s'", plan->gang != NULL ? "gang" : "application",
                  app->id, app->queue_path);
    yk_info(yk_log_alloc, plan->gang != NULL ? "a gang starts whole" : "an ask starts", KV("app", app->id),
            KV("queue", app->queue_path), KV("asks", plan->asks.count), KV("end", plan->victims.count));
    yk_vec_foreach (victim, &plan->victims) {
        struct yk_gang *loser = yk_ask_app(victim)->gang;
        if ((victim->flags & YK_ASK_PLACEHOLDER) != 0 && yk_list_linked(&loser->in_waiting))
            note_gave_way(plan, loser);
    }
    yk_handover_begin(plan->partition, plan->gang, &plan->asks, &plan->nodes, &plan->victims,
                      yk_buf_cstr(&message));
}

static int order_of_givers(const void *x, const void *y)
{
    const struct yk_gang *a = x, *b = y;
    if (a->never_fits != b->never_fits)
        return a->never_fits ? -1 : 1;
    return yk_gang_order_gangs(b, a); /* the last one in order comes first */
}

static void list_all_givers(const struct yk_gang_plan *plan, struct yk_vec *ret_givers)
{
    const struct yk_gang_look *look = &plan->partition->gang_waits.look;
    struct yk_gang *gang;
    yk_tree_foreach (gang, &look->order, struct yk_gang, in_order) {
        if (yk_gang_supply_may_give(gang, &plan->claim, plan->gang != NULL))
            yk_vec_append(ret_givers, gang);
    }
}

/* Lists gangs with placeholders on useful nodes: such nodes are usually few. A gang may be listed several
 * times. */
static void list_useful_givers(const struct yk_gang_plan *plan, struct yk_vec *ret_givers)
{
    const struct yk_ask *ask;
    yk_bitset_foreach (i, &plan->useful) {
        const struct yk_node *node = plan->partition->nodes.items[i];
        yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
            struct yk_gang *gang = (ask->flags & YK_ASK_PLACEHOLDER) != 0 ? yk_ask_app(ask)->gang : NULL;
            if (gang != NULL && yk_tree_linked(&gang->in_order) &&
                yk_gang_supply_may_give(gang, &plan->claim, plan->gang != NULL))
                yk_vec_append(ret_givers, gang);
        }
    }
}

static void list_givers(const struct yk_gang_plan *plan, struct yk_vec *ret_givers)
{
    YK_CLEANUP(yk_vec_done) struct yk_vec found = {0};
    struct yk_gang *gang, *last = NULL;
    if (plan->any_is_useful)
        list_all_givers(plan, &found);
    else
        list_useful_givers(plan, &found);
    yk_vec_sort(&found, order_of_givers);
    yk_vec_foreach (gang, &found) {
        if (gang != last)
            yk_vec_append(ret_givers, gang);
        last = gang;
    }
}

bool yk_gang_give_way_try(struct yk_gang_plan *plan)
{
    YK_CLEANUP(yk_vec_done) struct yk_vec givers = {0};
    yk_gang_plan_begin(plan);
    list_givers(plan, &givers);
    bool found = yk_gang_plan_make(plan, &givers);
    if (found)
        carry_out(plan);
    yk_gang_plan_done(plan);
    return found;
}
