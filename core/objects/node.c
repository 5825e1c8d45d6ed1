/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/node.h"

#include "objects/ask.h"

/* A vector has 31 slots, of which a cluster uses a handful: with all of them it would be half of a node. */
static void make_room(struct yk_node *node, uint32_t types)
{
    uint32_t set = node->available != NULL ? node->available->set : 0;
    if ((types & ~set) == 0 || types >> node->available_slots == 0)
        return;
    uint32_t slots = 32 - (uint32_t)__builtin_clz(types);
    size_t bytes = offsetof(struct yk_resvec, v) + slots * sizeof(node->available->v[0]);
    node->available = yk_realloc_array(node->available, bytes, 1);
    node->available->set = set;
    node->available_slots = (uint8_t)slots;
}

struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie)
{
    struct yk_node *node = yk_new0_aligned(struct yk_node);
    node->id = yk_strdup(id);
    node->cookie = cookie;
    yk_list_init(&node->allocations);
    yk_list_init(&node->foreign);
    yk_list_init(&node->reservations);
    yk_list_init(&node->in_unreserved);
    yk_list_init(&node->in_ended);
    yk_list_init(&node->in_freed);
    yk_list_init(&node->in_draining);
    yk_tags_init(&node->attributes, attributes, attribute_count);
    make_room(node, 1);
    yk_node_set_capacity(node, capacity);
    return node;
}

void yk_node_free(struct yk_node *node)
{
    if (node == NULL)
        return;
    YK_ASSERT(yk_list_empty(&node->allocations) && yk_list_empty(&node->foreign) &&
              !yk_tree_linked(&node->in_order));
    free(node->id);
    free(node->available);
    free(node->nominated);
    yk_shared_put(node->total);
    yk_tags_done(&node->attributes);
    free(node);
}

void yk_node_occupied(const struct yk_node *node, struct yk_resvec *ret_amounts)
{
    const struct yk_ask *ask;
    ret_amounts->set = 0;
    yk_list_foreach (ask, &node->foreign, struct yk_ask, in_node)
        yk_resvec_add(ret_amounts, yk_ask_size(ask));
}

void yk_node_allocated(const struct yk_node *node, struct yk_resvec *ret_amounts)
{
    struct yk_resvec occupied;
    yk_node_occupied(node, &occupied);
    yk_resvec_copy(ret_amounts, node->total);
    yk_resvec_sub(ret_amounts, node->available);
    yk_resvec_sub(ret_amounts, &occupied);
    yk_resvec_prune(ret_amounts);
}

void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask)
{
    bool foreign = (ask->flags & YK_ASK_FOREIGN) != 0;
    make_room(node, yk_ask_size(ask)->set);
    yk_resvec_sub(node->available, yk_ask_size(ask));
    yk_list_append(foreign ? &node->foreign : &node->allocations, &ask->in_node);
    node->allocation_count += !foreign;
    ask->node = node;
}

void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask)
{
    if (!YK_ASSERT(ask->node == node))
        return;
    yk_resvec_add(node->available, yk_ask_size(ask));
    yk_list_remove(&ask->in_node);
    node->allocation_count -= (ask->flags & YK_ASK_FOREIGN) == 0;
    ask->node = NULL;
}

void yk_node_resize_allocation(struct yk_node *node, const struct yk_resvec *delta)
{
    make_room(node, delta->set);
    yk_resvec_sub(node->available, delta);
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
    if (node->nominated->set != 0)
        return;
    free(node->nominated);
    node->nominated = NULL;
}

static void take_capacity(struct yk_node *node, const struct yk_resvec *capacity)
{
    struct yk_resvec present;
    yk_resvec_copy(&present, capacity);
    yk_resvec_prune(&present);
    const struct yk_resvec *before = node->total;
    node->total = yk_shared_get(&present);
    yk_shared_put(before);
}

void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity)
{
    make_room(node, capacity->set);
    yk_resvec_add(node->available, capacity);
    if (node->total != NULL)
        yk_resvec_sub(node->available, node->total);
    take_capacity(node, capacity);
    yk_resvec_foreach(t, node->available->set & ~node->total->set)
    {
        if (node->available->v[t] == 0) /* neither there nor used */
            node->available->set &= ~(UINT32_C(1) << t);
    }
}
