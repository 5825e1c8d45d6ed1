/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the user in the annotation user.info of a pod is trusted (service.trustUserInfo).
 *
 * Everyone who may create pods can write the annotation. It can be trusted only while the API server calls
 * the admission controller for each pod that has it, and refuses pods that the controller cannot check. The
 * API server does so while the MutatingWebhookConfiguration of the controller contains the guard webhook with
 * failurePolicy Fail. The user of a pod is decided when the pod is added, and does not change later.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/kubernetes.md, P06.
 */
#ifndef YK_BIND_USER_TRUST_H
#define YK_BIND_USER_TRUST_H

#include "api/object.h"
#include "app/pod_to_app.h"

#define YK_WEBHOOKS_NAME      "yunikorn-admission-controller-mutations"
#define YK_GUARD_WEBHOOK_NAME "admission-webhook.yunikorn.guard-pods"

/* Whether the MutatingWebhookConfiguration has to be watched. `setting`: a valid value of
 * service.trustUserInfo. */
bool yk_user_trust_needs_webhooks(const char *setting);
/* Which of the ways in which pods can name their user are trusted. The caller stores the result in
 * apps->user_trust, before pods are listed and after each change of `webhooks`; pods that were added before
 * keep their user. `setting`: a valid value of service.trustUserInfo. `webhooks`: the object called
 * YK_WEBHOOKS_NAME; NULL: it does not exist. `webhooks` is used only if yk_user_trust_needs_webhooks() is
 * true. In this case, if the guard webhook is missing or its failurePolicy is not Fail, no user is trusted,
 * and a warning is logged. So the webhooks must have been listed before. */
enum yk_user_trust yk_user_trust_get(const char *setting, const struct yk_mutating_webhooks *webhooks);

#endif
