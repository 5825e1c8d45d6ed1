/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the admission controller does with the pods of a namespace: settings and annotations decide.
 *
 * Thread: any, one at a time.
 * Source: docs/reference/admission.md, "Namespaces" (N1 to N3).
 */
#ifndef YK_ADMISSION_NAMESPACES_H
#define YK_ADMISSION_NAMESPACES_H

#include "admission/marks.h"
#include "admission/settings.h"

/* Stores what the annotations of a namespace say in `namespaces`. Errors: as yk_marks_set(). */
YK_NODISCARD enum yk_status yk_namespaces_put(struct yk_marks *namespaces, const struct yk_object *namespace_,
                                              struct yk_err *err);
/* Whether its pods are scheduled by us. */
bool yk_namespace_is_processed(const struct yk_marks *namespaces,
                               const struct yk_admission_settings *settings, struct yk_str name);
/* Whether its pods get labels. */
bool yk_namespace_is_labelled(const struct yk_marks *namespaces, const struct yk_admission_settings *settings,
                              struct yk_str name);

#endif
