/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SubjectAccessReview, authorization.k8s.io/v1: asks the API server whether a user may do something.
 *
 * Thread: any.
 * Source: Kubernetes documentation, "SubjectAccessReview"; docs/reference/rest.md 12.5.
 */
#ifndef YK_API_ACCESS_REVIEW_H
#define YK_API_ACCESS_REVIEW_H

#include "base/str.h"

#define YK_QUEUES_API_GROUP "yunikorn.apache.org"
#define YK_QUEUES_RESOURCE  "queues"

/* A user and an action. Either `path` or `queue` is set, the other is NULL. All texts are borrowed for the
 * call. */
struct yk_access_question {
    const char *user;
    const char *const *groups; /* of the user; NULL if group_count is 0 */
    size_t group_count;
    const char *verb;  /* such as "get" */
    const char *path;  /* path of an HTTP request (nonResourceAttributes) */
    const char *queue; /* full path of a queue: the name of a resource queues.yunikorn.apache.org */
};

/* Appends the body of POST .../subjectaccessreviews. body->failed is set if it exceeds body->max. */
void yk_access_review_encode(struct yk_buf *body, const struct yk_access_question *question);
/* Reads the answer. `*ret_allowed`: whether the user may do the action (status.allowed). Errors:
 * YK_ERR_INVALID (not a SubjectAccessReview), YK_ERR_LIMIT (too large or too deep). */
YK_NODISCARD enum yk_status yk_access_review_read(struct yk_str json, bool *ret_allowed, struct yk_err *err);

#endif
