/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of the I/O thread: libevent with a mailbox. Network clients, the REST server and signals use it.
 *
 * Thread: yk_io_post() and yk_io_stop() any; everything else on the I/O thread, or before that thread starts
 * and after it ended.
 */
#ifndef YK_BASE_IO_LOOP_H
#define YK_BASE_IO_LOOP_H

#include "base/mailbox.h"

struct event_base;
struct yk_actor;
struct yk_io;

/* Makes a loop that does not run yet; the caller frees it with yk_io_free(). Errors: YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_io_new(struct yk_io **ret_io, struct yk_err *err);
/* Frees the loop, which does not run, and drops the commands that were not run, on the calling thread. Events
 * of the libevent base must have been freed before. No thread may post afterwards. NULL is fine. */
void yk_io_free(struct yk_io *io);
YK_DEFINE_FREEP(yk_io)
/* The libevent base of the loop, borrowed until yk_io_free(); for event_new() and the like. */
struct event_base *yk_io_base(struct yk_io *io);
/* Takes `command`; the I/O thread runs it later (yk_mailbox_post()). Any thread. */
void yk_io_post(struct yk_io *io, struct yk_command *command);
/* The mailbox that yk_io_post() posts to, borrowed until yk_io_free(). */
struct yk_mailbox *yk_io_inbox(struct yk_io *io);
/* Runs the loop on the calling thread until yk_io_stop(). */
void yk_io_run(struct yk_io *io);
/*
 * Runs `actor` on the calling thread until yk_actor_stop(), and `io` on a new thread. When the actor has
 * stopped, stops `io` as well and waits for its thread to end.
 *
 * Errors: YK_ERR_IO, the thread could not be created. Nothing has run then.
 */
YK_NODISCARD enum yk_status yk_io_run_beside(struct yk_io *io, struct yk_actor *actor, struct yk_err *err);
/* Makes yk_io_run() return; it may still run up to 1,024 commands before that, and the others are not run. A
 * later yk_io_run() returns at once. Any thread. */
void yk_io_stop(struct yk_io *io);
/* Whether the process ignores the signal, as it ignores SIGHUP if it was started with nohup. Any thread. */
bool yk_io_signal_is_ignored(int number);

#endif
