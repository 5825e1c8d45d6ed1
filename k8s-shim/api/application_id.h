/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Application ids of pods that name none. Thread: any. Source: docs/reference/kubernetes.md 2.2 (P02).
 */
#ifndef YK_API_APPLICATION_ID_H
#define YK_API_APPLICATION_ID_H

#include "base/str.h"

enum { YK_GENERATED_ID_MAX = 63 }; /* bytes: the longest label value */

#define YK_GENERATED_PREFIX "yunikorn-"
#define YK_GENERATED_SUFFIX "-autogen"
/* What stands for the uid where the uid is not known yet, with its dash. */
#define YK_UNIQUE_SUFFIX "-uniqueautogen"

/* Appends "yunikorn-<namespace>-autogen", which all pods of a namespace share. An empty namespace is
 * "default". */
void yk_application_id_shared(struct yk_str namespace_, struct yk_buf *id);
/* Appends "<namespace, 26 bytes>-<uid>". */
void yk_application_id_unique(struct yk_str namespace_, struct yk_str uid, struct yk_buf *id);

#endif
