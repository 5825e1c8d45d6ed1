/* SPDX-License-Identifier: Apache-2.0 */
#include "report/node_look.h"

#include "state/core.h"

enum { NODES_PER_STEP = 64, RESTARTS_MAX = 4 };

/* The node comes nearer that is large enough when nothing runs there, then the one that offers all types, then
 * the one that lacks less of the scarcest type. If both lack one type wholly, such as cores on a full
 * cluster, the others decide. */
static bool is_less(const struct yk_node_lack *a, const struct yk_node_lack *b)
{
    if (a->is_small != b->is_small)
        return b->is_small;
    if (a->kinds != b->kinds)
        return a->kinds < b->kinds;
    return a->most < b->most || (a->most <= b->most && a->sum < b->sum);
}

static struct yk_node_lack lack_of(const struct yk_node *node, const struct yk_resvec *capacity,
                                   const struct yk_resvec *size)
{
    struct yk_node_lack lack = {0};
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

/* ---- a look in slices ---- */

static bool is_same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void add_best(struct yk_node_walk *walk, const struct yk_node *node, struct yk_node_lack lack)
{
    size_t at = walk->best_count;
    while (at > 0 && is_less(&lack, &walk->lack[at - 1]))
        at--;
    if (at == YK_NODE_EXAMPLES)
        return;
    if (walk->best_count < YK_NODE_EXAMPLES)
        walk->best_count++;
    for (size_t i = walk->best_count - 1; i > at; i--) {
        walk->best[i] = walk->best[i - 1];
        walk->lack[i] = walk->lack[i - 1];
    }
    walk->best[at] = node->index;
    walk->lack[at] = lack;
}

static void look_at(struct yk_node_walk *walk, const struct yk_group *group, const struct yk_node *node)
{
    struct yk_node_look *look = &walk->look;
    look->total++;
    if (!is_open(group, node)) {
        look->closed++;
        return;
    }
    if (!is_allowed(group, node))
        return;
    struct yk_node_lack total_lack = lack_of(node, node->total, &group->shape->size);
    struct yk_node_lack lack = lack_of(node, node->available, &group->shape->size);
    if (look->allowed++ == 0 || is_less(&total_lack, &walk->least_total)) {
        walk->largest = node->index;
        walk->least_total = total_lack;
    }
    look->large += total_lack.most <= 0;
    if (lack.most <= 0) {
        look->fitting++;
        if (look->reserved == 0 && !yk_list_empty(&node->reservations))
            walk->kept = node->index;
        look->reserved += !yk_list_empty(&node->reservations);
    }
    add_best(walk, node, lack);
}

/* The node with that index, which may have changed since it was looked at. NULL: there is none that may take
 * asks of the group. */
static const struct yk_node *example(const struct yk_group *group, uint32_t index)
{
    const struct yk_vec *nodes = &group->app->partition->nodes;
    const struct yk_node *node = index < nodes->count ? nodes->items[index] : NULL;
    return node != NULL && is_open(group, node) && is_allowed(group, node) ? node : NULL;
}

static bool has(const struct yk_node *node, const struct yk_resvec *capacity, const struct yk_resvec *size)
{
    return lack_of(node, capacity, size).most <= 0;
}

/* Sets the examples of the look, which is complete. False: one is not there any longer, or has changed so much
 * that a sentence about the look would not be true. */
static bool set_examples(const struct yk_node_walk *walk, const struct yk_group *group,
                         struct yk_node_look *look)
{
    const struct yk_resvec *size = &group->shape->size;
    for (size_t i = 0; i < walk->best_count; i++) {
        look->best[i] = example(group, walk->best[i]);
        if (look->best[i] == NULL ||
            (look->fitting == 0 && has(look->best[i], look->best[i]->available, size)))
            return false;
    }
    if (look->allowed > 0) {
        look->largest = example(group, walk->largest);
        if (look->largest == NULL || has(look->largest, look->largest->total, size) != (look->large > 0))
            return false;
    }
    if (look->reserved > 0) {
        look->kept = example(group, walk->kept);
        if (look->kept == NULL || yk_list_empty(&look->kept->reservations) ||
            !has(look->kept, look->kept->available, size))
            return false;
    }
    return true;
}

/* Looks at up to `most` nodes more. False: there are others. */
static bool look_on(struct yk_node_walk *walk, const struct yk_group *group, size_t most)
{
    const struct yk_vec *nodes = &group->app->partition->nodes;
    size_t end = nodes->count - walk->at > most ? walk->at + most : nodes->count;
    for (; walk->at < end; walk->at++) {
        const struct yk_node *node = nodes->items[walk->at];
        if (node != NULL)
            look_at(walk, group, node);
    }
    return walk->at == nodes->count;
}

void yk_node_look(const struct yk_group *group, struct yk_node_look *ret_look)
{
    struct yk_node_walk walk = {.at = 0};
    (void)look_on(&walk, group, SIZE_MAX); /* true: all were looked at */
    *ret_look = walk.look;
    (void)set_examples(&walk, group, ret_look); /* true: nothing has changed meanwhile */
}

static void add_look(struct yk_node_looks *looks, const struct yk_group *group,
                     const struct yk_node_look *look)
{
    size_t at = looks->count++ % YK_NODE_LOOKS;
    looks->entries[at].shape = group->shape;
    looks->entries[at].required_node = group->required_node;
    looks->entries[at].look = *look;
}

static const struct yk_node_look *find_look(const struct yk_node_looks *looks, const struct yk_group *group)
{
    for (size_t i = 0; looks != NULL && i < YK_MIN(looks->count, (size_t)YK_NODE_LOOKS); i++) {
        if (looks->entries[i].shape == group->shape &&
            is_same_name(looks->entries[i].required_node, group->required_node))
            return &looks->entries[i].look;
    }
    return NULL;
}

static void begin_again(struct yk_node_walk *walk, uint64_t question, uint32_t restarts)
{
    *walk = (struct yk_node_walk){.question = question, .restarts = restarts};
}

/* What the look is about: the shape is only compared, and may be gone when the walk goes on. */
static uint64_t question_of(const struct yk_group *group)
{
    const char *name = group->required_node != NULL ? group->required_node : "";
    return group->shape->hash ^ yk_hash(name, strlen(name));
}

bool yk_node_look_go_on(struct yk_node_walk *walk, struct yk_node_looks *looks, const struct yk_group *group)
{
    uint64_t question = question_of(group);
    struct yk_node_look look;
    if (find_look(looks, group) != NULL)
        return true;
    if (walk->at == 0 || walk->question != question || walk->at > group->app->partition->nodes.count)
        begin_again(walk, question, walk->question == question ? walk->restarts : 0);
    if (!look_on(walk, group, NODES_PER_STEP))
        return false;
    look = walk->look;
    bool is_true = set_examples(walk, group, &look);
    begin_again(walk, question, is_true ? 0 : walk->restarts + 1);
    if (!is_true && walk->restarts <= RESTARTS_MAX)
        return false;
    if (!is_true)
        yk_node_look(group, &look);
    walk->restarts = 0;
    add_look(looks, group, &look);
    return true;
}

void yk_node_look_shared(struct yk_node_looks *looks, const struct yk_group *group,
                         struct yk_node_look *ret_look)
{
    const struct yk_node_look *found = find_look(looks, group);
    if (found != NULL) {
        *ret_look = *found;
        return;
    }
    yk_node_look(group, ret_look);
    if (looks != NULL)
        add_look(looks, group, ret_look);
}

bool yk_node_look_is_any_large(const struct yk_node_looks *looks, const struct yk_group *group)
{
    const struct yk_node_look *found = find_look(looks, group);
    const struct yk_node *node;
    if (found != NULL)
        return found->large > 0;
    yk_vec_foreach (node, &group->app->partition->nodes) {
        if (node != NULL && is_open(group, node) && has(node, node->total, &group->shape->size) &&
            is_allowed(group, node))
            return true;
    }
    return false;
}
