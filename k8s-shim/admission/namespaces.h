/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the admission controller does with the pods of a namespace. The annotations of the namespace decide.
 * If they say nothing, the settings filtering.*Namespaces decide.
 *
 * Thread: any.
 * Source: docs/reference/admission.md, "Namespaces" (N1 to N3).
 */
#ifndef YK_ADMISSION_NAMESPACES_H
#define YK_ADMISSION_NAMESPACES_H

#include "admission/marks.h"
#include "admission/settings.h"

/* Stores in `namespaces` what the annotations of `namespace_` say, in place of what was stored for the same
 * name. yk_marks_forget() removes a namespace. Errors: those of yk_marks_set(). */
YK_NODISCARD enum yk_status yk_namespaces_put(struct yk_marks *namespaces, const struct yk_object *namespace_,
                                              struct yk_err *err);
/* Whether the controller sets the scheduler of new pods in namespace `name` to yunikorn. Pods labelled
 * app=yunikorn are excepted. `namespaces`: filled by yk_namespaces_put(). */
bool yk_namespace_is_processed(const struct yk_marks *namespaces,
                               const struct yk_admission_settings *settings, struct yk_str name);
/* Whether the controller adds labels, such as the application ID, and the annotation allow-preemption to
 * those pods of namespace `name` whose scheduler it sets. */
bool yk_namespace_is_labelled(const struct yk_marks *namespaces, const struct yk_admission_settings *settings,
                              struct yk_str name);

#endif
