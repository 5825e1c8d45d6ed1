/* SPDX-License-Identifier: Apache-2.0 */
/* Records of storage classes, CSI drivers, handles and storage capacities. */
#include "volumes/volumes_priv.h"

/* ---- buckets ---- */

static int by_capacity(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct yk__volume *one = YK_CONTAINER(a, struct yk__volume, in_bucket);
    const struct yk__volume *other = YK_CONTAINER(b, struct yk__volume, in_bucket);
    if (one->capacity != other->capacity)
        return one->capacity < other->capacity ? -1 : 1;
    return strcmp(yk_name_text(one->name), yk_name_text(other->name));
}

static uint64_t label_key(struct yk_label label)
{
    return (uint64_t)label.key.id << 32 | label.value.id;
}

/* Counts one more item in buckets of that label key. False: the item belongs to the bucket without a label,
 * because it requires no label, or because there are too many keys. */
static bool hold_key(struct yk__buckets *buckets, yk_name key)
{
    int free_at = -1;
    for (int i = 0; i < YK__BUCKET_KEYS_MAX; i++) {
        if (buckets->counts[i] > 0 && yk_name_eq(buckets->keys[i], key)) {
            buckets->counts[i]++;
            return true;
        }
        if (buckets->counts[i] == 0)
            free_at = i;
    }
    if (key.id == 0 || free_at < 0)
        return false;
    buckets->keys[free_at] = yk_name_ref(key);
    buckets->counts[free_at] = 1;
    return true;
}

struct yk__bucket *yk__bucket_for(struct yk__buckets *buckets, struct yk_label bucket_key,
                                  struct yk_label *ret_bucket_key)
{
    *ret_bucket_key = (struct yk_label){YK_NO_NAME, YK_NO_NAME};
    if (hold_key(buckets, bucket_key.key))
        *ret_bucket_key = (struct yk_label){yk_name_ref(bucket_key.key), yk_name_ref(bucket_key.value)};
    struct yk__bucket *bucket = yk_idmap_get(&buckets->by_label, label_key(*ret_bucket_key));
    if (bucket == NULL) {
        bucket = yk_new0(struct yk__bucket);
        bucket->tree.order = by_capacity;
        (void)yk_idmap_put(&buckets->by_label, label_key(*ret_bucket_key), bucket); /* is new */
    }
    return bucket;
}

static void bucket_free(struct yk__bucket *bucket)
{
    yk_vec_done(&bucket->items);
    free(bucket);
}

void yk__bucket_left(struct yk__buckets *buckets, struct yk_label *bucket_key)
{
    struct yk__bucket *bucket = yk_idmap_get(&buckets->by_label, label_key(*bucket_key));
    if (YK_ASSERT(bucket != NULL) && bucket->tree.count == 0 && bucket->items.count == 0) {
        (void)yk_idmap_remove(&buckets->by_label, label_key(*bucket_key)); /* was there */
        bucket_free(bucket);
    }
    for (int i = 0; bucket_key->key.id != 0 && i < YK__BUCKET_KEYS_MAX; i++) {
        if (buckets->counts[i] == 0 || !yk_name_eq(buckets->keys[i], bucket_key->key))
            continue;
        if (--buckets->counts[i] == 0)
            yk_name_put(buckets->keys[i]);
        break;
    }
    yk_name_put(bucket_key->key);
    yk_name_put(bucket_key->value);
    *bucket_key = (struct yk_label){YK_NO_NAME, YK_NO_NAME};
}

uint32_t yk__buckets_of(const struct yk__buckets *buckets, const struct yk_cache_node *node,
                        struct yk__bucket *ret[YK__BUCKET_KEYS_MAX + 1])
{
    uint32_t count = 0;
    struct yk__bucket *bucket = yk_idmap_get(&buckets->by_label, 0);
    if (bucket != NULL)
        ret[count++] = bucket;
    for (int i = 0; i < YK__BUCKET_KEYS_MAX; i++) {
        if (buckets->counts[i] == 0)
            continue;
        struct yk_label label = {buckets->keys[i], yk_cache_node_label(node, buckets->keys[i])};
        bucket = label.value.id == 0 ? NULL : yk_idmap_get(&buckets->by_label, label_key(label));
        if (bucket != NULL)
            ret[count++] = bucket;
    }
    return count;
}

