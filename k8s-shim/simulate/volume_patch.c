/* SPDX-License-Identifier: Apache-2.0 */
/* Merge patches (RFC 7396) of claims and persistent volumes: changes of their annotations, and of the
 * claimRef of a volume. */
#include "simulate/cluster_priv.h"
#include "simulate/objects_priv.h"

#include "api/json_reader.h"

#include <jansson.h>

static enum yk_status check_version(const struct yk_object *object, const json_t *meta, struct yk_err *err)
{
    const json_t *version = json_object_get(meta, "resourceVersion");
    if (version != NULL && !yk_str_is(object->resource_version, json_string_value(version)))
        return yk_fail(err, YK_ERR_STATE, "the object has been modified");
    return YK_OK;
}

static enum yk_status merge_annotations(struct yk_object *object, json_t *annotations, struct yk_err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(annotations, key, value)
    {
        if (json_is_null(value))
            yk__pair_drop(&object->annotations, key);
        else if (json_is_string(value))
            yk__pair_set(&object->arena, &object->annotations, yk_str_from(key),
                         (struct yk_str){json_string_value(value), json_string_length(value)});
        else
            return yk_fail(err, YK_ERR_INVALID, "patch: annotation '%s' is not a text", key);
    }
    return YK_OK;
}

static void merge_text(struct yk_arena *arena, struct yk_str *text, struct yk_str value)
{
    if (value.p != NULL)
        *text = yk_arena_str(arena, value);
}

static void merge_claim_ref(struct yk_volume *volume, const struct yk_object_ref *ref)
{
    struct yk_arena *arena = &volume->object.arena;
    volume->has_claim = true;
    merge_text(arena, &volume->claim.kind, ref->kind);
    merge_text(arena, &volume->claim.namespace_, ref->namespace_);
    merge_text(arena, &volume->claim.name, ref->name);
    merge_text(arena, &volume->claim.uid, ref->uid);
    merge_text(arena, &volume->claim.api_version, ref->api_version);
    merge_text(arena, &volume->claim.resource_version, ref->resource_version);
}

static enum yk_status merge_spec(struct yk_volume *volume, struct yk_str body, struct yk_err *err)
{
    struct yk_object *values = NULL;
    enum yk_status st = yk_object_from_json(YK_KIND_VOLUME, body, &values, err);
    if (st != YK_OK)
        return st;
    if (yk_volume_of(values)->has_claim)
        merge_claim_ref(volume, &yk_volume_of(values)->claim);
    yk_object_free(values);
    return YK_OK;
}

enum yk_status yk__volume_patch(struct yk_object *object, struct yk_str body, struct yk_err *err)
{
    json_t *patch = NULL;
    enum yk_status st = yk_json_parse(body, &patch, err);
    if (st != YK_OK)
        return st;
    const json_t *meta = json_object_get(patch, "metadata");
    st = check_version(object, meta, err);
    if (st == YK_OK)
        st = merge_annotations(object, json_object_get(meta, "annotations"), err);
    json_decref(patch);
    if (st == YK_OK && object->kind == YK_KIND_VOLUME)
        st = merge_spec(yk_volume_of(object), body, err);
    return st;
}
