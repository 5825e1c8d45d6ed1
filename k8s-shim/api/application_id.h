/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates application ids for pods that name no application. The scheduler and the admission controller
 * use these functions, so that their ids agree.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 2.2 (P02).
 */
#ifndef YK_API_APPLICATION_ID_H
#define YK_API_APPLICATION_ID_H

#include "base/str.h"

/* The admission controller generates ids before the pod has a UID. It writes YK_UNIQUE_ID_WORD in place of
 * the UID, so the id ends with YK_UNIQUE_ID_SUFFIX. The scheduler replaces the word with the UID. */
#define YK_UNIQUE_ID_SUFFIX "-uniqueautogen"
#define YK_UNIQUE_ID_WORD   "uniqueautogen"

/* Bytes of a generated id, the most that the value of a label may have. Longer ids are cut. */
enum { YK_GENERATED_ID_MAX = 63 };

/* Sets `id`, which must be empty, to the id that all pods of a namespace share if they name no application:
 * "yunikorn-<namespace>-autogen". An absent or empty `namespace_` stands for "default". */
void yk_application_id_of_namespace(struct yk_str namespace_, struct yk_buf *id);
/* Sets `id`, which must be empty, to the id of the application of one pod: "<namespace>-<uid>", with at
 * most 26 bytes of the namespace. An absent or empty `namespace_` stands for "default". `uid` is the UID of
 * the pod, or YK_UNIQUE_ID_WORD. */
void yk_application_id_unique(struct yk_str namespace_, struct yk_str uid, struct yk_buf *id);
/* Whether `id` looks like a result of yk_application_id_of_namespace(): it begins with "yunikorn-", and it
 * ends with "-autogen" or has YK_GENERATED_ID_MAX bytes. */
bool yk_application_id_looks_generated(struct yk_str id);

#endif
