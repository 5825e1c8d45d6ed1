/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses YAML to a tree of nodes with their places in the text. Scalars are texts; base/yaml_scalar.h reads
 * them.
 *
 * Nodes are in the arena of the caller. An alias is a node of its own that points to its target. The target
 * ends before the alias in the text, so there is no cycle. The text of a scalar is terminated.
 *
 * Thread: any.
 */
#ifndef YK_BASE_YAML_TREE_H
#define YK_BASE_YAML_TREE_H

#include "base/arena.h"

enum yk_yaml_kind { YK_YAML_SCALAR, YK_YAML_SEQUENCE, YK_YAML_MAPPING, YK_YAML_ALIAS };

struct yk_yaml_node {
    enum yk_yaml_kind kind;
    bool plain;                    /* scalar without quotes, or with a tag such as !!int: may be no text */
    bool open;                     /* only while parsing: the end of the collection was not read yet */
    uint32_t line, column;         /* of the start, from 1 */
    uint32_t end_line, end_column; /* of the end of a list or mapping, from 1 */
    uint32_t count;                /* children; keys and values of a mapping count separately */
    struct yk_yaml_node *next;     /* next sibling; of a root: the root of the next document; NULL: none */
    union {
        struct yk_str text; /* scalar */
        struct {
            struct yk_yaml_node *first, *last;
        } children;                  /* of a sequence; of a mapping: key, value, key, value ... */
        struct yk_yaml_node *target; /* alias */
    } u;
};

/* The target of `node` if it is an alias, else `node`. */
static inline const struct yk_yaml_node *yk_yaml_behind(const struct yk_yaml_node *node)
{
    return node->kind == YK_YAML_ALIAS ? node->u.target : node;
}
/* The value of `key` in the mapping `node`, which may be NULL; if the value is an alias, its target. If
 * the key is there more than once, the last one counts. Merge keys are not followed. NULL: there is no such
 * key, or `node` is no mapping. If `node` is an alias, it is not followed. O(entries). */
const struct yk_yaml_node *yk_yaml_get(const struct yk_yaml_node *node, const char *key);
/* The kind of `node`, or of its target, for error messages: "a list", "a mapping", ...; the text is
 * static. */
const char *yk_yaml_kind_word(const struct yk_yaml_node *node);

/* How much one text may hold. All are positive. */
struct yk_yaml_limits {
    /* The text may not have more values and keys than this number; a list or a mapping counts twice. Aliases
     * may repeat the same number of values in addition. */
    size_t nodes;
    size_t memory_bytes; /* of the arena of a decoder (base/yaml_decode.h); the parser does not use it */
    uint32_t depth;      /* levels of structs in structs; each may be an item of a list */
};

/*
 * Parses a text of one document. Sets `*ret_root` to its root, in `arena`; NULL: the text has only blanks and
 * comments. `text` need not outlive the call; the caller bounds its length. Further documents are errors
 * unless they are empty, because nothing would read them (C10).
 * Errors: YK_ERR_INVALID, YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_yaml_parse(struct yk_str text, const struct yk_yaml_limits *limits,
                                          struct yk_arena *arena, struct yk_yaml_node **ret_root,
                                          struct yk_err *err);
/* Parses a text of any number of documents; `text` need not outlive the call. Sets `*ret_first` to the root
 * of the first document, in `arena`; its `next` leads to the others. NULL: there is no document. Errors:
 * YK_ERR_INVALID, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_yaml_parse_all(struct yk_str text, const struct yk_yaml_limits *limits,
                                              struct yk_arena *arena, struct yk_yaml_node **ret_first,
                                              struct yk_err *err);
/* Makes the line a part of the sentence of `err`, "line 3: <sentence>", and forgets the place. So a
 * prefix of yk_fail_in() comes before the line: "<prefix>: line 3: <sentence>". No effect if the error
 * has no place. Returns `status`. */
enum yk_status yk_yaml_fail_by_line(struct yk_err *err, enum yk_status status);

#endif
