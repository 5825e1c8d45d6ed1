/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/admission_reviews.h"

enum yk_status yk_admission_reviews_new(const char *namespace_, struct yk_admission_reviews **ret_reviews,
                                        struct yk_err *err)
{
    (void)namespace_, (void)ret_reviews;
    return yk_fail(err, YK_ERR_UNAVAILABLE, "this build has no reviewer of admission requests");
}

void yk_admission_reviews_free(struct yk_admission_reviews *reviews)
{
    (void)reviews;
}

struct yk_controller_reviews yk_admission_reviews_of(struct yk_admission_reviews *reviews)
{
    (void)reviews;
    return (struct yk_controller_reviews){NULL, NULL, NULL};
}
