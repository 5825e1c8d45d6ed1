/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/class_key.h"

#include "cache/features.h"
#include "volumes/volumes.h"

struct part {
    size_t start, len; /* in key->bytes */
};

void yk_class_key_done(struct yk_class_key *key)
{
    yk_buf_done(&key->bytes);
    yk_buf_done(&key->spare);
    free(key->parts);
    *key = (struct yk_class_key){.parts = NULL};
}

/* The length comes before each text, so that different texts never give the same bytes. */
static void add_text(struct yk_class_key *key, struct yk_str text)
{
    uint32_t len = (uint32_t)text.len;
    yk_buf_add(&key->bytes, &len, sizeof(len));
    yk_buf_str(&key->bytes, text);
}

static void part_ends(struct yk_class_key *key, size_t start)
{
    if (key->part_count == key->part_capacity) {
        key->part_capacity = key->part_capacity > 0 ? key->part_capacity * 2 : 32;
        key->parts = yk_realloc_array(key->parts, key->part_capacity, sizeof(*key->parts));
    }
    key->parts[key->part_count++] = (struct part){start, key->bytes.len - start};
}

static int compare_parts(const struct yk_buf *bytes, const struct part *a, const struct part *b)
{
    return yk_str_cmp((struct yk_str){bytes->p + a->start, a->len},
                      (struct yk_str){bytes->p + b->start, b->len});
}

/* Equal parts keep their order. `spare` has room for `count` parts. */
static void sort_parts(const struct yk_buf *bytes, struct part *parts, size_t count, struct part *spare)
{
    if (count > 8) {
        size_t half = count / 2, a = 0, b = half;
        sort_parts(bytes, parts, half, spare);
        sort_parts(bytes, parts + half, count - half, spare);
        memcpy(spare, parts, count * sizeof(*parts));
        for (size_t i = 0; i < count; i++) {
            bool left = b == count || (a < half && compare_parts(bytes, &spare[a], &spare[b]) <= 0);
            parts[i] = left ? spare[a++] : spare[b++];
        }
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct part part = parts[i];
        size_t at = i;
        for (; at > 0 && compare_parts(bytes, &parts[at - 1], &part) > 0; at--)
            parts[at] = parts[at - 1];
        parts[at] = part;
    }
}

static bool in_order(const struct yk_buf *bytes, const struct part *parts, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare_parts(bytes, &parts[i - 1], &parts[i]) >= 0)
            return false;
    }
    return true;
}

/* Ends a list of parts whose bytes begin at `start`: sorts the parts from index `first` on, drops repeated
 * ones unless `repetitions_count`, and writes their number before them. */
static void close_parts(struct yk_class_key *key, size_t first, size_t start, bool repetitions_count)
{
    size_t count = key->part_count - first;
    if (count > 1 && !in_order(&key->bytes, key->parts + first, count)) {
        struct part *spare = yk_new0_array(struct part, count);
        sort_parts(&key->bytes, key->parts + first, count, spare);
        free(spare);
    }
    yk_buf_clear(&key->spare);
    uint32_t kept = 0;
    for (size_t i = first; i < key->part_count; i++) {
        if (!repetitions_count && i > first &&
            compare_parts(&key->bytes, &key->parts[i - 1], &key->parts[i]) == 0)
            continue;
        kept++;
        yk_buf_add(&key->spare, key->bytes.p + key->parts[i].start, key->parts[i].len);
    }
    key->bytes.len = start;
    yk_buf_add(&key->bytes, &kept, sizeof(kept));
    yk_buf_str(&key->bytes, yk_buf_view(&key->spare));
    key->part_count = first;
}

static void close_list(struct yk_class_key *key, size_t first, size_t start)
{
    close_parts(key, first, start, false);
}

static void add_tolerations(struct yk_class_key *key, const struct yk_pod *pod)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *toleration = &pod->tolerations[i];
        size_t at = key->bytes.len;
        bool exists = yk_str_is(toleration->operator_, "Exists");
        add_text(key, toleration->key);
        add_text(key, yk_str_is(toleration->operator_, "Equal") ? YK_STR("") : toleration->operator_);
        add_text(key, exists ? YK_STR("") : toleration->value);
        add_text(key, toleration->effect);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

