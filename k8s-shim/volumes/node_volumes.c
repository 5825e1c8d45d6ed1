/* SPDX-License-Identifier: Apache-2.0 */
/* Records of nodes: the volumes that their pods use, those that VolumeAttachments name, and their
 * CSINodes. */
#include "volumes/volumes_priv.h"

static struct yk__node_volumes *node_for(struct yk_volumes *volumes, yk_name name)
{
    struct yk__node_volumes *node = yk__node_volumes(volumes, name);
    if (node != NULL)
        return node;
    node = yk_new0(struct yk__node_volumes);
    node->name = yk_name_ref(name);
    (void)yk_idmap_put(&volumes->nodes, name.id, node); /* is new */
    return node;
}

static void drop_if_empty(struct yk_volumes *volumes, struct yk__node_volumes *node)
{
    if (node->csi != NULL || node->handles.count > 0 || node->disk_count > 0)
        return;
    YK_ASSERT(node->driver_count == 0);
    (void)yk_idmap_remove(&volumes->nodes, node->name.id); /* was there */
    yk_idmap_done(&node->handles);
    free(node->drivers);
    free(node->disks);
    yk_name_put(node->name);
    free(node);
}

/* ---- drivers ---- */

/* The record of the driver on the node, made if there is none. Takes the reference to `driver`. */
static struct yk__node_driver *driver_for(struct yk_volumes *volumes, struct yk__node_volumes *node,
                                          struct yk__driver *driver)
{
    struct yk__node_driver *found = yk__node_driver(node, driver);
    if (found != NULL) {
        yk__driver_put(volumes, driver);
        return found;
    }
    node->drivers = yk_realloc_array(node->drivers, node->driver_count + 1, sizeof(*node->drivers));
    found = &node->drivers[node->driver_count++];
    *found = (struct yk__node_driver){.driver = driver};
    return found;
}

static void drop_unused_drivers(struct yk_volumes *volumes, struct yk__node_volumes *node)
{
    for (uint32_t i = node->driver_count; i-- > 0;) {
        if (node->drivers[i].is_installed || node->drivers[i].attached > 0)
            continue;
        yk__driver_put(volumes, node->drivers[i].driver);
        node->drivers[i] = node->drivers[--node->driver_count];
    }
}

/* Reads the CSINode of the node; NULL: it was deleted. If the CSINode lists a driver twice, the last limit
 * counts. */
static void read_csi_node(struct yk_volumes *volumes, struct yk__node_volumes *node,
                          const struct yk_csi_node *object)
{
    for (uint32_t i = 0; i < node->driver_count; i++)
        node->drivers[i].is_installed = node->drivers[i].has_limit = false;
    node->csi = object;
    node->migrated =
        object == NULL ? 0
                       : yk__in_tree_listed(yk__annotation(&object->object, YK_ANNOTATION_MIGRATED_PLUGINS));
    for (uint32_t i = 0; object != NULL && i < object->driver_count; i++) {
        const struct yk_csi_node_driver *from = &object->drivers[i];
        struct yk__node_driver *driver = driver_for(volumes, node, yk__driver_hold(volumes, from->name));
        driver->is_installed = true;
        driver->has_limit = driver->has_limit || from->has_limit;
        if (from->has_limit)
            driver->limit = from->limit;
    }
    drop_unused_drivers(volumes, node);
}

void yk__node_becomes(struct yk_volumes *volumes, yk_name name, const struct yk_csi_node *after)
{
    struct yk__node_volumes *node = node_for(volumes, name);
    uint32_t migrated = node->migrated;
    read_csi_node(volumes, node, after);
    yk__wake_for_limits(volumes, node);
    if (migrated != node->migrated) {
        yk__wake_all(volumes, YK_VOLUMES_NODE_CONFLICT);
        yk__notify_node_plans(volumes, name);
    }
    drop_if_empty(volumes, node);
}

void yk_csi_node_changed(struct yk_volumes *volumes, const struct yk_csi_node *before,
                         const struct yk_csi_node *after)
{
    yk_name name = yk_name_get(after != NULL ? after->object.name : before->object.name);
    yk__node_becomes(volumes, name, after);
    yk_name_put(name);
}

/* ---- handles ---- */

static struct yk__node_handle *handle_on(struct yk_volumes *volumes, struct yk__node_volumes *node,
                                         struct yk__handle *handle)
{
    struct yk__node_handle *found = yk_idmap_get(&node->handles, handle->name.id);
    if (found != NULL)
        return found;
    found = yk_new0(struct yk__node_handle);
    found->handle = yk__handle_ref(handle);
    (void)yk_idmap_put(&node->handles, handle->name.id, found); /* is new */
    handle->driver->holders++;
    driver_for(volumes, node, handle->driver)->attached++;
    return found;
}

static void drop_unused_handle(struct yk_volumes *volumes, struct yk__node_volumes *node,
                               struct yk__node_handle *on_node)
{
    if (on_node->pods + on_node->attachments > 0)
        return;
    struct yk__handle *handle = on_node->handle;
    (void)yk_idmap_remove(&node->handles, handle->name.id); /* was there */
    free(on_node);
    yk__node_driver(node, handle->driver)->attached--;
    drop_unused_drivers(volumes, node);
    yk__handle_put(volumes, handle);
}

