/* SPDX-License-Identifier: Apache-2.0 */
/* P2: what rules are called. */
#include "placement/rule_priv.h"

#include <strings.h>

/* The first name of a kind is the one that REST shows. */
static const struct {
    const char *name;
    enum yk__rule_kind kind;
} rule_names[] = {
    {"provided", YK__RULE_PROVIDED},
    {"user", YK__RULE_USER},
    {"username", YK__RULE_USER},
    {"fixed", YK__RULE_FIXED},
    {"tag", YK__RULE_TAG},
    {"primarygroup", YK__RULE_PRIMARY_GROUP},
    {"primarygroupname", YK__RULE_PRIMARY_GROUP},
    {"secondarygroup", YK__RULE_SECONDARY_GROUP},
    {"secondarygroupname", YK__RULE_SECONDARY_GROUP},
    {"applicationtype", YK__RULE_APPLICATION_TYPE},
    {"recovery", YK__RULE_RECOVERY},
#ifdef YK_PLACEMENT_TEST_RULE
    {"test", YK__RULE_TEST},
#endif
};

enum yk_status yk__rule_kind_of(const struct yk_config_rule *config, enum yk__rule_kind *ret_kind,
                                struct yk_err *err)
{
    struct yk_str name = config->name;
    for (size_t i = 0; i < YK_COUNT(rule_names); i++) {
        if (name.len != strlen(rule_names[i].name) || strncasecmp(name.p, rule_names[i].name, name.len) != 0)
            continue;
        if (rule_names[i].kind == YK__RULE_RECOVERY)
            return yk_fail(err, YK_ERR_INVALID,
                           "placement rule 'recovery' is always there and cannot be configured");
        *ret_kind = rule_names[i].kind;
        return YK_OK;
    }
    return yk_fail(err, YK_ERR_INVALID, "placement rule '" YK_STR_FMT "' is not known", YK_STR_ARG(name));
}

const char *yk__rule_kind_name(enum yk__rule_kind kind)
{
    for (size_t i = 0; i < YK_COUNT(rule_names); i++) {
        if (rule_names[i].kind == kind)
            return rule_names[i].name;
    }
    return "";
}
