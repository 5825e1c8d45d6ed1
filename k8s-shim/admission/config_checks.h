/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviews of configurations, one after the other on a thread of their own, so that reviews of pods do not
 * wait for them.
 *
 * Owns:   the thread, and the calls that are not answered yet. Borrows the I/O loop and the reviewer until
 *         yk_config_checks_free().
 * Bound:  at most YK_CONFIG_CHECKS_MAX calls and YK_CONFIG_CHECKS_BYTES_MAX bytes of bodies are not answered;
 *         a further call gets status 503 at once. Such an answer does no harm: the webhook has the
 *         failurePolicy Ignore, and the scheduler checks each configuration that it reads.
 * Thread: I/O thread.
 * Source: docs/reference/admission-server.md, "Requests".
 */
#ifndef YK_ADMISSION_CONFIG_CHECKS_H
#define YK_ADMISSION_CONFIG_CHECKS_H

#include "admission/admission_server.h"
#include "admission/reviewer.h"

struct yk_config_checks;

enum { YK_CONFIG_CHECKS_MAX = 8, YK_CONFIG_CHECKS_BYTES_MAX = 16 << 20 };

/* Starts the thread. The caller frees `*ret_checks`. Errors: YK_ERR_IO, the thread cannot be started. */
YK_NODISCARD enum yk_status yk_config_checks_new(struct yk_io *io, struct yk_reviewer *reviewer,
                                                 struct yk_config_checks **ret_checks, struct yk_err *err);
/*
 * Ends the thread and frees `checks`. Waits for the review that is being made, and answers calls with status
 * 503 if their review has not begun. Closes the mailbox of `io`. Call the function after the loop of `io` has
 * ended and before `io` and the reviewer are freed. NULL is allowed.
 */
void yk_config_checks_free(struct yk_config_checks *checks);
YK_DEFINE_FREEP(yk_config_checks)
/* Reviews `body` on the thread, with the ConfigMaps that the reviewer has now. Then answers `call` on the I/O
 * thread. `call` and the bytes of `body` are taken, so that `body` is empty afterwards. If there are too many
 * calls (see Bound), the answer is status 503 at once. */
void yk_config_checks_add(struct yk_config_checks *checks, struct yk_buf *body,
                          struct yk_admission_call *call);

#endif
