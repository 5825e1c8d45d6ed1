/* SPDX-License-Identifier: Apache-2.0 */
/* What an administrator's request leads to: the patch of a ConfigMap. */
#include "simulate/cluster_priv.h"

#include "api/json_reader.h"

#include <jansson.h>

/* ---- a merge patch of the data of a ConfigMap (RFC 7396) ---- */

static void set_pair(struct yk_arena *arena, struct yk_pairs *pairs, struct yk_str key, struct yk_str value)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_eq(pairs->items[i].key, key)) {
            pairs->items[i].value = yk_arena_str(arena, value);
            return;
        }
    }
    struct yk_pair *longer = yk_arena_alloc0(arena, ((size_t)pairs->count + 1) * sizeof(*longer));
    if (pairs->count > 0)
        memcpy(longer, pairs->items, pairs->count * sizeof(*longer));
    longer[pairs->count] = (struct yk_pair){yk_arena_str(arena, key), yk_arena_str(arena, value)};
    pairs->items = longer;
    pairs->count++;
}

static void drop_pair(struct yk_pairs *pairs, const char *key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!yk_str_is(pairs->items[i].key, key))
            continue;
        memmove(&pairs->items[i], &pairs->items[i + 1], (pairs->count - i - 1) * sizeof(*pairs->items));
        pairs->count--;
        return;
    }
}

/* Takes the nulls out of the patch, and what they name out of the object. */
static void drop_nulls(json_t *map, struct yk_pairs *pairs)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(map, next, key, value)
    {
        if (!json_is_null(value))
            continue;
        drop_pair(pairs, key);
        (void)json_object_del(map, key); /* it is there */
    }
}

static enum yk_status merge(struct yk_config_map *map, json_t *patch, struct yk_err *err)
{
    drop_nulls(json_object_get(patch, "data"), &map->data);
    drop_nulls(json_object_get(patch, "binaryData"), &map->binary_data);
    char *text = json_dumps(patch, JSON_COMPACT);
    struct yk_object *values = NULL;
    enum yk_status st = yk_object_from_json(YK_KIND_CONFIG_MAP, yk_str_from(text), &values, err);
    free(text);
    if (st != YK_OK)
        return st;
    const struct yk_config_map *set = yk_config_map_of(values);
    for (uint32_t i = 0; i < set->data.count; i++)
        set_pair(&map->object.arena, &map->data, set->data.items[i].key, set->data.items[i].value);
    for (uint32_t i = 0; i < set->binary_data.count; i++)
        set_pair(&map->object.arena, &map->binary_data, set->binary_data.items[i].key,
                 set->binary_data.items[i].value);
    yk_object_free(values);
    return YK_OK;
}

enum yk_status yk__config_map_patch(struct yk_config_map *map, struct yk_str body, struct yk_err *err)
{
    json_t *patch = NULL;
    enum yk_status st = yk_json_parse(body, &patch, err);
    if (st != YK_OK)
        return st;
    const json_t *version = json_object_get(json_object_get(patch, "metadata"), "resourceVersion");
    if (version != NULL && !yk_str_is(map->object.resource_version, json_string_value(version)))
        st = yk_fail(err, YK_ERR_STATE, "the object has been modified");
    else
        st = merge(map, patch, err);
    json_decref(patch);
    return st;
}
