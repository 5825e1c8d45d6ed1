/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates one rule. The order of the steps (docs/reference/queues.md 5.3): the value, the filter, whether
 * the value is a queue name, the parent rule, whether the queue exists.
 */
#include "placement/rule_priv.h"

#include <strings.h>

enum yk__outcome yk__rule_fail(struct yk__evaluation *evaluation, const char *what, struct yk_str value)
{
    (void)yk_fail(evaluation->err, YK_ERR_INVALID, "%s: '" YK_STR_FMT "'", what,
                  YK_STR_ARG(value)); /* the status is not needed: the answer is YK__FAILED */
    return YK__FAILED;
}

enum yk__outcome yk__rule_base(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    struct yk__target *target = &evaluation->target;
    if (rule->parent == NULL) {
        yk__target_reset(target);
        return YK__PATH;
    }
    enum yk__outcome outcome = yk__rule_run(rule->parent, evaluation);
    if (outcome != YK__PATH)
        return outcome;
    yk__target_root_it(target); /* Compat: the result "root" becomes "root.root" (P12) */
    if (target->exists && target->deepest->is_leaf)
        return yk__rule_fail(evaluation, "parent rule returned a leaf queue", yk_buf_view(target->path));
    return YK__PATH;
}

enum yk__outcome yk__rule_result(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    const struct yk__target *target = &evaluation->target;
    if (target->path->failed)
        return yk__rule_fail(evaluation, "path is too long, it begins with", yk_buf_view(target->path));
    return rule->create || target->exists ? YK__PATH : YK__NO_MATCH;
}

enum yk__outcome yk__rule_qualify(const struct yk__rule *rule, struct yk_str value,
                                  struct yk__evaluation *evaluation)
{
    struct yk__name name;
    if (!yk__name_from(value, &name))
        return yk__rule_fail(evaluation, "invalid queue name", value);
    enum yk__outcome outcome = yk__rule_base(rule, evaluation);
    if (outcome != YK__PATH)
        return outcome;
    yk__target_add(&evaluation->target, yk__name_view(&name));
    return yk__rule_result(rule, evaluation);
}

/* Sets the target to the path `value`, which begins with "root.". The parent rule is not used. */
static enum yk__outcome full_path(const struct yk__rule *rule, struct yk_str value,
                                  struct yk__evaluation *evaluation)
{
    struct yk_str below = {value.p + 5, value.len - 5}, rest = below, part;
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return yk__rule_fail(evaluation, "invalid queue name", value);
    }
    yk__target_reset(&evaluation->target);
    yk__target_add_path(&evaluation->target, below);
    return yk__rule_result(rule, evaluation);
}

enum yk__outcome yk__rule_path_or_name(const struct yk__rule *rule, struct yk_str value,
                                       struct yk__evaluation *evaluation)
{
    if (value.len >= 5 && strncasecmp(value.p, "root.", 5) == 0)
        return full_path(rule, value, evaluation);
    return yk__rule_qualify(rule, value, evaluation);
}

enum yk__outcome yk__rule_run(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    const struct yk_app *app = evaluation->app;
    const struct yk__rule_kind *kind = rule->kind;
    if (kind->value == NULL)
        return kind->run(rule, (struct yk_str){0}, evaluation);
    struct yk_str value = yk_str_from(kind->value(rule, app));
    if (value.len == 0 || !yk_filter_passes(rule->filter, app->user, app->groups, app->group_count))
        return YK__NO_MATCH;
    return kind->run(rule, value, evaluation);
}
