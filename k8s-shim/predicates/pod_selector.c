/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/pod_selector.h"

/* ---- entities ---- */

static int by_key_id(const void *a, const void *b)
{
    const struct yk_label *x = a, *y = b;
    return x->key.id < y->key.id ? -1 : x->key.id > y->key.id;
}

static yk_name name_of(struct yk_str text)
{
    return yk_name_get(text.p != NULL ? text : YK_STR(""));
}

void yk_entity_init(struct yk_entity *ret, struct yk_str namespace_, const struct yk_pairs *labels,
                    bool (*wanted)(void *context, yk_name key), void *context)
{
    *ret = (struct yk_entity){.namespace_ = name_of(namespace_)};
    yk_list_init(&ret->matches);
    if (labels->count == 0)
        return;
    ret->labels = yk_new0_array(struct yk_label, labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        yk_name key = name_of(labels->items[i].key);
        if (wanted == NULL || wanted(context, key))
            ret->labels[ret->label_count++] = (struct yk_label){key, name_of(labels->items[i].value)};
        else
            yk_name_put(key);
    }
    qsort(ret->labels, ret->label_count, sizeof(*ret->labels), by_key_id);
}

void yk_entity_init_names(struct yk_entity *ret, yk_name namespace_, const struct yk_label *labels,
                          uint32_t count)
{
    *ret = (struct yk_entity){.namespace_ = yk_name_ref(namespace_), .label_count = count};
    yk_list_init(&ret->matches);
    if (count == 0)
        return;
    ret->labels = yk_new0_array(struct yk_label, count);
    for (uint32_t i = 0; i < count; i++)
        ret->labels[i] = (struct yk_label){yk_name_ref(labels[i].key), yk_name_ref(labels[i].value)};
    qsort(ret->labels, count, sizeof(*ret->labels), by_key_id);
}

void yk_entity_done(struct yk_entity *entity)
{
    YK_ASSERT(yk_list_empty(&entity->matches));
    for (uint32_t i = 0; i < entity->label_count; i++) {
        yk_name_put(entity->labels[i].key);
        yk_name_put(entity->labels[i].value);
    }
    free(entity->labels);
    yk_name_put(entity->namespace_);
    *entity = (struct yk_entity){.label_count = 0};
}

yk_name yk_entity_label(const struct yk_entity *entity, yk_name key)
{
    uint32_t low = 0, high = entity->label_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (entity->labels[middle].key.id < key.id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < entity->label_count && yk_name_eq(entity->labels[low].key, key);
    return found ? entity->labels[low].value : YK_NO_NAME;
}

/* ---- compiling ---- */

/* Appends a requirement to `lines`, which has room. False: the requirement is not valid for pods. */
static bool add_line(struct yk_compiled_requirement **lines, uint32_t *count,
                     const struct yk_requirement *from)
{
    struct yk_compiled_requirement *line = &(*lines)[(*count)++];
    yk_requirement_init(line, from);
    /* Gt and Lt are for nodes only (predicates.md 2.1). */
    return line->operator_ != YK_OPERATOR_NEVER && line->operator_ != YK_OPERATOR_GT &&
           line->operator_ != YK_OPERATOR_LT;
}

static bool add_pair_line(struct yk_compiled_requirement **lines, uint32_t *count, const struct yk_pair *pair)
{
    struct yk_str value = pair->value.p != NULL ? pair->value : YK_STR("");
    const struct yk_requirement line = {
        .key = pair->key, .operator_ = YK_STR("In"), .values = &value, .value_count = 1};
    return add_line(lines, count, &line);
}

/* Compiles a label selector. `more`: the number of further lines for which the array gets room. False: the
 * selector is not valid; the caller frees the lines in this case, too. */
static bool compile(const struct yk_label_selector *from, uint32_t more,
                    struct yk_compiled_requirement **ret_lines, uint32_t *ret_count)
{
    size_t count = yk_size_add(yk_size_add(from->labels.count, from->expression_count), more);
    bool valid = true;
    *ret_count = 0;
    *ret_lines = count == 0 ? NULL : yk_calloc(count, sizeof(**ret_lines));
    for (uint32_t i = 0; i < from->labels.count; i++)
        valid = add_pair_line(ret_lines, ret_count, &from->labels.items[i]) && valid;
    for (uint32_t i = 0; i < from->expression_count; i++)
        valid = add_line(ret_lines, ret_count, &from->expressions[i]) && valid;
    return valid;
}

static bool is_listed(const struct yk_pod_selector *selector, yk_name name)
{
    for (uint32_t i = 0; i < selector->namespace_count; i++) {
        if (yk_name_eq(selector->namespaces[i], name))
            return true;
    }
    return false;
}

static void set_namespaces(struct yk_pod_selector *ret, const struct yk_str *names, uint32_t count)
{
    if (count == 0)
        return;
    ret->namespaces = yk_new0_array(yk_name, count);
    for (uint32_t i = 0; i < count; i++) {
        yk_name name = name_of(names[i]);
        if (is_listed(ret, name))
            yk_name_put(name);
        else
            ret->namespaces[ret->namespace_count++] = name;
    }
}

bool yk_pod_selector_init(struct yk_pod_selector *ret, const struct yk_pod_affinity_term *term,
                          struct yk_str owner_namespace)
{
    *ret = (struct yk_pod_selector){.matches_nothing = !term->has_selector,
                                    .has_namespace_selector = term->has_namespace_selector};
    bool valid = true;
    if (term->has_selector)
        valid = compile(&term->selector, 0, &ret->lines, &ret->line_count);
    if (term->has_namespace_selector)
        valid =
            compile(&term->namespace_selector, 0, &ret->namespace_lines, &ret->namespace_line_count) && valid;
    if (term->namespace_count == 0 && !term->has_namespace_selector)
        set_namespaces(ret, &owner_namespace, 1);
    else
        set_namespaces(ret, term->namespaces, term->namespace_count);
    if (!valid)
        yk_pod_selector_done(ret);
    return valid;
}

bool yk_terms_parse(const struct yk_pod_affinity_term *terms, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct yk_pod_selector selector;
        if (!yk_pod_selector_init(&selector, &terms[i], YK_STR("")))
            return false;
        yk_pod_selector_done(&selector);
    }
    return true;
}

