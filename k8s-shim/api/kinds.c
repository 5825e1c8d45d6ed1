/* SPDX-License-Identifier: Apache-2.0 */
#include "api/fields.h"

const struct yk_kind_info *yk_kind_info(enum yk_kind kind)
{
    static const struct yk_kind_info infos[YK_KIND_COUNT] = {
        [YK_KIND_POD] = {"Pod", "PodList", sizeof(struct yk_pod), &yk_pod_fields},
        [YK_KIND_NODE] = {"Node", "NodeList", sizeof(struct yk_node), &yk_node_fields},
        [YK_KIND_NAMESPACE] = {"Namespace", "NamespaceList", sizeof(struct yk_namespace),
                               &yk_namespace_fields},
        [YK_KIND_PRIORITY_CLASS] = {"PriorityClass", "PriorityClassList", sizeof(struct yk_priority_class),
                                    &yk_priority_class_fields},
        [YK_KIND_CONFIG_MAP] = {"ConfigMap", "ConfigMapList", sizeof(struct yk_config_map),
                                &yk_config_map_fields},
        [YK_KIND_DISRUPTION_BUDGET] = {"PodDisruptionBudget", "PodDisruptionBudgetList",
                                       sizeof(struct yk_disruption_budget), &yk_disruption_budget_fields},
    };
    return &infos[kind];
}
