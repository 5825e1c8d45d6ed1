/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of the claims and disks of pods (struct yk_pod_volumes). Pods with the same claims and disks
 * share one. */
#include "volumes/volumes_priv.h"

/* ---- the key ---- */

static void add_text(struct yk_buf *key, struct yk_str text)
{
    uint32_t len = (uint32_t)text.len;
    yk_buf_add(key, &len, sizeof(len));
    yk_buf_str(key, text);
}

static bool names_old_disk(const struct yk_volume_source *source)
{
    return source->gce_disk.p != NULL || source->ebs_volume.p != NULL || source->iscsi_iqn.p != NULL ||
           source->rbd_image.p != NULL;
}

static bool is_claim(const struct yk_pod_volume *volume)
{
    return volume->has_claim || volume->is_ephemeral;
}

/* Whether a filter looks at the volume. */
static bool matters(const struct yk_pod_volume *volume)
{
    return is_claim(volume) || names_old_disk(&volume->source) ||
           yk__in_tree_of(&volume->source) != YK__IN_TREE_NONE;
}

static void add_source(struct yk_buf *key, const struct yk_volume_source *source)
{
    const struct yk_str texts[] = {source->gce_disk,      source->ebs_volume,     source->iscsi_iqn,
                                   source->rbd_pool,      source->rbd_image,      source->azure_disk_uri,
                                   source->cinder_volume, source->portworx_volume};
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        yk_buf_char(key, texts[i].p != NULL ? '+' : '-');
        add_text(key, texts[i]);
    }
    yk_buf_char(
        key, (char)('0' + source->gce_read_only + 2 * source->iscsi_read_only + 4 * source->rbd_read_only));
    for (uint32_t i = 0; i < source->rbd_monitor_count; i++)
        add_text(key, source->rbd_monitors[i]);
}

void yk_pod_volumes_key(struct yk_buf *key, const struct yk_pod *pod)
{
    bool any_claim = false, any_ephemeral = false;
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        if (!matters(volume))
            continue;
        yk_buf_char(key, volume->has_claim ? 'c' : volume->is_ephemeral ? 'e' : 's');
        if (is_claim(volume))
            add_text(key, volume->has_claim ? volume->claim_name : volume->name);
        else
            add_source(key, &volume->source);
        any_claim = any_claim || is_claim(volume);
        any_ephemeral = any_ephemeral || (volume->is_ephemeral && !volume->has_claim);
    }
    if (any_claim)
        add_text(key, pod->object.namespace_);
    if (any_ephemeral) {
        add_text(key, pod->object.name);
        add_text(key, pod->object.uid);
    }
}

/* ---- reading ---- */

static void add_use(struct yk_volumes *volumes, struct yk_pod_volumes *to, const struct yk_pod *pod,
                    const struct yk_pod_volume *volume)
{
    struct yk_buf name = {0};
    if (!volume->has_claim) {
        yk_buf_str(&name, pod->object.name);
        yk_buf_char(&name, '-');
        yk_buf_str(&name, volume->name);
    }
    struct yk__claim *claim = yk__claim_hold(volumes, pod->object.namespace_,
                                             volume->has_claim ? volume->claim_name : yk_buf_view(&name));
    yk_buf_done(&name);
    struct yk__claim_use *use = NULL;
    for (uint32_t i = 0; i < to->use_count && use == NULL; i++) {
        if (to->uses[i].claim == claim)
            use = &to->uses[i];
    }
    if (use != NULL) {
        yk__claim_put(volumes, claim);
    } else {
        use = &to->uses[to->use_count++];
        *use = (struct yk__claim_use){.user = to, .claim = claim};
    }
    use->by_name = use->by_name || volume->has_claim;
    use->is_ephemeral = use->is_ephemeral || !volume->has_claim;
}

static void add_monitors(struct yk__disk *disk, const struct yk_volume_source *source)
{
    if (source->rbd_monitor_count == 0)
        return;
    disk->monitors = yk_new0_array(yk_name, source->rbd_monitor_count);
    for (uint32_t i = 0; i < source->rbd_monitor_count; i++)
        disk->monitors[i] = yk_name_get(source->rbd_monitors[i]);
    disk->monitor_count = source->rbd_monitor_count;
}

static void add_disk(struct yk_pod_volumes *to, const struct yk_volume_source *source)
{
    struct yk__disk *disk = &to->disks[to->disk_count++];
    if (source->gce_disk.p != NULL) {
        *disk = (struct yk__disk){YK__DISK_GCE, source->gce_read_only, .name = yk_name_get(source->gce_disk)};
    } else if (source->ebs_volume.p != NULL) {
        *disk = (struct yk__disk){YK__DISK_EBS, false, .name = yk_name_get(source->ebs_volume)};
    } else if (source->iscsi_iqn.p != NULL) {
        *disk = (struct yk__disk){YK__DISK_ISCSI, source->iscsi_read_only,
                                  .name = yk_name_get(source->iscsi_iqn)};
    } else {
        *disk = (struct yk__disk){YK__DISK_RBD, source->rbd_read_only, .name = yk_name_get(source->rbd_pool)};
        disk->image = yk_name_get(source->rbd_image);
        add_monitors(disk, source);
    }
}

