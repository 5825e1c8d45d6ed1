/* SPDX-License-Identifier: Apache-2.0 */
/* NodeDeclaredFeatures: the node must declare each feature of the kubelet that the pod needs
 * (docs/reference/predicates.md 4.15). */
#include "predicates/constraints.h"

bool yk_filter_declared_features(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    return (constraints->features & ~node->features) == 0;
}
