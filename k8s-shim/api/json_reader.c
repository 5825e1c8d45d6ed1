/* SPDX-License-Identifier: Apache-2.0 */
#include "api/json_reader.h"

#include "api/json_priv.h"
#include "api/json_splitter.h"
#include "base/clock.h"

#include <jansson.h>
#include <stdio.h>
#include <strings.h>

static enum yk_status fail_type(struct yk_store *store, const json_t *value, const char *wanted)
{
    static const char *const words[] = {
        [JSON_OBJECT] = "an object",   [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "an integer", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",        [JSON_NULL] = "null"};
    YK_INDEXED_BY(words, JSON_NULL);
    return yk_fail(store->err, YK_ERR_INVALID, "is %s instead of %s", words[json_typeof(value)], wanted);
}

static struct yk_str text_of(const json_t *value)
{
    return (struct yk_str){json_string_value(value), json_string_length(value)};
}

static enum yk_status read_scalar(struct yk_store *store, const struct yk_field *field, const json_t *value,
                                  char *target)
{
    if (field->type == YK_FIELD_BOOL) {
        if (!json_is_boolean(value))
            return fail_type(store, value, "true or false");
        if (target != NULL)
            *(bool *)(void *)target = json_is_true(value);
        return YK_OK;
    }
    if (!json_is_integer(value))
        return fail_type(store, value, "an integer");
    json_int_t number = json_integer_value(value);
    if (field->type == YK_FIELD_I64) {
        if (target != NULL)
            *(int64_t *)(void *)target = number;
        return YK_OK;
    }
    if (number < INT32_MIN || number > INT32_MAX)
        return yk_fail(store->err, YK_ERR_INVALID, "%lld does not fit in 32 bits", (long long)number);
    if (target != NULL)
        *(int32_t *)(void *)target = (int32_t)number;
    return YK_OK;
}

static enum yk_status read_time(struct yk_store *store, const json_t *value, char *target)
{
    if (!json_is_string(value))
        return fail_type(store, value, "a time");
    int64_t wall_ns;
    if (yk_time_parse(text_of(value), &wall_ns) != YK_OK)
        return yk_fail(store->err, YK_ERR_INVALID, "'" YK_STR_FMT "' is not a time",
                       YK_STR_ARG(text_of(value)));
    if (target != NULL)
        *(int64_t *)(void *)target = wall_ns;
    return YK_OK;
}

static enum yk_status read_text(struct yk_store *store, const json_t *value, char *target)
{
    if (!json_is_string(value))
        return fail_type(store, value, "a text");
    if (json_string_length(value) > 0)
        yk__put_text(store, text_of(value), target);
    return YK_OK;
}

/* A text that is read as the same number; 0.1 becomes "0.1". */
static struct yk_str number_text(const json_t *value, char text[32])
{
    if (json_is_integer(value)) {
        (void)snprintf(text, 32, "%lld", (long long)json_integer_value(value));
        return yk_str_from(text);
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, 32, "%.*g", digits, json_real_value(value));
        if (strtod(text, NULL) == json_real_value(value))
            break;
    }
    return yk_str_from(text);
}

/* The text of a quantity, which may be a text or a number in JSON; absent for null. `number`: memory for
 * the text of a number. */
static enum yk_status quantity_text(struct yk_store *store, const json_t *value, char number[32],
                                    struct yk_str *ret_text)
{
    if (json_is_string(value))
        *ret_text = yk_str_trim(text_of(value));
    else if (json_is_number(value))
        *ret_text = number_text(value, number);
    else if (!json_is_null(value))
        return fail_type(store, value, "a quantity");
    return YK_OK;
}

static enum yk_status read_quantity(struct yk_store *store, const json_t *value, char *target)
{
    char number[32];
    struct yk_str text = {0};
    enum yk_status st = quantity_text(store, value, number, &text);
    return st == YK_OK ? yk__put_quantity(store, text, target) : st;
}

static enum yk_status read_amount(struct yk_store *store, struct yk_str name, const json_t *value,
                                  char *target)
{
    char number[32];
    struct yk_str text = {0};
    enum yk_status st = quantity_text(store, value, number, &text);
    if (st != YK_OK)
        return yk_fail_in(store->err, st, "'" YK_STR_FMT "'", YK_STR_ARG(name));
    return yk__put_amount(store, name, text, target);
}

static enum yk_status put_bytes(struct yk_store *store, const json_t *value, char *target)
{
    struct yk_str text = text_of(value);
    if (target == NULL) { /* counts an upper bound of the bytes; the second walk decodes them */
        store->text_bytes += text.len / 4 * 3 + 4;
        return YK_OK;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {.max = YK_JSON_BYTES_MAX};
    enum yk_status st = yk_base64_decode(text, &bytes, store->err);
    if (st == YK_OK)
        yk__put_text(store, yk_buf_view(&bytes), target);
    return st;
}

static enum yk_status read_pair(struct yk_store *store, const struct yk_field *field, struct yk_str key,
                                const json_t *value, char *item)
{
    enum yk_status st = YK_OK;
    char *target = yk__at(item, offsetof(struct yk_pair, value));
    yk__put_text(store, key, yk__at(item, offsetof(struct yk_pair, key)));
    if (json_is_null(value))
        yk__put_text(store, YK_STR(""), target);
    else if (!json_is_string(value))
        st = fail_type(store, value, "a text");
    else if (field->type == YK_FIELD_BYTE_PAIRS)
        st = put_bytes(store, value, target);
    else
        yk__put_text(store, text_of(value), target);
    return st == YK_OK ? st : yk_fail_in(store->err, st, "'" YK_STR_FMT "'", YK_STR_ARG(key));
}

static bool entry_is_read(const struct yk_field *field, struct yk_str key)
{
    return field->type != YK_FIELD_ANNOTATIONS || yk_annotation_is_read(key);
}

static struct yk_str key_of(void *entry)
{
    return (struct yk_str){json_object_iter_key(entry), json_object_iter_key_len(entry)};
}

/* jansson's iteration takes a json_t without const, but only reads it. */
static json_t *writable(const json_t *value)
{
    return (json_t *)(uintptr_t)value;
}

static enum yk_status read_map(struct yk_store *store, const struct yk_field *field, const json_t *value,
                               char *list)
{
    if (!json_is_object(value))
        return fail_type(store, value, "an object");
    json_t *map = writable(value);
    uint32_t count = 0;
    for (void *at = json_object_iter(map); at != NULL; at = json_object_iter_next(map, at))
        count += entry_is_read(field, key_of(at));
    char *item = NULL;
    enum yk_status st =
        count == 0 ? YK_OK : yk__take_list(store, count, yk_field_item_bytes(field), list, &item);
    for (void *at = json_object_iter(map); st == YK_OK && at != NULL; at = json_object_iter_next(map, at)) {
        if (!entry_is_read(field, key_of(at)))
            continue;
        st = field->type == YK_FIELD_AMOUNTS
                 ? read_amount(store, key_of(at), json_object_iter_value(at), item)
                 : read_pair(store, field, key_of(at), json_object_iter_value(at), item);
        item = yk__at(item, yk_field_item_bytes(field));
    }
    return st;
}

static enum yk_status read_list(struct yk_store *store, const struct yk_field *field, const json_t *value,
                                char *list)
{
    if (!json_is_array(value))
        return fail_type(store, value, "a list");
    size_t count = json_array_size(value);
    char *item = NULL;
    if (count == 0)
        return YK_OK;
    enum yk_status st = yk__take_list(store, (uint32_t)YK_MIN(count, (size_t)UINT32_MAX),
                                      yk_field_item_bytes(field), list, &item);
    for (size_t i = 0; st == YK_OK && i < count; i++) {
        const json_t *entry = json_array_get(value, i);
        if (field->type == YK_FIELD_ITEMS)
            st = yk__json_walk(store, field->nested, entry, item);
        else if (json_is_string(entry))
            yk__put_text(store, text_of(entry), item);
        else
            st = fail_type(store, entry, "a text");
        item = yk__at(item, yk_field_item_bytes(field));
    }
    return st;
}

static enum yk_status read_field(struct yk_store *store, const struct yk_field *field, const json_t *value,
                                 char *base)
{
    char *target = yk__at(base, field->offset);
    yk__put_present(field, base);
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        return read_text(store, value, target);
    case YK_FIELD_I32:
    case YK_FIELD_I64:
    case YK_FIELD_BOOL:
        return read_scalar(store, field, value, target);
    case YK_FIELD_TIME:
        return read_time(store, value, target);
    case YK_FIELD_PRESENT:
        if (target != NULL)
            *(bool *)(void *)target = true;
        return YK_OK;
    case YK_FIELD_QUANTITY:
        return read_quantity(store, value, target);
    case YK_FIELD_NESTED:
        return yk__json_walk(store, field->nested, value, target);
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
        return read_list(store, field, value, target);
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        return read_map(store, field, value, target);
    }
    return YK_OK;
}

enum yk_status yk__json_walk(struct yk_store *store, const struct yk_fields *table, const void *source,
                             char *base)
{
    const json_t *object = source;
    if (!json_is_object(object))
        return fail_type(store, object, "an object");
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        const json_t *value = field->json == NULL ? object : json_object_get(object, field->json);
        if (value == NULL || json_is_null(value))
            continue;
        enum yk_status st = read_field(store, field, value, base);
        if (st != YK_OK)
            return yk__fail_field(store, st, field);
    }
    return YK_OK;
}