bool yk_spread_selector_init(struct yk_pod_selector *ret, const struct yk_spread_constraint *constraint,
                             struct yk_str owner_namespace, const struct yk_pairs *labels)
{
    *ret = (struct yk_pod_selector){.matches_nothing = !constraint->has_selector};
    set_namespaces(ret, &owner_namespace, 1);
    if (!constraint->has_selector)
        return true;
    if (!compile(&constraint->selector, constraint->match_label_key_count, &ret->lines, &ret->line_count)) {
        yk_pod_selector_done(ret);
        return false;
    }
    for (uint32_t i = 0; i < constraint->match_label_key_count; i++) {
        for (uint32_t j = 0; j < labels->count; j++) {
            if (!yk_str_eq(labels->items[j].key, constraint->match_label_keys[i]))
                continue;
            (void)add_pair_line(&ret->lines, &ret->line_count, &labels->items[j]); /* a label is valid */
            break;
        }
    }
    return true;
}

static void drop_lines(struct yk_compiled_requirement *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        yk_requirement_done(&lines[i]);
    free(lines);
}

void yk_pod_selector_done(struct yk_pod_selector *selector)
{
    for (uint32_t i = 0; i < selector->namespace_count; i++)
        yk_name_put(selector->namespaces[i]);
    free(selector->namespaces);
    drop_lines(selector->namespace_lines, selector->namespace_line_count);
    drop_lines(selector->lines, selector->line_count);
    *selector = (struct yk_pod_selector){.matches_nothing = true};
}

/* ---- matching ---- */

/* `object`: the namespace; NULL: it is not known, and has no labels. */
static bool namespace_line_matches(const struct yk_compiled_requirement *line, const struct yk_object *object)
{
    const char *key = yk_name_text(line->key);
    for (uint32_t i = 0; object != NULL && i < object->labels.count; i++) {
        if (!yk_str_is(object->labels.items[i].key, key))
            continue;
        yk_name value = name_of(object->labels.items[i].value);
        bool matches = yk_requirement_matches(line, value);
        yk_name_put(value);
        return matches;
    }
    return yk_requirement_matches(line, YK_NO_NAME);
}

static bool namespace_selected(const struct yk_pod_selector *selector, yk_name namespace_,
                               const struct yk_cache *cache)
{
    if (!selector->has_namespace_selector)
        return false;
    const struct yk_object *object = yk_cache_find_namespace(cache, yk_str_from(yk_name_text(namespace_)));
    for (uint32_t i = 0; i < selector->namespace_line_count; i++) {
        if (!namespace_line_matches(&selector->namespace_lines[i], object))
            return false;
    }
    return true;
}

static bool in_scope(const struct yk_pod_selector *selector, yk_name namespace_, const struct yk_cache *cache)
{
    return is_listed(selector, namespace_) || namespace_selected(selector, namespace_, cache);
}

bool yk_pod_selector_matches_labels(const struct yk_pod_selector *selector, const struct yk_entity *entity)
{
    if (selector->matches_nothing)
        return false;
    for (uint32_t i = 0; i < selector->line_count; i++) {
        if (!yk_requirement_matches(&selector->lines[i], yk_entity_label(entity, selector->lines[i].key)))
            return false;
    }
    return true;
}

bool yk_pod_selector_matches(const struct yk_pod_selector *selector, const struct yk_entity *entity,
                             const struct yk_cache *cache)
{
    return yk_pod_selector_matches_labels(selector, entity) && in_scope(selector, entity->namespace_, cache);
}
