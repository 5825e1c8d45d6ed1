/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a YAML scalar where a null, a boolean or a number is wanted. A text is node->u.text as it is (C11).
 * The node of each function is a scalar and no alias. "Unquoted": `plain` of the node is true.
 * Thread: any.
 * Source: docs/reference/queues.md, rules C11 to C13.
 */
#ifndef YK_BASE_YAML_SCALAR_H
#define YK_BASE_YAML_SCALAR_H

#include "base/yaml_tree.h"

/* Whether the scalar is unquoted and empty, "~", "null", "Null" or "NULL". */
bool yk_yaml_scalar_is_null(const struct yk_yaml_node *scalar);
/* Whether a YAML reader may take the text, written without quotes, for a null, a boolean, a number, a
 * date or a merge key. True for each text that begins like a number. It does not look for characters that
 * end a scalar, such as ": ". */
bool yk_yaml_scalar_needs_quotes(struct yk_str text);

/* Reads a boolean: unquoted true or false, or a word of YAML 1.1 such as yes or off, quoted or not (C12).
 * Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_bool(const struct yk_yaml_node *scalar, bool *ret_truth);
/* Reads an unquoted number that is not negative, also with the prefixes 0x, 0o, 0b or 0 (octal) and with
 * `_` between digits. A fraction is cut off (C13). Errors: YK_ERR_INVALID, also for 2^64 and more. */
YK_NODISCARD enum yk_status yk_yaml_scalar_u64(const struct yk_yaml_node *scalar, uint64_t *ret_number);
/* Reads an unquoted finite number as yk_yaml_scalar_u64() does, but with its sign and its fraction.
 * Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_yaml_scalar_double(const struct yk_yaml_node *scalar, double *ret_number);

#endif
