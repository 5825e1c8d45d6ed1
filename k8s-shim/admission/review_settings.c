/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/review_settings.h"

#include "base/log.h"

#define FILTERING "admissionController.filtering."
#define ACCESS    "admissionController.accessControl."

static const struct {
    const char *key, *value; /* default */
} pattern_settings[] = {
    [YK_PROCESS_NAMESPACES] = {FILTERING "processNamespaces", ""},
    [YK_BYPASS_NAMESPACES] = {FILTERING "bypassNamespaces", "^kube-system$"},
    [YK_LABEL_NAMESPACES] = {FILTERING "labelNamespaces", ""},
    [YK_NO_LABEL_NAMESPACES] = {FILTERING "noLabelNamespaces", ""},
    [YK_SYSTEM_USERS] = {ACCESS "systemUsers", "^system:serviceaccount:kube-system:"},
    [YK_EXTERNAL_USERS] = {ACCESS "externalUsers", ""},
    [YK_EXTERNAL_GROUPS] = {ACCESS "externalGroups", ""},
};
YK_INDEXED_BY(pattern_settings, YK_PATTERN_SETTINGS - 1);

static void warn(const char *key, struct yk_str value, const char *why)
{
    yk_warn(yk_log_admission, "bad setting, default used", KV("key", key), KV("value", value),
            KV("err", why));
}

static struct yk_pattern_list *read_list(const struct yk_merged_config *merged, enum yk_pattern_setting which)
{
    const char *key = pattern_settings[which].key;
    struct yk_str value = yk_merged_config_get(merged, yk_str_from(key));
    struct yk_pattern_list *list = NULL;
    struct yk_err err = {0};
    if (value.p != NULL && yk_pattern_list_new(value, &list, &err) == YK_OK)
        return list;
    if (value.p != NULL)
        warn(key, value, err.text);
    if (yk_pattern_list_new(yk_str_from(pattern_settings[which].value), &list, &err) != YK_OK)
        (void)YK_ASSERT(false); /* the defaults are valid */
    return list;
}

static bool read_bool(const struct yk_merged_config *merged, const char *key, bool otherwise)
{
    struct yk_str value = yk_merged_config_get(merged, yk_str_from(key));
    bool truth = otherwise;
    if (value.p != NULL && yk_str_to_bool(value, &truth) != YK_OK)
        warn(key, value, "not a boolean");
    return truth;
}

void yk_review_settings_init(struct yk_review_settings *ret, const struct yk_merged_config *merged)
{
    for (int which = 0; which < YK_PATTERN_SETTINGS; which++)
        ret->lists[which] = read_list(merged, (enum yk_pattern_setting)which);
    ret->unique_ids = read_bool(merged, FILTERING "generateUniqueAppId", false);
    ret->bypass_auth = read_bool(merged, ACCESS "bypassAuth", false);
    ret->trust_controllers = read_bool(merged, ACCESS "trustControllers", true);
}

void yk_review_settings_done(struct yk_review_settings *settings)
{
    for (int which = 0; which < YK_PATTERN_SETTINGS; which++)
        yk_pattern_list_free(settings->lists[which]);
    *settings = (struct yk_review_settings){0};
}