static void add_pairs(struct yk_class_key *key, const struct yk_pairs *pairs)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pairs->count; i++) {
        size_t at = key->bytes.len;
        add_text(key, pairs->items[i].key);
        add_text(key, pairs->items[i].value);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

static void add_selector(struct yk_class_key *key, const struct yk_pod *pod)
{
    add_pairs(key, &pod->node_selector);
}

static void add_requirements(struct yk_class_key *key, const struct yk_requirement *requirements,
                             uint32_t count)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = key->bytes.len;
        add_text(key, requirements[i].key);
        add_text(key, requirements[i].operator_);
        size_t values_start = key->bytes.len, values_first = key->part_count;
        for (uint32_t j = 0; j < requirements[i].value_count; j++) {
            size_t value_at = key->bytes.len;
            add_text(key, requirements[i].values[j]);
            part_ends(key, value_at);
        }
        close_list(key, values_first, values_start);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

static void add_affinity(struct yk_class_key *key, const struct yk_pod *pod)
{
    yk_buf_char(&key->bytes, pod->has_required_affinity ? 'A' : '-');
    if (!pod->has_required_affinity)
        return;
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pod->required_term_count; i++) {
        const struct yk_selector_term *term = &pod->required_terms[i];
        size_t at = key->bytes.len;
        add_requirements(key, term->expressions, term->expression_count);
        add_requirements(key, term->fields, term->field_count);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

static void add_preferences(struct yk_class_key *key, const struct yk_pod *pod)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pod->preferred_term_count; i++) {
        const struct yk_preferred_term *preference = &pod->preferred_terms[i];
        size_t at = key->bytes.len;
        yk_buf_add(&key->bytes, &preference->weight, sizeof(preference->weight));
        add_requirements(key, preference->term.expressions, preference->term.expression_count);
        add_requirements(key, preference->term.fields, preference->term.field_count);
        part_ends(key, at);
    }
    close_parts(key, first, start, true); /* each repetition adds its weight */
}

/* ---- constraints about other pods ---- */

static void add_texts(struct yk_class_key *key, const struct yk_str *texts, uint32_t count)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = key->bytes.len;
        add_text(key, texts[i]);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

static void add_label_selector(struct yk_class_key *key, bool is_there,
                               const struct yk_label_selector *selector)
{
    yk_buf_char(&key->bytes, is_there ? 'S' : '-');
    if (!is_there)
        return;
    add_pairs(key, &selector->labels);
    add_requirements(key, selector->expressions, selector->expression_count);
}

void yk_class_key_term(struct yk_class_key *key, const struct yk_pod_affinity_term *term,
                       struct yk_str owner_namespace)
{
    bool of_owner = term->namespace_count == 0 && !term->has_namespace_selector;
    add_text(key, term->topology_key);
    add_label_selector(key, term->has_selector, &term->selector);
    add_label_selector(key, term->has_namespace_selector, &term->namespace_selector);
    add_texts(key, of_owner ? &owner_namespace : term->namespaces, of_owner ? 1 : term->namespace_count);
}

void yk_class_key_terms(struct yk_class_key *key, const struct yk_pod_affinity_term *terms, uint32_t count,
                        struct yk_str owner_namespace)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = key->bytes.len;
        yk_class_key_term(key, &terms[i], owner_namespace);
        part_ends(key, at);
    }
    close_list(key, first, start);
}

/* Appends the labels that matchLabelKeys names. Keys that the pod lacks have no effect. */
static void add_match_labels(struct yk_class_key *key, const struct yk_spread_constraint *constraint,
                             const struct yk_pairs *labels)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < constraint->match_label_key_count; i++) {
        for (uint32_t j = 0; j < labels->count; j++) {
            if (!yk_str_eq(labels->items[j].key, constraint->match_label_keys[i]))
                continue;
            size_t at = key->bytes.len;
            add_text(key, labels->items[j].key);
            add_text(key, labels->items[j].value);
            part_ends(key, at);
            break;
        }
    }
    close_list(key, first, start);
}

void yk_class_key_spread_selector(struct yk_class_key *key, const struct yk_spread_constraint *constraint,
                                  struct yk_str namespace_, const struct yk_pairs *labels)
{
    add_text(key, namespace_);
    add_text(key, constraint->topology_key);
    add_label_selector(key, constraint->has_selector, &constraint->selector);
    add_match_labels(key, constraint, labels);
}

