/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as a tree of nodes with their places in the text. Nothing is interpreted yet.
 *
 * Nodes live in the arena of the caller. An alias is a node of its own that points to its target; a target is
 * always complete before an alias may name it, so that the graph has no cycle. The text of a scalar is
 * terminated.
 */
#ifndef YK_CONFIG_YAML_TREE_PRIV_H
#define YK_CONFIG_YAML_TREE_PRIV_H

#include "base/arena.h"

enum yk__yaml_kind { YK__YAML_SCALAR, YK__YAML_SEQUENCE, YK__YAML_MAPPING, YK__YAML_ALIAS };

struct yk__yaml_node {
    enum yk__yaml_kind kind;
    bool plain;                    /* scalar without quotes: may be a null, a boolean or a number */
    bool open;                     /* while parsing: its end was not seen yet */
    uint32_t line, column;         /* from 1 */
    uint32_t end_line, end_column; /* of a collection: where it is over */
    uint32_t count;                /* children; of a mapping keys and values together */
    struct yk__yaml_node *next;    /* sibling; of a root: the root of the next document */
    union {
        struct yk_str text; /* scalar */
        struct {
            struct yk__yaml_node *first, *last;
        } children;                   /* sequence; mapping: key, value, key, value ... */
        struct yk__yaml_node *target; /* alias */
    } u;
};

/* "a list", "a mapping", ... */
const char *yk__yaml_kind_word(const struct yk__yaml_node *node);

/*
 * Parses a text of one document. `*ret_root` is NULL when there is none (blank or comments only). Later
 * documents may be empty; one with content is an error, because nothing reads it (C10).
 * Errors: YK_ERR_INVALID, YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk__yaml_parse(struct yk_str text, struct yk_arena *arena,
                                           struct yk__yaml_node **ret_root, struct yk_err *err);
/* Parses all documents: `*ret_first` is the root of the first one, NULL when there is none. Errors: as above.
 */
YK_NODISCARD enum yk_status yk__yaml_parse_all(struct yk_str text, struct yk_arena *arena,
                                               struct yk__yaml_node **ret_first, struct yk_err *err);

#endif
