/* SPDX-License-Identifier: Apache-2.0 */
/* MutatingWebhookConfigurations, admissionregistration.k8s.io/v1: names and failure policies of the
 * webhooks. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_mutating_webhooks, webhooks, webhook_count);

static const struct yk_field webhook_fields[] = {
    YK_TEXT("name", 1, struct yk_webhook, name),
    YK_TEXT("failurePolicy", 4, struct yk_webhook, failure_policy),
};
static const struct yk_fields webhook = YK_FIELDS(webhook_fields, false);

static const struct yk_field configuration_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_mutating_webhooks, object), &yk_meta_fields),
    YK_LIST("webhooks", 2, struct yk_mutating_webhooks, webhooks, &webhook),
};
const struct yk_fields yk_mutating_webhooks_fields = YK_FIELDS(configuration_fields, true);
