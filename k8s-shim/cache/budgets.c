/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/budgets.h"

static bool is_among(struct yk_str value, const struct yk_requirement *requirement)
{
    for (uint32_t i = 0; i < requirement->value_count; i++) {
        if (yk_str_eq(requirement->values[i], value))
            return true;
    }
    return false;
}

static bool satisfies(const struct yk_requirement *requirement, struct yk_str value)
{
    bool there = value.p != NULL;
    if (yk_str_is(requirement->operator_, "In"))
        return there && is_among(value, requirement);
    if (yk_str_is(requirement->operator_, "NotIn"))
        return !there || !is_among(value, requirement);
    if (yk_str_is(requirement->operator_, "Exists"))
        return there;
    return yk_str_is(requirement->operator_, "DoesNotExist") && !there;
}

bool yk_label_selector_matches(const struct yk_label_selector *selector, yk_label_lookup *lookup,
                               const void *labels)
{
    for (uint32_t i = 0; i < selector->labels.count; i++) {
        const struct yk_pair *pair = &selector->labels.items[i];
        struct yk_str value = lookup(labels, pair->key);
        if (value.p == NULL || !yk_str_eq(value, pair->value))
            return false;
    }
    for (uint32_t i = 0; i < selector->expression_count; i++) {
        const struct yk_requirement *requirement = &selector->expressions[i];
        if (!satisfies(requirement, lookup(labels, requirement->key)))
            return false;
    }
    return true;
}

static size_t users_of(const struct yk_disruption_budget *budget, yk_label_lookup *lookup,
                       const struct yk_budget_users *users)
{
    size_t count = 0;
    for (size_t i = 0; i < users->count; i++) {
        const void *labels = users->labels_at(users->context, i);
        count += labels != NULL && yk_label_selector_matches(&budget->selector, lookup, labels);
    }
    return count;
}

bool yk_cache_is_protected_with(const struct yk_cache *cache, struct yk_str namespace_,
                                yk_label_lookup *lookup, const void *labels,
                                const struct yk_budget_users *users)
{
    const struct yk_cache_entry *entry;
    yk_strmap_foreach (entry, &cache->kept[YK_KIND_DISRUPTION_BUDGET]) {
        const struct yk_disruption_budget *budget = yk_disruption_budget_of(entry->object);
        if (budget->disruptions_allowed > (int64_t)users->count || !budget->has_selector ||
            !yk_str_eq(budget->object.namespace_, namespace_) ||
            !yk_label_selector_matches(&budget->selector, lookup, labels))
            continue;
        if (budget->disruptions_allowed <= (int64_t)users_of(budget, lookup, users))
            return true;
    }
    return false;
}

bool yk_cache_is_protected(const struct yk_cache *cache, struct yk_str namespace_, yk_label_lookup *lookup,
                           const void *labels)
{
    return yk_cache_is_protected_with(cache, namespace_, lookup, labels, &(struct yk_budget_users){0});
}
