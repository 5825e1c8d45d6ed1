/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/yaml_json.h"

#include "base/yaml_scalar.h"

#include <jansson.h>

struct reading {
    size_t left;       /* values that may still be made */
    enum yk_status st; /* the status of `err`, which says why a value cannot be read */
    struct yk_err *err;
};

static json_t *read_value(struct reading *reading, const struct yk_yaml_node *node, unsigned depth);

/* Adds the entries of a mapping. False: an entry cannot be read, and `reading->err` says why. */
static bool read_entries(struct reading *reading, const struct yk_yaml_node *node, unsigned depth,
                         json_t *object)
{
    for (const struct yk_yaml_node *key = node->u.children.first; key != NULL; key = key->next->next) {
        const struct yk_yaml_node *name = yk_yaml_behind(key);
        if (name->kind != YK_YAML_SCALAR) {
            reading->st =
                yk_fail_at(reading->err, YK_ERR_INVALID, key->line, key->column, "a key must be a text");
            return false;
        }
        if (json_object_get(object, name->u.text.p) != NULL) {
            reading->st = yk_fail_at(reading->err, YK_ERR_INVALID, key->line, key->column,
                                     "the key '%.80s' stands twice", name->u.text.p);
            return false;
        }
        json_t *value = read_value(reading, key->next, depth + 1);
        if (value == NULL)
            return false;
        if (json_object_set_new(object, name->u.text.p, value) != 0) {
            reading->st =
                yk_fail_at(reading->err, YK_ERR_INVALID, key->line, key->column, "a key is not UTF-8");
            return false;
        }
    }
    return true;
}

static json_t *read_mapping(struct reading *reading, const struct yk_yaml_node *node, unsigned depth)
{
    json_t *object = json_object();
    if (read_entries(reading, node, depth, object))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *read_sequence(struct reading *reading, const struct yk_yaml_node *node, unsigned depth)
{
    json_t *array = json_array();
    for (const struct yk_yaml_node *item = node->u.children.first; item != NULL; item = item->next) {
        json_t *value = read_value(reading, item, depth + 1);
        if (value == NULL) {
            json_decref(array);
            return NULL;
        }
        (void)json_array_append_new(array, value); /* `array` is an array */
    }
    return array;
}

/* Whether the text has only characters of a number in JSON. "0x10" and "1_000" stay texts. */
static bool looks_like_number(struct yk_str text)
{
    size_t at = text.len > 0 && text.p[0] == '-';
    bool any = false;
    for (; at < text.len; at++) {
        bool is_digit = text.p[at] >= '0' && text.p[at] <= '9';
        if (!is_digit && (!any || strchr(".eE+-", text.p[at]) == NULL))
            return false;
        any |= is_digit;
    }
    return any;
}

static json_t *read_scalar(struct reading *reading, const struct yk_yaml_node *node)
{
    struct yk_str text = node->u.text;
    int64_t integer;
    double number;
    if (node->plain && yk_yaml_scalar_is_null(node))
        return json_null();
    if (node->plain && (yk_str_is(text, "true") || yk_str_is(text, "false")))
        return json_boolean(yk_str_is(text, "true"));
    if (node->plain && looks_like_number(text) && yk_str_to_i64(text, &integer) == YK_OK)
        return json_integer(integer);
    if (node->plain && looks_like_number(text) && yk_yaml_scalar_double(node, &number) == YK_OK)
        return json_real(number);
    json_t *value = json_stringn(text.p != NULL ? text.p : "", text.len);
    if (value == NULL)
        reading->st =
            yk_fail_at(reading->err, YK_ERR_INVALID, node->line, node->column, "a text is not UTF-8");
    return value;
}

static json_t *read_value(struct reading *reading, const struct yk_yaml_node *node, unsigned depth)
{
    const struct yk_yaml_node *value = yk_yaml_behind(node);
    if (depth > YK_YAML_JSON_DEPTH_MAX || reading->left == 0) {
        reading->st = yk_fail_at(reading->err, YK_ERR_LIMIT, node->line, node->column, "too %s",
                                 reading->left == 0 ? "many values" : "deeply nested");
        return NULL;
    }
    reading->left--;
    switch (value->kind) {
    case YK_YAML_MAPPING:
        return read_mapping(reading, value, depth);
    case YK_YAML_SEQUENCE:
        return read_sequence(reading, value, depth);
    case YK_YAML_SCALAR:
    case YK_YAML_ALIAS: /* yk_yaml_behind() returns no alias */
        break;
    }
    return read_scalar(reading, value);
}

enum yk_status yk_yaml_to_json(struct yk_str text, json_t **ret, struct yk_err *err)
{
    static const struct yk_yaml_limits limits = {
        .nodes = YK_YAML_JSON_VALUES_MAX, .memory_bytes = 64 << 20, .depth = YK_YAML_JSON_DEPTH_MAX};
    struct yk_arena arena = {0};
    struct yk_yaml_node *root = NULL;
    struct yk_err why = {0};
    struct reading reading = {.left = YK_YAML_JSON_VALUES_MAX, .err = &why};
    json_t *tree = NULL;
    enum yk_status st = yk_yaml_parse(text, &limits, &arena, &root, &why);
    if (st == YK_OK && root == NULL)
        st = yk_fail(&why, YK_ERR_INVALID, "the text is empty");
    if (st == YK_OK && (tree = read_value(&reading, root, 0)) == NULL)
        st = reading.st;
    yk_arena_done(&arena);
    if (st != YK_OK)
        return yk_fail(err, st, "%s", why.text);
    *ret = tree;
    return YK_OK;
}
