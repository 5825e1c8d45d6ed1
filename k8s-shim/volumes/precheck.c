/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a pod's claims that do not depend on the node, in the order of kube-scheduler's PreFilters. A
 * function with a `message` appends the reason if it returns false. */
#include "volumes/volumes_priv.h"

/* The name of the claim without its namespace, with a NUL. Borrowed from the claim. */
static const char *name_of(const struct yk__claim *claim)
{
    return strchr(yk_name_text(claim->key), '/') + 1;
}

/* The check of VolumeRestrictions. */
static bool named_claims_exist(const struct yk_pod_volumes *pod_volumes, struct yk_buf *message)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim_use *use = &pod_volumes->uses[i];
        if (!use->by_name || use->claim->object != NULL)
            continue;
        yk_buf_printf(message, "persistentvolumeclaim \"%s\" not found", name_of(use->claim));
        return false;
    }
    return true;
}

/* Whether the pod is the controller of the claim. */
static bool is_made_for(const struct yk__claim *claim, const struct yk_pod_volumes *pod_volumes)
{
    const struct yk_object *object = &claim->object->object;
    for (uint32_t i = 0; i < object->owner_count; i++) {
        if (object->owners[i].controller && yk_str_is(object->owners[i].uid, pod_volumes->pod_uid))
            return true;
    }
    return false;
}

/* The checks of VolumeBinding for one claim. */
static bool is_sound(const struct yk__claim_use *use, struct yk_buf *message)
{
    const struct yk__claim *claim = use->claim;
    const struct yk_volume_claim *object = claim->object;
    if (object == NULL)
        yk_buf_printf(message,
                      "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\"",
                      name_of(claim));
    else if (yk_str_is(object->phase, "Lost"))
        yk_buf_printf(
            message, "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"" YK_STR_FMT "\"",
            name_of(claim), YK_STR_ARG(object->volume_name));
    else if (object->object.deleting)
        yk_buf_printf(message, "persistentvolumeclaim \"%s\" is being deleted", name_of(claim));
    else if (use->is_ephemeral && !is_made_for(claim, use->user))
        yk_buf_printf(message, "PVC %s was not created for pod %s (pod is not owner)",
                      yk_name_text(claim->key), use->user->pod);
    else
        return true;
    return false;
}

/* The checks of VolumeBinding. */
static bool all_sound(const struct yk_pod_volumes *pod_volumes, struct yk_buf *message)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        if (!is_sound(&pod_volumes->uses[i], message))
            return false;
    }
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim *claim = pod_volumes->uses[i].claim;
        if (yk__claim_is_bound(claim) || yk__claim_is_delayed(claim))
            continue;
        yk_buf_text(message, "pod has unbound immediate PersistentVolumeClaims");
        return false;
    }
    return true;
}

/* The check of VolumeZone. Its other checks of claims are among those above. */
static bool named_volumes_exist(const struct yk_pod_volumes *pod_volumes, struct yk_buf *message)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim_use *use = &pod_volumes->uses[i];
        if (!use->by_name || use->claim->volume == NULL || use->claim->volume->object != NULL)
            continue;
        yk_buf_printf(message, "persistentvolume \"%s\" not found", yk_name_text(use->claim->volume->name));
        return false;
    }
    return true;
}

static bool is_attached(const struct yk__volume *volume)
{
    const struct yk_volume *object = volume != NULL ? volume->object : NULL;
    return object != NULL &&
           (object->source.csi_driver.p != NULL || yk__in_tree_of(&object->source) != YK__IN_TREE_NONE);
}

/* The kinds of objects that must be listed before the claim can be checked. If the object of the claim is not
 * known, only the list of claims is needed at first: it shows whether the claim is bound, and this decides
 * which other kinds are needed. */
static uint32_t kinds_for(const struct yk__claim *claim)
{
    const uint32_t bound = yk_volumes_kind(YK_KIND_VOLUME_CLAIM) | yk_volumes_kind(YK_KIND_VOLUME);
    const uint32_t attached = yk_volumes_kind(YK_KIND_CSI_NODE) | yk_volumes_kind(YK_KIND_CSI_DRIVER) |
                              yk_volumes_kind(YK_KIND_VOLUME_ATTACHMENT);
    if (claim->object == NULL)
        return yk_volumes_kind(YK_KIND_VOLUME_CLAIM);
    if (!yk__claim_is_bound(claim))
        return YK_VOLUMES_ALL_KINDS;
    return is_attached(claim->volume) ? bound | attached : bound;
}

/* Whether all kinds that the claims need are listed. */
static bool is_known(const struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                     struct yk_buf *message)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < pod_volumes->use_count; i++)
        missing |= kinds_for(pod_volumes->uses[i].claim) & ~volumes->listed;
    const char *sep = "waiting for ";
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++) {
        if ((missing & yk_volumes_kind((enum yk_kind)kind)) == 0)
            continue;
        yk_buf_text(message, sep);
        yk_buf_text(message, yk_kind_name((enum yk_kind)kind));
        sep = ", ";
    }
    if (missing != 0)
        yk_buf_text(message, " to be listed; if this lasts, the log of the scheduler says why");
    return missing == 0;
}

enum yk_volumes_answer yk_volumes_possible(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                                           struct yk_buf *message)
{
    if (pod_volumes == NULL)
        return YK_VOLUMES_POSSIBLE;
    struct yk_buf *out = message != NULL ? message : &volumes->key; /* scratch memory: the text is not used */
    if (message == NULL)
        yk_buf_clear(out);
    bool possible = is_known(volumes, pod_volumes, out) && named_claims_exist(pod_volumes, out) &&
                    all_sound(pod_volumes, out) && named_volumes_exist(pod_volumes, out);
    if (!possible) {
        yk__refused(volumes, pod_volumes, YK_VOLUMES_IMPOSSIBLE);
        return YK_VOLUMES_NEVER;
    }
    if (yk__claims_unused(pod_volumes))
        return YK_VOLUMES_POSSIBLE;
    yk__refused(volumes, pod_volumes, YK_VOLUMES_CLAIM_IN_USE);
    return YK_VOLUMES_USED;
}
