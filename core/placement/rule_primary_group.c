/* SPDX-License-Identifier: Apache-2.0 */
/* The primary group rule: the queue with the name of the user's first group. */
#include "placement/rule_priv.h"

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)rule;
    return app->group_count > 0 ? app->groups[0] : NULL;
}

const struct yk__rule_kind yk__rule_primary_group = {
    .names = {"primarygroup", "primarygroupname"}, .value = value, .run = yk__rule_qualify};
