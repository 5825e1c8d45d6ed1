/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a YAML scalar means where a null, a boolean or a number is wanted. Texts need no reading (C11).
 * Thread: any.
 * Source: docs/reference/queues.md, rules C11 to C13.
 */
#ifndef YK_BASE_YAML_SCALAR_H
#define YK_BASE_YAML_SCALAR_H

#include "base/yaml_tree.h"

/* Whether the scalar is unquoted and empty, "~" or "null". */
bool yk_yaml_scalar_is_null(const struct yk_yaml_node *scalar);
/* Whether a YAML reader would read the text, written without quotes, as something other than a text. */
bool yk_yaml_scalar_needs_quotes(struct yk_str text);

/* Reads true or false. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_bool(const struct yk_yaml_node *scalar, bool *ret_truth);
/* Reads digits without a sign. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_u64(const struct yk_yaml_node *scalar, uint64_t *ret_number);
/* Reads a number with or without a fraction and an exponent. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_double(const struct yk_yaml_node *scalar, double *ret_number);

#endif
