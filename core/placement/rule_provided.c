/* SPDX-License-Identifier: Apache-2.0 */
/* The provided rule: the queue that the application was submitted to. */
#include "placement/rule_priv.h"

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)rule;
    return app->submitted_queue;
}

const struct yk__rule_kind yk__rule_provided = {
    .names = {"provided"}, .value = value, .run = yk__rule_path_or_name};
