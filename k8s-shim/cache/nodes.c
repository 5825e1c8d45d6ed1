/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "cache/cache_priv.h"
#include "cache/features.h"
#include "cache/pod_size.h"

enum { NODE_NAME_MAX = 253 };

struct yk_cache_node *yk_cache_find_node(const struct yk_cache *cache, struct yk_str name)
{
    struct yk_cache_node *node = yk_strmap_get(&cache->nodes_by_name, name);
    return node != NULL && node->known ? node : NULL;
}

yk_name yk_cache_node_label(const struct yk_cache_node *node, yk_name key)
{
    uint32_t low = 0, high = node->label_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (node->labels[middle].key.id < key.id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < node->label_count && yk_name_eq(node->labels[low].key, key) ? node->labels[low].value
                                                                             : YK_NO_NAME;
}

struct yk_cache_node *yk__node_for(struct yk_cache *cache, struct yk_str name)
{
    struct yk_cache_node *node = yk_strmap_get(&cache->nodes_by_name, name);
    if (node != NULL)
        return node;
    node = yk_new0(struct yk_cache_node);
    node->name = yk_name_get(name);
    node->index = YK_CACHE_NO_INDEX;
    yk_list_init(&node->pods);
    /* replaces nothing */
    (void)yk_strmap_put(&cache->nodes_by_name, yk_str_from(yk_name_text(node->name)), node);
    return node;
}

static void drop_labels(struct yk_label *labels, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        yk_name_put(labels[i].key);
        yk_name_put(labels[i].value);
    }
    free(labels);
}

static void drop_taints(struct yk_cache_taint *taints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        yk_name_put(taints[i].key);
        yk_name_put(taints[i].value);
    }
    free(taints);
}

/* Makes the node a placeholder, which keeps its name and its pods. */
static void forget_description(struct yk_cache *cache, struct yk_cache_node *node)
{
    drop_labels(node->labels, node->label_count);
    drop_taints(node->taints, node->taint_count);
    yk_size_put(&cache->sizes, node->allocatable);
    free(node->uid);
    node->labels = NULL;
    node->taints = NULL;
    node->label_count = node->taint_count = node->features = 0;
    node->allocatable = NULL;
    node->uid = NULL;
    node->known = node->unschedulable = node->registered = node->enabled = false;
}

void yk__node_drop_if_unused(struct yk_cache *cache, struct yk_cache_node *node)
{
    if (node->known || !yk_list_empty(&node->pods))
        return;
    forget_description(cache, node);
    /* the result is the node */
    (void)yk_strmap_remove(&cache->nodes_by_name, yk_str_from(yk_name_text(node->name)));
    yk_name_put(node->name);
    yk_resvec_done(&node->used);
    free(node);
}

static void leave_index(struct yk_cache *cache, struct yk_cache_node *node)
{
    yk_vec_remove_swap(&cache->nodes, node->index);
    if (node->index < cache->nodes.count)
        ((struct yk_cache_node *)cache->nodes.items[node->index])->index = node->index;
    node->index = YK_CACHE_NO_INDEX;
}

static void remove_node(struct yk_cache *cache, struct yk_cache_node *node)
{
    cache->observer->node_removed(cache->observer->context, node);
    leave_index(cache, node);
    forget_description(cache, node);
    yk__node_drop_if_unused(cache, node);
}

static int by_key_id(const void *a, const void *b)
{
    const struct yk_label *x = a, *y = b;
    return x->key.id < y->key.id ? -1 : x->key.id > y->key.id;
}

static struct yk_label *intern_labels(const struct yk_pairs *pairs)
{
    if (pairs->count == 0)
        return NULL;
    struct yk_label *labels = yk_new0_array(struct yk_label, pairs->count);
    for (uint32_t i = 0; i < pairs->count; i++)
        labels[i] = (struct yk_label){yk_name_get(pairs->items[i].key), yk_name_get(pairs->items[i].value)};
    qsort(labels, pairs->count, sizeof(*labels), by_key_id);
    return labels;
}

enum yk_taint_effect yk_taint_effect_of(struct yk_str text)
{
    if (yk_str_is(text, "NoSchedule"))
        return YK_TAINT_NO_SCHEDULE;
    if (yk_str_is(text, "NoExecute"))
        return YK_TAINT_NO_EXECUTE;
    return yk_str_is(text, "PreferNoSchedule") ? YK_TAINT_PREFER_NO_SCHEDULE : YK_TAINT_OTHER;
}

static struct yk_cache_taint *intern_taints(const struct yk_k8s_node *object)
{
    if (object->taint_count == 0)
        return NULL;
    struct yk_cache_taint *taints = yk_new0_array(struct yk_cache_taint, object->taint_count);
    for (uint32_t i = 0; i < object->taint_count; i++) {
        const struct yk_taint *taint = &object->taints[i];
        taints[i] = (struct yk_cache_taint){yk_name_get(taint->key), yk_name_get(taint->value),
                                            yk_taint_effect_of(taint->effect)};
    }
    return taints;
}

