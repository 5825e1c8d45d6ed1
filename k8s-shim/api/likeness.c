/* SPDX-License-Identifier: Apache-2.0 */
#include "api/likeness.h"

#include "api/fields.h"
#include "base/map.h"

/*
 * The bytes that are hashed. A field that says nothing is left out; any other is its number and its contents,
 * which its type delimits: a text or list has its length in front, a message a zero, which is no field's
 * number, behind. So no two contents have the same bytes.
 */
struct bytes {
    char *at;
    const char *end;
    bool is_full; /* something did not fit, and `at` has come to the end */
};

enum { END_OF_MESSAGE = 0, IS_PRESENT = 0x80 /* with its number: a field whose presence says something */ };

/* Fields that are left out, by their numbers. */
#define FIELD(number) (UINT64_C(1) << (number))
/* name, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp */
#define OWN_METADATA (FIELD(1) | FIELD(5) | FIELD(6) | FIELD(7) | FIELD(8) | FIELD(9))
/* nodeName */
#define OWN_SPEC (FIELD(10))
/* Of the pod itself. */
enum { METADATA = 1, SPEC = 2 /* 3 is its status */ };

static void add_message(struct bytes *out, const struct yk_fields *table, const char *base, uint64_t own);

static inline bool has_room(struct bytes *out, size_t len)
{
    if ((size_t)(out->end - out->at) >= len)
        return true;
    out->at += out->end - out->at;
    out->is_full = true;
    return false;
}

static inline void add_byte(struct bytes *out, int byte)
{
    if (has_room(out, 1))
        *out->at++ = (char)byte;
}

/* `len` is a constant: this is a move or two. */
static inline void add_fixed(struct bytes *out, const void *value, size_t len)
{
    if (!has_room(out, len))
        return;
    memcpy(out->at, value, len);
    out->at += len;
}

static inline void add_text(struct bytes *out, const char *target)
{
    struct yk_str text;
    memcpy(&text, target, sizeof(text));
    uint32_t head = (uint32_t)text.len << 1 | (text.p != NULL); /* what is too long does not fit either way */
    if (!has_room(out, text.len + sizeof(head)))
        return;
    memcpy(out->at, &head, sizeof(head));
    if (text.len > 0)
        memcpy(out->at + sizeof(head), text.p, text.len);
    out->at += sizeof(head) + text.len;
}

static inline void add_number(struct bytes *out, const struct yk_field *field, const char *target, size_t len)
{
    static const char nothing[sizeof(yk_quantity)];
    if (memcmp(target, nothing, len) == 0)
        return;
    add_byte(out, field->number);
    add_fixed(out, target, len);
}

static inline void add_item(struct bytes *out, const struct yk_field *field, const char *item)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXTS:
        add_text(out, item);
        break;
    case YK_FIELD_ITEMS:
        add_message(out, field->nested, item, 0);
        break;
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
        add_text(out, item + offsetof(struct yk_pair, key));
        add_text(out, item + offsetof(struct yk_pair, value));
        break;
    case YK_FIELD_AMOUNTS:
        add_text(out, item + offsetof(struct yk_amount, name));
        add_fixed(out, item + offsetof(struct yk_amount, quantity), sizeof(yk_quantity));
        break;
    case YK_FIELD_TEXT:
    case YK_FIELD_I32:
    case YK_FIELD_BOOL:
    case YK_FIELD_TIME:
    case YK_FIELD_PRESENT:
    case YK_FIELD_QUANTITY:
    case YK_FIELD_NESTED:
        break;
    }
}

/* Whatever it points to: a pointer, then the count. */
static void add_list(struct bytes *out, const struct yk_field *field, const char *list)
{
    const char *items;
    uint32_t count;
    memcpy(&count, list + sizeof(items), sizeof(count));
    if (count == 0)
        return;
    memcpy(&items, list, sizeof(items));
    size_t item_bytes = yk_field_item_bytes(field);
    add_byte(out, field->number);
    add_fixed(out, &count, sizeof(count));
    for (uint32_t i = 0; i < count && !out->is_full; i++)
        add_item(out, field, items + i * item_bytes);
}

/* One that says nothing is left out, too. */
static void add_nested(struct bytes *out, const struct yk_field *field, const char *target, uint64_t own)
{
    char *before = out->at;
    add_byte(out, field->number);
    char *begin = out->at;
    add_message(out, field->nested, target, own);
    if (out->at == begin + 1)
        out->at = before;
}

/* A field that says something, but for its presence. */
static void add_field(struct bytes *out, const struct yk_field *field, const char *target)
{
    switch ((enum yk_field_type)field->type) {
    case YK_FIELD_TEXT:
        add_byte(out, field->number);
        add_text(out, target);
        return;
    case YK_FIELD_I32:
        add_number(out, field, target, sizeof(int32_t));
        return;
    case YK_FIELD_BOOL:
    case YK_FIELD_PRESENT:
        add_number(out, field, target, sizeof(bool));
        return;
    case YK_FIELD_TIME:
        add_number(out, field, target, sizeof(int64_t));
        return;
    case YK_FIELD_QUANTITY:
        add_number(out, field, target, sizeof(yk_quantity));
        return;
    case YK_FIELD_NESTED:
        add_nested(out, field, target, 0);
        return;
    case YK_FIELD_TEXTS:
    case YK_FIELD_ITEMS:
    case YK_FIELD_PAIRS:
    case YK_FIELD_BYTE_PAIRS:
    case YK_FIELD_ANNOTATIONS:
    case YK_FIELD_AMOUNTS:
        add_list(out, field, target);
        return;
    }
}

/* A text or list without anything in it, which most are: where one has its length the other has its count. */
static inline bool is_empty(const struct yk_field *field, const char *target)
{
    uint32_t count;
    if (field->type != YK_FIELD_TEXT && !yk_field_is_list(field))
        return false;
    memcpy(&count, target + sizeof(void *), sizeof(count));
    return count == 0;
}

/* `own`: fields that are left out; their tables have no number above 63. */
static void add_message(struct bytes *out, const struct yk_fields *table, const char *base, uint64_t own)
{
    const struct yk_field *end = table->items + table->count;
    for (const struct yk_field *field = table->items; field < end; field++) {
        if (own != 0 && (own >> field->number & 1) != 0)
            continue;
        if (field->present_offset != 0 && base[field->present_offset] != 0)
            add_byte(out, field->number | IS_PRESENT);
        if (!is_empty(field, base + field->offset))
            add_field(out, field, base + field->offset);
    }
    add_byte(out, END_OF_MESSAGE);
}

void yk_pod_set_likeness(struct yk_pod *pod)
{
    char room[YK_LIKENESS_BYTES_MAX];
    struct bytes out = {.at = room, .end = room + sizeof(room)};
    const char *base = (const char *)pod;
    for (uint32_t i = 0; i < yk_pod_fields.count; i++) {
        const struct yk_field *field = &yk_pod_fields.items[i];
        if (field->number == METADATA)
            add_nested(&out, field, base + field->offset, OWN_METADATA);
        else if (field->number == SPEC)
            add_nested(&out, field, base + field->offset, OWN_SPEC);
    }
    pod->likeness[0] = pod->likeness[1] = 0;
    if (!out.is_full)
        yk_hash_128(room, (size_t)(out.at - room), pod->likeness);
}
