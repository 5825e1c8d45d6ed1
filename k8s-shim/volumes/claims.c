/* SPDX-License-Identifier: Apache-2.0 */
/* Records of claims and of volumes, and the updates when their objects change. */
#include "volumes/volumes_priv.h"

/* ---- claims ---- */

static yk_name claim_key(struct yk_volumes *volumes, struct yk_str namespace_, struct yk_str name)
{
    yk_buf_clear(&volumes->key);
    yk_buf_str(&volumes->key, namespace_);
    yk_buf_char(&volumes->key, '/');
    yk_buf_str(&volumes->key, name);
    return yk_name_get(yk_buf_view(&volumes->key));
}

struct yk__claim *yk__claim_hold(struct yk_volumes *volumes, struct yk_str namespace_, struct yk_str name)
{
    yk_name key = claim_key(volumes, namespace_, name);
    struct yk__claim *claim = yk_idmap_get(&volumes->claims, key.id);
    if (claim != NULL) {
        yk_name_put(key);
    } else {
        claim = yk_new0(struct yk__claim);
        claim->key = key;
        yk_list_init(&claim->in_class);
        yk_list_init(&claim->in_volume);
        yk_list_init(&claim->uses);
        yk_list_init(&claim->items);
        (void)yk_idmap_put(&volumes->claims, key.id, claim); /* is new */
    }
    claim->holders++;
    return claim;
}

void yk__claim_put(struct yk_volumes *volumes, struct yk__claim *claim)
{
    if (claim == NULL || --claim->holders > 0 || claim->object != NULL)
        return;
    (void)yk_idmap_remove(&volumes->claims, claim->key.id); /* was there */
    yk_vec_done(&claim->volumes);
    yk_idmap_done(&claim->on_node);
    yk_name_put(claim->key);
    free(claim);
}

bool yk__claim_is_bound(const struct yk__claim *claim)
{
    return claim->volume != NULL && claim->is_completed;
}

bool yk__claim_is_delayed(const struct yk__claim *claim)
{
    return claim->volume == NULL && claim->class_ != NULL && claim->class_->is_delayed;
}

yk_name yk__claim_selected_node(const struct yk__claim *claim)
{
    return claim->selected_node.id != 0 ? claim->selected_node : claim->assumed_node;
}

/* The handle that nodes count for the claim, with a reference; NULL: nothing is counted. If the volume of the
 * claim does not exist yet, the handle stands for the volume that the class will provision. */
static struct yk__handle *handle_of(struct yk_volumes *volumes, const struct yk__claim *claim,
                                    bool *ret_migrated)
{
    *ret_migrated = false;
    if (claim->object == NULL)
        return NULL;
    if (claim->volume != NULL && claim->volume->object != NULL) {
        *ret_migrated = claim->volume->handle_is_migrated;
        return claim->volume->handle == NULL ? NULL : yk__handle_ref(claim->volume->handle);
    }
    if (claim->class_ == NULL || claim->class_->object == NULL || claim->class_->driver == NULL)
        return NULL;
    struct yk_str provisioner = claim->class_->object->provisioner;
    enum yk__in_tree kind = yk__in_tree_of_plugin(provisioner);
    *ret_migrated = kind != YK__IN_TREE_NONE;
    /* "\001" makes the text different from the volume handles of all drivers. */
    yk_buf_clear(&volumes->key);
    yk_buf_text(&volumes->key, "\001");
    yk_buf_text(&volumes->key, yk_name_text(claim->key));
    return yk__handle_hold(volumes, *ret_migrated ? yk__in_tree_driver(kind) : provisioner,
                           yk_buf_view(&volumes->key));
}

/* Adds one use of the handle (`begins`), or removes one, on each node that has a pod with the claim. */
static void count_everywhere(struct yk_volumes *volumes, struct yk__claim *claim, struct yk__handle *handle,
                             bool begins)
{
    for (size_t i = 0; claim->on_node.count > 0 && i <= claim->on_node.mask; i++) {
        if (claim->on_node.slots[i].value != NULL)
            yk__node_count_pods(volumes, (yk_name){(uint32_t)claim->on_node.slots[i].key}, handle, begins);
    }
}

static void refresh_handle(struct yk_volumes *volumes, struct yk__claim *claim)
{
    struct yk__handle *handle = handle_of(volumes, claim, &claim->handle_is_migrated);
    struct yk__handle *before = claim->handle;
    if (handle != before && handle != NULL)
        count_everywhere(volumes, claim, handle, true);
    if (handle != before && before != NULL)
        count_everywhere(volumes, claim, before, false);
    claim->handle = handle;
    yk__handle_put(volumes, before);
}

