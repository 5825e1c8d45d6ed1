/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TokenReview, authentication.k8s.io/v1: asks the API server which user a bearer token belongs to.
 *
 * Thread: any.
 * Source: Kubernetes documentation, "TokenReview"; docs/reference/rest.md 12.4.
 */
#ifndef YK_API_TOKEN_REVIEW_H
#define YK_API_TOKEN_REVIEW_H

#include "base/str.h"

enum {                               /* limits of the answer */
       YK_REVIEW_NAME_MAX = 1024,    /* bytes of the name of a user, a group or an audience */
       YK_REVIEW_GROUPS_MAX = 1024,  /* groups of the user */
       YK_REVIEW_AUDIENCES_MAX = 64, /* audiences of the token */
};

/* The answer. Written by: api; shim clears `authenticated` for another audience. */
struct yk_token_review {
    /* if the API server says false, `user` is NULL, and groups and audiences are empty */
    bool authenticated;
    char *user;    /* owned; not "" */
    char **groups; /* owned */
    size_t group_count;
    char **audiences; /* owned; the audiences of the request for which the token is valid */
    size_t audience_count;
};

void yk_token_review_free(struct yk_token_review *review);
YK_DEFINE_FREEP(yk_token_review)

/*
 * Appends the body of POST .../tokenreviews. `audiences`: names separated by commas, with optional spaces;
 * the token must be valid for one of them. No names: the token must be valid for the API server itself.
 * body->failed is set if the body exceeds body->max.
 */
void yk_token_review_encode(struct yk_buf *body, const char *token, struct yk_str audiences);
/*
 * Whether the token is valid for one of `audiences`, which are written as for yk_token_review_encode(). Also
 * true if `audiences` names none. If `audiences` names some, and the API server does not support audiences,
 * it returns none, and the result is false. The function ignores `authenticated`.
 */
bool yk_token_review_is_for(const struct yk_token_review *review, struct yk_str audiences);
/* Reads the answer. The caller frees `*ret_review` with yk_token_review_free(). Errors: YK_ERR_INVALID (not a
 * TokenReview), YK_ERR_LIMIT (a limit above, or the JSON is too large or too deep). */
YK_NODISCARD enum yk_status yk_token_review_read(struct yk_str json, struct yk_token_review **ret_review,
                                                 struct yk_err *err);

#endif
