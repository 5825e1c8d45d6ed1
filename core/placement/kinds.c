/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of rules and their names (P2). */
#include "placement/rule_priv.h"

#include <strings.h>

#define ROW(name) &yk__rule_##name,
static const struct yk__rule_kind *const kinds[] = {YK__RULE_KINDS(ROW)};
#undef ROW

static bool is_called(const struct yk__rule_kind *kind, struct yk_str name)
{
    for (size_t i = 0; i < YK__RULE_NAMES_MAX && kind->names[i] != NULL; i++) {
        if (name.len == strlen(kind->names[i]) && strncasecmp(name.p, kind->names[i], name.len) == 0)
            return true;
    }
    return false;
}

enum yk_status yk__rule_kind_of(const struct yk_config_rule *config, const struct yk__rule_kind **ret_kind,
                                struct yk_err *err)
{
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        if (!is_called(kinds[i], config->name))
            continue;
        if (kinds[i]->is_implicit)
            return yk_fail(err, YK_ERR_INVALID,
                           "placement rule '%s' is always there and cannot be configured",
                           kinds[i]->names[0]);
        *ret_kind = kinds[i];
        return YK_OK;
    }
    return yk_fail(err, YK_ERR_INVALID, "placement rule '" YK_STR_FMT "' is not known",
                   YK_STR_ARG(config->name));
}

void yk_placement_rule_names_each(void (*see)(void *context, const char *name), void *context)
{
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        for (size_t j = 0; j < YK__RULE_NAMES_MAX && kinds[i]->names[j] != NULL; j++)
            see(context, kinds[i]->names[j]);
    }
}
