/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of a node selector term, compiled: key, operator, values.
 *
 * A line that Kubernetes would refuse to parse never matches, and neither does its term; the other terms
 * still count.
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

/* Of matchExpressions: looks at labels. */
void yk_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
/* Of matchFields: In or NotIn with one value; the only field a node has is metadata.name. */
void yk_field_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
void yk_requirement_done(struct yk_compiled_requirement *requirement);
/* `value` is what the node has under the key: YK_NO_NAME when it has none (not the same as an empty text). */
bool yk_requirement_matches(const struct yk_compiled_requirement *requirement, yk_name value);

/* An optional DNS prefix of at most 253 bytes and a slash, then a name of at most 63. */
bool yk_qualified_name_valid(struct yk_str text);
/* Empty, or at most 63 of alphanumerics, '-', '_', '.', alphanumeric at both ends. */
bool yk_label_value_valid(struct yk_str text);

#endif
