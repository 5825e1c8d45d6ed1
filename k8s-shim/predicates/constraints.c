/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/constraints.h"

#include "cache/features.h"

static enum yk_toleration_operator toleration_operator(struct yk_str text)
{
    if (yk_str_empty(text) || yk_str_is(text, "Equal"))
        return YK_TOLERATES_EQUAL;
    if (yk_str_is(text, "Exists"))
        return YK_TOLERATES_EXISTS;
    if (yk_str_is(text, "Lt"))
        return YK_TOLERATES_LT;
    return yk_str_is(text, "Gt") ? YK_TOLERATES_GT : YK_TOLERATES_NOTHING;
}

static void take_tolerations(struct yk_constraints *ret, const struct yk_pod *pod)
{
    if (pod->toleration_count == 0)
        return;
    ret->tolerations = yk_new0_array(struct yk_compiled_toleration, pod->toleration_count);
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *from = &pod->tolerations[i];
        ret->tolerations[ret->toleration_count++] = (struct yk_compiled_toleration){
            .key = yk_str_empty(from->key) ? YK_NO_NAME : yk_name_get(from->key),
            .value = yk_name_get(from->value.p != NULL ? from->value : YK_STR("")),
            .operator_ = toleration_operator(from->operator_),
            .any_effect = yk_str_empty(from->effect),
            .effect = yk_taint_effect_of(from->effect),
        };
    }
}

static void take_selector(struct yk_constraints *ret, const struct yk_pod *pod)
{
    if (pod->node_selector.count == 0)
        return;
    ret->selector = yk_new0_array(struct yk_label, pod->node_selector.count);
    for (uint32_t i = 0; i < pod->node_selector.count; i++) {
        const struct yk_pair *pair = &pod->node_selector.items[i];
        ret->selector[ret->selector_count++] =
            (struct yk_label){yk_name_get(pair->key), yk_name_get(pair->value)};
    }
}

void yk_term_compile(struct yk_compiled_term *ret, const struct yk_selector_term *from)
{
    *ret = (struct yk_compiled_term){.label_count = from->expression_count, .field_count = from->field_count};
    if (from->expression_count + from->field_count == 0)
        return;
    ret->requirements =
        yk_calloc((size_t)from->expression_count + from->field_count, sizeof(*ret->requirements));
    for (uint32_t i = 0; i < from->expression_count; i++)
        yk_requirement_init(&ret->requirements[i], &from->expressions[i]);
    for (uint32_t i = 0; i < from->field_count; i++)
        yk_field_requirement_init(&ret->requirements[from->expression_count + i], &from->fields[i]);
}

void yk_term_done(struct yk_compiled_term *term)
{
    for (uint32_t i = 0; i < term->label_count + term->field_count; i++)
        yk_requirement_done(&term->requirements[i]);
    free(term->requirements);
}

void yk_term_keys(const struct yk_compiled_term *term, void (*visit)(void *context, yk_name key),
                  void *context)
{
    for (uint32_t i = 0; i < term->label_count; i++) {
        if (term->requirements[i].key.id != 0)
            visit(context, term->requirements[i].key);
    }
}

static void take_terms(struct yk_constraints *ret, const struct yk_pod *pod)
{
    ret->has_required_affinity = pod->has_required_affinity;
    if (!pod->has_required_affinity || pod->required_term_count == 0)
        return;
    ret->terms = yk_new0_array(struct yk_compiled_term, pod->required_term_count);
    for (uint32_t i = 0; i < pod->required_term_count; i++)
        yk_term_compile(&ret->terms[ret->term_count++], &pod->required_terms[i]);
}

static bool names_nodes(const struct yk_constraints *constraints, const struct yk_compiled_term *term)
{
    for (uint32_t i = 0; i < term->field_count; i++) {
        const struct yk_compiled_requirement *field = &term->requirements[term->label_count + i];
        if (field->operator_ == YK_OPERATOR_IN && yk_name_eq(field->key, constraints->name_field))
            return true;
    }
    return false;
}

static bool references_hostname(const struct yk_constraints *constraints)
{
    for (uint32_t i = 0; i < constraints->selector_count; i++) {
        if (yk_name_eq(constraints->selector[i].key, constraints->hostname_key))
            return true;
    }
    for (uint32_t i = 0; i < constraints->term_count; i++) {
        const struct yk_compiled_term *term = &constraints->terms[i];
        if (term->field_count > 0)
            return true;
        for (uint32_t j = 0; j < term->label_count; j++) {
            if (yk_name_eq(term->requirements[j].key, constraints->hostname_key))
                return true;
        }
    }
    return false;
}

void yk_constraints_init(struct yk_constraints *ret, const struct yk_pod *pod)
{
    *ret = (struct yk_constraints){
        .node_name = yk_str_empty(pod->node_name) ? YK_NO_NAME : yk_name_get(pod->node_name),
        .hostname_key = yk_name_get(YK_STR("kubernetes.io/hostname")),
        .name_field = yk_name_get(YK_STR("metadata.name")),
        .empty = yk_name_get(YK_STR("")),
        .features = yk_features_needed(pod),
    };
    take_tolerations(ret, pod);
    ret->tolerates_cordon = yk_tolerates_cordon(ret->tolerations, ret->toleration_count);
    take_selector(ret, pod);
    take_terms(ret, pod);
    ret->reads_identity = ret->node_name.id != 0 || references_hostname(ret);
    ret->is_named = ret->term_count > 0;
    for (uint32_t i = 0; i < ret->term_count; i++)
        ret->is_named = ret->is_named && names_nodes(ret, &ret->terms[i]);
}

void yk_constraints_done(struct yk_constraints *constraints)
{
    for (uint32_t i = 0; i < constraints->toleration_count; i++) {
        yk_name_put(constraints->tolerations[i].key);
        yk_name_put(constraints->tolerations[i].value);
    }
    for (uint32_t i = 0; i < constraints->selector_count; i++) {
        yk_name_put(constraints->selector[i].key);
        yk_name_put(constraints->selector[i].value);
    }
    for (uint32_t i = 0; i < constraints->term_count; i++)
        yk_term_done(&constraints->terms[i]);
    free(constraints->tolerations);
    free(constraints->selector);
    free(constraints->terms);
    yk_name_put(constraints->node_name);
    yk_name_put(constraints->hostname_key);
    yk_name_put(constraints->name_field);
    yk_name_put(constraints->empty);
    *constraints = (struct yk_constraints){.node_name = YK_NO_NAME};
}

void yk_constraints_keys(const struct yk_constraints *constraints, void (*visit)(void *context, yk_name key),
                         void *context)
{
    for (uint32_t i = 0; i < constraints->selector_count; i++)
        visit(context, constraints->selector[i].key);
    for (uint32_t i = 0; i < constraints->term_count; i++)
        yk_term_keys(&constraints->terms[i], visit, context);
}
