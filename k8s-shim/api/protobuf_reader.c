/* SPDX-License-Identifier: Apache-2.0 */
#include "api/protobuf_reader.h"

#include "api/protobuf_priv.h"
#include "api/wire_priv.h"

static const char magic[4] = {'k', '8', 's', '\0'};

static enum yk_status fail_malformed(struct yk_store *store)
{
    return yk_fail(store->err, YK_ERR_INVALID, "malformed or truncated protobuf");
}

/*
 * The row of the table with the number `number`, or NULL. `*place`: where the last search ended; it becomes
 * the index of the row. API servers send fields in ascending order, so the search continues at `*place`.
 */
static inline const struct yk_field *find_field(const struct yk_fields *table, uint32_t number,
                                                uint32_t *place)
{
    uint32_t at = *place;
    if (at >= table->count || table->items[at].number > number)
        at = 0;
    while (at < table->count && table->items[at].number < number)
        at++;
    *place = at;
    return at < table->count && table->items[at].number == number ? &table->items[at] : NULL;
}

/* Reads an entry of a map: field 1 is the key, field 2 the value. False: malformed. */
static bool read_entry(struct yk_str bytes, struct yk_str *ret_key, struct yk_str *ret_value)
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes);
    struct yk_wire_field field;
    *ret_key = *ret_value = YK_STR("");
    while (yk__wire_next(&cursor, &field)) {
        if (field.number > 2)
            continue;
        if (field.type != YK_WIRE_BYTES)
            return false;
        *(field.number == 1 ? ret_key : ret_value) = field.bytes;
    }
    return !cursor.is_bad;
}

/* One list of the message that is being read. */
struct list {
    uint32_t count; /* entries so far */
    char *next;     /* where the next entry goes; NULL in the first walk */
};

static char *next_item(struct list *list, size_t item_bytes)
{
    char *item = list->next;
    list->count++; /* cannot wrap: input is bounded */
    list->next = yk__at(item, item_bytes);
    return item;
}

static enum yk_status read_pair(struct yk_store *store, const struct yk_field *field, struct yk_str bytes,
                                struct list *list)
{
    struct yk_str key, value;
    if (!read_entry(bytes, &key, &value))
        return fail_malformed(store);
    if (field->type == YK_FIELD_ANNOTATIONS && !yk_annotation_is_read(key))
        return YK_OK;
    char *item = next_item(list, sizeof(struct yk_pair));
    yk__put_text(store, key, yk__at(item, offsetof(struct yk_pair, key)));
    yk__put_text(store, value, yk__at(item, offsetof(struct yk_pair, value)));
    return YK_OK;
}

/* Reads the text of a Quantity, a message whose field 1 is the text. False: malformed. */
static bool read_quantity(struct yk_str message, struct yk_str *ret_text)
{
    struct yk_wire_cursor cursor = yk__wire_start(message);
    struct yk_wire_field field;
    while (yk__wire_next(&cursor, &field)) {
        if (field.number == 1 && field.type == YK_WIRE_BYTES)
            *ret_text = field.bytes;
    }
    return !cursor.is_bad;
}

static enum yk_status read_amount(struct yk_store *store, struct yk_str bytes, struct list *list)
{
    struct yk_str name, message, text = {0};
    if (!read_entry(bytes, &name, &message) || !read_quantity(message, &text))
        return fail_malformed(store);
    return yk__put_amount(store, name, text, next_item(list, sizeof(struct yk_amount)));
}

static enum yk_status read_time(struct yk_store *store, struct yk_str bytes, char *target)
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes);
    struct yk_wire_field field = {0};
    int64_t seconds = 0, ns = 0;
    while (yk__wire_next(&cursor, &field)) {
        if (field.type == YK_WIRE_VARINT && field.number == 1)
            seconds = (int64_t)field.value;
        else if (field.type == YK_WIRE_VARINT && field.number == 2)
            ns = (int32_t)field.value;
    }
    if (cursor.is_bad)
        return fail_malformed(store);
    if (__builtin_mul_overflow(seconds, YK_NS_PER_S, &seconds) || __builtin_add_overflow(seconds, ns, &ns))
        return yk_fail(store->err, YK_ERR_INVALID, "a time beyond the years 1678 to 2261");
    if (target != NULL)
        *(int64_t *)(void *)target = ns;
    return YK_OK;
}

