/* SPDX-License-Identifier: Apache-2.0 */
/* The recovery rule, which is the last one: the recovery queue, for forced applications that no other
 * rule has placed (R8). */
#include "placement/rule_priv.h"

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)app;
    return rule->value;
}

static enum yk__outcome run(const struct yk__rule *rule, struct yk_str value,
                            struct yk__evaluation *evaluation)
{
    if (!evaluation->app->forced)
        return YK__NO_MATCH;
    return yk__rule_path_or_name(rule, value, evaluation) == YK__FAILED ? YK__FAILED : YK__PATH;
}

const struct yk__rule_kind yk__rule_recovery = {
    .names = {"recovery"}, .is_implicit = true, .shows_value = true, .value = value, .run = run};
