/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a YAML scalar means where a null, a boolean or a number is wanted. Texts need no reading (C11).
 * Source: docs/reference/queues.md, rules C11 to C13.
 */
#ifndef YK_BASE_YAML_SCALAR_H
#define YK_BASE_YAML_SCALAR_H

#include "base/yaml_tree.h"

/* Unquoted nothing, ~ or null. */
bool yk_yaml_scalar_is_null(const struct yk_yaml_node *scalar);
/* Whether a reader would take the unquoted text for something else than a text. */
bool yk_yaml_scalar_needs_quotes(struct yk_str text);

/* Errors of all: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_bool(const struct yk_yaml_node *scalar, bool *ret_truth);
/* Digits, without a sign. */
YK_NODISCARD enum yk_status yk_yaml_scalar_u64(const struct yk_yaml_node *scalar, uint64_t *ret_number);
/* A number with or without a fraction and an exponent. */
YK_NODISCARD enum yk_status yk_yaml_scalar_double(const struct yk_yaml_node *scalar, double *ret_number);

#endif
