/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/node.h"

#include "objects/ask.h"

struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie)
{
    struct yk_node *node = yk_new0_aligned(struct yk_node);
    node->id = yk_strdup(id);
    node->cookie = cookie;
    node->available = yk_new0(struct yk_resvec);
    yk_list_init(&node->allocations);
    yk_list_init(&node->foreign);
    yk_list_init(&node->reservations);
    yk_list_init(&node->in_unreserved);
    yk_list_init(&node->in_ended);
    yk_list_init(&node->in_freed);
    yk_list_init(&node->fitting_shapes);
    yk_list_init(&node->in_draining);
    yk_tags_init(&node->attributes, attributes, attribute_count);
    yk_node_set_capacity(node, capacity);
    return node;
}

void yk_node_free(struct yk_node *node)
{
    if (node == NULL)
        return;
    YK_ASSERT(yk_list_empty(&node->allocations) && yk_list_empty(&node->foreign) &&
              yk_list_empty(&node->fitting_shapes) && !yk_tree_linked(&node->in_order));
    free(node->id);
    yk_resvec_free(node->available);
    yk_resvec_free(node->nominated);
    yk_resvec_done(&node->gang_most);
    yk_shared_put(node->total);
    yk_tags_done(&node->attributes);
    free(node);
}

void yk_node_occupied(const struct yk_node *node, struct yk_resvec *ret_amounts)
{
    const struct yk_ask *ask;
    yk_resvec_clear(ret_amounts);
    yk_list_foreach (ask, &node->foreign, struct yk_ask, in_node)
        yk_resvec_add(ret_amounts, yk_ask_size(ask));
}

void yk_node_allocated(const struct yk_node *node, struct yk_resvec *ret_amounts)
{
    YK_RESVEC(occupied);
    yk_node_occupied(node, &occupied);
    yk_resvec_copy(ret_amounts, node->total);
    yk_resvec_sub(ret_amounts, node->available);
    yk_resvec_sub(ret_amounts, &occupied);
    yk_resvec_prune(ret_amounts);
}

void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask)
{
    bool foreign = (ask->flags & YK_ASK_FOREIGN) != 0;
    yk_resvec_sub(node->available, yk_ask_size(ask));
    yk_list_append(foreign ? &node->foreign : &node->allocations, &ask->in_node);
    node->allocation_count += !foreign;
    ask->node = node;
}

/* Removes from the available amounts those types of `types` that the node neither offers nor has in use, so
 * that the numbers of the types can be used for other names. */
static void remove_absent(struct yk_node *node, const struct yk_resvec *types)
{
    yk_resvec_foreach(t, types)
    {
        if (!yk_resvec_has(node->total, t) && yk_resvec_get(node->available, t) == 0)
            yk_resvec_remove(node->available, t);
    }
}

void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask)
{
    if (!YK_ASSERT(ask->node == node))
        return;
    yk_resvec_add(node->available, yk_ask_size(ask));
    if (YK_UNLIKELY(yk_resvec_has_others(yk_ask_size(ask))))
        remove_absent(node, yk_ask_size(ask));
    yk_list_remove(&ask->in_node);
    node->allocation_count -= (ask->flags & YK_ASK_FOREIGN) == 0;
    ask->node = NULL;
}

void yk_node_resize_allocation(struct yk_node *node, const struct yk_resvec *delta)
{
    yk_resvec_sub(node->available, delta);
    if (YK_UNLIKELY(yk_resvec_has_others(delta)))
        remove_absent(node, delta);
}

bool yk_node_has_victims(const struct yk_node *node)
{
    const struct yk_ask *other;
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if ((other->flags & YK_ASK_PREEMPTED) != 0)
            return true;
    }
    return false;
}

void yk_node_nominate(struct yk_node *node, const struct yk_resvec *size)
{
    if (node->nominated == NULL)
        node->nominated = yk_new0(struct yk_resvec);
    yk_resvec_add(node->nominated, size);
}

void yk_node_end_nomination(struct yk_node *node, const struct yk_resvec *size)
{
    if (!YK_ASSERT(node->nominated != NULL))
        return;
    yk_resvec_sub(node->nominated, size);
    yk_resvec_prune(node->nominated);
    if (!yk_resvec_is_empty(node->nominated))
        return;
    yk_resvec_free(node->nominated);
    node->nominated = NULL;
}

static void take_capacity(struct yk_node *node, const struct yk_resvec *capacity)
{
    YK_RESVEC(present);
    yk_resvec_copy(&present, capacity);
    yk_resvec_prune(&present);
    const struct yk_resvec *before = node->total;
    node->total = yk_shared_get(&present);
    yk_shared_put(before);
}

void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity)
{
    yk_resvec_add(node->available, capacity);
    if (node->total != NULL)
        yk_resvec_sub(node->available, node->total);
    take_capacity(node, capacity);
    remove_absent(node, node->available);
}
