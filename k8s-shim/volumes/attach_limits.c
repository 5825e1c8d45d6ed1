/* SPDX-License-Identifier: Apache-2.0 */
/* The filter NodeVolumeLimits: how many volumes of a CSI driver a node can attach
 * (docs/reference/predicates.md 4.9). */
#include "volumes/volumes_priv.h"

struct counting {
    const struct yk__node_volumes *node; /* NULL: the node has neither volumes nor a CSINode */
    uint64_t round;                      /* the `mark` of what this run has seen */
    bool is_alone;                       /* as if nothing were attached to the node */
    const struct yk__driver *missing;    /* the last driver that was found missing */
};

/* Whether the node has the driver, or no CSIDriver keeps pods from nodes without it. */
static bool is_installed(struct counting *counting, const struct yk__driver *driver)
{
    if (driver->object == NULL || !driver->object->prevent_if_missing)
        return true;
    const struct yk__node_driver *on_node = yk__node_driver(counting->node, driver);
    if (on_node != NULL && on_node->is_installed)
        return true;
    counting->missing = driver;
    return false;
}

static bool one_more_fits(const struct counting *counting, struct yk__handle *handle)
{
    const struct yk__node_driver *on_node = yk__node_driver(counting->node, handle->driver);
    if (on_node == NULL || !on_node->has_limit)
        return true;
    const struct yk__node_handle *used = yk_idmap_get(&counting->node->handles, handle->name.id);
    if (used != NULL && used->pods > 0 && !counting->is_alone)
        return true;
    struct yk__driver *driver = handle->driver;
    driver->wanted = driver->mark == counting->round ? driver->wanted + 1 : 1;
    driver->mark = counting->round;
    return (counting->is_alone ? 0 : (int64_t)on_node->attached) + driver->wanted <= on_node->limit;
}

static uint32_t add(struct counting *counting, struct yk__handle *handle)
{
    if (handle->mark == counting->round)
        return 0;
    handle->mark = counting->round;
    if (!is_installed(counting, handle->driver))
        return YK_VOLUMES_NO_DRIVER;
    return one_more_fits(counting, handle) ? 0 : YK_VOLUMES_TOO_MANY;
}

static uint32_t add_all(struct counting *counting, const struct yk_pod_volumes *pod_volumes)
{
    bool has_csi = counting->node != NULL && counting->node->csi != NULL;
    uint32_t result = 0;
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim *claim = pod_volumes->uses[i].claim;
        if (claim->handle != NULL && (has_csi || !claim->handle_is_migrated))
            result |= add(counting, claim->handle);
    }
    /* In-tree volumes count only on nodes with a CSINode. */
    for (uint32_t i = 0; has_csi && i < pod_volumes->handle_count; i++)
        result |= add(counting, pod_volumes->handles[i]);
    return result;
}

uint32_t yk__attach_limits(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                           const struct yk__node_volumes *node, const struct yk__driver **ret_driver)
{
    struct counting counting = {.node = node, .round = ++volumes->round};
    uint32_t result = add_all(&counting, pod_volumes);
    if ((result & YK_VOLUMES_NO_DRIVER) == 0)
        return result;
    if (ret_driver != NULL)
        *ret_driver = counting.missing;
    return YK_VOLUMES_NO_DRIVER;
}

bool yk_volumes_attach_alone(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                             const struct yk_cache_node *node)
{
    struct counting counting = {
        .node = yk__node_volumes(volumes, node->name), .round = ++volumes->round, .is_alone = true};
    return add_all(&counting, pod_volumes) == 0;
}
