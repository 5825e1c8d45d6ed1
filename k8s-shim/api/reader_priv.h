/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers of JSON and protobuf have in common: the memory of an object.
 *
 * An object is read in two walks over the same input. The first walk adds up the sizes and checks the limits.
 * Then one block of that size is allocated, and the second walk fills it: structs and lists from the front,
 * texts from the back.
 *
 * Thread: any.
 */
#ifndef YK_API_READER_PRIV_H
#define YK_API_READER_PRIV_H

#include "api/fields.h"

struct yk_store {
    struct yk_err *err;
    uint32_t items;     /* first walk: entries of all lists so far; at most YK_OBJECT_ITEMS_MAX */
    size_t array_bytes; /* first walk: bytes of all lists so far */
    size_t text_bytes;  /* first walk: bytes of all texts so far, with terminators */
    char *front, *back; /* second walk: the part of the block that is not used yet */
};

/* Walks over the message `source`, which is in the format of the reader, and reads the fields of `table`.
 * `base`: the struct that gets the values; NULL in the first walk, which only adds to `store`. Errors:
 * YK_ERR_INVALID, YK_ERR_LIMIT, with the sentence in store->err. */
typedef enum yk_status yk_walk(struct yk_store *store, const struct yk_fields *table, const void *source,
                               char *base);

/* Makes both walks over `source` with the fields of `table`. `*ret_base`: a new block of `arena`, which
 * begins with a struct of `bytes` bytes that has the values. Errors: those of `walk`. If the second walk
 * fails, `*ret_base` is set, and the struct has the fields read so far; if the first walk fails, `*ret_base`
 * is untouched. */
YK_NODISCARD enum yk_status yk__read_block(yk_walk *walk, const struct yk_fields *table, const void *source,
                                           size_t bytes, struct yk_arena *arena, char **ret_base,
                                           struct yk_err *err);
/* Reads an object of `kind`, which the caller frees. A pod that cannot be read whole is read as
 * YK_READ_AMOUNTS or, if that fails, as YK_READ_IDENTITY; its `fault` then has the error text. Errors: those
 * of `walk`. For a pod there is an error only if a field of yk_pod_identity_fields, such as the name, cannot
 * be read, or its name or UID is absent. */
YK_NODISCARD enum yk_status yk__read_object(enum yk_kind kind, yk_walk *walk, const void *source,
                                            struct yk_object **ret, struct yk_err *err);

/* The address `offset` bytes after `base`; NULL if `base` is NULL, as in the first walk. */
static inline char *yk__at(char *base, size_t offset)
{
    return base == NULL ? NULL : base + offset;
}

/* Reserves memory for a list of `count` items of `item_bytes` bytes. First walk (`list` NULL): only counts
 * the bytes, and sets `*ret_items` to NULL; the error is YK_ERR_LIMIT if all lists together have more than
 * YK_OBJECT_ITEMS_MAX items. Second walk: sets the pointer at `list` and the count behind it, and sets
 * `*ret_items` to the first item; the items are zeroed. */
YK_NODISCARD enum yk_status yk__take_list(struct yk_store *store, uint32_t count, size_t item_bytes,
                                          char *list, char **ret_items);

/* First walk (`target` NULL): counts the bytes of `text`. Second walk: sets `target`, a struct yk_str, to
 * a terminated copy of `text` in the block. */
static inline void yk__put_text(struct yk_store *store, struct yk_str text, char *target)
{
    if (target == NULL) {
        store->text_bytes += text.len + 1;
        return;
    }
    store->back -= text.len + 1;
    if (text.len > 0)
        memcpy(store->back, text.p, text.len);
    store->back[text.len] = '\0';
    *(struct yk_str *)(void *)target = (struct yk_str){store->back, text.len};
}

/* Sets the bool at `present_offset` of the field, if it has one. Does nothing in the first walk (`base`
 * NULL). */
static inline void yk__put_present(const struct yk_field *field, char *base)
{
    if (base != NULL && field->present_offset != 0)
        *(bool *)(void *)(base + field->present_offset) = true;
}

/* First walk (`target` NULL): counts the bytes of `name`. Second walk: sets `target`, a struct yk_amount,
 * to the name and the quantity (absent: 0). Errors: YK_ERR_INVALID, not a quantity; `name` is in the
 * message. */
YK_NODISCARD enum yk_status yk__put_amount(struct yk_store *store, struct yk_str name, struct yk_str quantity,
                                           char *target);
/* Second walk: parses `quantity` (absent: 0) into `target`, a yk_quantity. First walk (`target` NULL):
 * does nothing. Errors: YK_ERR_INVALID, not a quantity. */
YK_NODISCARD enum yk_status yk__put_quantity(struct yk_store *store, struct yk_str quantity, char *target);
/* Puts the JSON name of `field`, if the field has one, before the sentence in store->err: "metadata: name:
 * ...". Returns `st`. */
enum yk_status yk__fail_field(struct yk_store *store, enum yk_status st, const struct yk_field *field);

#endif
