/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of this process, made by fork(), that computes an answer, writes it to a pipe and ends.
 *
 * The copy has the memory of the process at the time of the fork. The system copies a page when one of the
 * two processes first writes to it. The copy has only the thread that forked: a lock that another thread held
 * at the fork is never released there. So the work in the copy must not log, post to mailboxes or use
 * connections. The only lock that it may take is that of the resource types (resources/restype.h): the thread
 * that forks holds it during the fork. The copy closes all files but the standard ones and its pipe, has a
 * lower priority and a limit of processor time, and is killed when the thread that forked ends.
 *
 * Owns:   the child process and the pipe, from yk_copy_begin() until yk_copy_poll() is true.
 * Thread: one. Only yk_copy_wait() and yk_copy_done() block.
 */
#ifndef YK_WHATIF_COPY_H
#define YK_WHATIF_COPY_H

#include "base/clock.h"

#include <sys/types.h>

enum {
    YK_COPY_ANSWER_MAX = 4 << 20, /* bytes of the answer */
    YK_COPY_SECONDS_MAX = 10,     /* processor time of the copy, and also real time: it is then killed */
};

/* All zero: there is no copy. Other code reads `pid` and takes `answer`; the rest is private. */
struct yk_copy {
    pid_t pid; /* of the copy; 0: there is none */
    int fd;    /* of the pipe; -1: its end was reached */
    bool killed;
    struct yk_buf answer;  /* what was read so far */
    int64_t begin_mono_ns; /* real time of the fork */
    int64_t fork_ns;       /* duration of fork() in this thread */
};

enum yk_copy_end {
    YK_COPY_ANSWERED, /* `answer` is complete */
    YK_COPY_LATE,     /* it took too long, or yk_copy_kill() was called */
    YK_COPY_DIED,     /* it ended without an answer, because of a bug or for lack of memory */
};

struct yk_copy_cost {
    int64_t fork_ns;  /* duration of fork() in the thread that called it */
    int64_t child_ns; /* from the fork to the end of the copy */
    size_t bytes;     /* of the pages that the system has copied for it */
};

/*
 * Begins a copy, in which only `run` is called, with `context`. It appends at most YK_COPY_ANSWER_MAX bytes,
 * and at least one, to `answer`, which is empty, and returns. `copy` must have no copy that is running, and
 * no answer: `*copy` is overwritten. The caller must not hold the lock of the resource types, and calls
 * yk_copy_poll() from then on. Errors: YK_ERR_UNAVAILABLE, the system has too little memory, or too many
 * processes or files; there is no copy then.
 */
YK_NODISCARD enum yk_status yk_copy_begin(struct yk_copy *copy,
                                          void (*run)(void *context, struct yk_buf *answer), void *context,
                                          struct yk_err *err);
/* Reads what the copy has written; the caller repeats it every few milliseconds. Kills a copy that takes too
 * long. True: the copy has ended, `*ret_end` and `*ret_cost` are set, and another one can begin; the caller
 * ends `copy->answer` with yk_buf_done(), whatever `*ret_end` is. False: the copy is still running, or there
 * is none. */
bool yk_copy_poll(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Like yk_copy_poll(), but waits until the copy has ended; the caller ends `copy->answer`. Sets nothing if
 * there is none: look at copy->pid before. Blocks, for YK_COPY_SECONDS_MAX or a little longer. */
void yk_copy_wait(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Kills the copy. The caller goes on with yk_copy_poll(), which soon reports YK_COPY_LATE. No effect if there
 * is none. */
void yk_copy_kill(struct yk_copy *copy);
/* Kills the copy, waits for its end and frees its answer. No effect if there is none: then it does not free
 * an answer that the caller has not ended. */
void yk_copy_done(struct yk_copy *copy);

#endif
