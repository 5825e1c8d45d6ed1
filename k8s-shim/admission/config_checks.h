/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviews of configurations, one after the other on a thread of their own, so that reviews of pods do not
 * wait for them.
 *
 * Owns:   the thread, and the calls that are not answered yet. Borrows the I/O loop and the reviewer until
 *         yk_config_checks_free().
 * Bound:  at most YK_CONFIG_CHECKS_MAX calls and YK_CONFIG_CHECKS_BYTES_MAX bytes of bodies are not answered;
 *         a further call gets status 503 at once. That is harmless: the webhook has the failurePolicy Ignore,
 *         and the scheduler checks the configuration when it reads it.
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
 * Ends the thread and frees `checks`. Waits for the review that is being made, answers the calls whose review
 * has not begun with status 503, and closes the mailbox of `io`. Call it after the loop of `io` has ended and
 * before `io` and the reviewer are freed. NULL is fine.
 */
void yk_config_checks_free(struct yk_config_checks *checks);
YK_DEFINE_FREEP(yk_config_checks)
/* Reviews `body` on the thread, with the ConfigMaps that the reviewer has now, then answers `call` on the
 * I/O thread. Takes the bytes of `body`, which is empty afterwards, and `call`. Answers with status 503 at
 * once if there are too many calls (see Bound). */
void yk_config_checks_add(struct yk_config_checks *checks, struct yk_buf *body,
                          struct yk_admission_call *call);

#endif
