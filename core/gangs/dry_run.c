/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/dry_run.h"

#include "reservation/nomination.h"
#include "reservation/preempt.h"

void yk_dry_run_begin(struct yk_dry_run *run, struct yk_partition *partition)
{
    *run = (struct yk_dry_run){.partition = partition};
}

/* Adds (`sign` 1) the size of the ask to what its node, queues, user and group use, or subtracts it (-1). */
static void change(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node, int sign)
{
    struct yk_app *app = yk_ask_app(ask);
    YK_RESVEC(delta);
    yk_resvec_copy(&delta, yk_ask_size(ask));
    if (sign > 0)
        yk_queue_add_allocated(app->leaf, &delta);
    else
        yk_queue_sub_allocated(app->leaf, &delta);
    yk_usage_try(app, &delta, sign);
    yk_resvec_mul(&delta, sign);
    yk_node_resize_allocation(node, &delta);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_tried(partition, node);
}

static void note_step(struct yk_dry_run *run, struct yk_ask *ask, struct yk_node *node)
{
    yk_vec_append(&run->asks, ask);
    yk_vec_append(&run->nodes, node);
}

void yk_dry_run_put(struct yk_dry_run *run, struct yk_ask *ask, struct yk_node *node)
{
    change(run->partition, ask, node, 1);
    note_step(run, ask, node);
}

static bool could_be_put(const struct yk_ask *ask, const struct yk_node *node)
{
    return yk_node_has_capacity(node, yk_ask_size(ask)) && yk_dry_run_has_headroom(ask);
}

void yk_dry_run_take(struct yk_dry_run *run, struct yk_ask *allocation)
{
    allocation->flags |= YK_ASK_REPLACING;
    change(run->partition, allocation, allocation->node, -1);
    note_step(run, allocation, NULL);
    if (!could_be_put(allocation, allocation->node))
        yk_vec_append(&run->over, allocation);
}

bool yk_dry_run_has_headroom(const struct yk_ask *ask)
{
    return yk_usage_without_headroom(yk_ask_app(ask), yk_ask_size(ask)) == NULL &&
           yk_nomination_has_headroom(ask, NULL);
}

static void restore(struct yk_dry_run *run, struct yk_ask *allocation)
{
    allocation->flags &= ~(uint32_t)YK_ASK_REPLACING;
    change(run->partition, allocation, allocation->node, 1);
}

/* Whether each ask that was put fits on its node and below its limits, beside the others. */
static bool all_still_fit(const struct yk_dry_run *run)
{
    bool fit = true;
    for (size_t i = 0; fit && i < run->asks.count; i++) {
        struct yk_ask *ask = run->asks.items[i];
        struct yk_node *node = run->nodes.items[i];
        if (node == NULL)
            continue;
        change(run->partition, ask, node, -1);
        fit = could_be_put(ask, node);
        change(run->partition, ask, node, 1);
    }
    return fit;
}

bool yk_dry_run_give_back(struct yk_dry_run *run, size_t step)
{
    struct yk_ask *ask = run->asks.items[step];
    bool is_over = yk_vec_find(&run->over, ask) != SIZE_MAX;
    if (!is_over && !could_be_put(ask, ask->node))
        return false;
    restore(run, ask);
    if (is_over && !all_still_fit(run)) {
        ask->flags |= YK_ASK_REPLACING;
        change(run->partition, ask, ask->node, -1);
        return false;
    }
    yk_vec_remove(&run->asks, step);
    yk_vec_remove(&run->nodes, step);
    return true;
}

/* Undoes the steps from `count` on, the last one first. */
static void dry_run_undo(struct yk_dry_run *run, size_t count)
{
    while (run->asks.count > count) {
        size_t last = run->asks.count - 1;
        struct yk_ask *ask = run->asks.items[last];
        struct yk_node *node = run->nodes.items[last];
        if (node != NULL)
            change(run->partition, ask, node, -1);
        else
            restore(run, ask);
        yk_vec_remove(&run->asks, last);
        yk_vec_remove(&run->nodes, last);
    }
}

void yk_dry_run_done(struct yk_dry_run *run)
{
    dry_run_undo(run, 0);
    yk_vec_done(&run->asks);
    yk_vec_done(&run->nodes);
    yk_vec_done(&run->over);
}