void yk__claim_refresh(struct yk_volumes *volumes, struct yk__claim *claim)
{
    bool has_volume = claim->volume != NULL && claim->volume->object != NULL;
    bool waits = claim->object != NULL && claim->class_ != NULL && !has_volume;
    if (yk_list_linked(&claim->in_class))
        yk_list_remove(&claim->in_class);
    if (waits)
        yk_list_append(&claim->class_->claims, &claim->in_class);
    refresh_handle(volumes, claim);
    struct yk_list *at;
    for (at = claim->uses.next; at != &claim->uses; at = at->next)
        YK_CONTAINER(at, struct yk__claim_use, in_claim)->user->is_sorted = false;
}

static struct yk_str class_name_of(const struct yk_object *object, struct yk_str name)
{
    struct yk_str old = yk__annotation(object, YK_ANNOTATION_STORAGE_CLASS);
    return old.p != NULL ? old : name;
}

static struct yk__class *class_of(struct yk_volumes *volumes, const struct yk_object *object,
                                  struct yk_str name)
{
    struct yk_str class_name = class_name_of(object, name);
    return yk_str_empty(class_name) ? NULL : yk__class_hold(volumes, class_name);
}

static bool has_mode(const struct yk_str *modes, uint32_t count, const char *mode)
{
    for (uint32_t i = 0; i < count; i++) {
        if (yk_str_is(modes[i], mode))
            return true;
    }
    return false;
}

static bool storage_in(const struct yk_amounts *amounts, yk_quantity *ret)
{
    *ret = 0;
    for (uint32_t i = 0; i < amounts->count; i++) {
        if (!yk_str_is(amounts->items[i].name, YK__STORAGE))
            continue;
        *ret = amounts->items[i].quantity;
        return true;
    }
    return false;
}

static void claim_read(struct yk_volumes *volumes, struct yk__claim *claim,
                       const struct yk_volume_claim *object)
{
    claim->object = object;
    if (object == NULL)
        return;
    claim->is_completed = yk__annotation(&object->object, YK_ANNOTATION_BIND_COMPLETED).p != NULL;
    claim->once_per_pod = has_mode(object->access_modes, object->access_mode_count, "ReadWriteOncePod");
    claim->has_request = storage_in(&object->requests, &claim->request);
    struct yk_str node = yk__annotation(&object->object, YK_ANNOTATION_SELECTED_NODE);
    claim->selected_node = node.p == NULL ? YK_NO_NAME : yk_name_get(node);
    claim->class_ = class_of(volumes, &object->object, object->class_name);
    if (!yk_str_empty(object->volume_name)) {
        claim->volume = yk__volume_hold(volumes, object->volume_name);
        yk_list_append(&claim->volume->claims, &claim->in_volume);
    }
}

/* Clears what was read from the object. The caller gives back the references to `*ret_class` and
 * `*ret_volume`, which may be NULL. */
static void claim_unread(struct yk__claim *claim, struct yk__class **ret_class,
                         struct yk__volume **ret_volume)
{
    *ret_class = claim->class_;
    *ret_volume = claim->volume;
    if (yk_list_linked(&claim->in_class))
        yk_list_remove(&claim->in_class);
    if (yk_list_linked(&claim->in_volume))
        yk_list_remove(&claim->in_volume);
    yk_name_put(claim->selected_node);
    claim->selected_node = YK_NO_NAME;
    claim->class_ = NULL;
    claim->volume = NULL;
    claim->is_completed = claim->once_per_pod = claim->has_request = false;
    claim->request = 0;
}

void yk__claim_becomes(struct yk_volumes *volumes, struct yk__claim *claim,
                       const struct yk_volume_claim *after)
{
    struct yk__class *class_;
    struct yk__volume *volume;
    claim_unread(claim, &class_, &volume);
    claim_read(volumes, claim, after);
    yk__claim_refresh(volumes, claim);
    yk__class_put(volumes, class_);
    yk__volume_put(volumes, volume);
    yk__notify_claim_plans(claim);
    yk__wake_claim(volumes, claim, YK__ANY_REASON);
}

void yk_volume_claim_changed(struct yk_volumes *volumes, const struct yk_volume_claim *before,
                             const struct yk_volume_claim *after)
{
    const struct yk_object *object = after != NULL ? &after->object : &before->object;
    struct yk__claim *claim = yk__claim_hold(volumes, object->namespace_, object->name);
    yk__claim_becomes(volumes, claim, after);
    yk__claim_put(volumes, claim);
}

/* ---- volumes ---- */

struct yk__volume *yk__volume_hold(struct yk_volumes *volumes, struct yk_str name)
{
    yk_name key = yk_name_get(name);
    struct yk__volume *volume = yk_idmap_get(&volumes->volumes, key.id);
    if (volume != NULL) {
        yk_name_put(key);
    } else {
        volume = yk_new0(struct yk__volume);
        volume->name = key;
        yk_list_init(&volume->claims);
        yk_list_init(&volume->attachments);
        yk_list_init(&volume->items);
        (void)yk_idmap_put(&volumes->volumes, key.id, volume); /* is new */
    }
    volume->holders++;
    return volume;
}

