/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/cache.h"

#include "base/log.h"
#include "cache/cache_priv.h"

void yk_cache_init(struct yk_cache *cache, const struct yk_cache_observer *observer,
                   const char *config_namespace)
{
    *cache = (struct yk_cache){.observer = observer, .config_namespace = yk_strdup(config_namespace)};
    yk__pods_init(cache);
    yk_intern_table_init(&cache->intern_table);
}

void yk_cache_done(struct yk_cache *cache)
{
    yk__pods_done(cache);
    yk__nodes_done(cache);
    yk__kept_done(cache);
    yk_sizes_done(&cache->sizes);
    yk_intern_table_done(&cache->intern_table);
    free(cache->config_namespace);
    *cache = (struct yk_cache){0};
}

/* `object` is taken. */
static void upsert(struct yk_cache *cache, enum yk_kind kind, struct yk_object *object)
{
    if (kind != YK_KIND_POD && kind != YK_KIND_NODE) {
        yk__kept_upsert(cache, object); /* taken */
        return;
    }
    if (kind == YK_KIND_POD)
        yk__pod_upsert(cache, yk_pod_of(object));
    else
        yk__node_upsert(cache, yk_node_of(object));
    yk_object_free(object);
}

static void deleted(struct yk_cache *cache, enum yk_kind kind, const struct yk_object *object)
{
    if (kind == YK_KIND_POD)
        yk__pod_deleted(cache, (const struct yk_pod *)(const void *)object);
    else if (kind == YK_KIND_NODE)
        yk__node_deleted(cache, object->name);
    else
        yk__kept_deleted(cache, object);
}

static void sweep(struct yk_cache *cache, enum yk_kind kind)
{
    if (kind == YK_KIND_POD)
        yk__pods_sweep(cache);
    else if (kind == YK_KIND_NODE)
        yk__nodes_sweep(cache);
    else
        yk__kept_sweep(cache, kind);
}

/* The list has ended. `complete`: objects that were not in the list no longer exist. False: some items could
 * not be read, so objects that were not in the list may still exist. */
static void end_list(struct yk_cache *cache, enum yk_kind kind, bool complete)
{
    if (!cache->listing[kind]) {
        yk_warn(yk_log_shim_context, "end of a list that never began is ignored",
                KV("kind", yk_kind_name(kind)));
        return;
    }
    cache->listing[kind] = false;
    if (complete)
        sweep(cache, kind);
    cache->synced[kind] = true;
    cache->observer->listed(cache->observer->context, kind);
}

void yk_cache_apply(struct yk_cache *cache, enum yk_kind kind, enum yk_watch_event event,
                    struct yk_object *object)
{
    if (!YK_ASSERT(kind < YK_KIND_COUNT)) {
        yk_object_free(object);
        return;
    }
    switch (event) {
    case YK_WATCH_UPSERT:
        if (YK_ASSERT(object != NULL))
            upsert(cache, kind, object);
        return;
    case YK_WATCH_DELETED:
        if (YK_ASSERT(object != NULL))
            deleted(cache, kind, object);
        yk_object_free(object);
        return;
    case YK_WATCH_REPLACE_BEGIN: /* begins a new list, also if the list before was interrupted */
        cache->marks[kind]++;
        cache->listing[kind] = true;
        break;
    case YK_WATCH_REPLACE_END:
        end_list(cache, kind, true);
        break;
    case YK_WATCH_REPLACE_GAPS:
        end_list(cache, kind, false);
        break;
    }
    yk_object_free(object);
}
