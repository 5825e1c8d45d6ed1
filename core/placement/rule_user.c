/* SPDX-License-Identifier: Apache-2.0 */
/* The user rule: the queue with the name of the user. */
#include "placement/rule_priv.h"

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)rule;
    return app->user;
}

const struct yk__rule_kind yk__rule_user = {
    .names = {"user", "username"}, .value = value, .run = yk__rule_qualify};
