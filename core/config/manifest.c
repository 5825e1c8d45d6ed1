/* SPDX-License-Identifier: Apache-2.0 */
#include "config/manifest.h"

#include "base/yaml_scalar.h"
#include "config/load_priv.h"

enum { MANIFESTS_MAX = 1000, LISTS_MAX = 8 }; /* ConfigMaps in a text; lists in each other */

struct reading {
    struct yk_manifests *manifests;
    struct yk_err *err;
    int lists; /* number of lists around the current object */
};

/* The text of a scalar, borrowed from the node; absent if `node` is NULL or of another kind. */
static struct yk_str text_of(const struct yk_yaml_node *node)
{
    return node != NULL && node->kind == YK_YAML_SCALAR ? node->u.text : (struct yk_str){0};
}

static enum yk_status read_entries(struct reading *reading, const struct yk_yaml_node *object,
                                   const char *what, struct yk_manifest_entries *ret_entries)
{
    const struct yk_yaml_node *mapping = yk_yaml_get(object, what);
    struct yk_arena *arena = &reading->manifests->arena;
    if (mapping == NULL || (mapping->kind == YK_YAML_SCALAR && yk_yaml_scalar_is_null(mapping)))
        return YK_OK; /* there is no such key, or nothing is behind it */
    if (mapping->kind != YK_YAML_MAPPING)
        return yk_fail_at(reading->err, YK_ERR_INVALID, mapping->line, mapping->column,
                          "'%s' of the ConfigMap must be a mapping, not %s", what,
                          yk_yaml_kind_word(mapping));
    struct yk_manifest_entry *items =
        yk_arena_alloc0(arena, yk_size_mul(mapping->count / 2 + 1, sizeof(*items)));
    uint32_t count = 0;
    for (const struct yk_yaml_node *key = mapping->u.children.first; key != NULL; key = key->next->next) {
        const struct yk_yaml_node *value = yk_yaml_behind(key->next);
        if (yk_yaml_behind(key)->kind != YK_YAML_SCALAR || value->kind != YK_YAML_SCALAR)
            return yk_fail_at(reading->err, YK_ERR_INVALID, value->line, value->column,
                              "entry '" YK_STR_FMT "' of the ConfigMap must be a text, not %s",
                              YK_STR_ARG(text_of(yk_yaml_behind(key))), yk_yaml_kind_word(value));
        items[count++] = (struct yk_manifest_entry){yk_arena_str(arena, text_of(yk_yaml_behind(key))),
                                                    yk_arena_str(arena, value->u.text), value->line};
    }
    *ret_entries = (struct yk_manifest_entries){items, count};
    return YK_OK;
}

static enum yk_status add_config_map(struct reading *reading, const struct yk_yaml_node *object)
{
    struct yk_manifests *manifests = reading->manifests;
    if (manifests->count == MANIFESTS_MAX)
        return yk_fail_at(reading->err, YK_ERR_LIMIT, object->line, object->column, "more than %d ConfigMaps",
                          MANIFESTS_MAX);
    if (manifests->items == NULL)
        manifests->items =
            yk_arena_alloc0(&manifests->arena, sizeof(*manifests->items) * (size_t)MANIFESTS_MAX);
    struct yk_manifest *manifest = &manifests->items[manifests->count++];
    manifest->name =
        yk_arena_str(&manifests->arena, text_of(yk_yaml_get(yk_yaml_get(object, "metadata"), "name")));
    manifest->line = object->line;
    enum yk_status st = read_entries(reading, object, "data", &manifest->data);
    if (st == YK_OK)
        st = read_entries(reading, object, "binaryData", &manifest->binary_data);
    return st;
}

static enum yk_status read_object(struct reading *reading, const struct yk_yaml_node *object,
                                  struct yk_str list_kind);

static enum yk_status read_list(struct reading *reading, const struct yk_yaml_node *object,
                                struct yk_str kind)
{
    const struct yk_yaml_node *items = yk_yaml_get(object, "items");
    const struct yk_yaml_node *item =
        items != NULL && items->kind == YK_YAML_SEQUENCE ? items->u.children.first : NULL;
    enum yk_status st = YK_OK;
    if (reading->lists == LISTS_MAX)
        return yk_fail_at(reading->err, YK_ERR_LIMIT, object->line, object->column,
                          "more than %d lists within each other", LISTS_MAX);
    reading->lists++;
    for (; item != NULL && st == YK_OK; item = item->next)
        st = read_object(reading, yk_yaml_behind(item), kind);
    reading->lists--;
    return st;
}

/* The API server leaves out the kind of the items of a typed list: "ConfigMapList" holds ConfigMaps. */
static struct yk_str kind_of(const struct yk_yaml_node *object, struct yk_str list_kind)
{
    const struct yk_yaml_node *kind = yk_yaml_get(object, "kind");
    if (kind == NULL && object->kind == YK_YAML_MAPPING && yk_str_is(list_kind, "ConfigMapList"))
        return YK_STR("ConfigMap");
    return text_of(kind);
}

/* `list_kind`: the kind of the list that has the object as an item; empty if there is none. */
static enum yk_status read_object(struct reading *reading, const struct yk_yaml_node *object,
                                  struct yk_str list_kind)
{
    struct yk_str kind = kind_of(object, list_kind);
    bool is_map = yk_str_is(kind, "ConfigMap"), is_list = yk_str_ends(kind, "List");
    bool is_object = kind.len > 0 && text_of(yk_yaml_get(object, "apiVersion")).len > 0;
    reading->manifests->of_kubernetes = reading->manifests->of_kubernetes || is_map || is_list || is_object;
    if (is_map)
        return add_config_map(reading, object);
    return is_list ? read_list(reading, object, kind) : YK_OK;
}

enum yk_status yk_manifests_read(struct yk_str text, struct yk_manifests *ret_manifests, struct yk_err *err)
{
    struct yk_arena scratch = {0};
    struct yk_yaml_node *root = NULL;
    struct reading reading = {.manifests = ret_manifests, .err = err};
    enum yk_status st = YK_OK;
    *ret_manifests = (struct yk_manifests){0};
    if (text.len <= YK_CONFIG_BYTES_MAX &&
        yk_yaml_parse_all(text, &yk__config_limits, &scratch, &root, NULL) == YK_OK) {
        for (; root != NULL && st == YK_OK; root = root->next)
            st = read_object(&reading, root, (struct yk_str){0});
    }
    yk_arena_done(&scratch);
    return st;
}

void yk_manifests_done(struct yk_manifests *manifests)
{
    yk_arena_done(&manifests->arena);
    *manifests = (struct yk_manifests){0};
}
