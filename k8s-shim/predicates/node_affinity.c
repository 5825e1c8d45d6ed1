/* SPDX-License-Identifier: Apache-2.0 */
/* NodeAffinity: the node selector and the required node affinity (docs/reference/predicates.md 2.2, 4.5). */
#include "predicates/constraints.h"

static bool field_matches(const struct yk_constraints *constraints,
                          const struct yk_compiled_requirement *field, const struct yk_cache_node *node)
{
    /* Every field other than metadata.name has an empty value. */
    yk_name value = yk_name_eq(field->key, constraints->name_field) ? node->name : constraints->empty;
    return yk_requirement_matches(field, value);
}

bool yk_term_matches(const struct yk_constraints *constraints, const struct yk_compiled_term *term,
                     const struct yk_cache_node *node)
{
    if (term->label_count + term->field_count == 0)
        return false;
    for (uint32_t i = 0; i < term->label_count; i++) {
        const struct yk_compiled_requirement *label = &term->requirements[i];
        if (!yk_requirement_matches(label, yk_cache_node_label(node, label->key)))
            return false;
    }
    for (uint32_t i = 0; i < term->field_count; i++) {
        if (!field_matches(constraints, &term->requirements[term->label_count + i], node))
            return false;
    }
    return true;
}

static bool selector_matches(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < constraints->selector_count; i++) {
        const struct yk_label *wanted = &constraints->selector[i];
        if (!yk_name_eq(yk_cache_node_label(node, wanted->key), wanted->value))
            return false;
    }
    return true;
}

bool yk_filter_node_affinity(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    if (!selector_matches(constraints, node))
        return false;
    if (!constraints->has_required_affinity)
        return true;
    for (uint32_t i = 0; i < constraints->term_count; i++) {
        if (yk_term_matches(constraints, &constraints->terms[i], node))
            return true;
    }
    return false;
}

/* The node that a term names by metadata.name. YK_NO_NAME: the term names none, or it names different ones,
 * so that no node matches it. */
static yk_name name_of(const struct yk_constraints *constraints, const struct yk_compiled_term *term)
{
    yk_name name = YK_NO_NAME;
    for (uint32_t i = 0; i < term->field_count; i++) {
        const struct yk_compiled_requirement *field = &term->requirements[term->label_count + i];
        if (field->operator_ != YK_OPERATOR_IN || !yk_name_eq(field->key, constraints->name_field))
            continue;
        if (name.id != 0 && !yk_name_eq(name, field->values[0]))
            return YK_NO_NAME;
        name = field->values[0];
    }
    return name;
}

bool yk_affinity_names(const struct yk_constraints *constraints, yk_name node, bool *ret_any)
{
    bool named = false;
    *ret_any = false;
    for (uint32_t i = 0; i < constraints->term_count; i++) {
        yk_name name = name_of(constraints, &constraints->terms[i]);
        *ret_any = *ret_any || name.id != 0;
        named = named || (name.id != 0 && yk_name_eq(name, node));
    }
    return named;
}
