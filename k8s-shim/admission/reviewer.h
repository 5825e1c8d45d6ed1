/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides about admission requests: AdmissionReview in, AdmissionReview out.
 *
 * A decision depends on the request, and on the Namespaces, PriorityClasses and ConfigMaps that were
 * observed. Nothing is asked, and nothing is changed.
 *
 * Owns: the observed objects and the settings. Thread: one at a time. Source: docs/reference/admission.md.
 */
#ifndef YK_ADMISSION_REVIEWER_H
#define YK_ADMISSION_REVIEWER_H

#include "api/server.h"

struct yk_reviewer; /* opaque */

enum yk_review_path { YK_REVIEW_MUTATE, YK_REVIEW_VALIDATE_CONF };

/* `namespace_`: where the ConfigMaps are; copied. */
struct yk_reviewer *yk_reviewer_new(const char *namespace_);
/* NULL is fine. */
void yk_reviewer_free(struct yk_reviewer *reviewer);
YK_DEFINE_FREEP(yk_reviewer)

/* One event of a watch of ConfigMaps, Namespaces or PriorityClasses; `object` is taken. */
void yk_reviewer_observe(struct yk_reviewer *reviewer, enum yk_kind kind, enum yk_watch_event event,
                         struct yk_object *object);
/* Appends the answer to `body`. A body that is no review is denied, with uid "yunikorn-invalid-body". */
void yk_reviewer_review(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body,
                        struct yk_buf *ret_answer);

#endif
