/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/preferences.h"

static bool is_about_one_node(const struct yk_selector_term *term)
{
    bool is = term->field_count > 0;
    for (uint32_t i = 0; i < term->expression_count; i++)
        is = is || yk_str_is(term->expressions[i].key, "kubernetes.io/hostname");
    return is;
}

void yk_preferences_init(struct yk_preferences *ret, const struct yk_pod *pod)
{
    *ret = (struct yk_preferences){0};
    if (pod->preferred_term_count == 0)
        return;
    ret->items = yk_new0_array(struct yk_preference, pod->preferred_term_count);
    for (uint32_t i = 0; i < pod->preferred_term_count; i++) {
        const struct yk_preferred_term *from = &pod->preferred_terms[i];
        if (from->weight <= 0 || is_about_one_node(&from->term))
            continue;
        struct yk_preference *preference = &ret->items[ret->count++];
        preference->weight = from->weight;
        yk_term_compile(&preference->term, &from->term);
        ret->weights += from->weight;
    }
}

void yk_preferences_done(struct yk_preferences *preferences)
{
    for (uint32_t i = 0; i < preferences->count; i++)
        yk_term_done(&preferences->items[i].term);
    free(preferences->items);
    *preferences = (struct yk_preferences){0};
}

void yk_preferences_keys(const struct yk_preferences *preferences, void (*visit)(void *context, yk_name key),
                         void *context)
{
    for (uint32_t i = 0; i < preferences->count; i++)
        yk_term_keys(&preferences->items[i].term, visit, context);
}

bool yk_node_has_soft_taint(const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < node->taint_count; i++) {
        if (node->taints[i].effect == YK_TAINT_PREFER_NO_SCHEDULE)
            return true;
    }
    return false;
}

static int32_t soft_taints(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    int32_t count = 0;
    for (uint32_t i = 0; i < node->taint_count; i++) {
        const struct yk_cache_taint *taint = &node->taints[i];
        count += taint->effect == YK_TAINT_PREFER_NO_SCHEDULE && !yk_taint_is_tolerated(constraints, taint);
    }
    return YK_MIN(count, (int32_t)YK_SCORE_TAINTS_MAX);
}

int32_t yk_preferences_met(const struct yk_preferences *preferences, const struct yk_constraints *constraints,
                           const struct yk_cache_node *node)
{
    int64_t met = 0;
    for (uint32_t i = 0; i < preferences->count; i++) {
        if (yk_term_matches(constraints, &preferences->items[i].term, node))
            met += preferences->items[i].weight;
    }
    int64_t affinity = preferences->weights > 0 ? YK_SCORE_AFFINITY * met / preferences->weights : 0;
    return (int32_t)affinity - YK_SCORE_TAINT * soft_taints(constraints, node);
}
