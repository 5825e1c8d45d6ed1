/* SPDX-License-Identifier: Apache-2.0 */
/* NodeUnschedulable: a cordoned node reads as a taint of its own (docs/reference/predicates.md 4.2). */
#include "predicates/constraints.h"

bool yk_filter_node_unschedulable(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    if (!node->unschedulable)
        return true;
    for (uint32_t i = 0; i < constraints->toleration_count; i++) {
        if (yk_tolerates(&constraints->tolerations[i], constraints->unschedulable_key, constraints->empty,
                         YK_TAINT_NO_SCHEDULE))
            return true;
    }
    return false;
}