static bool same_labels(const struct yk_cache_node *node, const struct yk_label *labels, uint32_t count)
{
    return node->label_count == count &&
           (count == 0 || memcmp(node->labels, labels, count * sizeof(*labels)) == 0);
}

static bool same_taints(const struct yk_cache_node *node, const struct yk_cache_taint *taints, uint32_t count)
{
    if (node->taint_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct yk_cache_taint *a = &node->taints[i], *b = &taints[i];
        if (!yk_name_eq(a->key, b->key) || !yk_name_eq(a->value, b->value) || a->effect != b->effect)
            return false;
    }
    return true;
}

/* Returns YK_CHANGED_ flags. */
static uint32_t describe(struct yk_cache *cache, struct yk_cache_node *node, const struct yk_k8s_node *object)
{
    uint32_t changes = 0;
    struct yk_label *labels = intern_labels(&object->object.labels);
    struct yk_cache_taint *taints = intern_taints(object);
    struct yk_size *size = yk_node_size(&cache->sizes, object);
    uint32_t features = yk_features_declared(object);
    if (!same_labels(node, labels, object->object.labels.count) ||
        !same_taints(node, taints, object->taint_count) || node->features != features)
        changes |= YK_CHANGED_CONSTRAINTS;
    if (node->unschedulable != object->unschedulable)
        changes |= YK_CHANGED_CONSTRAINTS | YK_CHANGED_CORDON;
    if (size != node->allocatable)
        changes |= YK_CHANGED_SIZE;
    drop_labels(node->labels, node->label_count);
    drop_taints(node->taints, node->taint_count);
    yk_size_put(&cache->sizes, node->allocatable);
    node->labels = labels;
    node->label_count = object->object.labels.count;
    node->taints = taints;
    node->taint_count = object->taint_count;
    node->allocatable = size;
    node->unschedulable = object->unschedulable;
    node->features = features;
    return changes;
}

static void add_node(struct yk_cache *cache, const struct yk_k8s_node *object, uint64_t version)
{
    struct yk_cache_node *node = yk__node_for(cache, object->object.name);
    node->uid = yk_str_dup(object->object.uid);
    node->creation_wall_ns = object->object.creation_wall_ns;
    node->version = version;
    node->mark = cache->marks[YK_KIND_NODE];
    node->known = true;
    node->index = (uint32_t)cache->nodes.count;
    yk_vec_append(&cache->nodes, node);
    (void)describe(cache, node, object); /* the flags are not needed: node_added() reports the whole node */
    cache->observer->node_added(cache->observer->context, node);
}

void yk__node_upsert(struct yk_cache *cache, const struct yk_k8s_node *object)
{
    const struct yk_object *meta = &object->object;
    if (meta->name.len == 0 || meta->name.len > NODE_NAME_MAX || meta->uid.p == NULL) {
        cache->refused++;
        yk_warn(yk_log_shim_node, "node with an impossible name or uid is ignored", KV("node", meta->name));
        return;
    }
    struct yk_cache_node *node = yk_cache_find_node(cache, meta->name);
    if (node != NULL && !yk_str_is(meta->uid, node->uid)) {
        remove_node(cache, node); /* deleted and created again, while the watch was interrupted */
        node = NULL;
    }
    uint64_t version = yk__version(meta->resource_version);
    if (node == NULL) {
        add_node(cache, object, version);
        return;
    }
    node->mark = cache->marks[YK_KIND_NODE];
    uint32_t changes = version != node->version ? describe(cache, node, object) : 0;
    node->version = version;
    if (changes != 0)
        cache->observer->node_changed(cache->observer->context, node, changes);
    else
        cache->unchanged++;
}

void yk__node_deleted(struct yk_cache *cache, struct yk_str name)
{
    struct yk_cache_node *node = yk_cache_find_node(cache, name);
    if (node != NULL)
        remove_node(cache, node);
}

static int by_name(const void *a, const void *b)
{
    const struct yk_cache_node *x = a, *y = b;
    return strcmp(yk_name_text(x->name), yk_name_text(y->name));
}

static void remove_all(struct yk_cache *cache, bool marked_too)
{
    struct yk_vec gone = {0};
    struct yk_cache_node *node;
    yk_vec_foreach (node, &cache->nodes) {
        if (marked_too || node->mark != cache->marks[YK_KIND_NODE])
            yk_vec_append(&gone, node);
    }
    yk_vec_sort(&gone, by_name);
    yk_vec_foreach (node, &gone)
        remove_node(cache, node);
    yk_vec_done(&gone);
}

void yk__nodes_sweep(struct yk_cache *cache)
{
    remove_all(cache, false);
}

void yk__nodes_done(struct yk_cache *cache)
{
    remove_all(cache, true);
    yk_vec_done(&cache->nodes);
    yk_strmap_done(&cache->nodes_by_name);
}
