/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML as a tree of nodes with their places in the text: the first document of a stream, nothing interpreted
 * yet.
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
    struct yk__yaml_node *next;
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

/* `*ret_root` is NULL when there is no document (blank or comments only). Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__yaml_parse(struct yk_str text, struct yk_arena *arena,
                                           struct yk__yaml_node **ret_root, struct yk_err *err);

#endif
