/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who may say for which user a pod runs, and how that is written: the annotation user.info.
 *
 * Thread: the reviewer's. Source: docs/reference/admission.md, "Users" (U1 to U4).
 */
#ifndef YK_ADMISSION_USER_RIGHTS_H
#define YK_ADMISSION_USER_RIGHTS_H

#include "admission/request_priv.h"

/* The submitter is a controller (accessControl.systemUsers). */
bool yk__is_system_user(const struct yk_admission_settings *settings, const struct yk__request *request);
/*
 * Whether the submitter may set the annotation to `value`: it is on a list, and the value parses. If not,
 * `verdict` is denied.
 */
bool yk__may_set_user_info(const struct yk_admission_settings *settings, const struct yk__request *request,
                           struct yk_str value, struct yk__verdict *verdict);
/* Appends the annotation for the submitter: {"user":"...","groups":["..."]}. */
void yk__user_info_encode(const struct yk__request *request, struct yk_buf *out);

#endif
