/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NodeUnschedulable: a cordon counts as a taint that the pod may tolerate (docs/reference/predicates.md 4.2).
 * A node with a pod whose amounts cannot be read takes no pods at all (docs/reference/kubernetes.md,
 * "Limits").
 */
#include "predicates/constraints.h"

bool yk_filter_node_unschedulable(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    return node->closers == 0 && (!node->unschedulable || constraints->tolerates_cordon);
}

bool yk_tolerates_cordon(const struct yk_compiled_toleration *tolerations, uint32_t count)
{
    yk_name key = yk_name_get(YK_STR("node.kubernetes.io/unschedulable")), empty = yk_name_get(YK_STR(""));
    bool tolerated = false;
    for (uint32_t i = 0; i < count; i++)
        tolerated = tolerated || yk_tolerates(&tolerations[i], key, empty, YK_TAINT_NO_SCHEDULE);
    yk_name_put(key);
    yk_name_put(empty);
    return tolerated;
}
