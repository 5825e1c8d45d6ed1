/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TokenReview, authentication.k8s.io/v1: whose is a bearer token?
 *
 * Thread: any.
 * Source: Kubernetes documentation, "TokenReview"; docs/reference/kubernetes.md 1.5.
 */
#ifndef YK_API_TOKEN_REVIEW_H
#define YK_API_TOKEN_REVIEW_H

#include "base/str.h"

enum {
    YK_REVIEW_NAME_MAX = 1024,   /* bytes of a name or of an audience */
    YK_REVIEW_GROUPS_MAX = 1024, /* groups of one user */
    YK_REVIEW_AUDIENCES_MAX = 64,
};

/* The answer. Written by: api; shim clears `authenticated` for another audience. */
struct yk_token_review {
    bool authenticated;
    char *user; /* owned; not empty when authenticated */
    char **groups;
    size_t group_count;
    char **audiences; /* that the token is for, of those that were asked about */
    size_t audience_count;
};

void yk_token_review_free(struct yk_token_review *review);
YK_DEFINE_FREEP(yk_token_review)

/*
 * Appends the body of POST .../tokenreviews. `audiences`: names separated by commas, with optional spaces;
 * the token must be for one of them. "": the audience of the API server itself.
 */
void yk_token_review_encode(struct yk_buf *body, const char *token, struct yk_str audiences);
/*
 * Whether the token is for one of `audiences`, as in yk_token_review_encode(). An API server that does not
 * know audiences names none in its answer: then the answer is no, unless `audiences` is "".
 */
bool yk_token_review_is_for(const struct yk_token_review *review, struct yk_str audiences);
/* Reads the answer. The caller frees `*ret_review` with yk_token_review_free(). Errors: YK_ERR_INVALID;
 * YK_ERR_LIMIT, a user with too many groups or too long names. */
YK_NODISCARD enum yk_status yk_token_review_read(struct yk_str json, struct yk_token_review **ret_review,
                                                 struct yk_err *err);

#endif
