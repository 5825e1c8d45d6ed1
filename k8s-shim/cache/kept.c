/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of which there are few and whose objects are kept as they came: namespaces, priority classes,
 * ConfigMaps, pod disruption budgets. */
#include "cache/cache_priv.h"
#include "cache/config_merge.h"

/* Names are unique where there is only one namespace; budgets come from all. */
static struct yk_str key_of(const struct yk_object *object)
{
    return object->kind == YK_KIND_DISRUPTION_BUDGET ? object->uid : object->name;
}

static void tell(struct yk_cache *cache, enum yk_kind kind)
{
    if (kind == YK_KIND_CONFIG_MAP)
        cache->observer->config_changed(cache->observer->context);
}

static void tell_census(struct yk_cache *cache, enum yk_kind kind, struct yk_str name)
{
    if (kind == YK_KIND_NAMESPACE && cache->census != NULL)
        cache->census->namespace_changed(cache->census->context, name);
}

static bool is_wanted(const struct yk_cache *cache, const struct yk_object *object)
{
    if (object->kind != YK_KIND_CONFIG_MAP)
        return key_of(object).len > 0;
    return yk_str_is(object->namespace_, cache->config_namespace) &&
           (yk_str_is(object->name, YK_CONFIG_MAP_DEFAULTS) ||
            yk_str_is(object->name, YK_CONFIG_MAP_CONFIGS));
}

static void entry_free(struct yk_cache_entry *entry)
{
    yk_object_free(entry->object);
    free(entry);
}

void yk__kept_upsert(struct yk_cache *cache, struct yk_object *object)
{
    enum yk_kind kind = object->kind;
    if (!is_wanted(cache, object)) {
        yk_object_free(object);
        return;
    }
    uint64_t version = yk__version(object->resource_version);
    struct yk_cache_entry *entry = yk_strmap_get(&cache->kept[kind], key_of(object));
    bool same = entry != NULL && entry->version == version && yk_str_eq(entry->object->uid, object->uid);
    if (same) {
        entry->mark = cache->marks[kind];
        yk_object_free(object);
        return;
    }
    if (entry == NULL)
        entry = yk_new0(struct yk_cache_entry);
    struct yk_object *before = entry->object;
    *entry = (struct yk_cache_entry){.object = object, .version = version, .mark = cache->marks[kind]};
    (void)yk_strmap_put(&cache->kept[kind], key_of(object), entry); /* the key moves to the new object */
    yk_object_free(before);
    tell(cache, kind);
    tell_census(cache, kind, object->name);
}

static void remove_entry(struct yk_cache *cache, enum yk_kind kind, struct yk_cache_entry *entry)
{
    (void)yk_strmap_remove(&cache->kept[kind], key_of(entry->object)); /* was there */
    tell_census(cache, kind, entry->object->name);
    entry_free(entry);
}

void yk__kept_deleted(struct yk_cache *cache, const struct yk_object *object)
{
    struct yk_cache_entry *entry = yk_strmap_get(&cache->kept[object->kind], key_of(object));
    if (entry == NULL || !yk_str_eq(entry->object->namespace_, object->namespace_))
        return;
    remove_entry(cache, object->kind, entry);
    tell(cache, object->kind);
}

void yk__kept_sweep(struct yk_cache *cache, enum yk_kind kind)
{
    struct yk_vec gone = {0};
    struct yk_cache_entry *entry;
    yk_strmap_foreach (entry, &cache->kept[kind]) {
        if (entry->mark != cache->marks[kind])
            yk_vec_append(&gone, entry);
    }
    yk_vec_foreach (entry, &gone)
        remove_entry(cache, kind, entry);
    if (gone.count > 0)
        tell(cache, kind);
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
