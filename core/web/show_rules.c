/* SPDX-License-Identifier: Apache-2.0 */
/* Placement rules: docs/reference/rest.md, section 3. */
#include "web/show_priv.h"

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void show_parameters(struct yk_json *json, const struct yk_placement_rule_view *rule)
{
    bool is_recovery = strcmp(rule->name, "recovery") == 0, is_fixed = strcmp(rule->name, "fixed") == 0;
    yk_json_key(json, "parameters");
    yk_json_object_begin(json);
    if (!is_recovery)
        yk_json_add_text(json, "create", truth(rule->create));
    if (is_fixed)
        yk_json_add_text(json, "qualified", truth(rule->qualified));
    if (is_fixed || is_recovery)
        yk_json_add_text(json, "queue", rule->value);
    else if (rule->value != NULL)
        yk_json_add_text(json, "tagName", rule->value);
    yk_json_object_end(json);
}

static void show_names(struct yk_json *json, const char *list_key, const char *expression_key,
                       const struct yk_config_names *configured, bool (*valid)(struct yk_str))
{
    struct yk_names names = {0};
    if (configured->count == 1 && !valid(configured->items[0])) {
        yk_json_key(json, expression_key);
        yk_json_str(json, configured->items[0]);
        return;
    }
    for (uint32_t i = 0; i < configured->count; i++) {
        if (valid(configured->items[i]))
            yk_names_add(&names, configured->items[i], 0, NULL);
    }
    yk_names_sort(&names);
    if (names.count > 0) {
        yk_json_key(json, list_key);
        yk_json_array_begin(json);
        for (size_t i = 0; i < names.count; i++) {
            if (i == 0 || !yk_str_eq(names.items[i].text, names.items[i - 1].text))
                yk_json_str(json, names.items[i].text);
        }
        yk_json_array_end(json);
    }
    yk_names_done(&names);
}

static void show_filter(struct yk_json *json, const struct yk_placement_rule_view *rule)
{
    const struct yk_config_filter *filter = rule->filter;
    if (filter->users.count == 0 && filter->groups.count == 0)
        return;
    yk_json_key(json, "filter");
    yk_json_object_begin(json);
    yk_json_add_text(json, "type", rule->filter_allows ? "allow" : "deny");
    show_names(json, "userList", "userExp", &filter->users, yk_user_name_valid);
    show_names(json, "groupList", "groupExp", &filter->groups, yk_group_name_valid);
    yk_json_object_end(json);
}

/* The rule of the parent queue is nested in the rule of its child. */
static void show_rule(struct yk_json *json, const struct yk_placement *placement, size_t index)
{
    struct yk_placement_rule_view rule;
    size_t depth = 0;
    for (; yk_placement_rule_at(placement, index, depth, &rule); depth++) {
        if (depth > 0)
            yk_json_key(json, "parentRule");
        yk_json_object_begin(json);
        yk_json_add_text(json, "name", rule.name);
        show_parameters(json, &rule);
        show_filter(json, &rule);
    }
    for (; depth > 0; depth--)
        yk_json_object_end(json);
}

void yk__show_rules(struct yk_json *json, const struct yk_placement *placement)
{
    yk_json_array_begin(json);
    for (size_t i = 0; placement != NULL && i < yk_placement_rule_count(placement); i++)
        show_rule(json, placement, i);
    yk_json_array_end(json);
}
