/* SPDX-License-Identifier: Apache-2.0 */
/* Connects the reviewer of admission requests (admission/reviewer.h) to the admission controller. */
#ifndef YK_CMD_ADMISSION_REVIEWS_H
#define YK_CMD_ADMISSION_REVIEWS_H

#include "admission/controller.h"
#include "admission/reviewer.h"

/* What the controller calls; valid as long as `reviewer`. */
struct yk_controller_reviews yk_admission_reviews_of(struct yk_reviewer *reviewer);

#endif