void yk__volume_put(struct yk_volumes *volumes, struct yk__volume *volume)
{
    if (volume == NULL || --volume->holders > 0 || volume->object != NULL)
        return;
    (void)yk_idmap_remove(&volumes->volumes, volume->name.id); /* was there */
    yk_name_put(volume->name);
    free(volume);
}

static void compile(struct yk__volume *volume)
{
    const struct yk_volume *object = volume->object;
    if (volume->is_compiled || !YK_ASSERT(object != NULL))
        return;
    volume->is_compiled = true;
    if (object->has_required_affinity)
        yk_node_terms_of_volume(&volume->affinity, object->required_terms, object->required_term_count);
    else
        volume->affinity.is_any = true;
    enum yk__in_tree kind = yk__in_tree_of(&object->source);
    if (kind == YK__IN_TREE_NONE || !yk__in_tree_affinity(kind, object, &volume->translated))
        volume->translated.is_any = true;
}

bool yk__volume_reaches(struct yk_volumes *volumes, struct yk__volume *volume,
                        const struct yk_cache_node *node, bool translated)
{
    compile(volume);
    enum yk__in_tree kind = translated ? yk__in_tree_of(&volume->object->source) : YK__IN_TREE_NONE;
    if (kind == YK__IN_TREE_NONE)
        return yk_node_terms_match(&volume->affinity, node);
    const struct yk__node_volumes *known = yk__node_volumes(volumes, node->name);
    bool is_migrated = known != NULL && (known->migrated & 1u << kind) != 0;
    return yk_node_terms_match(is_migrated ? &volume->translated : &volume->affinity, node);
}

static void leave_bucket(struct yk__volume *volume)
{
    if (volume->bucket == NULL)
        return;
    yk_tree_remove(&volume->bucket->tree, &volume->in_bucket);
    volume->bucket = NULL;
    yk__bucket_left(&volume->class_->volumes, &volume->bucket_key);
}

static bool is_free(const struct yk__volume *volume)
{
    return volume->object != NULL && volume->class_ != NULL && volume->claim == NULL &&
           !volume->object->object.deleting && yk_str_is(volume->object->phase, "Available");
}

static void enter_bucket(struct yk__volume *volume)
{
    if (volume->bucket != NULL || !is_free(volume))
        return;
    compile(volume);
    struct yk_label bucket_key = {YK_NO_NAME, YK_NO_NAME};
    (void)yk_node_terms_bucket_key(&volume->affinity, &bucket_key); /* YK_NO_NAME: no label is required */
    volume->bucket = yk__bucket_for(&volume->class_->volumes, bucket_key, &volume->bucket_key);
    yk_tree_insert(&volume->bucket->tree, &volume->in_bucket);
}

static int by_name(const void *a, const void *b)
{
    const struct yk__volume *one = a, *other = b;
    return strcmp(yk_name_text(one->name), yk_name_text(other->name));
}

/* Makes `claim` the claim of the volume, which has no claim yet. */
static void promise(struct yk__volume *volume, struct yk__claim *claim)
{
    volume->claim = claim;
    claim->holders++;
    yk_vec_append(&claim->volumes, volume);
    if (claim->volumes.count > 1)
        yk_vec_sort(&claim->volumes, by_name);
}

static void break_promise(struct yk_volumes *volumes, struct yk__volume *volume)
{
    struct yk__claim *claim = volume->claim;
    if (claim == NULL)
        return;
    size_t at = yk_vec_find(&claim->volumes, volume);
    if (YK_ASSERT(at != SIZE_MAX))
        yk_vec_remove(&claim->volumes, at);
    volume->claim = NULL;
    yk__claim_put(volumes, claim);
}

bool yk__volume_is_for(const struct yk__volume *volume, const struct yk__claim *claim)
{
    if (volume->claim != claim || claim->object == NULL)
        return false;
    struct yk_str uid = volume->object->has_claim ? volume->object->claim.uid : (struct yk_str){0};
    return yk_str_empty(uid) || yk_str_eq(uid, claim->object->object.uid);
}

static bool names_claim(const struct yk_volume *object)
{
    return object != NULL && object->has_claim;
}

void yk__volume_assume(struct yk__volume *volume, struct yk__claim *claim)
{
    volume->assumed_count++;
    if (volume->claim == claim)
        return;
    leave_bucket(volume);
    promise(volume, claim);
}

