/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/dry_run.h"

#include "limits/usage.h"
#include "policies/node_order.h"
#include "preemption/victim_limits.h"

/* The next functions count something (`sign` 1) or take that back (-1). */

/* Counts the size of the ask in what its node, queues, user and group use. */
static void count_used(const struct yk_dry_run *run, const struct yk_dry_step *step, int sign)
{
    struct yk_app *app = yk_ask_app(step->ask);
    YK_RESVEC(delta);
    yk_resvec_copy(&delta, yk_ask_size(step->ask));
    if (sign > 0)
        yk_queue_add_allocated(app->leaf, &delta);
    else
        yk_queue_sub_allocated(app->leaf, &delta);
    yk_usage_try(app, &delta, sign);
    yk_resvec_mul(&delta, sign);
    yk_node_resize_allocation(step->node, &delta);
    yk_node_order_update(run->node_order, step->node);
    run->node_tried(app->partition, step->node);
}

static void count_ended(const struct yk_dry_run *run, const struct yk_dry_step *step, int sign)
{
    if (sign > 0)
        step->ask->flags |= YK_ASK_REPLACING;
    else
        step->ask->flags &= ~(uint32_t)YK_ASK_REPLACING;
    count_used(run, step, -sign);
}

static void count_in_budgets(const struct yk_dry_run *run, const struct yk_ask *victim, int sign)
{
    if (sign > 0)
        yk_victim_limits_count(victim, run->now_mono_ns);
    else
        yk_victim_limits_uncount(victim);
}

static void count_preempting(struct yk_dry_run *run, const struct yk_ask *victim, int sign)
{
    const struct yk_resvec *size = yk_ask_size(victim);
    if (sign > 0)
        yk_queue_add_preempting(yk_ask_app(victim)->leaf, size);
    else
        yk_queue_sub_preempting(yk_ask_app(victim)->leaf, size);
    if (run->leaf == NULL)
        return;
    yk_queue_try_nominated(run->leaf, size, sign);
    if (sign > 0)
        yk_resvec_add(&run->booked, size);
    else
        yk_resvec_sub(&run->booked, size);
}

static void count_step(struct yk_dry_run *run, const struct yk_dry_step *step, int sign)
{
    switch (step->kind) {
    case YK_DRY_PUT:
        count_used(run, step, sign);
        break;
    case YK_DRY_END:
        count_ended(run, step, sign);
        break;
    case YK_DRY_END_VICTIM:
        count_ended(run, step, sign);
        count_in_budgets(run, step->ask, sign);
        break;
    case YK_DRY_VICTIM:
        count_preempting(run, step->ask, sign);
        count_in_budgets(run, step->ask, sign);
        break;
    }
}

void yk_dry_run_insert(struct yk_dry_run *run, size_t index, const struct yk_dry_step *step)
{
    count_step(run, step, 1);
    yk_vec_append(&run->asks, NULL);
    if (run->asks.capacity > run->capacity) {
        run->capacity = run->asks.capacity;
        run->steps = yk_realloc_array(run->steps, run->capacity, sizeof(struct yk_dry_step));
    }
    for (size_t i = run->asks.count - 1; i > index; i--) {
        run->steps[i] = run->steps[i - 1];
        run->asks.items[i] = run->asks.items[i - 1];
    }
    run->steps[index] = *step;
    run->asks.items[index] = step->ask;
}

void yk_dry_run_add(struct yk_dry_run *run, enum yk_dry_kind kind, struct yk_ask *ask, struct yk_node *node)
{
    yk_dry_run_insert(run, run->asks.count, &(const struct yk_dry_step){kind, ask, node});
}

struct yk_dry_step yk_dry_run_remove(struct yk_dry_run *run, size_t index)
{
    const struct yk_dry_step step = run->steps[index];
    count_step(run, &step, -1);
    yk_vec_remove(&run->asks, index);
    for (size_t i = index; i < run->asks.count; i++)
        run->steps[i] = run->steps[i + 1];
    return step;
}

void yk_dry_run_undo(struct yk_dry_run *run, size_t count)
{
    while (run->asks.count > count)
        count_step(run, &run->steps[--run->asks.count], -1);
}

void yk_dry_run_done(struct yk_dry_run *run)
{
    yk_dry_run_undo(run, 0);
    free(run->steps);
    run->steps = NULL;
    run->capacity = 0;
    yk_vec_done(&run->asks);
    yk_resvec_done(&run->booked);
}