static void buckets_done(struct yk__buckets *buckets)
{
    YK_ASSERT(buckets->by_label.count == 0);
    yk_idmap_done(&buckets->by_label);
}

/* ---- drivers and handles ---- */

struct yk__driver *yk__driver_hold(struct yk_volumes *volumes, struct yk_str name)
{
    yk_name key = yk_name_get(name);
    struct yk__driver *driver = yk_idmap_get(&volumes->drivers, key.id);
    if (driver != NULL) {
        yk_name_put(key);
    } else {
        driver = yk_new0(struct yk__driver);
        driver->name = key;
        (void)yk_idmap_put(&volumes->drivers, key.id, driver); /* is new */
    }
    driver->holders++;
    return driver;
}

void yk__driver_put(struct yk_volumes *volumes, struct yk__driver *driver)
{
    if (driver == NULL || --driver->holders > 0 || driver->object != NULL)
        return;
    (void)yk_idmap_remove(&volumes->drivers, driver->name.id); /* was there */
    yk_name_put(driver->name);
    free(driver);
}

struct yk__handle *yk__handle_hold(struct yk_volumes *volumes, struct yk_str driver, struct yk_str handle)
{
    struct yk_buf text = {0};
    yk_buf_str(&text, driver);
    yk_buf_char(&text, '/');
    yk_buf_str(&text, handle);
    yk_name key = yk_name_get(yk_buf_view(&text));
    yk_buf_done(&text);
    struct yk__handle *found = yk_idmap_get(&volumes->handles, key.id);
    if (found != NULL) {
        yk_name_put(key);
        return yk__handle_ref(found);
    }
    found = yk_new0(struct yk__handle);
    found->name = key;
    found->driver = yk__driver_hold(volumes, driver);
    (void)yk_idmap_put(&volumes->handles, key.id, found); /* is new */
    return yk__handle_ref(found);
}

struct yk__handle *yk__handle_ref(struct yk__handle *handle)
{
    handle->holders++;
    return handle;
}

void yk__handle_put(struct yk_volumes *volumes, struct yk__handle *handle)
{
    if (handle == NULL || --handle->holders > 0)
        return;
    (void)yk_idmap_remove(&volumes->handles, handle->name.id); /* was there */
    yk__driver_put(volumes, handle->driver);
    yk_name_put(handle->name);
    free(handle);
}

void yk_csi_driver_changed(struct yk_volumes *volumes, const struct yk_csi_driver *before,
                           const struct yk_csi_driver *after)
{
    const struct yk_object *object = after != NULL ? &after->object : &before->object;
    struct yk__driver *driver = yk__driver_hold(volumes, object->name);
    driver->object = after;
    yk__driver_put(volumes, driver);
    yk__wake_all(volumes, YK_VOLUMES_NO_SPACE | YK_VOLUMES_NO_DRIVER);
}

/* ---- classes ---- */

struct yk__class *yk__class_hold(struct yk_volumes *volumes, struct yk_str name)
{
    yk_name key = yk_name_get(name);
    struct yk__class *class_ = yk_idmap_get(&volumes->classes, key.id);
    if (class_ != NULL) {
        yk_name_put(key);
    } else {
        class_ = yk_new0(struct yk__class);
        class_->name = key;
        yk_list_init(&class_->claims);
        (void)yk_idmap_put(&volumes->classes, key.id, class_); /* is new */
    }
    class_->holders++;
    return class_;
}

void yk__class_put(struct yk_volumes *volumes, struct yk__class *class_)
{
    if (class_ == NULL || --class_->holders > 0 || class_->object != NULL)
        return;
    (void)yk_idmap_remove(&volumes->classes, class_->name.id); /* was there */
    buckets_done(&class_->volumes);
    buckets_done(&class_->capacities);
    yk_name_put(class_->name);
    free(class_);
}

