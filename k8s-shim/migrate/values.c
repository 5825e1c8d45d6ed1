/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the values of the chart: converts YAML to a tree of JSON, so that checks read them like objects. */
#include "base/yaml_scalar.h"
#include "migrate/migration_priv.h"

enum { VALUES_NODES_MAX = 100 * 1000, VALUES_DEPTH_MAX = 100 };

static const struct yk_yaml_limits limits = {.nodes = VALUES_NODES_MAX, .depth = VALUES_DEPTH_MAX};

struct conversion {
    size_t nodes;      /* values converted so far; each use of an alias counts its values again */
    enum yk_status st; /* `st` and `err` say why a value cannot be converted */
    struct yk_err *err;
};

static json_t *convert(struct conversion *conversion, const struct yk_yaml_node *given, uint32_t depth);

static json_t *refuse(struct conversion *conversion, const struct yk_yaml_node *node, enum yk_status st,
                      const char *what)
{
    conversion->st = yk_fail(conversion->err, st, "line %u, column %u: %s", node->line, node->column, what);
    return NULL;
}

/* As in Helm, a scalar in quotes is a string, also if it looks like a number. */
static json_t *convert_scalar(struct conversion *conversion, const struct yk_yaml_node *scalar)
{
    bool truth;
    uint64_t number;
    double real;
    if (yk_yaml_scalar_is_null(scalar))
        return json_null();
    if (scalar->plain && yk_yaml_scalar_bool(scalar, &truth) == YK_OK)
        return json_boolean(truth);
    if (scalar->plain && yk_yaml_scalar_u64(scalar, &number) == YK_OK && number <= INT64_MAX)
        return json_integer((json_int_t)number);
    json_t *value = NULL;
    if (scalar->plain && yk_yaml_scalar_double(scalar, &real) == YK_OK)
        value = json_real(real); /* NULL for NaN and infinity, which JSON does not have */
    if (value != NULL)
        return value;
    json_t *text = json_stringn(scalar->u.text.p, scalar->u.text.len);
    return text != NULL ? text : refuse(conversion, scalar, YK_ERR_INVALID, "a text that is not UTF-8");
}

static json_t *convert_sequence(struct conversion *conversion, const struct yk_yaml_node *sequence,
                                uint32_t depth)
{
    json_t *array = json_array();
    for (const struct yk_yaml_node *item = sequence->u.children.first; item != NULL; item = item->next) {
        json_t *value = convert(conversion, item, depth + 1);
        if (value == NULL) {
            json_decref(array);
            return NULL;
        }
        (void)json_array_append_new(array, value); /* cannot fail: neither is NULL */
    }
    return array;
}

static bool convert_entry(struct conversion *conversion, const struct yk_yaml_node *key,
                          const struct yk_yaml_node *given, uint32_t depth, json_t *object)
{
    const struct yk_yaml_node *name = yk_yaml_behind(key);
    if (name->kind != YK_YAML_SCALAR ||
        (name->u.text.len > 0 && memchr(name->u.text.p, '\0', name->u.text.len) != NULL))
        return refuse(conversion, key, YK_ERR_INVALID, "a key that is not a text") != NULL;
    json_t *value = convert(conversion, given, depth + 1);
    if (value == NULL)
        return false;
    if (json_object_set_new(object, name->u.text.p, value) == 0)
        return true;
    return refuse(conversion, key, YK_ERR_INVALID, "a key that is not UTF-8") != NULL;
}

