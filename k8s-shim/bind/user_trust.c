/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/user_trust.h"

#include "base/log.h"

bool yk_user_trust_needs_webhooks(const char *setting)
{
    return strcmp(setting, "webhook") == 0;
}

static bool is_guarded(const struct yk_mutating_webhooks *webhooks)
{
    for (uint32_t i = 0; webhooks != NULL && i < webhooks->webhook_count; i++) {
        const struct yk_webhook *webhook = &webhooks->webhooks[i];
        if (yk_str_is(webhook->name, YK_GUARD_WEBHOOK_NAME))
            return yk_str_is(webhook->failure_policy, "Fail");
    }
    return false;
}

enum yk_user_trust yk_user_trust_get(const char *setting, const struct yk_mutating_webhooks *webhooks)
{
    if (strcmp(setting, "none") == 0)
        return YK_TRUST_NO_USER;
    if (!yk_user_trust_needs_webhooks(setting))
        return YK_TRUST_ANY_USER;
    if (is_guarded(webhooks))
        return YK_TRUST_USER_INFO;
    yk_warn(
        yk_log_shim_config,
        "service.trustUserInfo is 'webhook' and no webhook guards user.info: new pods have an unknown user",
        KV("configuration", YK_WEBHOOKS_NAME), KV("webhook", YK_GUARD_WEBHOOK_NAME),
        KV("found", webhooks != NULL));
    return YK_TRUST_NO_USER;
}
