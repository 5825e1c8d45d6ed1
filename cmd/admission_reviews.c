/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/admission_reviews.h"

static void observe(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    yk_reviewer_observe(context, kind, event, object);
}

static void review(void *context, const char *path, struct yk_str body, struct yk_buf *ret_answer)
{
    bool mutates = strcmp(path, "/mutate") == 0;
    yk_reviewer_review(context, mutates ? YK_REVIEW_MUTATE : YK_REVIEW_VALIDATE_CONF, body, ret_answer);
}

struct yk_controller_reviews yk_admission_reviews_of(struct yk_reviewer *reviewer)
{
    return (struct yk_controller_reviews){observe, review, reviewer};
}
