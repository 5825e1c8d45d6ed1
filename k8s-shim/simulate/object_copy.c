/* SPDX-License-Identifier: Apache-2.0 */
/* Copies what the fields of an object point to. Each kind has a table of its fields (api/fields.h), which
 * says where the pointers of an object are. */
#include "simulate/objects_priv.h"

#include "api/fields.h"

static void own_table(struct yk_arena *arena, const struct yk_fields *table, char *base);

static void own_str(struct yk_arena *arena, char *text)
{
    *(struct yk_str *)(void *)text = yk_arena_str(arena, *(const struct yk_str *)(const void *)text);
}

static void own_item(struct yk_arena *arena, const struct yk_field *field, char *item)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXTS:
        own_str(arena, item);
        break;
    case YK_FIELD_ITEMS:
        own_table(arena, field->nested, item);
        break;
    case YK_FIELD_AMOUNTS:
        own_str(arena, item + offsetof(struct yk_amount, name));
        break;
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
        own_str(arena, item + offsetof(struct yk_pair, key));
        own_str(arena, item + offsetof(struct yk_pair, value));
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

/* A list is a pointer to its items. The uint32_t count follows the pointer in the struct. */
static void own_list(struct yk_arena *arena, const struct yk_field *field, char *list)
{
    size_t item_bytes = yk_field_item_bytes(field);
    char *items, *copy = NULL;
    uint32_t count;
    memcpy(&items, list, sizeof(items));
    memcpy(&count, list + sizeof(items), sizeof(count));
    if (count > 0) {
        copy = yk_arena_alloc0(arena, yk_size_mul(count, item_bytes));
        memcpy(copy, items, count * item_bytes);
    }
    for (uint32_t i = 0; i < count; i++)
        own_item(arena, field, copy + i * item_bytes);
    memcpy(list, &copy, sizeof(copy));
}

static void own_table(struct yk_arena *arena, const struct yk_fields *table, char *base)
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        if (yk_field_is_list(field))
            own_list(arena, field, base + field->offset);
        else if (field->type == YK_FIELD_NESTED)
            own_table(arena, field->nested, base + field->offset);
        else if (field->type == YK_FIELD_TEXT)
            own_str(arena, base + field->offset);
    }
}

void yk__object_own(struct yk_arena *arena, struct yk_object *copy)
{
    own_table(arena, yk_kind_info(copy->kind)->fields, (char *)copy);
    copy->fault = yk_arena_str(arena, copy->fault); /* no field of the API */
}
