/* SPDX-License-Identifier: Apache-2.0 */
/* NodeName: a pod that names its node runs nowhere else (docs/reference/predicates.md 4.3). */
#include "predicates/constraints.h"

bool yk_filter_node_name(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    return constraints->node_name.id == 0 || yk_name_eq(constraints->node_name, node->name);
}