/* Adds the handle of an in-tree volume that the pod names itself: a CSI driver attaches the volume. */
static void add_handle(struct yk_volumes *volumes, struct yk_pod_volumes *to,
                       const struct yk_volume_source *source)
{
    enum yk__in_tree kind = yk__in_tree_of(source);
    yk_buf_clear(&volumes->key);
    if (kind == YK__IN_TREE_NONE || !yk__in_tree_handle(kind, source, NULL, &volumes->key))
        return;
    struct yk__handle *handle =
        yk__handle_hold(volumes, yk__in_tree_driver(kind), yk_buf_view(&volumes->key));
    to->handles[to->handle_count++] = handle;
}

static void read_volumes(struct yk_volumes *volumes, struct yk_pod_volumes *to, const struct yk_pod *pod)
{
    to->uses = yk_new0_array(struct yk__claim_use, pod->volume_count);
    to->disks = yk_new0_array(struct yk__disk, pod->volume_count);
    to->handles = yk_new0_array(struct yk__handle *, pod->volume_count);
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        if (is_claim(volume)) {
            add_use(volumes, to, pod, volume);
            continue;
        }
        if (names_old_disk(&volume->source))
            add_disk(to, &volume->source);
        add_handle(volumes, to, &volume->source);
    }
}

/* Shrinks an owned array, which was made for all volumes of the pod, to its `count` items. */
static void *shrunk(void *items, uint32_t count, size_t item_bytes)
{
    if (count > 0)
        return yk_realloc_array(items, count, item_bytes);
    free(items);
    return NULL;
}

static void settle(struct yk_pod_volumes *to, const struct yk_pod *pod)
{
    bool any_ephemeral = false;
    to->uses = shrunk(to->uses, to->use_count, sizeof(*to->uses));
    to->disks = shrunk(to->disks, to->disk_count, sizeof(*to->disks));
    to->handles = shrunk(to->handles, to->handle_count, sizeof(struct yk__handle *));
    for (uint32_t i = 0; i < to->use_count; i++) {
        yk_list_append(&to->uses[i].claim->uses, &to->uses[i].in_claim);
        any_ephemeral = any_ephemeral || to->uses[i].is_ephemeral;
    }
    if (!any_ephemeral)
        return;
    to->pod = yk_object_key(pod->object.namespace_, pod->object.name);
    to->pod_uid = yk_str_dup(pod->object.uid);
}

static struct yk_pod_volumes *pod_volumes_new(struct yk_volumes *volumes, const struct yk_pod *pod,
                                              struct yk_str key)
{
    struct yk_pod_volumes *made = yk_new0(struct yk_pod_volumes);
    yk_list_init(&made->in_refused);
    yk_list_init(&made->in_woken);
    yk_list_init(&made->followers);
    made->key = yk_str_dup(key);
    made->key_len = key.len;
    read_volumes(volumes, made, pod);
    settle(made, pod);
    (void)yk_strmap_put(&volumes->pod_volumes, (struct yk_str){made->key, made->key_len}, made); /* is new */
    return made;
}

struct yk_pod_volumes *yk_pod_volumes_get(struct yk_volumes *volumes, const struct yk_pod *pod)
{
    if (pod->volume_count == 0)
        return NULL;
    struct yk_buf key = {0};
    struct yk_pod_volumes *found = NULL;
    yk_pod_volumes_key(&key, pod);
    if (key.len > 0) {
        found = yk_strmap_get(&volumes->pod_volumes, yk_buf_view(&key));
        found = yk_pod_volumes_ref(found != NULL ? found : pod_volumes_new(volumes, pod, yk_buf_view(&key)));
    }
    yk_buf_done(&key);
    return found;
}

bool yk_pod_volumes_are_of(const struct yk_pod_volumes *pod_volumes, const struct yk_pod *pod)
{
    struct yk_buf key = {0};
    if (pod->volume_count > 0)
        yk_pod_volumes_key(&key, pod);
    bool same = yk_str_eq(yk_buf_view(&key), (struct yk_str){pod_volumes->key, pod_volumes->key_len});
    yk_buf_done(&key);
    return same;
}

struct yk_pod_volumes *yk_pod_volumes_ref(struct yk_pod_volumes *pod_volumes)
{
    if (pod_volumes != NULL)
        pod_volumes->holders++;
    return pod_volumes;
}