/* Called before jansson parses the text, because its parser is recursive. */
static bool is_too_deep(struct yk_str text)
{
    struct yk_json_scan scan = {0};
    for (size_t i = 0; i < text.len; i++) {
        yk_json_scan_byte(&scan, text.p[i]);
        if (scan.depth > YK_JSON_NESTING_MAX)
            return true;
    }
    return false;
}

static enum yk_status parse(struct yk_str text, size_t flags, json_t **ret, struct yk_err *err)
{
    if (text.len > YK_JSON_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "JSON of %zu bytes is larger than %d", text.len, YK_JSON_BYTES_MAX);
    if (is_too_deep(text))
        return yk_fail(err, YK_ERR_LIMIT, "JSON is nested deeper than %d levels", YK_JSON_NESTING_MAX);
    json_error_t reason;
    /* NUL is allowed: an annotation may contain "\u0000", and one such object must not stop a whole list. */
    json_t *tree = json_loadb(text.p != NULL ? text.p : "", text.len, JSON_ALLOW_NUL | flags, &reason);
    if (tree == NULL)
        return yk_fail(err, YK_ERR_INVALID, "not JSON: line %d, column %d: %s", reason.line, reason.column,
                       reason.text);
    *ret = tree;
    return YK_OK;
}

enum yk_status yk_json_parse(struct yk_str text, json_t **ret, struct yk_err *err)
{
    return parse(text, 0, ret, err);
}

