/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The right to name the user of a pod: who may set the annotation user.info, and its format.
 *
 * Thread: the reviewer's.
 * Source: docs/reference/admission.md, "Users" (U1 to U4).
 */
#ifndef YK_ADMISSION_USER_RIGHTS_H
#define YK_ADMISSION_USER_RIGHTS_H

#include "admission/request_priv.h"

/* Whether the user who sent the request is on the list accessControl.systemUsers, as controllers are. */
bool yk__is_system_user(const struct yk_admission_settings *settings, const struct yk__request *request);
/*
 * Whether the submitter may set the annotation to `value`: it is on a list, and the value parses. If not,
 * `verdict` is denied.
 */
bool yk__may_set_user_info(const struct yk_admission_settings *settings, const struct yk__request *request,
                           struct yk_str value, struct yk__verdict *verdict);
/*
 * Adds the annotation for the submitter to the patch: {"user":"...","groups":["..."]}. If it is larger than
 * an annotation can be, `verdict` is denied.
 */
void yk__user_info_add(const struct yk__request *request, struct yk__meta *meta, struct yk__verdict *verdict);
/* Whether `value` is what yk__user_info_add() writes for the submitter. */
bool yk__is_own_user_info(const struct yk__request *request, struct yk_str value);

#endif
