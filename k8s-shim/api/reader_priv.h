/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two readers share: where the pieces of an object go.
 *
 * An object is read in two walks over the same input. The first only adds up what will be kept and checks
 * every limit; then one block of exactly that size is taken, and the second walk fills it: structs and lists
 * from the front, texts from the back. A walk with `base` == NULL is the first one.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_API_READER_PRIV_H
#define YK_API_READER_PRIV_H

#include "api/fields.h"

struct yk_store {
    struct yk_err *err;
    uint32_t items;     /* of all lists so far, against YK_OBJECT_ITEMS_MAX */
    size_t array_bytes; /* first walk: what the second will need */
    size_t text_bytes;
    char *front, *back; /* second walk: what is left of the block */
};

typedef enum yk_status yk_walk(struct yk_store *store, const struct yk_fields *table, const void *source,
                               char *base);

/* Makes both walks over `source`, with the fields of `table`, into a new block of `arena`: `*ret_base`, whose
 * first `bytes` bytes are the struct. Errors: those of `walk`; if it is the second walk that fails,
 * `*ret_base` is set, and has what was read before. */
YK_NODISCARD enum yk_status yk__read_block(yk_walk *walk, const struct yk_fields *table, const void *source,
                                           size_t bytes, struct yk_arena *arena, char **ret_base,
                                           struct yk_err *err);
/* Reads an object of `kind` with the fields that its table lists. A pod that is not readable as a whole is
 * read for its amounts, else for its identity, and carries the error text. `*ret` belongs to the caller.
 * Errors: those of the walk, YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__read_object(enum yk_kind kind, yk_walk *walk, const void *source,
                                            struct yk_object **ret, struct yk_err *err);

/* Where a field's value goes; NULL in the first walk. */
static inline char *yk__at(char *base, size_t offset)
{
    return base == NULL ? NULL : base + offset;
}

/* Takes room for a list of `count` items of `item_bytes` bytes, zeroed. Second walk: sets pointer and count
 * at `list`, and `*ret_items` to the first item. First walk (`list` NULL): counts the room, and sets
 * `*ret_items` to NULL. Errors: YK_ERR_LIMIT, more than YK_OBJECT_ITEMS_MAX in all. */
YK_NODISCARD enum yk_status yk__take_list(struct yk_store *store, uint32_t count, size_t item_bytes,
                                          char *list, char **ret_items);

/* Sets `target`, a struct yk_str, to a terminated copy of `text` in the store. NULL in the first walk: counts
 * the room. */
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

/* Notes that a field is there. Nothing in the first walk. */
static inline void yk__put_present(const struct yk_field *field, char *base)
{
    if (base != NULL && field->present_offset != 0)
        *(bool *)(void *)(base + field->present_offset) = true;
}

/* Reads a name and a quantity into the struct yk_amount at `target`. Both texts go into the store. Errors:
 * YK_ERR_INVALID, not a quantity; `name` is in the message. */
YK_NODISCARD enum yk_status yk__put_amount(struct yk_store *store, struct yk_str name, struct yk_str quantity,
                                           char *target);
/* Parses `quantity` (absent: 0) into `target`, a yk_quantity; NULL in the first walk. Errors:
 * YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__put_quantity(struct yk_store *store, struct yk_str quantity, char *target);
/* Puts the name of `field` before the message in store->err: "metadata.name: ...". Returns `st`. */
enum yk_status yk__fail_field(struct yk_store *store, enum yk_status st, const struct yk_field *field);

#endif