static void volume_handle(struct yk_volumes *volumes, struct yk__volume *volume)
{
    const struct yk_volume_source *source = &volume->object->source;
    volume->handle_is_migrated = false;
    volume->handle = NULL;
    if (source->csi_driver.p != NULL) {
        if (!yk_str_empty(source->csi_driver) && !yk_str_empty(source->csi_handle))
            volume->handle = yk__handle_hold(volumes, source->csi_driver, source->csi_handle);
        return;
    }
    enum yk__in_tree kind = yk__in_tree_of(source);
    yk_buf_clear(&volumes->key);
    if (kind == YK__IN_TREE_NONE ||
        !yk__in_tree_handle(kind, source, &volume->object->object.labels, &volumes->key) ||
        volumes->key.len == 0)
        return;
    volume->handle_is_migrated = true;
    volume->handle = yk__handle_hold(volumes, yk__in_tree_driver(kind), yk_buf_view(&volumes->key));
}

static void volume_unread(struct yk__volume *volume)
{
    leave_bucket(volume);
    yk_node_terms_done(&volume->affinity);
    yk_node_terms_done(&volume->translated);
    yk__zones_clear(volume);
    volume->is_compiled = false;
}

/* The claim to which the volume belongs, with a reference: the one that its claimRef names, or else the one
 * of the first plan that gives the volume away. NULL: there is none. If the claimRef names another claim than
 * a plan, the binder gives that plan up. */
static struct yk__claim *promised_to(struct yk_volumes *volumes, const struct yk__volume *volume)
{
    if (names_claim(volume->object)) {
        const struct yk_object_ref *ref = &volume->object->claim;
        return yk__claim_hold(volumes, ref->namespace_, ref->name);
    }
    if (volume->assumed_count == 0 || volume->object == NULL || yk_list_empty(&volume->items))
        return NULL;
    struct yk__claim *claim = yk_list_first(&volume->items, struct yk__plan_item, in_volume)->claim;
    claim->holders++;
    return claim;
}

/* Sets the claim of the volume after its object or its plans have changed. */
static void follow_promise(struct yk_volumes *volumes, struct yk__volume *volume)
{
    struct yk__claim *claim = promised_to(volumes, volume);
    break_promise(volumes, volume);
    if (claim != NULL)
        promise(volume, claim);
    yk__claim_put(volumes, claim);
}

void yk__volume_unassume(struct yk_volumes *volumes, struct yk__volume *volume)
{
    if (!YK_ASSERT(volume->assumed_count > 0))
        return;
    volume->assumed_count--;
    if (names_claim(volume->object))
        return;
    follow_promise(volumes, volume);
    enter_bucket(volume);
    if (volume->bucket != NULL)
        yk__wake_class(volumes, volume->class_, YK__ANY_REASON);
    else if (volume->claim != NULL)
        yk__wake_claim(volumes, volume->claim, YK__ANY_REASON);
}

static void refresh_users(struct yk_volumes *volumes, struct yk__volume *volume)
{
    struct yk_list *at;
    for (at = volume->claims.next; at != &volume->claims; at = at->next) {
        struct yk__claim *claim = YK_CONTAINER(at, struct yk__claim, in_volume);
        yk__claim_refresh(volumes, claim);
        yk__notify_claim_plans(claim);
        yk__wake_claim(volumes, claim, YK__ANY_REASON);
    }
    for (at = volume->attachments.next; at != &volume->attachments; at = at->next)
        yk__attachment_refresh(volumes, YK_CONTAINER(at, struct yk__attachment, in_volume));
}

void yk__volume_becomes(struct yk_volumes *volumes, struct yk__volume *volume, const struct yk_volume *object)
{
    struct yk__class *class_ = volume->class_;
    struct yk__handle *handle = volume->handle;
    volume_unread(volume);
    volume->object = object;
    volume->class_ = NULL;
    volume->handle = NULL;
    volume->capacity = 0;
    if (object != NULL) {
        (void)storage_in(&object->capacity, &volume->capacity); /* 0 if it has none */
        volume->class_ = class_of(volumes, &object->object, object->class_name);
        volume_handle(volumes, volume);
    }
    follow_promise(volumes, volume);
    enter_bucket(volume);
    refresh_users(volumes, volume);
    yk__handle_put(volumes, handle);
    yk__class_put(volumes, class_);
}

void yk_volume_changed(struct yk_volumes *volumes, const struct yk_volume *before,
                       const struct yk_volume *after)
{
    const struct yk_object *object = after != NULL ? &after->object : &before->object;
    struct yk__volume *volume = yk__volume_hold(volumes, object->name);
    if (volume->claim != NULL)
        yk__wake_claim(volumes, volume->claim, YK__ANY_REASON);
    yk__volume_becomes(volumes, volume, after);
    if (volume->claim != NULL)
        yk__wake_claim(volumes, volume->claim, YK__ANY_REASON);
    if (volume->bucket != NULL)
        yk__wake_class(volumes, volume->class_, YK__ANY_REASON);
    yk__notify_volume_plans(volume);
    yk__volume_put(volumes, volume);
}
