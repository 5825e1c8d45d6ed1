/* SPDX-License-Identifier: Apache-2.0 */
/* A parent rule for unit tests only: the name of the submitted queue, or "test" if there is none. */
#include "placement/rule_priv.h"

#ifdef YK_PLACEMENT_TEST_RULE
static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)rule;
    return app->submitted_queue[0] != '\0' ? app->submitted_queue : "test";
}

/* The path is not below the root, so the rule can only be a parent rule. */
static enum yk__outcome run(const struct yk__rule *rule, struct yk_str value_,
                            struct yk__evaluation *evaluation)
{
    struct yk__name name;
    struct yk__target *target = &evaluation->target;
    (void)rule;
    if (!yk__name_from(value_, &name))
        return yk__rule_fail(evaluation, "invalid queue name", value_);
    yk_buf_clear(target->path);
    yk_buf_str(target->path, yk__name_view(&name));
    target->deepest = NULL;
    target->exists = false;
    return YK__PATH;
}

const struct yk__rule_kind yk__rule_test = {.names = {"test"}, .value = value, .run = run};
#endif
