/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The secondary group rule: the queue with the name of a group. The rule takes the first group that differs
 * from the primary one, that the filter lets through, and whose name is a queue name after dots were
 * replaced. If the rule may not create queues, the queue of this group also has to exist
 * (docs/reference/queues.md 5.5).
 */
#include "placement/rule_priv.h"

static bool is_candidate(const struct yk__rule *rule, const struct yk_app *app, size_t index,
                         struct yk__name *ret_name)
{
    const char *group = app->groups[index];
    return strcmp(group, app->groups[0]) != 0 && yk__name_from(yk_str_from(group), ret_name) &&
           yk_filter_passes_group(rule->filter, app->user, group);
}

static enum yk__outcome run(const struct yk__rule *rule, struct yk_str value,
                            struct yk__evaluation *evaluation)
{
    const struct yk_app *app = evaluation->app;
    struct yk__target *target = &evaluation->target;
    bool has_base = false;
    (void)value;
    for (size_t i = 1; i < app->group_count; i++) {
        struct yk__name name;
        if (!is_candidate(rule, app, i, &name))
            continue;
        if (!has_base) {
            enum yk__outcome outcome = yk__rule_base(rule, evaluation);
            if (outcome != YK__PATH)
                return outcome;
            has_base = true;
        }
        if (!rule->create && !yk__target_has_child(target, yk__name_view(&name)))
            continue;
        yk__target_add(target, yk__name_view(&name));
        return yk__rule_result(rule, evaluation);
    }
    return YK__NO_MATCH;
}

const struct yk__rule_kind yk__rule_secondary_group = {.names = {"secondarygroup", "secondarygroupname"},
                                                       .run = run};
