/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the counters of rules, and wakes the classes that may fit because of the change. */
#include "predicates/pod_index_priv.h"

static uint32_t domain_at(const struct yk_axis *axis, uint32_t slot)
{
    return axis->key == NULL ? slot : yk_domain_at(axis->key, slot);
}

/* Counts a pod that must not be in the domain. Classes may fit when the last such pod has left it. */
static void count_against(struct yk_pod_index *pod_index, struct yk_rule *rule, uint32_t slot, int change)
{
    uint32_t domain = domain_at(&rule->axes[0], slot);
    if (domain != 0 && yk_counts_add(&rule->axes[0].pods, domain, change) == 0)
        yk__rule_wake(pod_index, rule);
}

/* Counts a pod that must be in the domain. Classes may fit when the first such pod enters the domain. They
 * also may fit when no such pod is left anywhere, because the first pod of a group may use any domain. */
static void count_for(struct yk_pod_index *pod_index, struct yk_rule *rule, uint32_t slot, int change)
{
    bool any = false, first = false;
    for (uint32_t i = 0; i < rule->axis_count; i++) {
        uint32_t domain = domain_at(&rule->axes[i], slot);
        if (domain == 0)
            continue;
        any = true;
        uint32_t now = yk_counts_add(&rule->axes[i].pods, domain, change);
        first = first || (change > 0 && now == 1);
    }
    rule->entries += any ? (uint32_t)change : 0;
    if (first || (any && rule->entries == 0))
        yk__rule_wake(pod_index, rule);
}

/* ---- spread ---- */

static void find_lowest(struct yk_rule *rule)
{
    rule->lowest = UINT32_MAX;
    const struct yk_idmap *levels = &rule->levels.map;
    for (size_t i = 0; levels->count > 0 && i <= levels->mask; i++) {
        if (levels->slots[i].value != NULL)
            rule->lowest = YK_MIN(rule->lowest, (uint32_t)levels->slots[i].key);
    }
    rule->lowest_known = true;
}

uint32_t yk_rule_floor(struct yk_rule *rule)
{
    size_t with_pods = rule->axes[0].pods.map.count;
    if (with_pods == 0 || with_pods < yk_rule_domains(rule))
        return 0;
    if (!rule->lowest_known)
        find_lowest(rule);
    return rule->lowest;
}

/* The number of pods in a domain has changed from `from` to `to`, by one: updates `levels` and `lowest`.
 * Level 0 is not stored. */
static void move_level(struct yk_rule *rule, uint32_t from, uint32_t to)
{
    if (to > 0)
        (void)yk_counts_add(&rule->levels, to, 1); /* only what is left of `from` matters */
    uint32_t left = from > 0 ? yk_counts_add(&rule->levels, from, -1) : 1;
    if (to == 1) {
        rule->lowest = 1;
        rule->lowest_known = true;
    } else if (to == 0) {
        rule->lowest_known = rule->lowest_known && left > 0;
    } else if (rule->lowest_known && (to < rule->lowest || (left == 0 && rule->lowest == from))) {
        rule->lowest = to;
    }
}

static void count_spread(struct yk_pod_index *pod_index, struct yk_rule *rule, const struct yk_cache_pod *pod,
                         uint32_t slot, int change)
{
    if ((pod->flags & YK_POD_DELETING) != 0 || !yk_bitset_test(&rule->spread_nodes->nodes, slot))
        return;
    uint32_t domain = domain_at(&rule->axes[0], slot);
    if (!YK_ASSERT(domain != 0))
        return;
    uint32_t floor = yk_rule_floor(rule);
    uint32_t now = yk_counts_add(&rule->axes[0].pods, domain, change);
    move_level(rule, now - (uint32_t)change, now);
    if (change < 0 || yk_rule_floor(rule) > floor)
        yk__rule_wake(pod_index, rule);
}

void yk__rule_count(struct yk_pod_index *pod_index, struct yk_rule *rule, const struct yk_cache_pod *pod,
                    uint32_t slot, int change)
{
    switch (rule->kind) {
    case YK_RULE_PORT:
    case YK_RULE_ANTI:
    case YK_RULE_EXISTING_ANTI:
        count_against(pod_index, rule, slot, change);
        break;
    case YK_RULE_AFFINITY:
        count_for(pod_index, rule, slot, change);
        break;
    case YK_RULE_SPREAD:
        count_spread(pod_index, rule, pod, slot, change);
        break;
    }
}

void yk__rule_count_profile(struct yk_pod_index *pod_index, struct yk_rule *rule,
                            const struct yk_pod_profile *profile, int change)
{
    const struct yk_cache_pod *pod;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile) {
        if (pod->node != NULL && pod->node->slot != 0)
            yk__rule_count(pod_index, rule, pod, pod->node->slot, change);
    }
}
