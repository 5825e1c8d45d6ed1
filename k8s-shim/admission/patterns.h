/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of regular expressions, as the settings of the admission controller write them: "^a$, ^b-".
 *
 * Owns: the compiled expressions.
 * Thread: any, one at a time. A search is not anchored and takes a bounded time: one that needs more does not
 * match.
 * Source: docs/reference/admission.md, "Settings".
 */
#ifndef YK_ADMISSION_PATTERNS_H
#define YK_ADMISSION_PATTERNS_H

#include "base/str.h"

enum {
    YK_PATTERNS_MAX = 256,         /* expressions of one list */
    YK_PATTERN_SUBJECT_MAX = 1024, /* bytes that are searched; a longer name does not match */
};

struct yk_patterns; /* opaque */

/* Compiles a list of expressions that are separated by commas. Empty ones, and white space around them, are
 * skipped. The caller frees `*ret` with yk_patterns_free(). Errors: YK_ERR_INVALID, naming the expression;
 * YK_ERR_LIMIT, more than YK_PATTERNS_MAX. */
YK_NODISCARD enum yk_status yk_patterns_new(struct yk_str list, struct yk_patterns **ret, struct yk_err *err);
/* Frees it. NULL is fine. */
void yk_patterns_free(struct yk_patterns *patterns);
YK_DEFINE_FREEP(yk_patterns)
/* Whether there is no pattern. */
bool yk_patterns_empty(const struct yk_patterns *patterns);
/* Whether one of the expressions is found in `name`. */
bool yk_patterns_match(const struct yk_patterns *patterns, struct yk_str name);

#endif
