/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of regular expressions, as in the settings of the admission controller: "^a$, ^b-".
 *
 * An expression may match anywhere in a name. The time of a search is bounded; an expression that needs more
 * time does not match.
 *
 * Owns:   the compiled expressions.
 * Thread: any.
 * Source: docs/reference/admission.md, "Settings".
 */
#ifndef YK_ADMISSION_PATTERNS_H
#define YK_ADMISSION_PATTERNS_H

#include "base/str.h"

enum {
    YK_PATTERNS_MAX = 256,         /* expressions of one list */
    YK_PATTERN_SUBJECT_MAX = 1024, /* bytes of a name; a longer name does not match */
};

struct yk_patterns; /* opaque */

/* Compiles a list of expressions that are separated by commas. Empty expressions, and white space around
 * expressions, are skipped. The caller frees `*ret` with yk_patterns_free(). Errors: YK_ERR_INVALID, an
 * expression is too long or cannot be compiled; YK_ERR_LIMIT, more than YK_PATTERNS_MAX expressions. */
YK_NODISCARD enum yk_status yk_patterns_new(struct yk_str list, struct yk_patterns **ret, struct yk_err *err);
void yk_patterns_free(struct yk_patterns *patterns);
YK_DEFINE_FREEP(yk_patterns)
/* Whether the list has no expression. */
bool yk_patterns_empty(const struct yk_patterns *patterns);
/* Whether one of the expressions matches a part of `name`; false for an empty list. */
bool yk_patterns_match(const struct yk_patterns *patterns, struct yk_str name);

#endif
