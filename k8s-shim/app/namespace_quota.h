/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotations of a namespace that are sent to the core as tags of applications: quota, guaranteed amounts,
 * maximum of applications, parent queue.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 2.4, 2.5 (P08).
 */
#ifndef YK_APP_NAMESPACE_QUOTA_H
#define YK_APP_NAMESPACE_QUOTA_H

#include "api/object.h"

struct yk_namespace_tags {           /* a tag whose text is empty is not sent */
    struct yk_buf quota, guaranteed; /* owned; JSON: {"resources":{"vcore":{"value":1000}}} */
    char max_apps[24];               /* decimal */
    struct yk_str parent_queue;      /* borrowed from the namespace */
};

/* Reads the annotations of `namespace_`. If `namespace_` is NULL, all texts of `*ret` are empty. A value that
 * is not valid is left out, with a warning in the log. The caller ends `*ret` with yk_namespace_tags_done()
 * before `namespace_` is freed. */
void yk_namespace_tags_init(struct yk_namespace_tags *ret, const struct yk_object *namespace_);
void yk_namespace_tags_done(struct yk_namespace_tags *tags);

#endif