static json_t *convert_mapping(struct conversion *conversion, const struct yk_yaml_node *mapping,
                               uint32_t depth)
{
    json_t *object = json_object();
    for (const struct yk_yaml_node *key = mapping->u.children.first; key != NULL && key->next != NULL;
         key = key->next->next) {
        if (!convert_entry(conversion, key, key->next, depth, object)) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

/* NULL: `conversion->err` says why. Aliases of aliases can make huge trees of a short text, so converted
 * values are counted. */
static json_t *convert(struct conversion *conversion, const struct yk_yaml_node *given, uint32_t depth)
{
    const struct yk_yaml_node *node = yk_yaml_behind(given);
    if (depth > VALUES_DEPTH_MAX)
        return refuse(conversion, given, YK_ERR_LIMIT, "nested too deep");
    if (++conversion->nodes > VALUES_NODES_MAX)
        return refuse(conversion, given, YK_ERR_LIMIT, "too many values");
    switch (node->kind) {
    case YK_YAML_SCALAR:
        return convert_scalar(conversion, node);
    case YK_YAML_SEQUENCE:
        return convert_sequence(conversion, node, depth);
    case YK_YAML_MAPPING:
        return convert_mapping(conversion, node, depth);
    case YK_YAML_ALIAS:
        break; /* yk_yaml_behind() follows it */
    }
    return refuse(conversion, given, YK_ERR_INVALID, "an alias without a value");
}

/* The output of `helm get values` begins with a title, unless it is called with `-o`. */
static struct yk_str skip_title(struct yk_str text)
{
    static const char *const titles[] = {"COMPUTED VALUES:\n", "USER-SUPPLIED VALUES:\n"};
    for (size_t i = 0; i < YK_COUNT(titles); i++) {
        if (yk_str_starts(text, titles[i]))
            return (struct yk_str){text.p + strlen(titles[i]), text.len - strlen(titles[i])};
    }
    return text;
}

static enum yk_status parse_values(struct yk_str text, json_t **ret_values, struct yk_err *err)
{
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    struct yk_yaml_node *root = NULL;
    struct conversion conversion = {.err = err};
    if (text.len > YK_MIGRATE_VALUES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "longer than %d bytes", YK_MIGRATE_VALUES_MAX);
    enum yk_status st = yk_yaml_parse(skip_title(text), &limits, &arena, &root, err);
    if (st != YK_OK)
        return yk_yaml_fail_by_line(err, st);
    bool is_empty = root == NULL || (root->kind == YK_YAML_SCALAR && yk_yaml_scalar_is_null(root));
    if (!is_empty && root->kind != YK_YAML_MAPPING)
        return yk_fail(err, YK_ERR_INVALID, "the values of a chart are a mapping, and this is %s",
                       yk_yaml_kind_word(root));
    *ret_values = is_empty ? json_object() : convert(&conversion, root, 0);
    return *ret_values != NULL ? YK_OK : conversion.st;
}

enum yk_status yk_migration_take_values(struct yk_migration *migration, struct yk_str text,
                                        struct yk_err *err)
{
    json_t *values = NULL;
    enum yk_status st = parse_values(text, &values, err);
    if (st != YK_OK)
        return st;
    json_decref(migration->values);
    migration->values = values;
    struct yk_look look = {.migration = migration,
                           .subject = YK_SUBJECT_VALUES,
                           .name = {.kind = YK_STR("Values")},
                           .object = values};
    for (size_t i = 0; i < yk_check_count; i++) {
        look.check = &yk_checks[i];
        if ((look.check->subjects & (1u << YK_SUBJECT_VALUES)) != 0)
            look.check->look(&look);
    }
    return YK_OK;
}

/* ---- settings ---- */

static void add_pair(struct yk_arena *arena, struct yk_pairs *pairs, const char *key, struct yk_str value)
{
    pairs->items[pairs->count++] =
        (struct yk_pair){yk_arena_str(arena, yk_str_from(key)), yk_arena_str(arena, value)};
}

static bool has_pair(const struct yk_pairs *pairs, const char *key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_is(pairs->items[i].key, key))
            return true;
    }
    return false;
}

static void add_value(struct yk_arena *arena, struct yk_pairs *pairs, const char *key, const json_t *value)
{
    if (json_is_string(value)) {
        add_pair(arena, pairs, key, (struct yk_str){json_string_value(value), json_string_length(value)});
    } else if (json_is_boolean(value) || json_is_number(value)) {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        add_pair(arena, pairs, key, yk_str_from(text));
        free(text);
    }
}

void yk_migration_settings_of_values(const struct yk_migration *migration, struct yk_arena *arena,
                                     struct yk_pairs *ret)
{
    /* `operatorPlugins` is not in the list: the row `value-operators` reports it. */
    static const struct {
        const char *value, *key;
    } fallbacks[] = {
        {"configuration", "queues.yaml"},
        {"placeHolderImage", "service.placeholderImage"},
        {"placeholderImage", "service.placeholderImage"},
        {"admissionController.processNamespaces", "admissionController.filtering.processNamespaces"},
        {"admissionController.bypassNamespaces", "admissionController.filtering.bypassNamespaces"},
        {"admissionController.labelNamespaces", "admissionController.filtering.labelNamespaces"},
        {"admissionController.noLabelNamespaces", "admissionController.filtering.noLabelNamespaces"},
    };
    json_t *defaults = (json_t *)(uintptr_t)yk__at(migration->values, "yunikornDefaults"), *value;
    const char *key;
    *ret = (struct yk_pairs){0};
    ret->items =
        yk_arena_alloc0(arena, (json_object_size(defaults) + YK_COUNT(fallbacks)) * sizeof(*ret->items));
    json_object_foreach(defaults, key, value) add_value(arena, ret, key, value);
    for (size_t i = 0; i < YK_COUNT(fallbacks); i++) {
        const json_t *given = yk__at(migration->values, fallbacks[i].value);
        if (given != NULL && !has_pair(ret, fallbacks[i].key))
            add_value(arena, ret, fallbacks[i].key, given);
    }
}
