/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/reservable_node.h"

#include "reservation/reservation_look.h"
#include "reservation/reservations.h"
#include "state/core.h"
#include "state/node_search.h"

/* Branches that are searched although they can only be as good as the best preferred node. */
enum { TIES_MAX = 64 };

struct search {
    const struct yk_partition *partition;
    const struct yk_ask *ask;
    int64_t active_since_mono_ns;
    struct yk_node *best, *preferred; /* among all nodes, and among preferred ones; NULL: none so far */
    double lacks, preferred_lacks;    /* yk_node_lacks() of these */
    uint32_t ties;                    /* branches counted for TIES_MAX */
};

static double missing_share(int64_t wanted, int64_t available)
{
    int64_t missing = wanted - YK_MAX(available, 0);
    return missing > 0 ? (double)missing / (double)wanted : 0;
}

double yk_node_lacks(const struct yk_node *node, const struct yk_resvec *size)
{
    double sum = 0;
    yk_resvec_foreach(t, size) sum +=
        missing_share(yk_resvec_get(size, t), yk_resvec_get(node->available, t));
    return sum;
}

/* A lower bound of yk_node_lacks() for the nodes of the branch. Branches store amounts of dense types
 * only. */
static double least_lack_below(const struct yk_node *top, const struct yk_resvec *size)
{
    double sum = 0;
    yk_bits_foreach(t, yk_resvec_dense_types(size)) sum +=
        missing_share(yk_resvec_get(size, (int)t), top->most_free[t]);
    return sum;
}

static bool could_serve(const struct search *search, const struct yk_node *node)
{
    const struct yk_class *class_ = search->ask->group->shape->class_;
    return (class_ == NULL || yk_bitset_test(&class_->feasible, node->index)) &&
           yk_resvec_fit(node->total, yk_ask_size(search->ask)) &&
           yk_node_could_serve(search->partition, node, search->ask);
}

/* Whether an allocation began on the node lately, and allocations of other groups leave enough for the ask
 * when they end. Those of its own group do not count: when one of them ends, the next ask of the group can
 * have its place without a reservation. */
static bool is_preferred(const struct search *search, const struct yk_node *node)
{
    YK_RESVEC(most);
    const struct yk_ask *other;
    if (node->placed_mono_ns < search->active_since_mono_ns)
        return false;
    yk_resvec_copy(&most, node->total);
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if (other->group == search->ask->group)
            yk_resvec_sub(&most, yk_ask_size(other));
    }
    return yk_resvec_fit(&most, yk_ask_size(search->ask));
}

static void look_at(struct search *search, struct yk_node *node)
{
    double lacks = yk_node_lacks(node, yk_ask_size(search->ask));
    bool is_better_preferred =
        is_preferred(search, node) &&
        (search->preferred == NULL || lacks < search->preferred_lacks ||
         (lacks <= search->preferred_lacks && node->ended_mono_ns > search->preferred->ended_mono_ns));
    bool is_better = search->best == NULL || lacks < search->lacks ||
                     (lacks <= search->lacks && node->ended_mono_ns > search->best->ended_mono_ns);
    /* If nothing is lacking, something other than capacity keeps the ask from the node. */
    if (lacks <= 0 || (!is_better && !is_better_preferred) || !could_serve(search, node))
        return;
    if (is_better_preferred) {
        search->preferred = node;
        search->preferred_lacks = lacks;
    }
    if (is_better) {
        search->best = node;
        search->lacks = lacks;
    }
}

/* Whether the branch has to be searched. In a full cluster many nodes are equal, so only some of them are
 * compared. */
static bool may_be_better(struct search *search, const struct yk_node *top)
{
    double least = least_lack_below(top, yk_ask_size(search->ask));
    return least < search->preferred_lacks || (least <= search->preferred_lacks && search->ties++ < TIES_MAX);
}

static void look_below(struct search *search, const struct yk_tree_link *top)
{
    if (top == NULL)
        return;
    struct yk_node *node = YK_CONTAINER(top, struct yk_node, in_order);
    if (search->preferred != NULL && !may_be_better(search, node))
        return;
    look_below(search, top->left);
    look_at(search, node);
    look_below(search, top->right);
}

struct yk_node *yk_reservable_node(struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    struct search search = {
        .partition = partition,
        .ask = ask,
        .active_since_mono_ns =
            yk_clock_mono_ns(partition->core->clock) - yk_reservation_look_patience_ns(partition),
    };
    yk_node_search_prepare(partition, ask);
    if ((class_ != NULL && class_->feasible.ones == 0) || !yk_class_has_a_chance(partition, class_))
        return NULL;
    look_below(&search, partition->node_order.tree.root);
    return search.preferred != NULL ? search.preferred : search.best;
}
