/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SubjectAccessReview, authorization.k8s.io/v1: may a user do something?
 *
 * Thread: any.
 * Source: Kubernetes documentation, "SubjectAccessReview"; docs/reference/rest.md 12.5.
 */
#ifndef YK_API_ACCESS_REVIEW_H
#define YK_API_ACCESS_REVIEW_H

#include "base/str.h"

#define YK_QUEUES_API_GROUP "yunikorn.apache.org"
#define YK_QUEUES_RESOURCE  "queues"

/* Who wants to do what. Either `path` or `queue` is set. All texts are borrowed. */
struct yk_access_question {
    const char *user;
    const char *const *groups;
    size_t group_count;
    const char *verb;
    const char *path;  /* of an HTTP request (nonResourceAttributes) */
    const char *queue; /* full path of a queue: the name of a resource queues.yunikorn.apache.org */
};

/* Appends the body of POST .../subjectaccessreviews. */
void yk_access_review_encode(struct yk_buf *body, const struct yk_access_question *question);
/* Reads the answer: `*ret_allowed` says whether the user is allowed to do it. Errors: YK_ERR_INVALID, not a
 * SubjectAccessReview. */
YK_NODISCARD enum yk_status yk_access_review_read(struct yk_str json, bool *ret_allowed, struct yk_err *err);

#endif
