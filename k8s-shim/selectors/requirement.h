/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled requirement of a selector: key, operator, values.
 *
 * A requirement that Kubernetes would refuse to parse matches nothing.
 *
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
    YK_OPERATOR_NEVER, /* the requirement cannot be parsed: it matches nothing */
};

struct yk_compiled_requirement {
    yk_name key; /* counted; YK_NO_NAME with YK_OPERATOR_NEVER */
    enum yk_operator operator_;
    yk_name *values; /* owned array of counted names */
    uint32_t value_count;
    int64_t number; /* the number that Gt and Lt compare with */
};

/* Compiles a requirement about a label, such as one of matchExpressions. A requirement that is not valid gets
 * the operator YK_OPERATOR_NEVER. The caller ends `*ret` with yk_requirement_done(). */
void yk_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
/* Compiles a requirement of matchFields. If it is not In or NotIn with one value, it gets the operator
 * YK_OPERATOR_NEVER. The key, such as metadata.name, is not checked. The caller ends `*ret` with
 * yk_requirement_done(). */
void yk_field_requirement_init(struct yk_compiled_requirement *ret, const struct yk_requirement *from);
void yk_requirement_done(struct yk_compiled_requirement *requirement);
/* Whether the requirement matches an object whose label `requirement->key` has `value`. `value` is YK_NO_NAME
 * if the object has no such label. A label with an empty value is a different case. */
bool yk_requirement_matches(const struct yk_compiled_requirement *requirement, yk_name value);

/* Whether the text is a qualified name: an optional DNS prefix of at most 253 bytes and a slash, then a name
 * of 1 to 63 bytes. Label keys are qualified names. */
bool yk_qualified_name_valid(struct yk_str text);
/* Whether the text is a valid label value: empty, or at most 63 letters, digits, '-', '_' and '.', with a
 * letter or digit at both ends. */
bool yk_label_value_valid(struct yk_str text);
/* Whether the text is a DNS label, such as the name of a namespace or container: 1 to 63 lower-case letters,
 * digits and '-', with a letter or digit at both ends. */
bool yk_dns_label_valid(struct yk_str text);
/* Whether the text is a DNS subdomain, such as the name of a pod or node: at most 253 bytes, parts like DNS
 * labels of any length with '.' between them. */
bool yk_dns_subdomain_valid(struct yk_str text);

#endif
