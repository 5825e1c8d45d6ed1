/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes YAML nodes into C structs, by tables of fields.
 *
 * A schema lists the keys that a mapping may have, with the kind of each value and the field of the struct
 * that it is stored in. Unknown and duplicate keys and values of another kind are errors with line and
 * column. Merge keys and aliases are followed, with a bound on the number of values that they may repeat. A
 * null as the value of a field leaves its default. What is decoded is copied into the arena of the decoder.
 * Thread: any; a decoder is used by one call at a time.
 */
#ifndef YK_BASE_YAML_DECODE_H
#define YK_BASE_YAML_DECODE_H

#include "base/yaml_tree.h"

struct yk_yaml_decoder;
struct yk_yaml_schema;
struct yk_yaml_field;

/*
 * Reads `value`, the value of the key field->key, into `object`, the struct whose schema has `field` as a
 * row. `value` is neither a null nor an alias. Errors: as yk_yaml_decode().
 */
typedef enum yk_status (*yk_yaml_reader)(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                         const struct yk_yaml_node *value, void *object);

/* The type of a value, and of the field of the struct at `offset` that it is stored in. */
enum yk_yaml_field_kind {
    YK_YAML_FIELD_READER,  /* `read` decides */
    YK_YAML_FIELD_TEXT,    /* struct yk_str */
    YK_YAML_FIELD_BOOL,    /* bool; `aside`: offset of a bool that is set to true with the value; 0: none */
    YK_YAML_FIELD_UINT,    /* uint64_t */
    YK_YAML_FIELD_STRUCT,  /* a struct */
    YK_YAML_FIELD_POINTER, /* pointer to a struct in the arena; NULL when absent */
    /* Pointer to an array of structs in the arena, NULL when absent; `aside`: offset of a uint32_t, their
     * number. */
    YK_YAML_FIELD_LIST,
};

/* What is accepted although it is not the kind that the field has. */
enum yk_yaml_leniency {
    YK_YAML_EXACT,           /* nothing */
    YK_YAML_LIST_OF_ONE,     /* for POINTER: a list with exactly one mapping stands for that mapping */
    YK_YAML_SCALAR_IS_FIRST, /* for STRUCT: a single value stands for the first field of the struct, a text */
};

struct yk_yaml_field {
    const char *key;
    enum yk_yaml_field_kind kind;
    enum yk_yaml_leniency lenient;
    bool required; /* it is an error if the key is absent or null */
    uint32_t max;  /* maximum number of items of a list, or of entries of yk_yaml_map(); 0: no maximum */
    size_t offset, aside;                /* in the struct, in bytes (offsetof()) */
    const struct yk_yaml_schema *schema; /* for STRUCT, POINTER and LIST: of the inner struct */
    yk_yaml_reader read;                 /* for READER */
    const void *detail;                  /* for READER: anything that `read` needs; may be NULL */
};

struct yk_yaml_schema {
    const char *what; /* names the struct in errors, such as "a queue" */
    size_t size;      /* bytes of the struct; needed for `defaults`, POINTER and LIST */
    const struct yk_yaml_field *fields;
    size_t field_count;   /* at most 64 */
    size_t place_offset;  /* of two uint32_t: line and column of the mapping, or its alias; 0: none */
    const void *defaults; /* `size` bytes that are copied into the struct first; NULL: nothing is copied */
    /* Checks the struct after all its fields were read; `node` is for places in errors. NULL: no check. */
    enum yk_status (*check)(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node, void *object);
};

/* Written by: the caller, all but the last three fields, which are zeroed. `notice`, `placed`, `failed`
 * and `err` may be NULL. */