static enum yk_status read_varint(struct yk_store *store, const struct yk_field *field,
                                  const struct yk_wire_field *wire, char *target)
{
    if (wire->type != YK_WIRE_VARINT)
        return yk_fail(store->err, YK_ERR_INVALID, "not a number");
    if (target == NULL)
        return YK_OK;
    if (field->type == YK_FIELD_BOOL)
        *(bool *)(void *)target = wire->value != 0;
    else if (field->type == YK_FIELD_I64)
        *(int64_t *)(void *)target = (int64_t)wire->value;
    else
        *(int32_t *)(void *)target = (int32_t)wire->value; /* negative numbers are extended to 64 bits */
    return YK_OK;
}

/* Reads one field. `list`: the list to which the entry is added; not used if the field is not a list. */
static enum yk_status read_field(struct yk_store *store, const struct yk_field *field,
                                 const struct yk_wire_field *wire, char *base, struct list *list)
{
    char *target = yk__at(base, field->offset);
    struct yk_str text = {0};
    yk__put_present(field, base);
    if (field->type == YK_FIELD_I32 || field->type == YK_FIELD_I64 || field->type == YK_FIELD_BOOL)
        return read_varint(store, field, wire, target);
    if (wire->type != YK_WIRE_BYTES)
        return yk_fail(store->err, YK_ERR_INVALID, "not a text, list or message");
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        if (wire->bytes.len > 0)
            yk__put_text(store, wire->bytes, target);
        break;
    case YK_FIELD_TIME:
        return read_time(store, wire->bytes, target);
    case YK_FIELD_PRESENT:
        if (target != NULL)
            *(bool *)(void *)target = true;
        break;
    case YK_FIELD_NESTED:
        return yk__protobuf_walk(store, field->nested, &wire->bytes, target);
    case YK_FIELD_QUANTITY:
        return read_quantity(wire->bytes, &text) ? yk__put_quantity(store, text, target)
                                                 : fail_malformed(store);
    case YK_FIELD_TEXTS:
        yk__put_text(store, wire->bytes, next_item(list, sizeof(struct yk_str)));
        break;
    case YK_FIELD_ITEMS:
        return yk__protobuf_walk(store, field->nested, &wire->bytes, next_item(list, field->item_bytes));
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
        return read_pair(store, field, wire->bytes, list);
    case YK_FIELD_AMOUNTS:
        return read_amount(store, wire->bytes, list);
    case YK_FIELD_I32:
    case YK_FIELD_I64:
    case YK_FIELD_BOOL:
        break;
    }
    return YK_OK;
}

/* Counts the entries of each list of the table. The bytes are well-formed, as the first walk has checked. */
static void count_items(const struct yk_fields *table, struct yk_str bytes, struct list lists[YK_FIELDS_MAX])
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes);
    struct yk_wire_field wire;
    uint32_t place = 0;
    while (yk__wire_next(&cursor, &wire)) {
        const struct yk_field *field = find_field(table, wire.number, &place);
        if (field == NULL || !yk_field_is_list(field))
            continue;
        struct yk_str key, value;
        if (field->type == YK_FIELD_ANNOTATIONS &&
            (!read_entry(wire.bytes, &key, &value) || !yk_annotation_is_read(key)))
            continue;
        lists[place].count++;
    }
}

/*
 * Reserves memory for the lists. If a nested message of a field that is not a list comes twice, protobuf
 * merges the two messages. Here, the lists in the second message replace those in the first, so that memory
 * stays proportional to the input. No API server sends a nested message twice.
 */
static enum yk_status take_lists(struct yk_store *store, const struct yk_fields *table, char *base,
                                 struct list lists[YK_FIELDS_MAX])
{
    for (uint32_t i = 0; i < table->count; i++) {
        const struct yk_field *field = &table->items[i];
        if (lists[i].count == 0)
            continue;
        enum yk_status st = yk__take_list(store, lists[i].count, yk_field_item_bytes(field),
                                          yk__at(base, field->offset), &lists[i].next);
        if (st != YK_OK)
            return yk__fail_field(store, st, field);
    }
    return YK_OK;
}

