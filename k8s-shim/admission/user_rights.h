/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The annotation user.info, which names the user of a pod: who may set it, and its format.
 *
 * Thread: the reviewer's.
 * Source: docs/reference/admission.md, "Users" (U1 to U4).
 */
#ifndef YK_ADMISSION_USER_RIGHTS_H
#define YK_ADMISSION_USER_RIGHTS_H

#include "admission/request_priv.h"

/* Whether accessControl.systemUsers matches the user who sent the request, as it does for controllers. */
bool yk__is_system_user(const struct yk_admission_settings *settings, const struct yk__request *request);
/*
 * Whether the user who sent the request may set the annotation to `value`: it is what yk__user_info_add() would
 * set, or the lists of accessControl allow it and `value` is valid. If not, denies `verdict`.
 */
bool yk__may_set_user_info(const struct yk_admission_settings *settings, const struct yk__request *request,
                           struct yk_str value, struct yk__verdict *verdict);
/*
 * Adds an operation to `verdict->patch` that sets the annotation to the user who sent the request:
 * {"user":"...","groups":["..."]}, without a member that would be empty. Groups beyond
 * YK_USER_INFO_GROUPS_MAX are left out, with a warning in the log. Denies `verdict` if the value is longer
 * than YK_USER_INFO_BYTES_MAX, so the caller looks at verdict->allowed before it adds more operations.
 */
void yk__user_info_add(const struct yk__request *request, struct yk__meta *meta, struct yk__verdict *verdict);

#endif