static void count_handle(struct yk_volumes *volumes, yk_name name, struct yk__handle *handle, bool by_pod,
                         bool begins)
{
    struct yk__node_volumes *node = node_for(volumes, name);
    struct yk__node_handle *on_node = handle_on(volumes, node, handle);
    uint32_t *count = by_pod ? &on_node->pods : &on_node->attachments;
    if (begins)
        ++*count;
    else if (YK_ASSERT(*count > 0))
        --*count;
    bool changes = *count == (begins ? 1 : 0);
    drop_unused_handle(volumes, node, on_node);
    /* Pods are woken after an addition, too: a pod that uses the same volume needs no further attachment on
     * the node. */
    if (changes)
        yk__wake_for_limits(volumes, node);
    drop_if_empty(volumes, node);
}

void yk__node_count_pods(struct yk_volumes *volumes, yk_name node, struct yk__handle *handle, bool begins)
{
    count_handle(volumes, node, handle, true, begins);
}

/* ---- attachments ---- */

static struct yk__handle *handle_of(struct yk_volumes *volumes, const struct yk__attachment *attachment)
{
    const struct yk__volume *volume = attachment->volume;
    bool counts = attachment->object != NULL && !yk_str_empty(attachment->object->attacher) &&
                  volume != NULL && volume->object != NULL && volume->object->source.csi_driver.p != NULL;
    return counts ? yk__handle_hold(volumes, attachment->object->attacher, volume->object->source.csi_handle)
                  : NULL;
}

void yk__attachment_refresh(struct yk_volumes *volumes, struct yk__attachment *attachment)
{
    struct yk__handle *handle = handle_of(volumes, attachment);
    struct yk__handle *before = attachment->handle;
    if (handle != before && handle != NULL)
        count_handle(volumes, attachment->node, handle, false, true);
    if (handle != before && before != NULL)
        count_handle(volumes, attachment->node, before, false, false);
    attachment->handle = handle;
    yk__handle_put(volumes, before);
}

void yk__attachment_free(struct yk_volumes *volumes, struct yk__attachment *attachment)
{
    attachment->object = NULL;
    yk__attachment_refresh(volumes, attachment);
    if (attachment->volume != NULL)
        yk_list_remove(&attachment->in_volume);
    yk__volume_put(volumes, attachment->volume);
    yk_name_put(attachment->node);
    free(attachment);
}

static struct yk__attachment *attachment_new(struct yk_volumes *volumes,
                                             const struct yk_volume_attachment *object)
{
    struct yk__attachment *attachment = yk_new0(struct yk__attachment);
    attachment->object = object;
    attachment->node = yk_name_get(object->node_name);
    if (object->volume_name.p != NULL) {
        attachment->volume = yk__volume_hold(volumes, object->volume_name);
        yk_list_append(&attachment->volume->attachments, &attachment->in_volume);
    }
    yk__attachment_refresh(volumes, attachment);
    return attachment;
}

void yk_volume_attachment_changed(struct yk_volumes *volumes, const struct yk_volume_attachment *before,
                                  const struct yk_volume_attachment *after)
{
    const struct yk_object *object = after != NULL ? &after->object : &before->object;
    struct yk__attachment *gone = yk_strmap_remove(&volumes->attachments, object->name);
    if (after != NULL)
        (void)yk_strmap_put(&volumes->attachments, object->name, attachment_new(volumes, after)); /* is new */
    if (gone != NULL)
        yk__attachment_free(volumes, gone);
}

/* ---- disks that pods name themselves ---- */

static void disk_begins(struct yk__node_volumes *node, const struct yk__disk *disk)
{
    for (uint32_t i = 0; i < node->disk_count; i++) {
        if (node->disks[i].disk == disk) {
            node->disks[i].pods++;
            return;
        }
    }
    if (node->disk_count == node->disk_capacity) {
        node->disk_capacity = node->disk_capacity > 0 ? node->disk_capacity * 2 : 4;
        node->disks = yk_realloc_array(node->disks, node->disk_capacity, sizeof(*node->disks));
    }
    node->disks[node->disk_count++] = (struct yk__node_disk){disk, 1};
}

static void disk_ends(struct yk__node_volumes *node, const struct yk__disk *disk)
{
    uint32_t at = 0;
    while (at < node->disk_count && node->disks[at].disk != disk)
        at++;
    if (YK_ASSERT(at < node->disk_count) && --node->disks[at].pods == 0)
        node->disks[at] = node->disks[--node->disk_count];
}

void yk__node_count_disk(struct yk_volumes *volumes, yk_name name, const struct yk__disk *disk, bool begins)
{
    struct yk__node_volumes *node = node_for(volumes, name);
    if (begins)
        disk_begins(node, disk);
    else
        disk_ends(node, disk);
    if (!begins)
        yk__wake_for_disks(volumes, node);
    drop_if_empty(volumes, node);
}
