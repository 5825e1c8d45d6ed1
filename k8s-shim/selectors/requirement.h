/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of a node selector term, compiled: key, operator, values.
 *
 * A line that Kubernetes would refuse to parse never matches, and neither does its term; the other terms
 * still count.
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 2.1, 2.2.
 */
#ifndef YK_SELECTORS_REQUIREMENT_H
#define YK_SELECTORS_REQUIREMENT_H

#include "api/object.h"
#include "base/name.h"

enum yk_operator {
    YK_OPERATOR_IN,
    YK_OPERATOR_NOT_IN,
    YK_OPERATOR_EXISTS,
    YK_OPERATOR_DOES_NOT_EXIST,
    YK_OPERATOR_GT,
    YK_OPERATOR_LT,
    YK_OPERATOR_NEVER, /* did not parse */
};

struct yk_compiled_requirement {
    yk_name key;
    enum yk_operator operator_;
    yk_name *values; /* owned array of counted names */
    uint32_t value_count;
    int64_t number; /* Gt, Lt */
};

/* Compiles a requirement of matchExpressions, which is about labels. Ends with yk_requirement_done(). */
void yk_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
/* Compiles a requirement of matchFields: In or NotIn with one value of metadata.name, the only field of a
 * node. Ends with yk_requirement_done(). */
void yk_field_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
void yk_requirement_done(struct yk_compiled_requirement *requirement);
/* Whether the requirement matches a node whose label has `value`; YK_NO_NAME: the node has no such label (not
 * the same as an empty text). */
bool yk_requirement_matches(const struct yk_compiled_requirement *requirement, yk_name value);

/* Whether the text is a qualified name: an optional DNS prefix of at most 253 bytes and a slash, then a name
 * of at most 63 bytes. */
bool yk_qualified_name_valid(struct yk_str text);
/* Whether the text is a valid label value: empty, or at most 63 of alphanumerics, '-', '_', '.', alphanumeric
 * at both ends. */
bool yk_label_value_valid(struct yk_str text);

#endif
