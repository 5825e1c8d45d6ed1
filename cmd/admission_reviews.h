/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects the reviewer of admission requests (admission/reviewer.h) with the admission controller. Watches
 * deliver lists and events. The reviewer gets single objects and removals, also a removal for each object
 * that a new list no longer has.
 *
 * Owns:   the reviewer, the thread that checks configurations, and the latest Namespaces and PriorityClasses.
 * Thread: the I/O thread, on which the controller runs.
 */
#ifndef YK_CMD_ADMISSION_REVIEWS_H
#define YK_CMD_ADMISSION_REVIEWS_H

#include "admission/controller.h"
#include "admission/reviewer.h"

struct yk_admission_reviews;

/*
 * Makes the reviewer and starts the thread that checks configurations. `io` is borrowed for life.
 * `namespace_` is the namespace of the ConfigMaps. It must not be empty, and is copied; its characters are
 * not checked. The caller frees `*ret_reviews` with yk_admission_reviews_free(). Errors: YK_ERR_INVALID,
 * `namespace_` is longer than 63 bytes; YK_ERR_IO, the thread cannot be started.
 */
YK_NODISCARD enum yk_status yk_admission_reviews_new(struct yk_io *io, const char *namespace_,
                                                     struct yk_admission_reviews **ret_reviews,
                                                     struct yk_err *err);
/* Ends the thread, closes the mailbox of `io`, and frees the reviewer. Call it after the loop of `io` has
 * ended, and before `io` is freed. NULL is allowed. */
void yk_admission_reviews_free(struct yk_admission_reviews *reviews);
/* The functions that the controller calls. `reviews` is borrowed as long as they are used. */
struct yk_controller_reviews yk_admission_reviews_of(struct yk_admission_reviews *reviews);

#endif
