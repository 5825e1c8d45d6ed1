/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML nodes into C structs, strictly, by declarative field tables.
 *
 * A schema says which keys a mapping may have, what shape each value has and where it goes. Unknown and
 * duplicate keys and wrong shapes are errors with line and column. Merge keys and aliases are followed, with
 * a bound on how much they may repeat. A null stands for an absent value. Everything decoded is copied into
 * the arena of the caller.
 * Thread: any; a decoder belongs to one call at a time.
 */
#ifndef YK_BASE_YAML_DECODE_H
#define YK_BASE_YAML_DECODE_H

#include "base/yaml_tree.h"

struct yk_yaml_decoder;
struct yk_yaml_schema;
struct yk_yaml_field;

/*
 * Reads the value of `field` into `object`, the struct around it. `value` is neither a null nor an alias.
 * Errors: as yk_yaml_decode().
 */
typedef enum yk_status (*yk_yaml_reader)(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                         const struct yk_yaml_node *value, void *object);

enum yk_yaml_field_kind {
    YK_YAML_FIELD_READER,  /* what `read` makes of it */
    YK_YAML_FIELD_TEXT,    /* struct yk_str */
    YK_YAML_FIELD_BOOL,    /* bool; `aside` (or 0): a bool that says the key was there */
    YK_YAML_FIELD_UINT,    /* uint64_t */
    YK_YAML_FIELD_STRUCT,  /* a struct in place */
    YK_YAML_FIELD_POINTER, /* pointer to a struct, NULL when absent */
    YK_YAML_FIELD_LIST,    /* pointer to an array of structs (NULL when absent); `aside`: uint32_t count */
};

enum yk_yaml_leniency {
    YK_YAML_EXACT,
    YK_YAML_LIST_OF_ONE,     /* a list with exactly one mapping stands for the mapping */
    YK_YAML_SCALAR_IS_FIRST, /* a single value stands for the first field of the struct */
};

struct yk_yaml_field {
    const char *key;
    enum yk_yaml_field_kind kind;
    enum yk_yaml_leniency lenient;
    bool required;                       /* its absence is an error */
    uint32_t max;                        /* entries of a list or a free map; 0: only the limits of the text */
    size_t offset, aside;                /* in the struct */
    const struct yk_yaml_schema *schema; /* of STRUCT, POINTER, LIST */
    yk_yaml_reader read;                 /* of READER */
    const void *detail;                  /* for `read` */
};

struct yk_yaml_schema {
    const char *what; /* "a queue" */
    size_t size;
    const struct yk_yaml_field *fields;
    size_t field_count;   /* at most 64 */
    size_t place_offset;  /* of two uint32_t, line and column, or 0 */
    const void *defaults; /* `size` bytes that the struct begins with; NULL: it is left as it is */
    /* What the fields must be together, after all were read; NULL: nothing. */
    enum yk_status (*check)(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node, void *object);
};

struct yk_yaml_decoder {
    struct yk_arena *arena;
    const struct yk_yaml_limits *limits;
    bool names_keys; /* errors say "unknown key 'x'; known here: a, b", not "field 'x' is not known in ..." */
    bool refuses_nul; /* in texts */
    /* Leniencies that were used. NULL: not wanted, as the following. */
    void (*notice)(void *context, uint32_t line, uint32_t column, const char *sentence);
    /* Each text (its bytes) and number that was decoded, and where it stands. */
    void (*placed)(void *context, const void *decoded, const struct yk_yaml_node *node);
    /*
     * After an error in one entry: returns the status, or YK_OK to leave the entry out and go on.
     * `of_structure`: the entry is a list or a struct, so that what it holds is missing.
     */
    enum yk_status (*failed)(void *context, enum yk_status st, bool of_structure);
    void *context;
    struct yk_err *err;
    /* Private. */
    uint32_t depth;   /* structs around the current one */
    size_t via_alias; /* aliases around the current value */
    size_t repeated;  /* values decoded because an alias repeats them */
};

/* Fills `object` (zeroed, or holding defaults) from a mapping or a null. Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_yaml_decode(struct yk_yaml_decoder *decoder,
                                           const struct yk_yaml_schema *schema,
                                           const struct yk_yaml_node *node, void *object);

/* ---- for readers ---- */

/* Returns YK_ERR_INVALID with a formatted sentence and the place of `node`. */
enum yk_status yk_yaml_fail(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                            const char *format, ...) YK_PRINTF(3, 4);
/* Returns YK_ERR_INVALID with the sentence that the value of `key` is not `wanted` ("a list"). */
enum yk_status yk_yaml_fail_shape(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *value,
                                  const char *key, const char *wanted);
/* Copies the text of the scalar `node` into the arena of the decoder. Errors: as yk_yaml_decode(). */
YK_NODISCARD enum yk_status yk_yaml_text(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                         struct yk_str *ret_text);
/* Reads `value` into `object` as the kind of `field` says. Errors: as yk_yaml_decode(). */
YK_NODISCARD enum yk_status yk_yaml_value(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                          const struct yk_yaml_node *value, void *object);
/* Reads a text: the kind YK_YAML_FIELD_TEXT as a reader (yk_yaml_reader). Errors: as yk_yaml_decode(). */
enum yk_status yk_yaml_read_text(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                 const struct yk_yaml_node *value, void *object);

/* Reads an item of a list, or the value of an entry of a free map; it may be an alias or a null. */
typedef enum yk_status (*yk_yaml_item_reader)(struct yk_yaml_decoder *decoder,
                                              const struct yk_yaml_field *field,
                                              const struct yk_yaml_node *node, void *item);

/*
 * Reads a list into a new array, in the arena of the decoder, of items of `item_bytes`. Null items are left out.
 * `*ret_items` is not NULL. Errors: as yk_yaml_decode().
 */
YK_NODISCARD enum yk_status yk_yaml_list(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                         const struct yk_yaml_node *value, size_t item_bytes,
                                         yk_yaml_item_reader read, void **ret_items, uint32_t *ret_count);
/*
 * Reads a mapping with free, unique keys into a new array, in the arena of the decoder, of items of `item_bytes`. Each
 * item begins with a struct yk_str for its key. The order is that of the text, with merged entries last, or if
 * `is_sorted` that of the keys' bytes. Errors: as yk_yaml_decode().
 */
YK_NODISCARD enum yk_status yk_yaml_map(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                        const struct yk_yaml_node *value, size_t item_bytes, bool is_sorted,
                                        yk_yaml_item_reader read, void **ret_items, uint32_t *ret_count);

#endif
