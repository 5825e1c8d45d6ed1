/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/class_key.h"

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

/* Every text is preceded by its length, so that no two contents can run into each other. */
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

/* Insertion below a handful, which is nearly always; a merge of halves above. */
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

/* Sorts the parts from `first` on, drops repeated ones, and puts their number in front of them. */
static void close_list(struct yk_class_key *key, size_t first, size_t start)
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
        if (i > first && compare_parts(&key->bytes, &key->parts[i - 1], &key->parts[i]) == 0)
            continue;
        kept++;
        yk_buf_add(&key->spare, key->bytes.p + key->parts[i].start, key->parts[i].len);
    }
    key->bytes.len = start;
    yk_buf_add(&key->bytes, &kept, sizeof(kept));
    yk_buf_str(&key->bytes, yk_buf_view(&key->spare));
    key->part_count = first;
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

static void add_selector(struct yk_class_key *key, const struct yk_pod *pod)
{
    size_t start = key->bytes.len, first = key->part_count;
    for (uint32_t i = 0; i < pod->node_selector.count; i++) {
        size_t at = key->bytes.len;
        add_text(key, pod->node_selector.items[i].key);
        add_text(key, pod->node_selector.items[i].value);
        part_ends(key, at);
    }
    close_list(key, first, start);
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

void yk_class_key_make(struct yk_class_key *key, const struct yk_pod *pod)
{
    yk_buf_clear(&key->bytes);
    key->part_count = 0;
    add_text(key, pod->node_name);
    add_tolerations(key, pod);
    add_selector(key, pod);
    add_affinity(key, pod);
}
