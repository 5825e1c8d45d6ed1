/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod disruption budgets: which pods are preempted last. A budget never excludes a pod: a preempted pod is
 * deleted, not evicted.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, S27.
 */
#ifndef YK_CACHE_BUDGETS_H
#define YK_CACHE_BUDGETS_H

#include "cache/cache.h"

/* The value of a label, terminated or not; p == NULL: there is no such label. */
typedef struct yk_str yk_label_lookup(const void *labels, struct yk_str key);

/* Whether the labels meet all requirements of the selector; an empty selector matches everything. O(lines *
 * lookup). */
bool yk_label_selector_matches(const struct yk_label_selector *selector, yk_label_lookup *lookup,
                               const void *labels);
/* Whether a budget of the namespace covers a pod with these labels and allows no disruption now.
 * O(budgets). */
bool yk_cache_is_protected(const struct yk_cache *cache, struct yk_str namespace_, yk_label_lookup *lookup,
                           const void *labels);

/* Pods that are to be deleted, with their labels; NULL: the pod at `index` is of another namespace. */
struct yk_budget_users {
    size_t count;
    const void *(*labels_at)(const void *context, size_t index);
    const void *context;
};
/* Like yk_cache_is_protected() once `users` have each taken a disruption from the budgets that cover them.
 * O(budgets * users). */
bool yk_cache_is_protected_with(const struct yk_cache *cache, struct yk_str namespace_,
                                yk_label_lookup *lookup, const void *labels,
                                const struct yk_budget_users *users);

#endif
