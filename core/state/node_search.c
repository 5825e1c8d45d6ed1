/* SPDX-License-Identifier: Apache-2.0 */
#include "state/node_search.h"

static bool fits(const struct yk_rm *rm, const struct yk_class *class_, const struct yk_node *node)
{
    return rm->callbacks.class_fits == NULL ||
           rm->callbacks.class_fits(rm->context, class_->number, node->cookie);
}

struct trial {
    const struct yk_partition *partition;
    const struct yk_class *class_;
};

static bool passes(void *context, uint32_t node_index)
{
    const struct trial *trial = context;
    const struct yk_partition *partition = trial->partition;
    return fits(partition->rm, trial->class_, partition->nodes.items[node_index]);
}

/* Computes class_->feasible by asking the resource manager. If the class does not depend on the names of
 * nodes, only one node of each signature is asked about. */
static void fill_class(struct yk_partition *partition, struct yk_class *class_)
{
    const struct yk_rm *rm = partition->rm;
    struct trial trial = {partition, class_};
    if (rm->callbacks.node_signature != NULL && rm->callbacks.class_sees_names != NULL &&
        !rm->callbacks.class_sees_names(rm->context, class_->number)) {
        yk_node_signatures_select(&partition->node_signatures, passes, &trial, &class_->feasible);
    } else {
        for (uint32_t i = 0; i < partition->nodes.count; i++)
            yk_bitset_assign(&class_->feasible, i, partition->nodes.items[i] != NULL && passes(&trial, i));
    }
    class_->filled = true;
}

static struct yk_shape *shape_of(struct yk_partition *partition, const struct yk_ask *ask)
{
    struct yk_shape *shape = ask->group->shape;
    if (shape->class_ != NULL && !shape->class_->filled)
        fill_class(partition, shape->class_);
    return shape;
}

void yk_node_search_update(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_class *class_;
    yk_list_foreach (class_, &partition->shapes.class_list, struct yk_class, in_table) {
        if (class_->filled)
            yk_bitset_assign(&class_->feasible, node->index, fits(partition->rm, class_, node));
    }
}

void yk_node_search_forget(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_class *class_;
    yk_list_foreach (class_, &partition->shapes.class_list, struct yk_class, in_table)
        yk_bitset_clear(&class_->feasible, node->index);
}

void yk_node_search_prepare(struct yk_partition *partition, const struct yk_ask *ask)
{
    (void)shape_of(partition, ask); /* computes `feasible`; the shape is not needed */
}

/* ---- constraints that depend on the allocations on nodes ---- */

static bool fits_now(const struct yk_rm *rm, const struct yk_class *class_, void *node_cookie,
                     enum yk_si_question question)
{
    return class_ == NULL || rm->callbacks.class_fits_now == NULL ||
           rm->callbacks.class_fits_now(rm->context, class_->number, node_cookie, question);
}

bool yk_class_has_a_chance(const struct yk_partition *partition, const struct yk_class *class_)
{
    return fits_now(partition->rm, class_, NULL, YK_SI_TO_ALLOCATE);
}

bool yk_class_fits_there(const struct yk_partition *partition, const struct yk_class *class_,
                         const struct yk_node *node)
{
    return class_ == NULL || (yk_bitset_test(&class_->feasible, node->index) &&
                              fits_now(partition->rm, class_, node->cookie, YK_SI_TO_ALLOCATE));
}

static bool accepts(void *context, struct yk_node *node)
{
    const struct trial *trial = context;
    return fits_now(trial->partition->rm, trial->class_, node->cookie, YK_SI_TO_ALLOCATE);
}

static bool signature_may_fit(void *context, struct yk_node *of_it)
{
    const struct trial *trial = context;
    return fits_now(trial->partition->rm, trial->class_, of_it->cookie, YK_SI_FOR_KIND);
}

static bool excludes_signatures(void *context)
{
    const struct trial *trial = context;
    const struct yk_rm *rm = trial->partition->rm;
    return rm->callbacks.class_excludes_signatures == NULL ||
           rm->callbacks.class_excludes_signatures(rm->context, trial->class_->number);
}