enum yk_status yk_json_parse_strict(struct yk_str text, json_t **ret, struct yk_err *err)
{
    return parse(text, JSON_REJECT_DUPLICATES, ret, err);
}

enum yk_status yk_object_from_tree(enum yk_kind kind, const json_t *tree, struct yk_object **ret,
                                   struct yk_err *err)
{
    const char *word = yk_kind_info(kind)->word;
    const char *found = json_string_value(json_object_get(tree, "kind"));
    if (found != NULL && strcmp(found, word) != 0) /* items of a list have no kind */
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not a %s", found, word);
    return yk__read_object(kind, yk__json_walk, tree, ret, err);
}

enum yk_status yk_object_from_json(enum yk_kind kind, struct yk_str text, struct yk_object **ret,
                                   struct yk_err *err)
{
    json_t *tree = NULL;
    enum yk_status st = yk_json_parse(text, &tree, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "%s", yk_kind_info(kind)->word);
    st = yk_object_from_tree(kind, tree, ret, err);
    json_decref(tree);
    return st;
}

json_t *yk_json_member_nocase(json_t *object, const char *name)
{
    json_t *found = NULL;
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (strcasecmp(json_object_iter_key(at), name) == 0)
            found = json_object_iter_value(at);
    }
    return json_is_null(found) ? NULL : found;
}

void yk_json_join_names(const json_t *list, struct yk_buf *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
        yk_buf_printf(text, "%s%s", i > 0 ? ", " : "", name != NULL ? name : "");
    }
}
