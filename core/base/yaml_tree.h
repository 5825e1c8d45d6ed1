/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as a tree of nodes with their places in the text. Nothing is interpreted yet.
 *
 * Nodes live in the arena of the caller. An alias is a node of its own that points to its target; a target is
 * always complete before an alias may name it, so that the graph has no cycle. The text of a scalar is
 * terminated.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_YAML_TREE_H
#define YK_BASE_YAML_TREE_H

#include "base/arena.h"

enum yk_yaml_kind { YK_YAML_SCALAR, YK_YAML_SEQUENCE, YK_YAML_MAPPING, YK_YAML_ALIAS };

struct yk_yaml_node {
    enum yk_yaml_kind kind;
    bool plain;                    /* scalar without quotes: may be a null, a boolean or a number */
    bool open;                     /* while parsing: its end was not seen yet */
    uint32_t line, column;         /* from 1 */
    uint32_t end_line, end_column; /* of a collection: where it is over */
    uint32_t count;                /* children; of a mapping keys and values together */
    struct yk_yaml_node *next;     /* sibling; of a root: the root of the next document */
    union {
        struct yk_str text; /* scalar */
        struct {
            struct yk_yaml_node *first, *last;
        } children;                  /* sequence; mapping: key, value, key, value ... */
        struct yk_yaml_node *target; /* alias */
    } u;
};

/* The value itself: `node`, or the target of the alias that it is. */
static inline const struct yk_yaml_node *yk_yaml_behind(const struct yk_yaml_node *node)
{
    return node->kind == YK_YAML_ALIAS ? node->u.target : node;
}
/* The value of `key` in the mapping itself, behind its alias; of equal keys the last one. NULL if `node` has
 * none, is NULL or no mapping. O(entries). */
const struct yk_yaml_node *yk_yaml_get(const struct yk_yaml_node *node, const char *key);
/* "a list", "a mapping", ...; static. For error messages. */
const char *yk_yaml_kind_word(const struct yk_yaml_node *node);

/* How much one text may hold. Positive. */
struct yk_yaml_limits {
    size_t nodes;        /* values in the text, and again as many that aliases repeat */
    size_t memory_bytes; /* of what is decoded from it (base/yaml_decode.h) */
    uint32_t depth;      /* structs in structs; a struct may be an item of a list */
};

/*
 * Parses a text of one document. `*ret_root`, in `arena`, is NULL when there is none (blank or comments only). Later
 * documents may be empty; one with content is an error, because nothing reads it (C10).
 * Errors: YK_ERR_INVALID, YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_yaml_parse(struct yk_str text, const struct yk_yaml_limits *limits,
                                          struct yk_arena *arena, struct yk_yaml_node **ret_root,
                                          struct yk_err *err);
/* Parses all documents: `*ret_first`, in `arena`, is the root of the first one, NULL when there is none. Errors:
 * YK_ERR_INVALID, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_yaml_parse_all(struct yk_str text, const struct yk_yaml_limits *limits,
                                              struct yk_arena *arena, struct yk_yaml_node **ret_first,
                                              struct yk_err *err);
/* Rewrites an error with a place as "line 3: <sentence>", without the column; text that is put in front of it
 * later stays before that. No effect without a place. Returns `status`. */
enum yk_status yk_yaml_fail_by_line(struct yk_err *err, enum yk_status status);

#endif
