/* SPDX-License-Identifier: Apache-2.0 */
#include "api/reader_priv.h"

#include <stdalign.h>

static size_t aligned(size_t bytes)
{
    return (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

enum yk_status yk__take_list(struct yk_store *store, uint32_t count, size_t item_bytes, char *list,
                             char **ret_items)
{
    if (list == NULL) {
        if (count > YK_OBJECT_ITEMS_MAX - store->items)
            return yk_fail(store->err, YK_ERR_LIMIT, "the object has more than %d entries in its lists",
                           YK_OBJECT_ITEMS_MAX);
        store->items += count;
        store->array_bytes += aligned(count * item_bytes);
        *ret_items = NULL;
        return YK_OK;
    }
    char *items = store->front;
    store->front += aligned(count * item_bytes);
    memcpy(list, &items, sizeof(items)); /* memcpy() because the type of the items is not known here */
    memcpy(list + sizeof(items), &count, sizeof(count));
    *ret_items = items;
    return YK_OK;
}

size_t yk_field_item_bytes(const struct yk_field *field)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXTS:
        return sizeof(struct yk_str);
    case YK_FIELD_ITEMS:
        return field->item_bytes;
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
        return sizeof(struct yk_pair);
    case YK_FIELD_AMOUNTS:
        return sizeof(struct yk_amount);
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
    return 0;
}

enum yk_status yk__put_quantity(struct yk_store *store, struct yk_str quantity, char *target)
{
    yk_quantity parsed;
    if (target == NULL || quantity.p == NULL)
        return YK_OK;
    enum yk_status st = yk_quantity_parse(quantity, &parsed, store->err);
    if (st == YK_OK)
        *(yk_quantity *)(void *)target = parsed;
    return st;
}

enum yk_status yk__put_amount(struct yk_store *store, struct yk_str name, struct yk_str quantity,
                              char *target)
{
    yk__put_text(store, name, yk__at(target, offsetof(struct yk_amount, name)));
    enum yk_status st =
        yk__put_quantity(store, quantity, yk__at(target, offsetof(struct yk_amount, quantity)));
    return st == YK_OK ? st : yk_fail_in(store->err, st, "'" YK_STR_FMT "'", YK_STR_ARG(name));
}

enum yk_status yk__fail_field(struct yk_store *store, enum yk_status st, const struct yk_field *field)
{
    return field->json == NULL ? st : yk_fail_in(store->err, st, "%s", field->json);
}

enum yk_status yk__read_block(yk_walk *walk, const struct yk_fields *table, const void *source, size_t bytes,
                              struct yk_arena *arena, char **ret_base, struct yk_err *err)
{
    struct yk_store store = {.err = err};
    enum yk_status st = walk(&store, table, source, NULL);
    if (st != YK_OK)
        return st;

    size_t total = aligned(bytes) + store.array_bytes + store.text_bytes;
    char *base = yk_arena_alloc0(arena, total);
    /* set before the second walk, so that the name of the object is known if the walk fails */
    *ret_base = base;
    store.front = base + aligned(bytes);
    store.back = base + total;
    st = walk(&store, table, source, base);
    YK_ASSERT(st != YK_OK || store.front <= store.back);
    return st;
}

/* Reads the fields of `table`. Errors name the object, as far as it is known. */
static enum yk_status read_table(enum yk_kind kind, const struct yk_fields *table, yk_walk *walk,
                                 const void *source, struct yk_object **ret, struct yk_err *err)
{
    const struct yk_kind_info *info = yk_kind_info(kind);
    struct yk_arena arena = {0};
    char *base = NULL;
    enum yk_status st = yk__read_block(walk, table, source, info->bytes, &arena, &base, err);
    struct yk_object *object = (struct yk_object *)(void *)base;
    if (st != YK_OK) {
        if (object != NULL && object->name.p != NULL)
            st = yk_fail_in(err, st, "%s '%s%s%s'", info->word,
                            object->namespace_.p != NULL ? object->namespace_.p : "",
                            object->namespace_.p != NULL ? "/" : "", object->name.p);
        else
            st = yk_fail_in(err, st, "%s", info->word);
        yk_arena_done(&arena);
        return st;
    }
    object->kind = kind;
    object->arena = arena;
    *ret = object;
    return YK_OK;
}

/* Reads the part of a pod that `read` names. `fault`: why the whole pod cannot be read. False: a field of the
 * part cannot be read, or the name or UID is absent. */
static bool read_pod_as(enum yk_read read, yk_walk *walk, const void *source, const char *fault,
                        struct yk_object **ret)
{
    const struct yk_fields *table =
        read == YK_READ_AMOUNTS ? &yk_pod_amounts_fields : &yk_pod_identity_fields;
    struct yk_object *object = NULL;
    struct yk_err err;
    if (read_table(YK_KIND_POD, table, walk, source, &object, &err) != YK_OK)
        return false;
    if (object->name.len == 0 || object->uid.len == 0) {
        yk_object_free(object);
        return false;
    }
    object->read = read;
    object->fault = yk_arena_str(&object->arena, yk_str_from(fault));
    *ret = object;
    return true;
}

enum yk_status yk__read_object(enum yk_kind kind, yk_walk *walk, const void *source, struct yk_object **ret,
                               struct yk_err *err)
{
    struct yk_err fault;
    enum yk_status st = read_table(kind, yk_kind_info(kind)->fields, walk, source, ret, &fault);
    if (st == YK_OK)
        return YK_OK;
    if (kind == YK_KIND_POD && (read_pod_as(YK_READ_AMOUNTS, walk, source, fault.text, ret) ||
                                read_pod_as(YK_READ_IDENTITY, walk, source, fault.text, ret)))
        return YK_OK;
    return yk_fail(err, st, "%s", fault.text);
}
