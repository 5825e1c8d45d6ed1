/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two webhook configurations of the admission controller: how they must look, what differs, and the
 * object that repairs it.
 *
 * Only the fields that the controller needs are compared and set. Others, such as timeoutSeconds or a
 * namespaceSelector that a cluster adds, stay as they are.
 *
 * Pods of this scheduler can be guarded. A second webhook, the first in the list, then takes the requests
 * that name the scheduler or the annotation user.info, and has the failurePolicy Fail. The ordinary webhook
 * leaves exactly these requests out, so each request is reviewed once. Both use matchConditions, which API
 * servers before 1.30 may drop without a word; there nothing is guarded.
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
    const char *service, *namespace_; /* what the API server calls; port 443 */
    const char *url;         /* "https://host:port" to call instead of the Service; NULL: the Service */
    struct yk_str ca_bundle; /* PEM */
    bool is_guarding;        /* requests for pods of this scheduler fail when the controller cannot answer */
};

/* Name of the object, e.g. "yunikorn-admission-controller-mutations"; static. */
const char *yk_webhook_object_name(enum yk_webhook_kind kind);

/*
 * Compares the object `current` (JSON as the API server sent it; absent: it does not exist) with `settings`.
 *
 * `*ret_differs`: whether something must be written. Then `ret_body` (empty before) has the object to create
 * or update, with the resourceVersion of `current`, and `why` the first difference.
 * Errors: YK_ERR_INVALID, `current` is no such object; YK_ERR_LIMIT, it is too large.
 */
YK_NODISCARD enum yk_status yk_webhook_object_plan(enum yk_webhook_kind kind,
                                                   const struct yk_webhook_settings *settings,
                                                   struct yk_str current, bool *ret_differs,
                                                   struct yk_buf *ret_body, struct yk_err *why,
                                                   struct yk_err *err);

/* Whether an API server of `version` ("v1.36.1") keeps matchConditions: 1.30 and later. "": not known,
 * false. */
bool yk_webhook_can_guard(const char *version);

#endif
