/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/policies_priv.h"

/* The most used node comes first (docs/reference/queues.md, O12). */
double yk__node_score_binpacking(const struct yk_node_order *order, const struct yk_node *node)
{
    return 1 - yk__node_used_share(order, node);
}
