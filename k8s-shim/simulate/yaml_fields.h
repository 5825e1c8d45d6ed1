/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strict YAML: a table says which keys a mapping has and how each is read; anything else is refused with its
 * line.
 *
 * Texts are copied into the reader's arena. A reader's first error stays; after it everything fails.
 */
#ifndef YK_SIMULATE_YAML_FIELDS_H
#define YK_SIMULATE_YAML_FIELDS_H

#include "api/object.h"

#include <yaml.h>

enum {
    YK_YAML_BYTES_MAX = 4 << 20,
    YK_YAML_READS_MAX = 1000 * 1000, /* values, each time an alias repeats it */
};

struct yk_yaml {
    yaml_document_t document;
    bool loaded;
    struct yk_arena *arena; /* borrowed; texts and lists go there */
    struct yk_err *err;
    size_t reads;
};

struct yk_yaml_field {
    const char *key;
    enum yk_status (*read)(struct yk_yaml *yaml, const yaml_node_t *value, void *target);
    size_t offset; /* of the target in the struct */
    bool required;
};

/* One document. Errors: YK_ERR_INVALID naming the line, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_yaml_load(struct yk_yaml *yaml, struct yk_str text, struct yk_arena *arena,
                                         struct yk_err *err);
void yk_yaml_done(struct yk_yaml *yaml);
/* NULL for an empty document. */
const yaml_node_t *yk_yaml_root(struct yk_yaml *yaml);

/* Fills `target` from a mapping; unknown and repeated keys are refused. */
YK_NODISCARD enum yk_status yk_yaml_map(struct yk_yaml *yaml, const yaml_node_t *node,
                                        const struct yk_yaml_field *fields, size_t count, void *target);
/* Reads each item of a sequence of at most `max` into a new array of items of `item_bytes`. */
YK_NODISCARD enum yk_status
yk_yaml_list(struct yk_yaml *yaml, const yaml_node_t *node, uint32_t max, size_t item_bytes,
             enum yk_status (*read)(struct yk_yaml *, const yaml_node_t *, void *), void **ret_items,
             uint32_t *ret_count);
/* "line N: ..." */
enum yk_status yk_yaml_fail(struct yk_yaml *yaml, const yaml_node_t *node, const char *format, ...)
    YK_PRINTF(3, 4);

/* Readers of one value; `target` is what the name says. */
enum yk_status yk_yaml_text(struct yk_yaml *yaml, const yaml_node_t *node, void *target); /* struct yk_str */
enum yk_status yk_yaml_name(struct yk_yaml *yaml, const yaml_node_t *node,
                            void *target); /* struct yk_str, not empty */
enum yk_status yk_yaml_duration(struct yk_yaml *yaml, const yaml_node_t *node,
                                void *target); /* int64_t ns, >= 0 */
enum yk_status yk_yaml_u64(struct yk_yaml *yaml, const yaml_node_t *node, void *target);  /* uint64_t */
enum yk_status yk_yaml_i32(struct yk_yaml *yaml, const yaml_node_t *node, void *target);  /* int32_t */
enum yk_status yk_yaml_unit(struct yk_yaml *yaml, const yaml_node_t *node, void *target); /* double, 0 to 1 */
enum yk_status yk_yaml_bool(struct yk_yaml *yaml, const yaml_node_t *node, void *target); /* bool */
enum yk_status yk_yaml_pairs(struct yk_yaml *yaml, const yaml_node_t *node,
                             void *target); /* struct yk_pairs */
enum yk_status yk_yaml_amounts(struct yk_yaml *yaml, const yaml_node_t *node,
                               void *target); /* struct yk_amounts */

#endif
