/* SPDX-License-Identifier: Apache-2.0 */
/* The kept kinds, whose objects are stored as they were read: all kinds except pods and nodes. */
#include "base/log.h"
#include "cache/cache_priv.h"
#include "cache/config_merge.h"

static bool is_namespaced(enum yk_kind kind)
{
    return kind == YK_KIND_VOLUME_CLAIM || kind == YK_KIND_CSI_CAPACITY;
}

/* The key of an object in cache->kept. For a disruption budget it is the UID, because budgets are not looked
 * up by name. An empty key means that no object can have this name. `room`: memory for a key that has to be
 * composed. */
static struct yk_str key_of(const struct yk_object *object, struct yk__key *room)
{
    if (!is_namespaced(object->kind))
        return object->kind == YK_KIND_DISRUPTION_BUDGET ? object->uid : object->name;
    if (!yk__make_key(object->namespace_, object->name, room))
        return (struct yk_str){0};
    return (struct yk_str){room->text, room->len};
}

static void tell_config(struct yk_cache *cache, enum yk_kind kind)
{
    if (kind == YK_KIND_CONFIG_MAP)
        cache->observer->config_changed(cache->observer->context);
}

static void notify_pod_observer(struct yk_cache *cache, enum yk_kind kind, struct yk_str name)
{
    if (kind == YK_KIND_NAMESPACE && cache->pod_observer != NULL)
        cache->pod_observer->namespace_changed(cache->pod_observer->context, name);
}

static void tell(struct yk_cache *cache, enum yk_kind kind, const struct yk_object *before,
                 const struct yk_object *after)
{
    if (cache->observer->kept_changed != NULL)
        cache->observer->kept_changed(cache->observer->context, kind, before, after);
}

static bool is_wanted(const struct yk_cache *cache, const struct yk_object *object)
{
    if (object->kind != YK_KIND_CONFIG_MAP)
        return true;
    return yk_str_is(object->namespace_, cache->config_namespace) &&
           (yk_str_is(object->name, YK_CONFIG_MAP_DEFAULTS) ||
            yk_str_is(object->name, YK_CONFIG_MAP_CONFIGS));
}

static void entry_free(struct yk_cache_entry *entry)
{
    yk_object_free(entry->object);
    free(entry->own_key);
    free(entry);
}

void yk__kept_upsert(struct yk_cache *cache, struct yk_object *object)
{
    enum yk_kind kind = object->kind;
    struct yk__key room;
    struct yk_str key = key_of(object, &room);
    if (key.len == 0) {
        cache->refused++;
        yk_warn(yk_log_shim_context, "object with an impossible name is ignored",
                KV("kind", yk_kind_name(kind)), KV("namespace", object->namespace_),
                KV("name", object->name));
    }
    if (key.len == 0 || !is_wanted(cache, object)) {
        yk_object_free(object);
        return;
    }
    uint64_t version = yk__version(object->resource_version);
    struct yk_cache_entry *entry = yk_strmap_get(&cache->kept[kind], key);
    bool same = entry != NULL && entry->version == version && yk_str_eq(entry->object->uid, object->uid);
    if (same) {
        entry->mark = cache->marks[kind];
        yk_object_free(object);
        return;
    }
    if (entry == NULL) {
        entry = yk_new0(struct yk_cache_entry);
        entry->own_key = is_namespaced(kind) ? yk_str_dup(key) : NULL;
    }
    struct yk_object *before = entry->object;
    entry->object = object;
    entry->key = entry->own_key != NULL ? yk_str_from(entry->own_key) : key;
    entry->version = version;
    entry->mark = cache->marks[kind];
    /* also replaces the key in the table, which may be borrowed from `before` */
    (void)yk_strmap_put(&cache->kept[kind], entry->key, entry);
    notify_pod_observer(cache, kind, object->name);
    tell(cache, kind, before, object);
    tell_config(cache, kind);
    yk_object_free(before);
}

static void remove_entry(struct yk_cache *cache, enum yk_kind kind, struct yk_cache_entry *entry)
{
    (void)yk_strmap_remove(&cache->kept[kind], entry->key); /* the result is the entry */
    notify_pod_observer(cache, kind, entry->object->name);
    tell(cache, kind, entry->object, NULL);
    entry_free(entry);
}

void yk__kept_deleted(struct yk_cache *cache, const struct yk_object *object)
{
    struct yk__key room;
    struct yk_cache_entry *entry = yk_strmap_get(&cache->kept[object->kind], key_of(object, &room));
    if (entry == NULL || !yk_str_eq(entry->object->namespace_, object->namespace_))
        return;
    remove_entry(cache, object->kind, entry);
    tell_config(cache, object->kind);
}

static int by_name(const void *a, const void *b)
{
    const struct yk_object *x = ((const struct yk_cache_entry *)a)->object;
    const struct yk_object *y = ((const struct yk_cache_entry *)b)->object;
    int order = yk_str_cmp(x->namespace_, y->namespace_);
    return order != 0 ? order : yk_str_cmp(x->name, y->name);
}

void yk__kept_sweep(struct yk_cache *cache, enum yk_kind kind)
{
    struct yk_vec gone = {0};
    struct yk_cache_entry *entry;
    yk_strmap_foreach (entry, &cache->kept[kind]) {
        if (entry->mark != cache->marks[kind])
            yk_vec_append(&gone, entry);
    }
    yk_vec_sort(&gone, by_name);
    yk_vec_foreach (entry, &gone)
        remove_entry(cache, kind, entry);
    if (gone.count > 0)
        tell_config(cache, kind);
    yk_vec_done(&gone);
}

void yk__kept_done(struct yk_cache *cache)
{
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        struct yk_cache_entry *entry;
        yk_strmap_foreach (entry, &cache->kept[kind])
            entry_free(entry);
        yk_strmap_done(&cache->kept[kind]);
    }
}

static const struct yk_object *find(const struct yk_cache *cache, enum yk_kind kind, struct yk_str name)
{
    const struct yk_cache_entry *entry = yk_strmap_get(&cache->kept[kind], name);
    return entry == NULL ? NULL : entry->object;
}

const struct yk_object *yk_cache_find_namespace(const struct yk_cache *cache, struct yk_str name)
{
    return find(cache, YK_KIND_NAMESPACE, name);
}

const struct yk_priority_class *yk_cache_find_priority_class(const struct yk_cache *cache, struct yk_str name)
{
    return (const struct yk_priority_class *)(const void *)find(cache, YK_KIND_PRIORITY_CLASS, name);
}

const struct yk_config_map *yk_cache_config_map(const struct yk_cache *cache, int which)
{
    struct yk_str name = which == 0 ? YK_STR(YK_CONFIG_MAP_DEFAULTS) : YK_STR(YK_CONFIG_MAP_CONFIGS);
    return (const struct yk_config_map *)(const void *)find(cache, YK_KIND_CONFIG_MAP, name);
}
