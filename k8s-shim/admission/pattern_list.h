/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of regular expressions in one setting: separated by commas, searched anywhere in a name.
 *
 * Owns: its expressions. Thread: one at a time. Source: docs/reference/admission.md, "Settings".
 */
#ifndef YK_ADMISSION_PATTERN_LIST_H
#define YK_ADMISSION_PATTERN_LIST_H

#include "base/str.h"

struct yk_pattern_list; /* opaque */

enum { YK_PATTERN_LIST_MAX = 256, YK_PATTERN_SUBJECT_MAX = 4096 };

/* Blanks around an expression and empty ones do not count. Errors: YK_ERR_INVALID naming the expression,
 * YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_pattern_list_new(struct yk_str text, struct yk_pattern_list **ret_list,
                                                struct yk_err *err);
/* NULL is fine. */
void yk_pattern_list_free(struct yk_pattern_list *list);
YK_DEFINE_FREEP(yk_pattern_list)
bool yk_pattern_list_is_empty(const struct yk_pattern_list *list);
/* Whether one expression is found in `name`. A search that exceeds its bounds, or a name that is not UTF-8,
 * is no. */
bool yk_pattern_list_matches(const struct yk_pattern_list *list, struct yk_str name);

#endif
