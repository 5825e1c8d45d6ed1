/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the answer to a TokenReview: refused with a sentence, or within the limits; who is
 * authenticated has a name. */
#include "api/token_review.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct yk_token_review *review)
{
    if (review->group_count > YK_REVIEW_GROUPS_MAX ||
        (review->user != NULL && strlen(review->user) > YK_REVIEW_NAME_MAX))
        abort();
    if (review->authenticated && (review->user == NULL || review->user[0] == '\0'))
        abort();
    for (size_t i = 0; i < review->group_count; i++) {
        if (review->groups[i] == NULL || strlen(review->groups[i]) > YK_REVIEW_NAME_MAX)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    YK_CLEANUP(yk_token_review_freep) struct yk_token_review *review = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_token_review_read((struct yk_str){(const char *)data, size}, &review, &err);
    if ((st == YK_OK) != (review != NULL) || (st != YK_OK && err.text[0] == '\0'))
        abort();
    if (review != NULL)
        check(review);
    return 0;
}