struct yk_yaml_decoder {
    struct yk_arena *arena;              /* for what is decoded; limits->memory_bytes bounds its `used` */
    const struct yk_yaml_limits *limits; /* as for the parser */
    /* Errors speak of keys, not of fields: "unknown key 'x'; known here: a, b" in place of "field 'x' is not
     * known in ...". */
    bool names_keys;
    bool refuses_nul; /* a text with a zero byte is an error */
    /* Called when a value is accepted by a leniency; `sentence` is borrowed for the call. */
    void (*notice)(void *context, uint32_t line, uint32_t column, const char *sentence);
    /* Called for each text that is not empty (`decoded`: its bytes in the arena), and for each field of the
     * kind UINT (`decoded`: the field). `node` is the value; for a key of yk_yaml_map(), the value of the
     * key. */
    void (*placed)(void *context, const void *decoded, const struct yk_yaml_node *node);
    /*
     * Called after an error in one entry of a struct or in one item of a list of structs. Returns `st` to
     * end, or YK_OK to go on with the next one; what was decoded of this one stays. `of_structure`: it is a
     * list or a struct, so contents of it may be missing.
     */
    enum yk_status (*failed)(void *context, enum yk_status st, bool of_structure);
    void *context; /* the first argument of the three functions */
    struct yk_err *err;
    /* Private. */
    uint32_t depth;   /* structs around the current one */
    size_t via_alias; /* aliases around the current value */
    size_t repeated;  /* values decoded because an alias repeats them */
};

/* Fills `object`, a zeroed struct or one that holds defaults, from `node`: a mapping, a null, or an alias of
 * one of them. A null counts as an empty mapping, but sets no place. After an error some fields of `object`
 * may be set. Errors: YK_ERR_INVALID, YK_ERR_LIMIT, or what `failed` returns. */
YK_NODISCARD enum yk_status yk_yaml_decode(struct yk_yaml_decoder *decoder,
                                           const struct yk_yaml_schema *schema,
                                           const struct yk_yaml_node *node, void *object);

/* ---- for readers ---- */

/* Writes an error with a formatted sentence and the place of `node` to decoder->err. Returns
 * YK_ERR_INVALID. */
enum yk_status yk_yaml_fail(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                            const char *format, ...) YK_PRINTF(3, 4);
/* Like yk_yaml_fail(), with a sentence that the value of `key` must be `wanted`, such as "a list".
 * Returns YK_ERR_INVALID. */
enum yk_status yk_yaml_fail_shape(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *value,
                                  const char *key, const char *wanted);
/* Copies the text of `node`, which is a scalar and no alias, into the arena of the decoder. Errors: as
 * yk_yaml_decode(). */
YK_NODISCARD enum yk_status yk_yaml_text(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                         struct yk_str *ret_text);
/* Reads `value`, which is neither a null nor an alias, into `object` as the kind of `field` says. Errors: as
 * yk_yaml_decode(). */
YK_NODISCARD enum yk_status yk_yaml_value(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                          const struct yk_yaml_node *value, void *object);
/* Does for YK_YAML_FIELD_READER what the kind YK_YAML_FIELD_TEXT does: reads a text into the struct
 * yk_str at field->offset.
 * Errors: as yk_yaml_decode(). */
enum yk_status yk_yaml_read_text(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                 const struct yk_yaml_node *value, void *object);

/* Reads `node` into `item`: an item of a list, which may be an alias but no null, or the value of an entry of
 * yk_yaml_map(), which may be an alias or a null. `item` is zeroed, except for the key of an entry. */
typedef enum yk_status (*yk_yaml_item_reader)(struct yk_yaml_decoder *decoder,
                                              const struct yk_yaml_field *field,
                                              const struct yk_yaml_node *node, void *item);

/*
 * Reads `value`, a list, into a new array in the arena of the decoder, of items of `item_bytes` bytes. Calls
 * `read` for each item but nulls, which are left out. `*ret_items` is not NULL, also for an empty list.
 * Errors: as yk_yaml_decode(); also YK_ERR_INVALID if `value` is no list.
 */
YK_NODISCARD enum yk_status yk_yaml_list(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                         const struct yk_yaml_node *value, size_t item_bytes,
                                         yk_yaml_item_reader read, void **ret_items, uint32_t *ret_count);
/*
 * Reads `value`, a mapping with any keys, into a new array in the arena of the decoder, of items of
 * `item_bytes` bytes. Each item begins with a struct yk_str, which is set to the key; then `read` is called
 * for the item. If `is_sorted`, the items are ordered by the bytes of their keys; otherwise they are in the
 * order of the text, with merged entries last. `*ret_items` is not NULL. Errors: as yk_yaml_decode(); also
 * YK_ERR_INVALID if `value` is no mapping or has a key twice.
 */
YK_NODISCARD enum yk_status yk_yaml_map(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                        const struct yk_yaml_node *value, size_t item_bytes, bool is_sorted,
                                        yk_yaml_item_reader read, void **ret_items, uint32_t *ret_count);

#endif
