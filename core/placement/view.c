/* SPDX-License-Identifier: Apache-2.0 */
/* P3: shows the rules for REST. */
#include "placement/rule_priv.h"

size_t yk_placement_rule_count(const struct yk_placement *placement)
{
    return placement->count;
}

bool yk_placement_rule_at(const struct yk_placement *placement, size_t index, size_t depth,
                          struct yk_placement_rule_view *ret_view)
{
    const struct yk__rule *rule = placement->rules[index];
    for (; rule != NULL && depth > 0; depth--)
        rule = rule->parent;
    if (rule == NULL)
        return false;
    *ret_view = (struct yk_placement_rule_view){
        .name = rule->kind->names[0],
        .create = rule->create,
        .value = rule->kind->shows_value ? rule->value : NULL,
        .qualified = rule->qualified,
        .filter = &rule->filter_config,
        .filter_allows = yk_filter_is_allow(rule->filter),
    };
    return true;
}
