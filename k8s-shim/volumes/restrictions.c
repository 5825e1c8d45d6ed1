/* SPDX-License-Identifier: Apache-2.0 */
/* The filter VolumeRestrictions: disks that only one pod of a node may mount, and claims that only one pod
 * may use (docs/reference/predicates.md 4.8). */
#include "volumes/volumes_priv.h"

static bool monitors_overlap(const struct yk__disk *a, const struct yk__disk *b)
{
    for (uint32_t i = 0; i < a->monitor_count; i++) {
        for (uint32_t j = 0; j < b->monitor_count; j++) {
            if (yk_name_eq(a->monitors[i], b->monitors[j]))
                return true;
        }
    }
    return false;
}

static bool clash(const struct yk__disk *a, const struct yk__disk *b)
{
    if (a->kind != b->kind || !yk_name_eq(a->name, b->name))
        return false;
    if (a->kind != YK__DISK_EBS && a->read_only && b->read_only)
        return false;
    return a->kind != YK__DISK_RBD || (yk_name_eq(a->image, b->image) && monitors_overlap(a, b));
}

bool yk__disks_free(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node)
{
    for (uint32_t i = 0; node != NULL && i < pod_volumes->disk_count; i++) {
        for (uint32_t j = 0; j < node->disk_count; j++) {
            if (clash(&pod_volumes->disks[i], node->disks[j].disk))
                return false;
        }
    }
    return true;
}

bool yk__claims_unused(const struct yk_pod_volumes *pod_volumes)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim_use *use = &pod_volumes->uses[i];
        if (use->by_name && use->claim->once_per_pod && use->claim->standing > 0)
            return false;
    }
    return true;
}

uint32_t yk__restrictions(const struct yk_pod_volumes *pod_volumes, const struct yk__node_volumes *node)
{
    if (!yk__disks_free(pod_volumes, node))
        return YK_VOLUMES_DISK_IN_USE;
    return yk__claims_unused(pod_volumes) ? 0 : YK_VOLUMES_CLAIM_IN_USE;
}
