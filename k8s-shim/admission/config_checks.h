/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviews of configurations, one after the other on a thread of their own, so that reviews of pods do not
 * wait for them.
 *
 * Owns:   the thread, and the calls that wait. Borrows the I/O loop and the reviewer.
 * Bound:  YK_CONFIG_CHECKS_MAX calls and YK_CONFIG_CHECKS_BYTES_MAX bytes of bodies; more get 503. The
 *         webhook's failurePolicy is Ignore, and the scheduler checks what it reads.
 * Thread: I/O thread.
 * Source: docs/reference/admission-server.md, "Requests".
 */
#ifndef YK_ADMISSION_CONFIG_CHECKS_H
#define YK_ADMISSION_CONFIG_CHECKS_H

#include "admission/admission_server.h"
#include "admission/reviewer.h"

struct yk_config_checks;

enum { YK_CONFIG_CHECKS_MAX = 8, YK_CONFIG_CHECKS_BYTES_MAX = 16 << 20 };

/* Starts the thread. Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_config_checks_new(struct yk_io *io, struct yk_reviewer *reviewer,
                                                 struct yk_config_checks **ret_checks, struct yk_err *err);
/*
 * Ends the thread and frees it. Call it after the loop of `io` has ended; closes the mailbox of `io`. Waits
 * for the review that is being made, and answers what is left with 503. NULL is fine.
 */
void yk_config_checks_free(struct yk_config_checks *checks);
YK_DEFINE_FREEP(yk_config_checks)
/* Reviews `body`, which is taken, and then answers `call`. */
void yk_config_checks_add(struct yk_config_checks *checks, struct yk_buf *body,
                          struct yk_admission_call *call);

#endif
