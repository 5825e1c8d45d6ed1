/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/settings.h"

#define PREFIX     "admissionController."
#define AT(member) offsetof(struct yk_admission_settings, member)

enum kind { SERVICE, POLICY, BOOL, PATTERNS };
enum { VALUE_SHOWN_MAX = 128 }; /* bytes of a value in a message */

static const struct setting {
    const char *key;
    enum kind kind;
    size_t offset;
    const char *text; /* the default */
} table[] = {
    {PREFIX "webHook.amServiceName", SERVICE, AT(service_name), "yunikorn-admission-controller-service"},
    {PREFIX "webHook.failurePolicy", POLICY, AT(fails_closed), "Fail"},
    {PREFIX "filtering.processNamespaces", PATTERNS, AT(process), ""},
    {PREFIX "filtering.bypassNamespaces", PATTERNS, AT(bypass), "^kube-system$"},
    {PREFIX "filtering.labelNamespaces", PATTERNS, AT(label), ""},
    {PREFIX "filtering.noLabelNamespaces", PATTERNS, AT(no_label), ""},
    {PREFIX "filtering.generateUniqueAppId", BOOL, AT(generate_unique_app_id), "false"},
    {PREFIX "accessControl.bypassAuth", BOOL, AT(bypass_auth), "false"},
    {PREFIX "accessControl.trustControllers", BOOL, AT(trust_controllers), "true"},
    {PREFIX "accessControl.systemUsers", PATTERNS, AT(system_users), "^system:serviceaccount:kube-system:"},
    {PREFIX "accessControl.externalUsers", PATTERNS, AT(external_users), ""},
    {PREFIX "accessControl.externalGroups", PATTERNS, AT(external_groups), ""},
    {"service.enableConfigHotRefresh", BOOL, AT(hot_refresh), "true"},
};

static void *field(struct yk_admission_settings *settings, const struct setting *setting)
{
    return (char *)settings + setting->offset;
}

static enum yk_status set_patterns(struct yk_patterns **at, struct yk_str value, struct yk_err *err)
{
    struct yk_patterns *patterns = NULL;
    enum yk_status st = yk_patterns_new(value, &patterns, err);
    if (st != YK_OK)
        return st;
    yk_patterns_free(*at);
    *at = patterns;
    return YK_OK;
}

static enum yk_status set_service(char **at, struct yk_str value, struct yk_err *err)
{
    bool good = value.len > 0 && value.len <= 63 && value.p[0] != '-' && value.p[value.len - 1] != '-';
    for (size_t i = 0; good && i < value.len; i++) {
        char c = value.p[i];
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    }
    if (!good)
        return yk_fail(err, YK_ERR_INVALID, "not a name of a Service");
    free(*at);
    *at = yk_str_dup(value);
    return YK_OK;
}

static enum yk_status set_policy(bool *at, struct yk_str value, struct yk_err *err)
{
    if (!yk_str_is(value, "Fail") && !yk_str_is(value, "Ignore"))
        return yk_fail(err, YK_ERR_INVALID, "neither Fail nor Ignore");
    *at = yk_str_is(value, "Fail");
    return YK_OK;
}

static enum yk_status set(struct yk_admission_settings *settings, const struct setting *setting,
                          struct yk_str value, struct yk_err *err)
{
    void *at = field(settings, setting);
    switch (setting->kind) {
    case SERVICE:
        return set_service(at, value, err);
    case POLICY:
        return set_policy(at, value, err);
    case BOOL:
        return yk_str_to_bool(value, at) == YK_OK ? YK_OK : yk_fail(err, YK_ERR_INVALID, "not a boolean");
    case PATTERNS:
        return set_patterns(at, value, err);
    }
    return YK_OK;
}

void yk_admission_settings_init(struct yk_admission_settings *ret)
{
    struct yk_err err;
    *ret = (struct yk_admission_settings){.service_name = NULL};
    for (size_t i = 0; i < YK_COUNT(table); i++)
        (void)YK_ASSERT(set(ret, &table[i], yk_str_from(table[i].text), &err) == YK_OK); /* tests check it */
}

void yk_admission_settings_done(struct yk_admission_settings *settings)
{
    for (size_t i = 0; i < YK_COUNT(table); i++) {
        if (table[i].kind == PATTERNS)
            yk_patterns_free(*(struct yk_patterns **)field(settings, &table[i]));
    }
    free(settings->service_name);
    *settings = (struct yk_admission_settings){.service_name = NULL};
}

static void add_fault(struct yk_config_errors *faults, const struct setting *setting, struct yk_str value,
                      struct yk_err *err)
{
    value.len = YK_MIN(value.len, (size_t)VALUE_SHOWN_MAX);
    (void)yk_fail_in(err, YK_ERR_INVALID, "%s: '" YK_STR_FMT "'", setting->key,
                     YK_STR_ARG(value)); /* only the text is used */
    yk_config_errors_add(faults, err);
}

void yk_admission_settings_apply(struct yk_admission_settings *settings,
                                 const struct yk_merged_config *merged, struct yk_config_errors *faults)
{
    for (size_t i = 0; i < YK_COUNT(table); i++) {
        struct yk_err err = {0};
        struct yk_str value = yk_merged_config_get(merged, yk_str_from(table[i].key));
        if (value.p == NULL)
            value = yk_str_from(table[i].text);
        if (set(settings, &table[i], value, &err) != YK_OK)
            add_fault(faults, &table[i], value, &err);
    }
}
