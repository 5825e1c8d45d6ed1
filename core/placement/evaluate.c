/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rule: is there a value, is the rule for this user, is the value a name, what does the parent rule say,
 * does the queue exist; in this order (docs/reference/queues.md 5.3).
 */
#include "placement/rule_priv.h"

#include <strings.h>

static enum yk__outcome fail(struct yk__evaluation *evaluation, const char *what, struct yk_str value)
{
    (void)yk_fail(evaluation->err, YK_ERR_INVALID, "%s: '" YK_STR_FMT "'", what,
                  YK_STR_ARG(value)); /* the sentence is the result */
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
    yk__target_root_it(target); /* Compat: also a result of exactly "root" (P12) */
    if (target->exists && target->deepest->is_leaf)
        return fail(evaluation, "parent rule returned a leaf queue", yk_buf_view(target->path));
    return YK__PATH;
}

enum yk__outcome yk__rule_result(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    const struct yk__target *target = &evaluation->target;
    if (target->path->failed)
        return fail(evaluation, "path is too long, it begins with", yk_buf_view(target->path));
    return rule->create || target->exists ? YK__PATH : YK__NO_MATCH;
}

/* "a.b" below the base as one queue a_dot_b. */
static enum yk__outcome qualify(const struct yk__rule *rule, struct yk_str value,
                                struct yk__evaluation *evaluation)
{
    struct yk__name name;
    if (!yk__name_from(value, &name))
        return fail(evaluation, "invalid queue name", value);
    enum yk__outcome outcome = yk__rule_base(rule, evaluation);
    if (outcome != YK__PATH)
        return outcome;
    yk__target_add(&evaluation->target, yk__name_view(&name));
    return yk__rule_result(rule, evaluation);
}

/* "root.a.b" as it is, without the parent rule. */
static enum yk__outcome full_path(const struct yk__rule *rule, struct yk_str value,
                                  struct yk__evaluation *evaluation)
{
    struct yk_str below = {value.p + 5, value.len - 5}, rest = below, part;
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return fail(evaluation, "invalid queue name", value);
    }
    yk__target_reset(&evaluation->target);
    yk__target_add_path(&evaluation->target, below);
    return yk__rule_result(rule, evaluation);
}

static enum yk__outcome run_fixed(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    struct yk_str below = yk_str_from(rule->value);
    if (rule->qualified) {
        yk__target_reset(&evaluation->target);
        below = below.len > 5 ? (struct yk_str){below.p + 5, below.len - 5} : (struct yk_str){0};
    } else {
        enum yk__outcome outcome = yk__rule_base(rule, evaluation);
        if (outcome != YK__PATH)
            return outcome;
    }
    yk__target_add_path(&evaluation->target, below);
    return yk__rule_result(rule, evaluation);
}

static enum yk__outcome run_recovery(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    if (!evaluation->app->forced)
        return YK__NO_MATCH;
    return full_path(rule, yk_str_from(rule->value), evaluation) == YK__FAILED ? YK__FAILED : YK__PATH;
}

#ifdef YK_PLACEMENT_TEST_RULE
/* Not qualified, so that it is of use as a parent rule only. */
static enum yk__outcome run_test(struct yk_str value, struct yk__evaluation *evaluation)
{
    struct yk__name name;
    struct yk__target *target = &evaluation->target;
    if (!yk__name_from(value, &name))
        return fail(evaluation, "invalid queue name", value);
    yk_buf_clear(target->path);
    yk_buf_str(target->path, yk__name_view(&name));
    target->deepest = NULL;
    target->exists = false;
    return YK__PATH;
}
#endif

/* NULL or empty: the rule has nothing to go by. */
static const char *source_value(const struct yk__rule *rule, const struct yk_app *app)
{
    switch (rule->kind) {
    case YK__RULE_PROVIDED:
        return app->submitted_queue;
    case YK__RULE_USER:
        return app->user;
    case YK__RULE_TAG:
        return yk_tags_get_nocase(&app->tags, rule->value);
    case YK__RULE_APPLICATION_TYPE:
        return yk_tags_get_nocase(&app->tags, YK_SI_TAG_APP_TYPE);
    case YK__RULE_PRIMARY_GROUP:
        return app->group_count > 0 ? app->groups[0] : NULL;
    case YK__RULE_SECONDARY_GROUP:
        break; /* has many */
    case YK__RULE_FIXED:
    case YK__RULE_RECOVERY:
        return rule->value;
#ifdef YK_PLACEMENT_TEST_RULE
    case YK__RULE_TEST:
        return app->submitted_queue[0] != '\0' ? app->submitted_queue : "test";
#endif
    }
    return NULL;
}

static enum yk__outcome run_with_value(const struct yk__rule *rule, struct yk_str value,
                                       struct yk__evaluation *evaluation)
{
    switch (rule->kind) {
    case YK__RULE_PROVIDED:
    case YK__RULE_TAG:
        if (value.len >= 5 && strncasecmp(value.p, "root.", 5) == 0)
            return full_path(rule, value, evaluation);
        return qualify(rule, value, evaluation);
    case YK__RULE_USER:
    case YK__RULE_PRIMARY_GROUP:
    case YK__RULE_APPLICATION_TYPE:
        return qualify(rule, value, evaluation);
    case YK__RULE_FIXED:
        return run_fixed(rule, evaluation);
    case YK__RULE_SECONDARY_GROUP:
        break; /* not by value */
    case YK__RULE_RECOVERY:
        return run_recovery(rule, evaluation);
#ifdef YK_PLACEMENT_TEST_RULE
    case YK__RULE_TEST:
        return run_test(value, evaluation);
#endif
    }
    return YK__NO_MATCH;
}

enum yk__outcome yk__rule_run(const struct yk__rule *rule, struct yk__evaluation *evaluation)
{
    const struct yk_app *app = evaluation->app;
    if (rule->kind == YK__RULE_SECONDARY_GROUP)
        return yk__run_secondary_group(rule, evaluation);
    struct yk_str value = yk_str_from(source_value(rule, app));
    if (value.len == 0 || !yk_filter_passes(rule->filter, app->user, app->groups, app->group_count))
        return YK__NO_MATCH;
    return run_with_value(rule, value, evaluation);
}
