/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML nodes into C structs, strictly, by declarative field tables.
 *
 * A schema says which keys a mapping may have, what shape each value has and where it goes. Unknown and
 * duplicate keys and wrong shapes are errors with line and column. Merge keys and aliases are followed, with
 * a bound on how much they may repeat. Everything decoded lives in the arena of the caller. Source:
 * docs/reference/queues.md, rules C8 to C16.
 */
#ifndef YK_CONFIG_YAML_DECODE_PRIV_H
#define YK_CONFIG_YAML_DECODE_PRIV_H

#include "config/yaml_tree_priv.h"

struct yk__schema;

enum yk__field_kind {
    YK__FIELD_STRING,  /* struct yk_str */
    YK__FIELD_BOOL,    /* bool; `aside` (or 0): a bool that says the key was there */
    YK__FIELD_UINT,    /* uint64_t */
    YK__FIELD_PAIRS,   /* struct yk_config_pairs, sorted by key; `aside` (or 0): as above */
    YK__FIELD_NAMES,   /* struct yk_config_names */
    YK__FIELD_WEIGHTS, /* pointer to an array of {struct yk_str; double}; `aside`: uint32_t count */
    YK__FIELD_STRUCT,  /* a struct in place */
    YK__FIELD_POINTER, /* pointer to a struct, NULL when absent */
    YK__FIELD_LIST,    /* pointer to an array of structs (NULL when absent); `aside`: uint32_t count */
};

enum yk__leniency {
    YK__EXACT,
    YK__LIST_OF_ONE,     /* C16: a list with exactly one mapping stands for the mapping */
    YK__SCALAR_IS_FIRST, /* C16: a single value stands for the first field of the struct */
};

struct yk__field {
    const char *key;
    enum yk__field_kind kind;
    enum yk__leniency lenient;
    size_t offset, aside;
    const struct yk__schema *schema; /* of STRUCT, POINTER, LIST */
};

struct yk__schema {
    const char *what; /* "a queue" */
    size_t size;
    const struct yk__field *fields;
    size_t field_count;  /* at most 64 */
    size_t place_offset; /* of a struct yk_config_place, or 0 */
};

struct yk__decoder {
    struct yk_arena *arena;
    size_t memory_max; /* of the arena */
    void (*notice)(void *context, uint32_t line, uint32_t column,
                   const char *sentence); /* leniencies that were used */
    /* Each text (its bytes) and number that was decoded, and where it stands. */
    void (*placed)(void *context, const void *decoded, const struct yk__yaml_node *node);
    /*
     * After an error in one entry: returns the status, or YK_OK to leave the entry out and go on.
     * `of_structure`: the entry is a list or a struct, so that what it holds is missing.
     */
    enum yk_status (*failed)(void *context, enum yk_status st, bool of_structure);
    void *context;
    struct yk_err *err;
    /* Private. */
    uint32_t depth;     /* structs around the current one */
    uint32_t via_alias; /* aliases around the current value */
    uint32_t repeated;  /* values decoded because an alias repeats them */
};

/* Fills `object` (zeroed, or holding defaults) from a mapping or a null. Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__decode(struct yk__decoder *decoder, const struct yk__schema *schema,
                                       const struct yk__yaml_node *node, void *object);

#endif