void yk__class_becomes(struct yk_volumes *volumes, struct yk__class *class_,
                       const struct yk_storage_class *object)
{
    struct yk__driver *driver = class_->driver;
    yk_node_terms_done(&class_->allowed);
    class_->object = object;
    class_->is_delayed = class_->provisions = false;
    class_->driver = NULL;
    if (object != NULL) {
        class_->is_delayed = yk_str_is(object->binding_mode, "WaitForFirstConsumer");
        class_->provisions =
            !yk_str_empty(object->provisioner) && !yk_str_is(object->provisioner, YK__NO_PROVISIONER);
        if (!yk_str_empty(object->provisioner))
            class_->driver = yk__driver_hold(volumes, object->provisioner);
        yk_node_terms_of_class(&class_->allowed, object->allowed_topologies, object->allowed_topology_count);
    }
    yk__driver_put(volumes, driver);
}

/* Refreshes all claims in class_->claims. yk__claim_refresh() moves each claim to the end of that list, so
 * the loop uses a list of its own. */
static void refresh_claims(struct yk_volumes *volumes, struct yk__class *class_)
{
    struct yk_list claims;
    yk_list_init(&claims);
    yk_list_splice(&claims, &class_->claims);
    while (!yk_list_empty(&claims))
        yk__claim_refresh(volumes, yk_list_first(&claims, struct yk__claim, in_class));
}

void yk_storage_class_changed(struct yk_volumes *volumes, const struct yk_storage_class *before,
                              const struct yk_storage_class *after)
{
    const struct yk_object *object = after != NULL ? &after->object : &before->object;
    struct yk__class *class_ = yk__class_hold(volumes, object->name);
    yk__class_becomes(volumes, class_, after);
    refresh_claims(volumes, class_);
    yk__wake_class(volumes, class_, YK__ANY_REASON);
    yk__class_put(volumes, class_);
}

/* ---- storage capacities ---- */

void yk__capacity_free(struct yk_volumes *volumes, struct yk__capacity *capacity)
{
    if (capacity->is_usable) {
        struct yk__bucket *bucket =
            yk_idmap_get(&capacity->class_->capacities.by_label, label_key(capacity->bucket_key));
        yk_vec_remove_swap(&bucket->items, yk_vec_find(&bucket->items, capacity));
        yk__bucket_left(&capacity->class_->capacities, &capacity->bucket_key);
    }
    yk_node_terms_done(&capacity->nodes);
    yk__class_put(volumes, capacity->class_);
    free(capacity);
}

static struct yk__capacity *capacity_new(struct yk_volumes *volumes, const struct yk_csi_capacity *object)
{
    struct yk__capacity *capacity = yk_new0(struct yk__capacity);
    capacity->object = object;
    capacity->class_ = yk__class_hold(volumes, object->class_name);
    capacity->is_usable = object->has_topology && (object->has_maximum || object->has_capacity);
    if (!capacity->is_usable)
        return capacity;
    capacity->limit_bytes = yk_quantity_value(object->has_maximum ? object->maximum : object->capacity);
    yk_node_terms_of_selector(&capacity->nodes, &object->topology);
    struct yk_label bucket_key = {YK_NO_NAME, YK_NO_NAME};
    (void)yk_node_terms_bucket_key(&capacity->nodes, &bucket_key); /* YK_NO_NAME: no label is required */
    struct yk__bucket *bucket =
        yk__bucket_for(&capacity->class_->capacities, bucket_key, &capacity->bucket_key);
    yk_vec_append(&bucket->items, capacity);
    return capacity;
}

void yk_csi_capacity_changed(struct yk_volumes *volumes, const struct yk_csi_capacity *before,
                             const struct yk_csi_capacity *after)
{
    if (before != NULL) {
        struct yk__capacity *gone = yk_strmap_remove(&volumes->capacities, before->object.uid);
        if (gone != NULL)
            yk__capacity_free(volumes, gone);
    }
    if (after == NULL || yk_str_empty(after->object.uid))
        return;
    struct yk__capacity *capacity = capacity_new(volumes, after);
    (void)yk_strmap_put(&volumes->capacities, after->object.uid, capacity); /* the former entry was removed */
    yk__wake_class(volumes, capacity->class_, YK_VOLUMES_NO_SPACE);
}
