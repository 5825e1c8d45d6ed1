/* SPDX-License-Identifier: Apache-2.0 */
#include "selectors/node_terms.h"

#define HOSTNAME_KEY "kubernetes.io/hostname"

static void terms_init(struct yk_node_terms *ret, uint32_t count)
{
    *ret = (struct yk_node_terms){.count = count};
    if (count > 0)
        ret->terms = yk_new0_array(struct yk_node_term, count);
}

static struct yk_compiled_requirement *lines_init(struct yk_node_term *term, uint32_t count)
{
    if (count > 0)
        term->lines = yk_new0_array(struct yk_compiled_requirement, count);
    term->count = count;
    return term->lines;
}

static void note_failures(struct yk_node_term *term)
{
    for (uint32_t i = 0; i < term->count; i++)
        term->never = term->never || term->lines[i].operator_ == YK_OPERATOR_NEVER;
}

static bool fields_parse(const struct yk_selector_term *term)
{
    bool parse = true;
    for (uint32_t i = 0; i < term->field_count; i++) {
        struct yk_compiled_requirement field;
        yk_field_requirement_init(&field, &term->fields[i]);
        parse = parse && field.operator_ != YK_OPERATOR_NEVER;
        yk_requirement_done(&field);
    }
    return parse;
}

void yk_node_terms_of_volume(struct yk_node_terms *ret, const struct yk_selector_term *terms, uint32_t count)
{
    terms_init(ret, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_node_term *term = &ret->terms[i];
        struct yk_compiled_requirement *lines = lines_init(term, terms[i].expression_count);
        for (uint32_t j = 0; j < term->count; j++)
            yk_requirement_init(&lines[j], &terms[i].expressions[j]);
        note_failures(term);
        term->never =
            term->never || terms[i].expression_count + terms[i].field_count == 0 || !fields_parse(&terms[i]);
    }
}

void yk_node_terms_of_class(struct yk_node_terms *ret, const struct yk_topology_term *terms, uint32_t count)
{
    terms_init(ret, count);
    ret->is_any = count == 0;
    for (uint32_t i = 0; i < count; i++) {
        struct yk_node_term *term = &ret->terms[i];
        struct yk_compiled_requirement *lines = lines_init(term, terms[i].requirement_count);
        for (uint32_t j = 0; j < term->count; j++) {
            const struct yk_topology_requirement *from = &terms[i].requirements[j];
            const struct yk_requirement line = {from->key, YK_STR("In"), from->values, from->value_count};
            yk_requirement_init(&lines[j], &line);
        }
        note_failures(term);
        term->never = term->never || term->count == 0;
    }
}

/* False for the operators Gt and Lt, which label selectors do not have. */
static bool is_for_labels(const struct yk_requirement *line)
{
    return !yk_str_is(line->operator_, "Gt") && !yk_str_is(line->operator_, "Lt");
}

void yk_node_terms_of_selector(struct yk_node_terms *ret, const struct yk_label_selector *selector)
{
    terms_init(ret, 1);
    struct yk_node_term *term = &ret->terms[0];
    struct yk_compiled_requirement *line =
        lines_init(term, selector->labels.count + selector->expression_count);
    for (uint32_t i = 0; i < selector->labels.count; i++) {
        struct yk_pair *pair = &selector->labels.items[i];
        const struct yk_requirement equal = {pair->key, YK_STR("In"), &pair->value, 1};
        yk_requirement_init(line++, &equal);
    }
    for (uint32_t i = 0; i < selector->expression_count; i++) {
        yk_requirement_init(line++, &selector->expressions[i]);
        term->never = term->never || !is_for_labels(&selector->expressions[i]);
    }
    note_failures(term);
    ret->is_any = term->count == 0;
}

void yk_node_terms_done(struct yk_node_terms *terms)
{
    for (uint32_t i = 0; i < terms->count; i++) {
        for (uint32_t j = 0; j < terms->terms[i].count; j++)
            yk_requirement_done(&terms->terms[i].lines[j]);
        free(terms->terms[i].lines);
    }
    free(terms->terms);
    *terms = (struct yk_node_terms){.terms = NULL};
}

static bool term_matches(const struct yk_node_term *term, const struct yk_cache_node *node)
{
    if (term->never)
        return false;
    for (uint32_t i = 0; i < term->count; i++) {
        if (!yk_requirement_matches(&term->lines[i], yk_cache_node_label(node, term->lines[i].key)))
            return false;
    }
    return true;
}

bool yk_node_terms_match(const struct yk_node_terms *terms, const struct yk_cache_node *node)
{
    for (uint32_t i = 0; !terms->is_any && i < terms->count; i++) {
        if (term_matches(&terms->terms[i], node))
            return true;
    }
    return terms->is_any;
}

bool yk_node_terms_bucket_key(const struct yk_node_terms *terms, struct yk_label *ret_label)
{
    bool found = false;
    if (terms->is_any || terms->count != 1)
        return false;
    for (uint32_t i = 0; i < terms->terms[0].count; i++) {
        const struct yk_compiled_requirement *line = &terms->terms[0].lines[i];
        if (line->operator_ != YK_OPERATOR_IN || line->value_count != 1)
            continue;
        if (!found || yk_str_is(yk_str_from(yk_name_text(line->key)), HOSTNAME_KEY))
            *ret_label = (struct yk_label){line->key, line->values[0]};
        found = true;
    }
    return found;
}
