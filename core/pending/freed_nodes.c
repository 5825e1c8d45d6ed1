/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/freed_nodes.h"

void yk_freed_nodes_init(struct yk_partition *partition)
{
    yk_list_init(&partition->pending.freed_nodes);
    yk_list_init(&partition->pending.retry_shapes);
    yk_list_init(&partition->pending.eased_usages);
    yk_list_init(&partition->pending.ended_holds);
    yk_list_init(&partition->pending.holds);
    yk_list_init(&partition->pending.holders_on_nodes);
    yk_list_init(&partition->pending.impossible_apps);
    yk_list_init(&partition->pending.leaves_to_start);
}

void yk_freed_nodes_add(struct yk_partition *partition, struct yk_node *node)
{
    if (!yk_list_linked(&node->in_freed) && !node->leaving)
        yk_list_append(&partition->pending.freed_nodes, &node->in_freed);
}

void yk_freed_nodes_remove(struct yk_node *node)
{
    yk_list_remove(&node->in_freed);
}

void yk_freed_nodes_retry(struct yk_partition *partition, struct yk_shape *shape)
{
    if (shape->parked && !yk_list_linked(&shape->in_retry))
        yk_list_append(&partition->pending.retry_shapes, &shape->in_retry);
}

void yk_freed_nodes_end_retry(struct yk_shape *shape)
{
    yk_list_remove(&shape->in_retry);
}

void yk_freed_nodes_refused(struct yk_partition *partition)
{
    struct yk_node *node;
    struct yk_shape *shape;
    while ((node = yk_list_first(&partition->pending.freed_nodes, struct yk_node, in_freed)) != NULL)
        yk_freed_nodes_remove(node);
    while ((shape = yk_list_first(&partition->pending.retry_shapes, struct yk_shape, in_retry)) != NULL &&
           shape->retry_sequence == partition->served_sequence)
        yk_freed_nodes_end_retry(shape);
}

bool yk_freed_nodes_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->pending.freed_nodes) ||
           !yk_list_empty(&partition->pending.retry_shapes);
}
