/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two webhook configurations of the admission controller: compares an object of the API server with the
 * wanted one, and makes the object to write.
 *
 * Only the fields that the controller needs are compared and set. Other fields, such as timeoutSeconds or a
 * namespaceSelector that a cluster adds, stay as they are. Webhooks with other names, and matchConditions
 * that are not wanted, are removed.
 *
 * Pods of this scheduler can be *guarded*: an additional webhook, which comes first in the list and has the
 * failurePolicy Fail, gets creations that name the scheduler or the annotation user.info, and updates that
 * change user.info. The ordinary webhook then gets only the other creations, so no request is reviewed by
 * both. Pods labelled app=yunikorn that do not name user.info are not guarded. Both webhooks use
 * matchConditions, which API servers before 1.30 may silently drop. With such an API server, nothing is
 * guarded.
 *
 * Owns: nothing.
 * Thread: any.
 * Source: docs/reference/admission-server.md, "Webhook configurations".
 */
#ifndef YK_ADMISSION_WEBHOOK_OBJECTS_H
#define YK_ADMISSION_WEBHOOK_OBJECTS_H

#include "base/str.h"

enum yk_webhook_kind { /* in the order of their installation */
                       YK_WEBHOOK_VALIDATING,
                       YK_WEBHOOK_MUTATING,
                       YK_WEBHOOK_KINDS,
};

enum { YK_WEBHOOK_OBJECT_MAX = 1 << 20 }; /* bytes of one object in JSON */

struct yk_webhook_settings {
    const char *service, *namespace_; /* the Service that the API server calls, at port 443 */
    const char *url; /* "https://host:port" to call instead of the Service; NULL: the Service is called */
    struct yk_str ca_bundle; /* PEM of the authorities that the API server trusts */
    bool is_guarding;        /* requests for pods of this scheduler fail when the controller cannot answer */
};

/* The name of the object, such as "yunikorn-admission-controller-mutations". Static text. */
const char *yk_webhook_object_name(enum yk_webhook_kind kind);

/*
 * Compares the object `current` (JSON as the API server sent it; absent: it does not exist) with `settings`.
 *
 * `*ret_differs`: whether the object must be created or updated. If so, the object to write is appended to
 * `ret_body`, with the resourceVersion of `current`, and `why` says what differs first.
 * Errors: YK_ERR_INVALID, `current` is not an object of this kind; YK_ERR_LIMIT, `current` is larger than
 * YK_WEBHOOK_OBJECT_MAX, or the object to write is larger than `ret_body->max`.
 */
YK_NODISCARD enum yk_status yk_webhook_object_plan(enum yk_webhook_kind kind,
                                                   const struct yk_webhook_settings *settings,
                                                   struct yk_str current, bool *ret_differs,
                                                   struct yk_buf *ret_body, struct yk_err *why,
                                                   struct yk_err *err);

/* Whether an API server of `version`, such as "v1.36.1", keeps matchConditions, as 1.30 and later do. False
 * for a version that is malformed or "". A caller that does not know the version yet has to wait for it: a
 * plan without `is_guarding` removes a guard that another replica installed. */
bool yk_webhook_can_guard(const char *version);

#endif
