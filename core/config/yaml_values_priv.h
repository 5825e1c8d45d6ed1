/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers (yk_yaml_reader of base/yaml_decode.h) of values that are no struct. Schemas name them in their
 * rows; no code calls them directly. Each comment says what is written to the field at field->offset.
 * Errors: as yk_yaml_decode().
 * Thread: any.
 * Source: docs/reference/queues.md, C11 to C14.
 */
#ifndef YK_CONFIG_YAML_VALUES_PRIV_H
#define YK_CONFIG_YAML_VALUES_PRIV_H

#include "base/yaml_decode.h"
#include "config/config.h"

/* A mapping as a struct yk_pairs, sorted by key; field->aside: offset of a bool that is set to true, or 0. */
enum yk_status yk__read_pairs(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object);
/* A list of texts as a struct yk_config_names. */
enum yk_status yk__read_names(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                              const struct yk_yaml_node *value, void *object);
/* A mapping of texts to numbers as a pointer to an array of {struct yk_str; double}, sorted by the text;
 * field->aside: offset of a uint32_t, their number. */
enum yk_status yk__read_weights(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *value, void *object);

#endif
