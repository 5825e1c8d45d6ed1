/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects the reviewer of admission requests (admission/reviewer.h) to the admission controller: turns
 * watches, whose lists may replace each other, into single objects.
 *
 * Owns: the reviewer, the thread that checks configurations, and the Namespaces and PriorityClasses as they
 * were listed.
 * Thread: that of the controller.
 */
#ifndef YK_CMD_ADMISSION_REVIEWS_H
#define YK_CMD_ADMISSION_REVIEWS_H

#include "admission/controller.h"
#include "admission/reviewer.h"

struct yk_admission_reviews;

/*
 * Makes the reviewer and starts the thread. `io`: borrowed for life. `namespace_`: of the ConfigMaps; copied.
 * The caller frees `*ret_reviews`. Errors: YK_ERR_INVALID, no name of a namespace; YK_ERR_IO, no thread.
 */
YK_NODISCARD enum yk_status yk_admission_reviews_new(struct yk_io *io, const char *namespace_,
                                                     struct yk_admission_reviews **ret_reviews,
                                                     struct yk_err *err);
/* Frees it, after the loop of `io` has ended; closes its mailbox. NULL is fine. */
void yk_admission_reviews_free(struct yk_admission_reviews *reviews);
/* The functions that the controller calls; valid as long as `reviews`. */
struct yk_controller_reviews yk_admission_reviews_of(struct yk_admission_reviews *reviews);

#endif
