/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of this process that computes an answer and ends: fork(), a pipe for the answer, and limits.
 *
 * The copy has all memory as it is at the time of the fork, shared until one side writes, and only the thread
 * that forked. Locks that other threads held stay locked there, so the work takes none: it does not log, post
 * to mailboxes or use connections. The copy closes all files but the standard ones and its pipe, has a lower
 * priority, a limit of processor time, and ends with this thread at the latest.
 *
 * Owns:   the child process and the pipe, from begin until poll() says that it ended.
 * Thread: one; the functions but yk_copy_wait() do not block.
 */
#ifndef YK_WHATIF_COPY_H
#define YK_WHATIF_COPY_H

#include "base/clock.h"

#include <sys/types.h>

enum {
    YK_COPY_ANSWER_MAX = 4 << 20, /* bytes */
    YK_COPY_SECONDS_MAX = 10,     /* of processor time; and of real time, after which it is killed */
};

struct yk_copy {
    pid_t pid; /* 0: none is out */
    int fd;    /* of the pipe; -1: its end was reached */
    bool killed;
    struct yk_buf answer;
    int64_t begin_mono_ns;
    int64_t fork_ns; /* what the fork took in this thread */
};

enum yk_copy_end {
    YK_COPY_ANSWERED, /* `answer` is complete */
    YK_COPY_LATE,     /* it took too long */
    YK_COPY_DIED,     /* it ended without an answer: a bug, or no memory */
};

struct yk_copy_cost {
    int64_t fork_ns;  /* of the thread that began it */
    int64_t child_ns; /* from the fork until its end */
    size_t bytes;     /* that it wrote to for the first time, so that the system copied them: whole pages */
};

/*
 * Begins a copy, which calls `run`: that appends to `answer`, of at most YK_COPY_ANSWER_MAX bytes, and
 * returns; nothing after the call runs there. No copy is out. Errors: YK_ERR_UNAVAILABLE, the system has no
 * memory or no process for it.
 */
YK_NODISCARD enum yk_status yk_copy_begin(struct yk_copy *copy,
                                          void (*run)(void *context, struct yk_buf *answer), void *context,
                                          struct yk_err *err);
/* Reads what the copy has written. True: it has ended; `*ret_end` and `*ret_cost` are set, `copy->answer`
 * belongs to the caller, who ends it with yk_buf_done(), and another copy can begin. False: it is still
 * running. */
bool yk_copy_poll(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Waits until the copy has ended, then does what yk_copy_poll() does. Blocks. */
void yk_copy_wait(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Kills the copy, which ends soon as YK_COPY_LATE: go on polling. No effect if there is none. */
void yk_copy_kill(struct yk_copy *copy);
/* Kills the copy, and waits for its end. No effect if there is none. */
void yk_copy_done(struct yk_copy *copy);

#endif
