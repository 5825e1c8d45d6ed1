/* SPDX-License-Identifier: Apache-2.0 */
/* What an administrator's request leads to: reviews of tokens, and the patch of a ConfigMap. */
#include "simulate/cluster_priv.h"

#include "api/json_reader.h"
#include "api/token_review.h"

#include <jansson.h>

struct token { /* that the cluster knows */
    struct yk_list link;
    char *text;
    struct yk_token_review owner;
};

static struct yk_token_review *review_new(const char *user, const char *const *groups, size_t count)
{
    struct yk_token_review *review = yk_new0(struct yk_token_review);
    review->authenticated = true;
    review->user = yk_strdup(user);
    review->groups = yk_new0_array(char *, count + 1);
    for (; review->group_count < count; review->group_count++)
        review->groups[review->group_count] = yk_strdup(groups[review->group_count]);
    return review;
}

void yk_cluster_add_token(struct yk_cluster *cluster, const char *text, const char *user,
                          const char *const *groups, size_t group_count)
{
    struct token *token = yk_new0(struct token);
    struct yk_token_review *owner = review_new(user, groups, group_count);
    token->text = yk_strdup(text);
    token->owner = *owner;
    free(owner); /* its texts are the token's now */
    yk_list_append(&cluster->tokens, &token->link);
}

void yk__tokens_done(struct yk_cluster *cluster)
{
    struct token *token;
    yk_list_foreach (token, &cluster->tokens, struct token, link) {
        yk_list_remove(&token->link);
        struct yk_token_review *owner = yk_new0(struct yk_token_review);
        *owner = token->owner;
        yk_token_review_free(owner);
        free(token->text);
        free(token);
    }
}

struct yk_token_review *yk__review_token(const struct yk_cluster *cluster, struct yk_str body)
{
    json_t *json = NULL;
    struct yk_token_review *review = NULL;
    if (yk_json_parse(body, &json, NULL) != YK_OK)
        return NULL;
    const char *text = json_string_value(json_object_get(json_object_get(json, "spec"), "token"));
    const struct token *token;
    yk_list_foreach (token, &cluster->tokens, struct token, link) {
        const struct yk_token_review *owner = &token->owner;
        if (review == NULL && text != NULL && strcmp(token->text, text) == 0)
            review = review_new(owner->user, (const char *const *)owner->groups, owner->group_count);
    }
    json_decref(json);
    return review != NULL ? review : yk_new0(struct yk_token_review);
}

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
