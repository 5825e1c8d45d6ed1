/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Namespace annotations that travel as application tags: quota, guarantee, most applications, parent queue.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 2.4, 2.5 (P08).
 */
#ifndef YK_APP_NAMESPACE_QUOTA_H
#define YK_APP_NAMESPACE_QUOTA_H

#include "api/object.h"

struct yk_namespace_tags { /* an empty text: no tag */
    struct yk_buf quota, guaranteed;
    char max_apps[24];
    struct yk_str parent_queue; /* borrowed from the namespace */
};

/* Reads the annotations of `namespace_` (NULL: no tags). A value that does not parse is left out and logged.
 * The caller ends `*ret` with yk_namespace_tags_done(), before `namespace_` is freed. */
void yk_namespace_tags_init(struct yk_namespace_tags *ret, const struct yk_object *namespace_);
void yk_namespace_tags_done(struct yk_namespace_tags *tags);

#endif
