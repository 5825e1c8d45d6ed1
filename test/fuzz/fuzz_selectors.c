/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selectors: the first line is a field or label selector of a watch ("a=b,c!=d"), the second the labels that
 * are looked at ("k=v,k=v"), each further line a requirement ("KEY OPERATOR VALUE VALUE"). A compiled
 * requirement matches what a plain reading of its text matches, or nothing when Kubernetes would refuse it.
 */
#include "base/log.h"
#include "cache/budgets.h"
#include "selectors/requirement.h"
#include "simulate/selector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LABELS_MAX = 16, VALUES_MAX = 16, LINES_MAX = 64 };

static struct yk_str label_of(const void *labels, struct yk_str key)
{
    return yk_pairs_find(labels, key);
}

static uint32_t read_labels(struct yk_str line, struct yk_pair *labels)
{
    struct yk_str part, key;
    uint32_t count = 0;
    while (count < LABELS_MAX && yk_str_split(&line, ',', &part)) {
        if (yk_str_split(&part, '=', &key) && part.p != NULL)
            labels[count++] = (struct yk_pair){key, part};
    }
    return count;
}

/* False: no operator. */
static bool read_requirement(struct yk_str line, struct yk_str *values, struct yk_requirement *ret)
{
    *ret = (struct yk_requirement){.values = values};
    if (!yk_str_split(&line, ' ', &ret->key) || !yk_str_split(&line, ' ', &ret->operator_))
        return false;
    while (ret->value_count < VALUES_MAX && yk_str_split(&line, ' ', &values[ret->value_count]))
        ret->value_count++;
    return true;
}

/* ---- the plain reading ---- */

static bool is_listed(const struct yk_requirement *line, struct yk_str value)
{
    for (uint32_t i = 0; i < line->value_count; i++) {
        if (yk_str_eq(line->values[i], value))
            return true;
    }
    return false;
}

static bool is_valid(const struct yk_requirement *line)
{
    for (uint32_t i = 0; i < line->value_count; i++) {
        if (!yk_label_value_valid(line->values[i]))
            return false;
    }
    return yk_qualified_name_valid(line->key);
}

static bool is_beyond(const struct yk_requirement *line, struct yk_str value, int sign)
{
    int64_t have, limit;
    if (line->value_count != 1 || value.p == NULL || yk_str_to_i64(line->values[0], &limit) != YK_OK ||
        yk_str_to_i64(value, &have) != YK_OK)
        return false;
    return sign > 0 ? have > limit : have < limit;
}

static bool plainly_matches(const struct yk_requirement *line, struct yk_str value)
{
    bool is_there = value.p != NULL;
    if (!is_valid(line))
        return false;
    if (yk_str_is(line->operator_, "In"))
        return line->value_count > 0 && is_there && is_listed(line, value);
    if (yk_str_is(line->operator_, "NotIn"))
        return line->value_count > 0 && !(is_there && is_listed(line, value));
    if (yk_str_is(line->operator_, "Exists"))
        return line->value_count == 0 && is_there;
    if (yk_str_is(line->operator_, "DoesNotExist"))
        return line->value_count == 0 && !is_there;
    if (yk_str_is(line->operator_, "Gt"))
        return is_beyond(line, value, 1);
    return yk_str_is(line->operator_, "Lt") && is_beyond(line, value, -1);
}

/* ---- comparison ---- */

static void compare(const struct yk_requirement *line, const struct yk_pairs *labels)
{
    struct yk_str value = yk_pairs_find(labels, line->key);
    struct yk_compiled_requirement compiled, field;
    yk_name name = value.p != NULL ? yk_name_get(value) : YK_NO_NAME;
    yk_requirement_init(&compiled, line);
    yk_field_requirement_init(&field, line);
    if (yk_requirement_matches(&compiled, name) != plainly_matches(line, value))
        abort();
    if (yk_requirement_matches(&field, name) && field.operator_ != YK_OPERATOR_IN &&
        field.operator_ != YK_OPERATOR_NOT_IN)
        abort();
    yk_requirement_done(&compiled);
    yk_requirement_done(&field);
    yk_name_put(name);
}

/* What the API server accepts in a label selector. */
static bool is_of_labels(const struct yk_requirement *line)
{
    bool is_list = yk_str_is(line->operator_, "In") || yk_str_is(line->operator_, "NotIn");
    bool is_question = yk_str_is(line->operator_, "Exists") || yk_str_is(line->operator_, "DoesNotExist");
    return is_valid(line) && ((is_list && line->value_count > 0) || (is_question && line->value_count == 0));
}

/* A selector of budgets and claims, which the API server has checked. */
static void compare_whole(struct yk_requirement *lines, uint32_t count, const struct yk_pairs *labels)
{
    const struct yk_label_selector selector = {.expressions = lines, .expression_count = count};
    bool all_match = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_labels(&lines[i]))
            return;
        all_match = all_match && plainly_matches(&lines[i], yk_pairs_find(labels, lines[i].key));
    }
    if (yk_label_selector_matches(&selector, label_of, labels) != all_match)
        abort();
}

static void try_watch(struct yk_str text, struct yk_pairs labels)
{
    YK_CLEANUP(yk_freep) char *selector = yk_str_dup(text);
    struct yk_pod pod = {.object = {.kind = YK_KIND_POD, .name = YK_STR("p"), .labels = labels}};
    const struct yk_watch_spec specs[] = {{.kind = YK_KIND_POD, .field_selector = selector},
                                          {.kind = YK_KIND_POD, .label_selector = selector}};
    struct yk_err err = {0};
    for (size_t i = 0; i < YK_COUNT(specs); i++) {
        enum yk_status st = yk_sim_selector_check(&specs[i], &err);
        if (st != YK_OK && err.text[0] == '\0')
            abort();
        if (st == YK_OK)
            (void)yk_sim_selector_matches(&specs[i], &pod.object); /* either answer will do */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct yk_requirement lines[LINES_MAX];
    static struct yk_str values[LINES_MAX][VALUES_MAX];
    struct yk_pair items[LABELS_MAX];
    struct yk_str rest = {(const char *)data, size}, watch, line;
    uint32_t count = 0;
    yk_log_set_stream(NULL);
    if (size == 0 || memchr(data, '\0', size) != NULL || !yk_str_split(&rest, '\n', &watch) ||
        !yk_str_split(&rest, '\n', &line))
        return 0;
    const struct yk_pairs labels = {items, read_labels(line, items)};
    try_watch(watch, labels);
    while (count < LINES_MAX && yk_str_split(&rest, '\n', &line)) {
        if (read_requirement(line, values[count], &lines[count]))
            compare(&lines[count++], &labels);
    }
    compare_whole(lines, count, &labels);
    return 0;
}