static int32_t score(void *context, const struct yk_node *of_it)
{
    const struct trial *trial = context;
    const struct yk_rm *rm = trial->partition->rm;
    return rm->callbacks.class_score(rm->context, trial->class_->number, of_it->cookie);
}

static bool has_preferences(const struct yk_rm *rm, const struct yk_class *class_)
{
    return class_ != NULL && rm->callbacks.node_signature != NULL &&
           rm->callbacks.class_has_preferences != NULL &&
           rm->callbacks.class_has_preferences(rm->context, class_->number);
}

struct yk_node *yk_node_for(struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_shape *shape = shape_of(partition, ask);
    const struct yk_rm *rm = partition->rm;
    if (!yk_class_has_a_chance(partition, shape->class_))
        return NULL;
    bool knows_signatures =
        shape->class_ != NULL && rm->callbacks.class_fits_now != NULL && rm->callbacks.node_signature != NULL;
    struct trial trial = {partition, shape->class_};
    const struct yk_node_query query = {
        .shape = shape,
        .accept = rm->callbacks.class_fits_now != NULL ? accepts : NULL,
        .signature_may_fit = knows_signatures ? signature_may_fit : NULL,
        .excludes_signatures = excludes_signatures,
        .score = has_preferences(rm, shape->class_) ? score : NULL,
        .context = &trial,
    };
    return yk_node_order_find(&partition->node_order, partition->nodes.items, &query);
}

/* ---- one node ---- */

bool yk_node_allows_class(const struct yk_partition *partition, const struct yk_class *class_,
                          const struct yk_node *node)
{
    const struct yk_rm *rm = partition->rm;
    if (class_ == NULL || rm->callbacks.class_fits == NULL)
        return true;
    if (class_->filled)
        return yk_bitset_test(&class_->feasible, node->index);
    return rm->callbacks.class_fits(rm->context, class_->number, node->cookie);
}

bool yk_node_allows(const struct yk_partition *partition, const struct yk_ask *ask,
                    const struct yk_node *node)
{
    return yk_node_allows_class(partition, ask->group->shape->class_, node);
}

bool yk_node_may_take_over(const struct yk_partition *partition, const struct yk_ask *ask,
                           const struct yk_ask *placeholder)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    const struct yk_rm *rm = partition->rm;
    const struct yk_node *node = placeholder->node;
    if (!yk_node_allows(partition, ask, node))
        return false;
    return class_ == NULL || rm->callbacks.class_fits_without == NULL ||
           rm->callbacks.class_fits_without(rm->context, class_->number, node->cookie, &placeholder->cookie,
                                            1, 0) == 0;
}

bool yk_node_allows_without(const struct yk_partition *partition, const struct yk_ask *ask,
                            const struct yk_node *node, const struct yk_vec *gone)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    const struct yk_rm *rm = partition->rm;
    if (!yk_node_allows(partition, ask, node))
        return false;
    if (class_ == NULL || rm->callbacks.class_fits_without == NULL || gone->count == 0)
        return fits_now(rm, class_, node->cookie, YK_SI_TO_ALLOCATE);
    struct yk_vec cookies = {0};
    const struct yk_ask *other;
    yk_vec_foreach (other, gone)
        yk_vec_append(&cookies, other->cookie);
    int index = rm->callbacks.class_fits_without(rm->context, class_->number, node->cookie, cookies.items,
                                                 cookies.count, cookies.count - 1);
    yk_vec_done(&cookies);
    return index >= 0;
}

bool yk_node_may_be_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                             const struct yk_node *node)
{
    return yk_node_allows(partition, ask, node) &&
           fits_now(partition->rm, ask->group->shape->class_, node->cookie, YK_SI_TO_RESERVE);
}

bool yk_node_takes(const struct yk_partition *partition, const struct yk_ask *ask, const struct yk_node *node)
{
    return yk_node_has_capacity(node, yk_ask_size(ask)) && yk_node_allows(partition, ask, node) &&
           fits_now(partition->rm, ask->group->shape->class_, node->cookie, YK_SI_TO_ALLOCATE);
}
