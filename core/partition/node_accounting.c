/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/node_accounting.h"

#include "pending/parked.h"
#include "report/report.h"
#include "reservation/preempt.h"

void yk_node_book(struct yk_partition *partition, struct yk_node *node, struct yk_ask *ask)
{
    yk_node_add_allocation(node, ask);
    yk_report_node_allocated(partition, ask);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_changed(partition, node);
}

void yk_node_unbook(struct yk_partition *partition, struct yk_ask *ask)
{
    struct yk_node *node = ask->node;
    yk_report_node_released(partition, ask);
    yk_node_remove_allocation(node, ask);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_changed(partition, node);
    yk_wake_for_node(partition, node);
}
