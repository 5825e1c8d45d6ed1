/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/wishes.h"

static bool is_about_one_node(const struct yk_selector_term *term)
{
    bool is = term->field_count > 0;
    for (uint32_t i = 0; i < term->expression_count; i++)
        is = is || yk_str_is(term->expressions[i].key, "kubernetes.io/hostname");
    return is;
}

void yk_wishes_init(struct yk_wishes *ret, const struct yk_pod *pod)
{
    *ret = (struct yk_wishes){0};
    if (pod->preferred_term_count == 0)
        return;
    ret->items = yk_new0_array(struct yk_wish, pod->preferred_term_count);
    for (uint32_t i = 0; i < pod->preferred_term_count; i++) {
        const struct yk_preferred_term *from = &pod->preferred_terms[i];
        if (from->weight <= 0 || is_about_one_node(&from->term))
            continue;
        struct yk_wish *wish = &ret->items[ret->count++];
        wish->weight = from->weight;
        yk_term_compile(&wish->term, &from->term);
        ret->weights += from->weight;
    }
}

void yk_wishes_done(struct yk_wishes *wishes)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        yk_term_done(&wishes->items[i].term);
    free(wishes->items);
    *wishes = (struct yk_wishes){0};
}

void yk_wishes_keys(const struct yk_wishes *wishes, void (*visit)(void *context, yk_name key), void *context)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        yk_term_keys(&wishes->items[i].term, visit, context);
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
    return YK_MIN(count, (int32_t)YK_WISH_TAINTS_MAX);
}

int32_t yk_wishes_met(const struct yk_wishes *wishes, const struct yk_constraints *constraints,
                      const struct yk_cache_node *node)
{
    int64_t met = 0;
    for (uint32_t i = 0; i < wishes->count; i++) {
        if (yk_term_matches(constraints, &wishes->items[i].term, node))
            met += wishes->items[i].weight;
    }
    int64_t affinity = wishes->weights > 0 ? YK_WISH_AFFINITY * met / wishes->weights : 0;
    return (int32_t)affinity - YK_WISH_TAINT * soft_taints(constraints, node);
}
