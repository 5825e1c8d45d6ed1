/* SPDX-License-Identifier: Apache-2.0 */
/* A ConfigMap as kubectl reads and writes it, and the queue configuration in it. */
#include "config/load_priv.h"

/* The value of `key`, or NULL: merge keys and aliases are not what manifests are made of. */
static const struct yk__yaml_node *value_of(const struct yk__yaml_node *mapping, struct yk_str key)
{
    const struct yk__yaml_node *at =
        mapping != NULL && mapping->kind == YK__YAML_MAPPING ? mapping->u.children.first : NULL;
    while (at != NULL && !(at->kind == YK__YAML_SCALAR && yk_str_eq(at->u.text, key)))
        at = at->next->next;
    return at != NULL ? at->next : NULL;
}

static struct yk_str text_of(const struct yk__yaml_node *node)
{
    return node != NULL && node->kind == YK__YAML_SCALAR ? node->u.text : (struct yk_str){0};
}

/* "queues.yaml", unless the ConfigMap says that its policy group has another name. */
static void put_entry_name(const struct yk__yaml_node *data, struct yk_buf *name)
{
    struct yk_str group = text_of(value_of(data, YK_STR("service.policyGroup")));
    yk_buf_str(name, group.len > 0 ? group : YK_STR("queues"));
    yk_buf_text(name, ".yaml");
}

static enum yk_status take_entry(const struct yk__yaml_node *root, struct yk_buf *text, uint32_t *ret_line,
                                 struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {.max = 4096};
    const struct yk__yaml_node *data = value_of(root, YK_STR("data"));
    put_entry_name(data, &name);
    const struct yk__yaml_node *entry = value_of(data, yk_buf_view(&name));
    if (entry == NULL || entry->kind != YK__YAML_SCALAR)
        return yk_fail_at(err, YK_ERR_INVALID, root->line, root->column,
                          "the ConfigMap has no text '%s' in its data", yk_buf_cstr(&name));
    yk_buf_clear(text);
    yk_buf_str(text, entry->u.text); /* shorter than what it was in */
    *ret_line = entry->line;
    return YK_OK;
}

enum yk_status yk_config_unpack(struct yk_buf *text, uint32_t *ret_line, struct yk_err *err)
{
    struct yk_arena arena = {0};
    struct yk__yaml_node *root = NULL;
    enum yk_status status = YK_OK;
    if (text->len <= YK_CONFIG_BYTES_MAX && yk__yaml_parse_all(yk_buf_view(text), &arena, &root, NULL) == YK_OK &&
        yk_str_is(text_of(value_of(root, YK_STR("kind"))), "ConfigMap"))
        status = take_entry(root, text, ret_line, err);
    yk_arena_done(&arena);
    return status;
}
