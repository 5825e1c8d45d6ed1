/* SPDX-License-Identifier: Apache-2.0 */
/* Applies patches to ConfigMaps of the simulated cluster. The scheduler sends such a patch when an
 * administrator changes the configuration over REST. */
#include "simulate/cluster_priv.h"
#include "simulate/objects_priv.h"

#include "api/json_reader.h"

#include <jansson.h>

/* ---- a merge patch of the data of a ConfigMap (RFC 7396) ---- */

/* Removes the null members from `map`, a part of the patch, and the pairs with the same keys from `pairs`. */
static void drop_nulls(json_t *map, struct yk_pairs *pairs)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(map, next, key, value)
    {
        if (!json_is_null(value))
            continue;
        yk__pair_drop(pairs, key);
        (void)json_object_del(map, key); /* cannot fail: the key exists */
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
        yk__pair_set(&map->object.arena, &map->data, set->data.items[i].key, set->data.items[i].value);
    for (uint32_t i = 0; i < set->binary_data.count; i++)
        yk__pair_set(&map->object.arena, &map->binary_data, set->binary_data.items[i].key,
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
