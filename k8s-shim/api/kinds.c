/* SPDX-License-Identifier: Apache-2.0 */
#include "api/fields.h"

const struct yk_kind_info *yk_kind_info(enum yk_kind kind)
{
    static const struct yk_kind_info infos[] = {
        [YK_KIND_POD] = {"Pod", "PodList", sizeof(struct yk_pod), &yk_pod_fields},
        [YK_KIND_NODE] = {"Node", "NodeList", sizeof(struct yk_k8s_node), &yk_node_fields},
        [YK_KIND_NAMESPACE] = {"Namespace", "NamespaceList", sizeof(struct yk_namespace),
                               &yk_namespace_fields},
        [YK_KIND_PRIORITY_CLASS] = {"PriorityClass", "PriorityClassList", sizeof(struct yk_priority_class),
                                    &yk_priority_class_fields},
        [YK_KIND_CONFIG_MAP] = {"ConfigMap", "ConfigMapList", sizeof(struct yk_config_map),
                                &yk_config_map_fields},
        [YK_KIND_DISRUPTION_BUDGET] = {"PodDisruptionBudget", "PodDisruptionBudgetList",
                                       sizeof(struct yk_disruption_budget), &yk_disruption_budget_fields},
        [YK_KIND_DEVICE_CLASS] = {"DeviceClass", "DeviceClassList", sizeof(struct yk_device_class),
                                  &yk_device_class_fields},
        [YK_KIND_MUTATING_WEBHOOKS] = {"MutatingWebhookConfiguration", "MutatingWebhookConfigurationList",
                                       sizeof(struct yk_mutating_webhooks), &yk_mutating_webhooks_fields},
        [YK_KIND_VOLUME_CLAIM] = {"PersistentVolumeClaim", "PersistentVolumeClaimList",
                                  sizeof(struct yk_volume_claim), &yk_volume_claim_fields},
        [YK_KIND_VOLUME] = {"PersistentVolume", "PersistentVolumeList", sizeof(struct yk_volume),
                            &yk_volume_fields},
        [YK_KIND_STORAGE_CLASS] = {"StorageClass", "StorageClassList", sizeof(struct yk_storage_class),
                                   &yk_storage_class_fields},
        [YK_KIND_CSI_NODE] = {"CSINode", "CSINodeList", sizeof(struct yk_csi_node), &yk_csi_node_fields},
        [YK_KIND_CSI_DRIVER] = {"CSIDriver", "CSIDriverList", sizeof(struct yk_csi_driver),
                                &yk_csi_driver_fields},
        [YK_KIND_CSI_CAPACITY] = {"CSIStorageCapacity", "CSIStorageCapacityList",
                                  sizeof(struct yk_csi_capacity), &yk_csi_capacity_fields},
        [YK_KIND_VOLUME_ATTACHMENT] = {"VolumeAttachment", "VolumeAttachmentList",
                                       sizeof(struct yk_volume_attachment), &yk_volume_attachment_fields},
    };
    YK_INDEXED_BY(infos, YK_KIND_COUNT - 1);
    return &infos[kind];
}