static void disk_done(struct yk__disk *disk)
{
    yk_name_put(disk->name);
    yk_name_put(disk->image);
    for (uint32_t i = 0; i < disk->monitor_count; i++)
        yk_name_put(disk->monitors[i]);
    free(disk->monitors);
}

static void pod_volumes_free(struct yk_volumes *volumes, struct yk_pod_volumes *gone)
{
    (void)yk_strmap_remove(&volumes->pod_volumes, (struct yk_str){gone->key, gone->key_len}); /* was there */
    yk_list_remove(&gone->in_refused);
    yk_list_remove(&gone->in_woken);
    for (uint32_t i = 0; i < gone->use_count; i++) {
        yk_list_remove(&gone->uses[i].in_claim);
        yk__claim_put(volumes, gone->uses[i].claim);
    }
    for (uint32_t i = 0; i < gone->disk_count; i++)
        disk_done(&gone->disks[i]);
    for (uint32_t i = 0; i < gone->handle_count; i++)
        yk__handle_put(volumes, gone->handles[i]);
    free(gone->uses);
    yk_vec_done(&gone->by_size);
    free(gone->disks);
    free(gone->handles);
    free(gone->pod);
    free(gone->pod_uid);
    free(gone->key);
    free(gone);
}

/* Removes the description from `refused`, so that events need not look at it. `known`: references to it that
 * come neither from waiting pods nor from followers. If there are further references, pods may wait: then the
 * description is also woken. */
static void forget_refusals(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t known)
{
    const struct yk_list *at;
    if (volumes->trying > 0 || pod_volumes->refusals == 0)
        return;
    for (at = pod_volumes->followers.next; at != &pod_volumes->followers; at = at->next)
        known++; /* each follower has a reference */
    if (pod_volumes->holders > known) {
        yk__wake(volumes, pod_volumes, YK__ANY_REASON);
        return;
    }
    pod_volumes->refusals = 0;
    yk_list_remove(&pod_volumes->in_refused);
}

void yk_pod_volumes_put(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes)
{
    if (pod_volumes == NULL)
        return;
    if (--pod_volumes->holders == 0)
        pod_volumes_free(volumes, pod_volumes);
    else
        forget_refusals(volumes, pod_volumes, 0);
}

struct yk_list *yk_pod_volumes_followers(struct yk_pod_volumes *pod_volumes)
{
    return &pod_volumes->followers;
}

/* ---- pods on nodes ---- */

/* Counts one more pod (`more`), or one less, that is on a known node and uses the claim. Ignores a claim that
 * the pod does not name (`by_name` false). */
static void in_use_by(struct yk_volumes *volumes, const struct yk__claim_use *use, bool more)
{
    struct yk__claim *claim = use->claim;
    if (!use->by_name)
        return;
    if (!more && !YK_ASSERT(claim->standing > 0))
        return;
    claim->standing += more ? 1 : UINT32_MAX;
    if (!more && claim->standing == 0)
        yk__wake_claim(volumes, claim, YK_VOLUMES_CLAIM_IN_USE);
}

/* Counts that a pod with the claim was placed on the node (`begins`), or leaves it. */
static void claim_stands(struct yk_volumes *volumes, const struct yk__claim_use *use, yk_name node,
                         bool begins)
{
    struct yk__claim *claim = use->claim;
    uintptr_t there = (uintptr_t)yk_idmap_get(&claim->on_node, node.id);
    if (!begins && !YK_ASSERT(there > 0))
        return;
    there += begins ? 1 : (uintptr_t)-1;
    if (there > 0)
        (void)yk_idmap_put(&claim->on_node, node.id, (void *)there); /* replaces the count */
    else
        (void)yk_idmap_remove(&claim->on_node, node.id); /* was there */
    if (claim->handle != NULL && there == (begins ? 1 : 0))
        yk__node_count_pods(volumes, node, claim->handle, begins);
    in_use_by(volumes, use, begins);
}

void yk_volumes_pod_on_node(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, yk_name node,
                            bool begins)
{
    for (uint32_t i = 0; pod_volumes != NULL && i < pod_volumes->use_count; i++)
        claim_stands(volumes, &pod_volumes->uses[i], node, begins);
    for (uint32_t i = 0; pod_volumes != NULL && i < pod_volumes->handle_count; i++)
        yk__node_count_pods(volumes, node, pod_volumes->handles[i], begins);
    for (uint32_t i = 0; pod_volumes != NULL && i < pod_volumes->disk_count; i++)
        yk__node_count_disk(volumes, node, &pod_volumes->disks[i], begins);
    if (pod_volumes != NULL && begins)
        forget_refusals(volumes, pod_volumes, 1);
}

void yk_volumes_pod_hidden(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, bool hidden)
{
    for (uint32_t i = 0; pod_volumes != NULL && i < pod_volumes->use_count; i++)
        in_use_by(volumes, &pod_volumes->uses[i], !hidden);
}
