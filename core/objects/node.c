/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/node.h"

#include "objects/ask.h"

static void update_available(struct yk_node *node)
{
    node->available.set = 0;
    yk_resvec_add(&node->available, &node->total);
    yk_resvec_sub(&node->available, &node->allocated);
    yk_resvec_sub(&node->available, &node->occupied);
}

struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie)
{
    struct yk_node *node = yk_new0_aligned(struct yk_node);
    node->id = yk_strdup(id);
    node->cookie = cookie;
    yk_list_init(&node->allocations);
    yk_list_init(&node->foreign);
    yk_tags_init(&node->attributes, attributes, attribute_count);
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
    yk_tags_done(&node->attributes);
    free(node);
}

/* Our own pods count as allocated, those of others as occupied. */
static struct yk_resvec *account_of(struct yk_node *node, const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_FOREIGN) != 0 ? &node->occupied : &node->allocated;
}

void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask)
{
    bool foreign = (ask->flags & YK_ASK_FOREIGN) != 0;
    yk_resvec_add(account_of(node, ask), yk_ask_size(ask));
    yk_resvec_sub(&node->available, yk_ask_size(ask));
    yk_list_append(foreign ? &node->foreign : &node->allocations, &ask->in_node);
    node->allocation_count += !foreign;
    ask->node = node;
}

void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask)
{
    if (!YK_ASSERT(ask->node == node))
        return;
    yk_resvec_sub(account_of(node, ask), yk_ask_size(ask));
    yk_resvec_prune(account_of(node, ask));
    yk_resvec_add(&node->available, yk_ask_size(ask));
    yk_list_remove(&ask->in_node);
    node->allocation_count -= (ask->flags & YK_ASK_FOREIGN) == 0;
    ask->node = NULL;
}

void yk_node_resize_allocation(struct yk_node *node, const struct yk_ask *ask, const struct yk_resvec *delta)
{
    yk_resvec_add(account_of(node, ask), delta);
    yk_resvec_prune(account_of(node, ask));
    yk_resvec_sub(&node->available, delta);
}

void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity)
{
    yk_resvec_copy(&node->total, capacity);
    yk_resvec_prune(&node->total);
    update_available(node);
}
