/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed rule: a queue that the configuration names. */
#include "placement/rule_priv.h"

static enum yk_status check_path(const char *path, struct yk_err *err)
{
    struct yk_str rest = yk_str_from(path), part;
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return yk_fail(err, YK_ERR_INVALID, "queue '%s': '" YK_STR_FMT "' is not a queue name%s", path,
                           YK_STR_ARG(part), part.len == 0 ? ", it is empty" : "");
    }
    return YK_OK;
}

static enum yk_status check(struct yk__rule *rule, const struct yk_config_rule *config, struct yk_err *err)
{
    rule->qualified = strcmp(rule->value, "root") == 0 || strncmp(rule->value, "root.", 5) == 0;
    if (rule->value[0] == '\0')
        return yk_fail(err, YK_ERR_INVALID, "placement rule 'fixed' needs a value: the queue");
    if (rule->qualified && config->parent != NULL)
        return yk_fail(err, YK_ERR_INVALID, "placement rule 'fixed': '%s' is a full path and takes no parent",
                       rule->value);
    enum yk_status st = check_path(rule->value, err);
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "placement rule 'fixed'");
}

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)app;
    return rule->value;
}

static enum yk__outcome run(const struct yk__rule *rule, struct yk_str value,
                            struct yk__evaluation *evaluation)
{
    struct yk_str below = value;
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

const struct yk__rule_kind yk__rule_fixed = {
    .names = {"fixed"}, .shows_value = true, .check = check, .value = value, .run = run};
