/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object.h"

struct yk_str yk_pairs_find(const struct yk_pairs *pairs, struct yk_str key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_eq(pairs->items[i].key, key))
            return pairs->items[i].value;
    }
    return (struct yk_str){0};
}

static bool is_disk(const struct yk_volume_source *source)
{
    return source->gce_disk.p != NULL || source->ebs_volume.p != NULL || source->iscsi_iqn.p != NULL ||
           source->rbd_monitor_count > 0 || source->azure_disk_uri.p != NULL ||
           source->cinder_volume.p != NULL || source->portworx_volume.p != NULL;
}

bool yk_pod_has_disks(const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        if (volume->has_claim || volume->is_ephemeral || is_disk(&volume->source))
            return true;
    }
    return false;
}

void yk_object_free(struct yk_object *object)
{
    if (object == NULL)
        return;
    if (atomic_load_explicit(&object->more_owners, memory_order_acquire) > 0 &&
        atomic_fetch_sub_explicit(&object->more_owners, 1, memory_order_acq_rel) > 0)
        return;
    struct yk_arena arena = object->arena; /* copied, because the object itself is in the arena */
    yk_arena_done(&arena);
}

void yk_object_share(struct yk_object *object)
{
    atomic_fetch_add_explicit(&object->more_owners, 1, memory_order_relaxed);
}

char *yk_object_key(struct yk_str namespace_, struct yk_str name)
{
    struct yk_buf key = {0};
    yk_buf_str(&key, namespace_);
    yk_buf_char(&key, '/');
    yk_buf_str(&key, name);
    return yk_buf_take(&key);
}

const char *yk_kind_name(enum yk_kind kind)
{
    switch (kind) {
    case YK_KIND_POD:
        return "pods";
    case YK_KIND_NODE:
        return "nodes";
    case YK_KIND_NAMESPACE:
        return "namespaces";
    case YK_KIND_PRIORITY_CLASS:
        return "priorityclasses";
    case YK_KIND_CONFIG_MAP:
        return "configmaps";
    case YK_KIND_DISRUPTION_BUDGET:
        return "poddisruptionbudgets";
    case YK_KIND_DEVICE_CLASS:
        return "deviceclasses";
    case YK_KIND_MUTATING_WEBHOOKS:
        return "mutatingwebhookconfigurations";
    case YK_KIND_VOLUME_CLAIM:
        return "persistentvolumeclaims";
    case YK_KIND_VOLUME:
        return "persistentvolumes";
    case YK_KIND_STORAGE_CLASS:
        return "storageclasses";
    case YK_KIND_CSI_NODE:
        return "csinodes";
    case YK_KIND_CSI_DRIVER:
        return "csidrivers";
    case YK_KIND_CSI_CAPACITY:
        return "csistoragecapacities";
    case YK_KIND_VOLUME_ATTACHMENT:
        return "volumeattachments";
    case YK_KIND_COUNT:
        break;
    }
    return "unknown";
}
