/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object_json.h"

#include "api/fields.h"
#include "base/clock.h"

#define NANOS_PER_UNIT  1000000000
#define NANOS_PER_MILLI 1000000

enum { QUANTITY_TEXT_MAX = 48 };

static void walk(const struct yk_fields *table, const char *base, struct yk_json *json);

/* ---- values ---- */

static void put_number(unsigned __int128 number, bool is_negative, char suffix, char text[QUANTITY_TEXT_MAX])
{
    char *at = text + QUANTITY_TEXT_MAX - 1;
    *at = '\0';
    if (suffix != '\0')
        *--at = suffix;
    do {
        *--at = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number > 0);
    if (is_negative)
        *--at = '-';
    memmove(text, at, strlen(at) + 1);
}

static void put_quantity(yk_quantity quantity, struct yk_json *json)
{
    char text[QUANTITY_TEXT_MAX];
    bool is_negative = quantity < 0;
    unsigned __int128 nanos = is_negative ? -(unsigned __int128)quantity : (unsigned __int128)quantity;
    if (nanos % NANOS_PER_UNIT == 0)
        put_number(nanos / NANOS_PER_UNIT, is_negative, '\0', text);
    else if (nanos % NANOS_PER_MILLI == 0)
        put_number(nanos / NANOS_PER_MILLI, is_negative, 'm', text);
    else
        put_number(nanos, is_negative, 'n', text);
    yk_json_text(json, text);
}

static void put_time(int64_t wall_ns, struct yk_json *json)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format(wall_ns, wall_ns % YK_NS_PER_S == 0 ? 0 : 9, text);
    yk_json_text(json, text);
}

/* ---- lists ---- */

/* A list is a pointer with its count right behind it (api/fields.h). */
struct list {
    const char *items;
    uint32_t count;
};

static struct list list_at(const char *at)
{
    struct list list = {0};
    memcpy(&list.items, at, sizeof(list.items));
    memcpy(&list.count, at + sizeof(list.items), sizeof(list.count));
    return list;
}

static void put_pairs(const struct yk_pairs *pairs, bool are_bytes, struct yk_json *json)
{
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < pairs->count; i++) {
        yk_json_key_str(json, pairs->items[i].key);
        if (are_bytes) {
            YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
            yk_base64_encode(pairs->items[i].value, &text);
            yk_json_str(json, yk_buf_view(&text));
        } else {
            yk_json_str(json, pairs->items[i].value);
        }
    }
    yk_json_object_end(json);
}

static void put_amounts(const struct yk_amounts *amounts, struct yk_json *json)
{
    yk_json_object_begin(json);
    for (uint32_t i = 0; i < amounts->count; i++) {
        yk_json_key_str(json, amounts->items[i].name);
        put_quantity(amounts->items[i].quantity, json);
    }
    yk_json_object_end(json);
}

static void put_items(const struct yk_field *field, struct list list, struct yk_json *json)
{
    size_t bytes = yk_field_item_bytes(field);
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < list.count; i++) {
        const char *item = list.items + i * bytes;
        if (field->type == YK_FIELD_TEXTS) {
            yk_json_str(json, *(const struct yk_str *)(const void *)item);
        } else {
            yk_json_object_begin(json);
            walk(field->nested, item, json);
            yk_json_object_end(json);
        }
    }
    yk_json_array_end(json);
}

static void put_list(const struct yk_field *field, const char *at, struct yk_json *json)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
        put_items(field, list_at(at), json);
        break;
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
        put_pairs((const struct yk_pairs *)(const void *)at, field->type == YK_FIELD_BYTE_PAIRS, json);
        break;
    case YK_FIELD_AMOUNTS:
        put_amounts((const struct yk_amounts *)(const void *)at, json);
        break;
    case YK_FIELD_TEXT:
    case YK_FIELD_I32:
    case YK_FIELD_I64:
    case YK_FIELD_BOOL:
    case YK_FIELD_TIME:
    case YK_FIELD_PRESENT:
    case YK_FIELD_QUANTITY:
    case YK_FIELD_NESTED:
        break;
    }
}

/* ---- fields ---- */

/* Whether a field of the message has a value to write. */
static bool has_any(const struct yk_fields *table, const char *base);

static bool is_marked(const struct yk_field *field, const char *base)
{
    return field->present_offset != 0 && *(const bool *)(const void *)(base + field->present_offset);
}

static bool has_value(const struct yk_field *field, const char *base)
{
    const char *at = base + field->offset;
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        return !yk_str_empty(*(const struct yk_str *)(const void *)at);
    case YK_FIELD_I32:
        return *(const int32_t *)(const void *)at != 0;
    case YK_FIELD_I64:
    case YK_FIELD_TIME:
        return *(const int64_t *)(const void *)at != 0;
    case YK_FIELD_BOOL:
    case YK_FIELD_PRESENT:
        return *(const bool *)(const void *)at;
    case YK_FIELD_QUANTITY:
        return *(const yk_quantity *)(const void *)at != 0;
    case YK_FIELD_NESTED:
        return has_any(field->nested, at);
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        return list_at(at).count > 0;
    }
    return false;
}

static bool has_any(const struct yk_fields *table, const char *base)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (is_marked(&table->items[i], base) || has_value(&table->items[i], base))
            return true;
    }
    return false;
}

static void put_value(const struct yk_field *field, const char *at, struct yk_json *json)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        yk_json_str(json, *(const struct yk_str *)(const void *)at);
        break;
    case YK_FIELD_I32:
        yk_json_int(json, *(const int32_t *)(const void *)at);
        break;
    case YK_FIELD_I64:
        yk_json_int(json, *(const int64_t *)(const void *)at);
        break;
    case YK_FIELD_BOOL:
        yk_json_bool(json, *(const bool *)(const void *)at);
        break;
    case YK_FIELD_TIME:
        put_time(*(const int64_t *)(const void *)at, json);
        break;
    case YK_FIELD_PRESENT:
        yk_json_bool(json, true);
        break;
    case YK_FIELD_QUANTITY:
        put_quantity(*(const yk_quantity *)(const void *)at, json);
        break;
    case YK_FIELD_NESTED:
        yk_json_object_begin(json);
        walk(field->nested, at, json);
        yk_json_object_end(json);
        break;
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        put_list(field, at, json);
        break;
    }
}

static void walk(const struct yk_fields *table, const char *base, struct yk_json *json)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        if (!is_marked(field, base) && !has_value(field, base))
            continue;
        if (field->json == NULL) { /* an embedded struct: its fields are written here */
            walk(field->nested, base + field->offset, json);
            continue;
        }
        yk_json_key(json, field->json);
        put_value(field, base + field->offset, json);
    }
}

void yk_object_to_json(const struct yk_object *object, struct yk_json *json)
{
    yk_json_object_begin(json);
    walk(yk_kind_info(object->kind)->fields, (const char *)object, json);
    yk_json_object_end(json);
}
