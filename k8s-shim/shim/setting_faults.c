/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/setting_faults.h"

#include "base/log.h"
#include "config/settings.h"

enum { VALUE_BYTES_MAX = 128 }; /* values are cut to this many bytes before they are compared and logged */

void yk_setting_faults_done(struct yk_setting_faults *faults)
{
    for (size_t i = 0; i < faults->count; i++)
        free(faults->named[i]);
    *faults = (struct yk_setting_faults){.count = 0};
}

static bool has(const struct yk_setting_faults *faults, const char *text)
{
    for (size_t i = 0; i < faults->count; i++) {
        if (strcmp(faults->named[i], text) == 0)
            return true;
    }
    return false;
}

static char *text_of(struct yk_str key, struct yk_str value)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, YK_STR_FMT "=" YK_STR_FMT, YK_STR_ARG(key), YK_STR_ARG(value));
    return yk_strdup(yk_buf_cstr(&text));
}

static void take(struct yk_setting_faults *now, const struct yk_setting_faults *before, struct yk_str key,
                 struct yk_str value, enum yk_setting_fault fault)
{
    if (now->count == YK_SETTING_FAULTS_MAX) {
        now->more++;
        return;
    }
    value.len = YK_MIN(value.len, (size_t)VALUE_BYTES_MAX);
    char *text = now->named[now->count++] = text_of(key, value);
    if (!has(before, text))
        yk_warn(yk_log_shim_config, "setting has no effect", KV("key", key), KV("value", value),
                KV("reason", yk_setting_fault_text(fault)));
}

void yk_setting_faults_log(struct yk_setting_faults *faults, const struct yk_merged_config *merged,
                           const char *policy_group)
{
    struct yk_setting_faults now = {.count = 0};
    for (uint32_t i = 0; i < merged->count; i++) {
        const struct yk_pair *pair = &merged->items[i];
        enum yk_setting_fault fault = yk_setting_check(pair, policy_group);
        if (fault != YK_SETTING_FINE)
            take(&now, faults, pair->key, pair->value, fault);
    }
    if (now.more > 0 && now.more != faults->more)
        yk_warn(yk_log_shim_config, "more settings have no effect", KV("count", now.more));
    yk_setting_faults_done(faults);
    *faults = now;
}
