/* SPDX-License-Identifier: Apache-2.0 */
#include "report/node_look.h"

#include "state/core.h"

/* How much of a size a capacity lacks. */
struct lack {
    bool is_small;    /* the whole node has too little of a type */
    uint32_t kinds;   /* number of types of which the whole node has nothing */
    double most, sum; /* the missing part, from 0 (it fits) to 1: of the type that lacks most, of all types */
};

/* The node comes nearer that is large enough when nothing runs there, then the one that offers all types, then
 * the one that lacks less of the scarcest type. If both lack one type wholly, such as cores on a full
 * cluster, the others decide. */
static bool is_less(const struct lack *a, const struct lack *b)
{
    if (a->is_small != b->is_small)
        return b->is_small;
    if (a->kinds != b->kinds)
        return a->kinds < b->kinds;
    return a->most < b->most || (a->most <= b->most && a->sum < b->sum);
}

static struct lack lack_of(const struct yk_node *node, const struct yk_resvec *capacity,
                           const struct yk_resvec *size)
{
    struct lack lack = {0};
    yk_resvec_foreach(t, size)
    {
        int64_t wanted = yk_resvec_get(size, t);
        int64_t missing = yk_i64_sub(wanted, YK_MAX(yk_resvec_get(capacity, t), 0));
        if (wanted <= 0 || missing <= 0)
            continue;
        double part = (double)missing / (double)wanted;
        lack.is_small |= yk_resvec_get(node->total, t) < wanted;
        lack.kinds += yk_resvec_get(node->total, t) <= 0;
        lack.most = YK_MAX(lack.most, part);
        lack.sum += part;
    }
    return lack;
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
        if (node != NULL && is_open(group, node) && lack_of(node, node->total, size).most <= 0 &&
            is_allowed(group, node))
            return true;
    }
    return false;
}

struct scan {
    const struct yk_resvec *size;
    struct lack lack[YK_NODE_EXAMPLES], least_total;
    struct yk_node_look *look;
};

static void add_best(struct scan *scan, const struct yk_node *node, struct lack lack)
{
    struct yk_node_look *look = scan->look;
    size_t at = YK_NODE_EXAMPLES;
    while (at > 0 && (look->best[at - 1] == NULL || is_less(&lack, &scan->lack[at - 1])))
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
    struct lack total_lack = lack_of(node, node->total, scan->size);
    struct lack lack = lack_of(node, node->available, scan->size);
    look->allowed++;
    look->large += total_lack.most <= 0;
    if (look->largest == NULL || is_less(&total_lack, &scan->least_total)) {
        look->largest = node;
        scan->least_total = total_lack;
    }
    if (lack.most <= 0) {
        look->fitting++;
        look->reserved += !yk_list_empty(&node->reservations);
        if (look->kept == NULL && !yk_list_empty(&node->reservations))
            look->kept = node;
    }
    add_best(scan, node, lack);
}

void yk_node_look(const struct yk_group *group, struct yk_node_look *ret_look)
{
    struct scan scan = {.size = &group->shape->size, .look = ret_look};
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

static bool is_same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

void yk_node_look_shared(struct yk_node_looks *looks, const struct yk_group *group,
                         struct yk_node_look *ret_look)
{
    for (size_t i = 0; looks != NULL && i < YK_MIN(looks->count, (size_t)YK_NODE_LOOKS); i++) {
        if (looks->entries[i].shape == group->shape &&
            is_same_name(looks->entries[i].required_node, group->required_node)) {
            *ret_look = looks->entries[i].look;
            return;
        }
    }
    yk_node_look(group, ret_look);
    if (looks == NULL)
        return;
    size_t at = looks->count++ % YK_NODE_LOOKS;
    looks->entries[at].shape = group->shape;
    looks->entries[at].required_node = group->required_node;
    looks->entries[at].look = *ret_look;
}