static enum yk_status walk_fields(struct yk_store *store, const struct yk_fields *table, struct yk_str bytes,
                                  char *base, struct list lists[YK_FIELDS_MAX])
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes);
    struct yk_wire_field wire;
    uint32_t place = 0;
    while (yk__wire_next(&cursor, &wire)) {
        const struct yk_field *field = find_field(table, wire.number, &place);
        if (field == NULL)
            continue;
        enum yk_status st = read_field(store, field, &wire, base, &lists[place]);
        if (st != YK_OK)
            return yk__fail_field(store, st, field);
    }
    return cursor.is_bad ? fail_malformed(store) : YK_OK;
}

enum yk_status yk__protobuf_walk(struct yk_store *store, const struct yk_fields *table, const void *source,
                                 char *base)
{
    struct yk_str bytes = *(const struct yk_str *)source;
    struct list lists[YK_FIELDS_MAX];
    if (!table->has_lists)
        return walk_fields(store, table, bytes, base, lists);
    memset(lists, 0, sizeof(lists[0]) * table->count);
    if (base == NULL) {
        enum yk_status st = walk_fields(store, table, bytes, base, lists);
        return st == YK_OK ? take_lists(store, table, base, lists) : st;
    }
    count_items(table, bytes, lists);
    enum yk_status st = take_lists(store, table, base, lists);
    return st == YK_OK ? walk_fields(store, table, bytes, base, lists) : st;
}

/* Reads the kind from TypeMeta: field 1 is apiVersion, field 2 is kind. False: malformed. */
static bool read_kind(struct yk_str bytes, struct yk_str *ret_kind)
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes);
    struct yk_wire_field field;
    while (yk__wire_next(&cursor, &field)) {
        if (field.number == 2 && field.type == YK_WIRE_BYTES)
            *ret_kind = field.bytes;
    }
    return !cursor.is_bad;
}

bool yk__envelope_has_magic(struct yk_str bytes)
{
    return bytes.len >= sizeof(magic) && memcmp(bytes.p, magic, sizeof(magic)) == 0;
}

enum yk_status yk_envelope_open(struct yk_str bytes, struct yk_envelope *ret, struct yk_err *err)
{
    struct yk_envelope envelope = {.raw = bytes};
    if (!yk__envelope_has_magic(bytes)) {
        *ret = envelope;
        return YK_OK;
    }
    envelope.raw = YK_STR("");
    struct yk_wire_cursor cursor =
        yk__wire_start((struct yk_str){bytes.p + sizeof(magic), bytes.len - sizeof(magic)});
    struct yk_wire_field field;
    bool ok = true;
    while (ok && yk__wire_next(&cursor, &field)) {
        if (field.number > 3)
            continue;
        ok = field.type == YK_WIRE_BYTES;
        if (ok && field.number == 1)
            ok = read_kind(field.bytes, &envelope.kind);
        else if (ok && field.number == 2)
            envelope.raw = field.bytes;
        else if (ok && field.bytes.len > 0)
            return yk_fail(err, YK_ERR_INVALID, "content encoding '" YK_STR_FMT "' is not supported",
                           YK_STR_ARG(field.bytes));
    }
    if (!ok || cursor.is_bad)
        return yk_fail(err, YK_ERR_INVALID, "malformed or truncated protobuf envelope");
    *ret = envelope;
    return YK_OK;
}

enum yk_status yk_object_from_protobuf(enum yk_kind kind, struct yk_str raw, struct yk_object **ret,
                                       struct yk_err *err)
{
    const char *word = yk_kind_info(kind)->word;
    struct yk_envelope envelope;
    if (raw.len > YK_PROTOBUF_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%s of %zu bytes is larger than %d", word, raw.len,
                       YK_PROTOBUF_BYTES_MAX);
    enum yk_status st = yk_envelope_open(raw, &envelope, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "%s", word);
    if (envelope.kind.len > 0 && !yk_str_is(envelope.kind, word))
        return yk_fail(err, YK_ERR_INVALID, "'" YK_STR_FMT "' is not a %s", YK_STR_ARG(envelope.kind), word);
    return yk__read_object(kind, yk__protobuf_walk, &envelope.raw, ret, err);
}
