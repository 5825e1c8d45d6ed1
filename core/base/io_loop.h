/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O thread: a libevent loop with a mailbox. Network clients, the REST server and signals live here.
 *
 * Thread: yk_io_post() any; everything else on the I/O thread (or before it starts).
 */
#ifndef YK_BASE_IO_LOOP_H
#define YK_BASE_IO_LOOP_H

#include "base/mailbox.h"

struct event_base;
struct yk_actor;
struct yk_io;

/* Makes a loop that does not run yet; the caller frees it with yk_io_free(). Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_io_new(struct yk_io **ret_io, struct yk_err *err);
/* Frees the loop, which does not run. NULL is fine. */
void yk_io_free(struct yk_io *io);
YK_DEFINE_FREEP(yk_io)
/* The libevent base of the loop, borrowed; for event_new() and the like. */
struct event_base *yk_io_base(struct yk_io *io);
/* Takes `command` and runs it later on the I/O thread, which frees it. Any thread. */
void yk_io_post(struct yk_io *io, struct yk_command *command);
/* The mailbox that yk_io_post() posts to, borrowed. For functions that take a mailbox, in a program whose I/O
 * thread does everything. */
struct yk_mailbox *yk_io_inbox(struct yk_io *io);
/* Runs the loop on the calling thread until yk_io_stop(). */
void yk_io_run(struct yk_io *io);
/*
 * Runs `actor` on this thread until it is stopped, and `io` on a thread of its own.
 *
 * Errors: YK_ERR_IO, the thread could not be created; nothing has run.
 */
YK_NODISCARD enum yk_status yk_io_run_beside(struct yk_io *io, struct yk_actor *actor, struct yk_err *err);
/* yk_io_run() returns soon after this call. May be called on any thread. */
void yk_io_stop(struct yk_io *io);

#endif
