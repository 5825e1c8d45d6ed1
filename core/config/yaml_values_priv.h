/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers (base/yaml_decode.h) of values that are no struct: the type yk_yaml_reader, to be named in a row of
 * a schema, not to be called. Each comment says what is written to the field. Errors: as yk_yaml_decode().
 * Thread: any.
 * Source: docs/reference/queues.md, C11 to C14.
 */
#ifndef YK_CONFIG_YAML_VALUES_PRIV_H
#define YK_CONFIG_YAML_VALUES_PRIV_H

#include "base/yaml_decode.h"
#include "config/config.h"

/* struct yk_pairs, sorted by key; `aside` (or 0): a bool that says the key was there. */
enum yk_status yk__read_pairs(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object);
/* struct yk_config_names. */
enum yk_status yk__read_names(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object);
/* Pointer to an array of {struct yk_str; double}, sorted by the text; `aside`: uint32_t count. */
enum yk_status yk__read_weights(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *value, void *object);

#endif
