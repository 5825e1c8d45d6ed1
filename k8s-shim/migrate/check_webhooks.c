/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

static void set_deletion(const struct yk_look *look, struct yk_finding *finding)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf object = {0};
    YK_CLEANUP(yk_freep) char *kind = yk_str_lower(look->name.kind);
    YK_CLEANUP(yk_buf_done) struct yk_buf reference = {0};
    yk_buf_printf(&reference, "%s/" YK_STR_FMT, kind, YK_STR_ARG(look->name.name));
    yk_shell_word(&object, yk_buf_view(&reference));
    yk__command(look, finding, "kubectl delete --ignore-not-found %s", yk_buf_cstr(&object));
}

static struct yk_look about(const struct yk_look *look, const struct yk_known_webhook *webhook)
{
    struct yk_look at = *look;
    at.name.kind = yk_str_from(yk_subject_kind(webhook->subject));
    at.name.name = yk_str_from(webhook->configuration);
    return at;
}

static const char *consequence(const struct yk_known_webhook *webhook)
{
    if (webhook->fails)
        return "the API server refuses the requests that it takes";
    return webhook->subject == YK_SUBJECT_MUTATING
               ? "new pods get no scheduler name, and kube-scheduler places them outside of all queues"
               : "faulty queue configurations are not refused";
}

void yk__look_webhook_unserved(const struct yk_look *look)
{
    for (size_t i = 0; i < look->migration->webhook_count; i++) {
        const struct yk_known_webhook *webhook = &look->migration->webhooks[i];
        if (!webhook->is_service_known || webhook->is_served)
            continue;
        struct yk_look at = about(look, webhook);
        set_deletion(&at, yk__found(&at, "webhook %s calls Service %s/%s, which %s: %s", webhook->name,
                                    webhook->service_namespace, webhook->service_name,
                                    webhook->exists ? "has no pod that is ready" : "does not exist",
                                    consequence(webhook)));
    }
}

void yk__look_webhook_elsewhere(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    for (size_t i = 0; i < migration->webhook_count; i++) {
        const struct yk_known_webhook *webhook = &migration->webhooks[i];
        if (webhook->service_name[0] == '\0' ||
            strcmp(webhook->service_namespace, migration->namespace_) == 0)
            continue;
        struct yk_look at = about(look, webhook);
        set_deletion(&at,
                     yk__found(&at,
                               "webhook %s calls Service %s/%s of another namespace than '%s': admission "
                               "controllers of both would rewrite it in turn; end the one there first",
                               webhook->name, webhook->service_namespace, webhook->service_name,
                               migration->namespace_));
    }
}

void yk__look_webhook_left(const struct yk_look *look)
{
    const struct yk_migration *migration = look->migration;
    if (migration->values == NULL || !json_is_false(yk__at(migration->values, "embedAdmissionController")))
        return;
    for (size_t i = 0; i < migration->webhook_count; i++) {
        const struct yk_known_webhook *webhook = &migration->webhooks[i];
        if (webhook->is_service_known && !webhook->is_served)
            continue; /* reported already */
        struct yk_look at = about(look, webhook);
        set_deletion(&at,
                     yk__found(&at,
                               "embedAdmissionController is false: nothing will answer webhook %s, which an "
                               "upgrade leaves",
                               webhook->name));
    }
}
