/* SPDX-License-Identifier: Apache-2.0 */
#include "config/yaml_values_priv.h"

#include "base/yaml_scalar.h"

/* ---- free maps of texts ---- */

static enum yk_status read_pair(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, void *item)
{
    struct yk_pair *pair = item;
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    if (value->kind != YK_YAML_SCALAR)
        return yk_yaml_fail(d, node, "entry '" YK_STR_FMT "' of '%s' must be a single value, not %s",
                            YK_STR_ARG(pair->key), field->key, yk_yaml_kind_word(value));
    if (!yk_yaml_scalar_is_null(value))
        return yk_yaml_text(d, value, &pair->value);
    pair->value = YK_STR("");
    return YK_OK;
}

enum yk_status yk__read_pairs(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object)
{
    struct yk_pairs *pairs = (void *)((char *)object + field->offset);
    void *items = NULL;
    enum yk_status st =
        yk_yaml_map(d, field, value, sizeof(*pairs->items), true, read_pair, &items, &pairs->count);
    if (st != YK_OK)
        return st;
    pairs->items = items;
    if (field->aside != 0)
        *((bool *)((char *)object + field->aside)) = true;
    return YK_OK;
}

/* ---- weights ---- */

typedef __typeof__(*((struct yk_config_partition *)0)->node_sort_weights) weight_entry;

static enum yk_status read_weight(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                  const struct yk_yaml_node *node, void *item)
{
    (void)field;
    weight_entry *weight = item;
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    bool is_scalar = value->kind == YK_YAML_SCALAR;
    if (is_scalar &&
        (yk_yaml_scalar_is_null(value) || yk_yaml_scalar_double(value, &weight->weight) == YK_OK))
        return YK_OK;
    return yk_yaml_fail(d, node, "weight of '" YK_STR_FMT "' must be a finite number%s",
                        YK_STR_ARG(weight->type), is_scalar && !value->plain ? ", without quotes" : "");
}

enum yk_status yk__read_weights(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *value, void *object)
{
    char *target = object;
    return yk_yaml_map(d, field, value, sizeof(weight_entry), true, read_weight,
                       (void **)(void *)(target + field->offset),
                       (uint32_t *)(void *)(target + field->aside));
}

/* ---- names ---- */

static enum yk_status read_name(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, void *item)
{
    const struct yk_yaml_node *text = yk_yaml_behind(node);
    if (text->kind != YK_YAML_SCALAR)
        return yk_yaml_fail(d, node, "an entry of '%s' must be a single value, not %s", field->key,
                            yk_yaml_kind_word(text));
    return yk_yaml_text(d, text, item);
}

enum yk_status yk__read_names(struct yk_yaml_decoder *d, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object)
{
    struct yk_config_names *names = (void *)((char *)object + field->offset);
    void *items = NULL;
    enum yk_status st =
        yk_yaml_list(d, field, value, sizeof(*names->items), read_name, &items, &names->count);
    if (st == YK_OK)
        names->items = items;
    return st;
}
