/* SPDX-License-Identifier: Apache-2.0 */
/* From a place in the text to the queue that is written there. */
#include "config/load_priv.h"

struct place {
    uint32_t line, column;
};

static bool is_before(struct place a, struct place b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static bool is_around(const struct yk__yaml_node *node, struct place place)
{
    struct place begin = {node->line, node->column}, end = {node->end_line, node->end_column};
    return !is_before(place, begin) && is_before(place, end);
}

static const struct yk__yaml_node *behind(const struct yk__yaml_node *node)
{
    return node->kind == YK__YAML_ALIAS ? node->u.target : node;
}

/* The node after `key` in the mapping itself, or NULL. */
static const struct yk__yaml_node *after_key(const struct yk__yaml_node *mapping, const char *key)
{
    const struct yk__yaml_node *at = mapping->kind == YK__YAML_MAPPING ? mapping->u.children.first : NULL;
    while (at != NULL && !(behind(at)->kind == YK__YAML_SCALAR && yk_str_is(behind(at)->u.text, key)))
        at = at->next->next;
    return at != NULL ? at->next : NULL;
}

enum { MERGES_MAX = 16 }; /* one into the other; who writes more reads "?" */

/* The value of `key`, also if it comes by merge keys; NULL if it is not there or not of that kind. */
static const struct yk__yaml_node *value_of(const struct yk__yaml_node *mapping, const char *key,
                                            enum yk__yaml_kind kind)
{
    for (int merges = 0; merges < MERGES_MAX && mapping != NULL; merges++) {
        const struct yk__yaml_node *value = after_key(mapping, key);
        if (value != NULL)
            return behind(value)->kind == kind ? behind(value) : NULL;
        const struct yk__yaml_node *merged = after_key(mapping, "<<");
        mapping = merged != NULL ? behind(merged) : NULL;
        if (mapping != NULL && mapping->kind == YK__YAML_SEQUENCE) /* the first one has precedence */
            mapping = mapping->count > 0 ? behind(mapping->u.children.first) : NULL;
    }
    return NULL;
}

/* The entry of the list under `key` that is around the place, or NULL. */
static const struct yk__yaml_node *entry_around(const struct yk__yaml_node *mapping, const char *key,
                                                struct place place)
{
    const struct yk__yaml_node *list = value_of(mapping, key, YK__YAML_SEQUENCE);
    const struct yk__yaml_node *entry = list != NULL ? list->u.children.first : NULL;
    while (entry != NULL && !(entry->kind == YK__YAML_MAPPING && is_around(entry, place)))
        entry = entry->next;
    return entry;
}

static void put_name(const struct yk__yaml_node *queue, struct yk_buf *path)
{
    const struct yk__yaml_node *name = value_of(queue, "name", YK__YAML_SCALAR);
    bool is_top = path->len == 0;
    bool is_root = name != NULL && strcasecmp(name->u.text.p, "root") == 0;
    if (is_top)
        yk_buf_text(path, "root");
    if (is_top && is_root)
        return; /* V1: else a root stands above all top queues */
    yk_buf_char(path, '.');
    yk_buf_str(path, name != NULL ? name->u.text : YK_STR("?"));
}

static bool find(const struct yk__yaml_node *root, struct place place, struct yk_buf *path)
{
    const struct yk__yaml_node *partition = root != NULL ? entry_around(root, "partitions", place) : NULL;
    const struct yk__yaml_node *queue = partition != NULL ? entry_around(partition, "queues", place) : NULL;
    bool found = queue != NULL;
    for (; queue != NULL; queue = entry_around(queue, "queues", place))
        put_name(queue, path);
    return found;
}

bool yk_config_queue_at(struct yk_str text, uint32_t line, uint32_t column, struct yk_buf *ret_path)
{
    struct yk_arena arena = {0};
    struct yk__yaml_node *root = NULL;
    bool found = line != 0 && text.len <= YK_CONFIG_BYTES_MAX &&
                 yk__yaml_parse(text, &arena, &root, NULL) == YK_OK &&
                 find(root, (struct place){line, column}, ret_path);
    yk_arena_done(&arena);
    return found;
}
