/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a YAML scalar means where a null, a boolean or a number is wanted. Texts need no reading (C11).
 * Source: docs/reference/queues.md, rules C11 to C13.
 */
#ifndef YK_CONFIG_YAML_SCALAR_PRIV_H
#define YK_CONFIG_YAML_SCALAR_PRIV_H

#include "config/yaml_tree_priv.h"

/* Unquoted nothing, ~ or null. */
bool yk__scalar_is_null(const struct yk__yaml_node *scalar);
/* Whether a reader would take the unquoted text for something else than a text. */
bool yk__scalar_needs_quotes(struct yk_str text);

/* Errors of all: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__scalar_bool(const struct yk__yaml_node *scalar, bool *ret_truth);
YK_NODISCARD enum yk_status yk__scalar_u64(const struct yk__yaml_node *scalar, uint64_t *ret_number);
YK_NODISCARD enum yk_status yk__scalar_double(const struct yk__yaml_node *scalar, double *ret_number);

#endif
