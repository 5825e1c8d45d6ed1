/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Application ids that are generated for pods that name no application. The scheduler and the admission
 * controller generate the same.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 2.2 (P02).
 */
#ifndef YK_API_APPLICATION_ID_H
#define YK_API_APPLICATION_ID_H

#include "base/str.h"

/* The end of an id whose pod has no uid yet: the scheduler puts the uid instead of the word. */
#define YK_UNIQUE_ID_SUFFIX "-uniqueautogen"
#define YK_UNIQUE_ID_WORD   "uniqueautogen"

enum { YK_GENERATED_ID_MAX = 63 }; /* bytes: what a label takes */

/* Appends the id of all pods of `namespace_` ("" or absent: "default") that name none. `id` was empty. */
void yk_application_id_of_namespace(struct yk_str namespace_, struct yk_buf *id);
/* Appends the id of one pod. `uid`: of the pod, or YK_UNIQUE_ID_WORD. `id` was empty. */
void yk_application_id_unique(struct yk_str namespace_, struct yk_str uid, struct yk_buf *id);
/* Whether yk_application_id_of_namespace() may have made it, for any namespace. */
bool yk_application_id_looks_generated(struct yk_str id);

#endif
