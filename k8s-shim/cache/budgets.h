/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod disruption budgets: pods that a budget protects are preempted last. The API server does not prevent the
 * preemption of such a pod, because it checks budgets only for evictions, and a preempted pod is deleted.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md, S27.
 */
#ifndef YK_CACHE_BUDGETS_H
#define YK_CACHE_BUDGETS_H

#include "cache/cache.h"

/* A function of the caller that returns the value of the label `key` in `labels`. Only the caller knows the
 * type of `labels`. If there is no such label, `p` of the result is NULL. */
typedef struct yk_str yk_label_lookup(const void *labels, struct yk_str key);

/* Whether the labels match the selector; an empty selector matches all labels. The caller decides what the
 * lack of a selector means (`has_selector`). `lookup` is called with `labels`. A requirement with an unknown
 * operator matches nothing. O(requirements * (values + lookup)). */
bool yk_label_selector_matches(const struct yk_label_selector *selector, yk_label_lookup *lookup,
                               const void *labels);
/* Whether a budget of the namespace selects a pod with these labels and allows no disruption now. A budget
 * without a selector selects no pod. For a pod of a plan with other victims, call
 * yk_cache_is_protected_with(). `lookup` and `labels`: as in yk_label_selector_matches(). O(budgets). */
bool yk_cache_is_protected(const struct yk_cache *cache, struct yk_str namespace_, yk_label_lookup *lookup,
                           const void *labels);

/* Other pods that are going to be preempted. */
struct yk_budget_users {
    size_t count;
    /* The labels of pod number `index`, for the lookup function; NULL: the pod is in another namespace than
     * the pod that is asked about. `index` is less than `count`. */
    const void *(*labels_at)(const void *context, size_t index);
    const void *context; /* the context of labels_at() */
};
/* Like yk_cache_is_protected(), but each of `users` uses up one disruption of each budget that selects it.
 * O(budgets * users). */
bool yk_cache_is_protected_with(const struct yk_cache *cache, struct yk_str namespace_,
                                yk_label_lookup *lookup, const void *labels,
                                const struct yk_budget_users *users);

#endif
