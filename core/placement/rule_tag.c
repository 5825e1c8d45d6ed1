/* SPDX-License-Identifier: Apache-2.0 */
/* The tag rule: a tag of the application has the name or the path of the queue. */
#include "placement/rule_priv.h"

static enum yk_status check(struct yk__rule *rule, const struct yk_config_rule *config, struct yk_err *err)
{
    (void)config;
    if (rule->value[0] == '\0')
        return yk_fail(err, YK_ERR_INVALID, "placement rule 'tag' needs a value: the tag's name");
    return YK_OK;
}

static const char *value(const struct yk__rule *rule, const struct yk_app *app)
{
    return yk_tags_get_nocase(&app->tags, rule->value);
}

const struct yk__rule_kind yk__rule_tag = {
    .names = {"tag"}, .shows_value = true, .check = check, .value = value, .run = yk__rule_path_or_name};