static uint32_t spread_key_count(const struct yk_pod *pod)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++)
        count += yk_spread_is_hard(&pod->spread_constraints[i]);
    return count;
}

void yk_class_key_spread_nodes(struct yk_class_key *key, const struct yk_pod *pod,
                               const struct yk_spread_constraint *constraint)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        if (!yk_spread_is_hard(&pod->spread_constraints[i]))
            continue;
        size_t at = key->bytes.len;
        add_text(key, pod->spread_constraints[i].topology_key);
        part_ends(key, at);
    }
    close_list(key, first, start);
    yk_buf_char(&key->bytes, yk_spread_honors_affinity(constraint) ? 'A' : '-');
    if (yk_spread_honors_affinity(constraint)) {
        add_selector(key, pod);
        add_affinity(key, pod);
    }
    yk_buf_char(&key->bytes, yk_spread_honors_taints(constraint) ? 'T' : '-');
    if (yk_spread_honors_taints(constraint))
        add_tolerations(key, pod);
}

/* Keeps the order of the pod's constraints: the first one that refuses a node is the reported reason. */
static void add_spread(struct yk_class_key *key, const struct yk_pod *pod)
{
    uint32_t count = spread_key_count(pod);
    yk_buf_add(&key->bytes, &count, sizeof(count));
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        const struct yk_spread_constraint *constraint = &pod->spread_constraints[i];
        if (!yk_spread_is_hard(constraint))
            continue;
        int32_t numbers[2] = {constraint->max_skew, constraint->min_domains};
        char policies[2] = {yk_spread_honors_affinity(constraint) ? 'A' : '-',
                            yk_spread_honors_taints(constraint) ? 'T' : '-'};
        yk_buf_add(&key->bytes, numbers, sizeof(numbers));
        yk_buf_add(&key->bytes, policies, sizeof(policies));
        yk_class_key_spread_selector(key, constraint, pod->object.namespace_, &pod->object.labels);
    }
}

static void add_ports(struct yk_class_key *key, const struct yk_container *containers, uint32_t count,
                      bool sidecars_only)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sidecars_only && !yk_str_is(containers[i].restart_policy, "Always"))
            continue;
        for (uint32_t j = 0; j < containers[i].port_count; j++) {
            if (containers[i].ports[j].host_port <= 0)
                continue;
            size_t at = key->bytes.len;
            yk_class_key_port(key, &containers[i].ports[j]);
            part_ends(key, at);
        }
    }
}

void yk_class_key_port(struct yk_class_key *key, const struct yk_container_port *port)
{
    yk_buf_add(&key->bytes, &port->host_port, sizeof(port->host_port));
    add_text(key, yk_port_protocol(port));
    add_text(key, yk_port_ip(port));
}

void yk_class_key_ports(struct yk_class_key *key, const struct yk_pod *pod)
{
    size_t start = key->bytes.len, first = key->part_count;
    add_ports(key, pod->containers, pod->container_count, false);
    add_ports(key, pod->init_containers, pod->init_container_count, true);
    close_list(key, first, start);
}

void yk_class_key_text(struct yk_class_key *key, struct yk_str text)
{
    add_text(key, text);
}

void yk_class_key_begin(struct yk_class_key *key)
{
    yk_buf_clear(&key->bytes);
    key->part_count = 0;
}

void yk_class_key_make(struct yk_class_key *key, const struct yk_pod *pod)
{
    uint32_t features = yk_features_needed(pod);
    yk_class_key_begin(key);
    yk_buf_add(&key->bytes, &features, sizeof(features));
    add_text(key, pod->node_name);
    add_tolerations(key, pod);
    add_selector(key, pod);
    add_affinity(key, pod);
    add_preferences(key, pod);
    yk_class_key_ports(key, pod);
    yk_class_key_terms(key, pod->affinity_terms, pod->affinity_term_count, pod->object.namespace_);
    yk_class_key_terms(key, pod->anti_affinity_terms, pod->anti_affinity_term_count, pod->object.namespace_);
    add_spread(key, pod);
    yk_pod_volumes_key(&key->bytes, pod);
}
