/* SPDX-License-Identifier: Apache-2.0 */
/* The application type rule: a tag of the application has its type; the queue has the same name. */
#include "placement/rule_priv.h"

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    (void)rule;
    return yk_tags_get_nocase(&app->tags, YK_SI_TAG_APP_TYPE);
}

const struct yk__rule_kind yk__rule_application_type = {
    .names = {"applicationtype"}, .value = value, .run = yk__rule_qualify};
