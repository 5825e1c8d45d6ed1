/* SPDX-License-Identifier: Apache-2.0 */
#include "report/node_look.h"

#include "state/core.h"

/* The missing part of `size`, from 0 (it fits) to 1, for the type of which the largest part is missing. */
static double lack_of(const struct yk_resvec *capacity, const struct yk_resvec *size)
{
    double most = 0;
    yk_resvec_foreach(t, size)
    {
        int64_t wanted = yk_resvec_get(size, t);
        int64_t missing = yk_i64_sub(wanted, YK_MAX(yk_resvec_get(capacity, t), 0));
        if (wanted > 0 && missing > 0)
            most = YK_MAX(most, (double)missing / (double)wanted);
    }
    return most;
}

static bool is_open(const struct yk_group *group, const struct yk_node *node)
{
    if (group->required_node != NULL)
        return !node->leaving && strcmp(group->required_node, node->id) == 0;
    const struct yk_class *class_ = group->shape->class_;
    return node->schedulable || (node->draining && class_ != NULL && class_->tolerates_drain);
}

static bool is_allowed(const struct yk_group *group, const struct yk_node *node)
{
    const struct yk_class *class_ = group->shape->class_;
    const struct yk_rm *rm = group->app->partition->rm;
    if (class_ == NULL)
        return true;
    if (class_->filled)
        return yk_bitset_test(&class_->feasible, node->index);
    return rm->callbacks.class_fits == NULL ||
           rm->callbacks.class_fits(rm->context, class_->number, node->cookie);
}

bool yk_node_look_is_any_large(const struct yk_group *group, const struct yk_resvec *size)
{
    const struct yk_node *node;
    yk_vec_foreach (node, &group->app->partition->nodes) {
        if (node != NULL && is_open(group, node) && lack_of(node->total, size) <= 0 &&
            is_allowed(group, node))
            return true;
    }
    return false;
}

struct scan {
    const struct yk_resvec *size;
    double lack[YK_NODE_EXAMPLES], least_total;
    struct yk_node_look *look;
};

static void add_best(struct scan *scan, const struct yk_node *node, double lack)
{
    struct yk_node_look *look = scan->look;
    size_t at = YK_NODE_EXAMPLES;
    while (at > 0 && (look->best[at - 1] == NULL || lack < scan->lack[at - 1]))
        at--;
    if (at == YK_NODE_EXAMPLES)
        return;
    for (size_t i = YK_NODE_EXAMPLES - 1; i > at; i--) {
        look->best[i] = look->best[i - 1];
        scan->lack[i] = scan->lack[i - 1];
    }
    look->best[at] = node;
    scan->lack[at] = lack;
}

static void look_at(struct scan *scan, const struct yk_node *node)
{
    struct yk_node_look *look = scan->look;
    double total_lack = lack_of(node->total, scan->size), lack = lack_of(node->available, scan->size);
    look->allowed++;
    look->large += total_lack <= 0;
    if (look->largest == NULL || total_lack < scan->least_total) {
        look->largest = node;
        scan->least_total = total_lack;
    }
    if (lack <= 0) {
        look->fitting++;
        look->reserved += !yk_list_empty(&node->reservations);
        if (look->kept == NULL && !yk_list_empty(&node->reservations))
            look->kept = node;
    }
    add_best(scan, node, lack);
}

void yk_node_look(const struct yk_group *group, const struct yk_resvec *size, struct yk_node_look *ret_look)
{
    struct scan scan = {.size = size, .look = ret_look};
    const struct yk_node *node;
    *ret_look = (struct yk_node_look){0};
    yk_vec_foreach (node, &group->app->partition->nodes) {
        if (node == NULL)
            continue;
        ret_look->total++;
        if (!is_open(group, node))
            ret_look->closed++;
        else if (is_allowed(group, node))
            look_at(&scan, node);
    }
}
