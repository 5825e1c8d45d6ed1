/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of this process, made by fork(), that computes an answer, writes it to a pipe and ends.
 *
 * The copy has the memory of the process at the time of the fork. The system copies a page when one of the
 * two processes first writes to this page. The copy has only the thread that called fork(): a lock that
 * another thread held at that time is never released in the copy. So the work in the copy must not log, post
 * to mailboxes or use connections. It may take only the lock of the resource types (resources/restype.h),
 * which the thread that calls fork() holds during the call. The copy closes all files except the standard
 * ones and its pipe. It has a lower priority and a limit of processor time, and is killed when the thread
 * that called fork() ends.
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
    YK_COPY_SECONDS_MAX = 10,     /* after this processor time or this real time, the copy is killed */
};

/* All zero: there is no copy. Other code may read `pid` and take `answer`; the other members are private. */
struct yk_copy {
    pid_t pid; /* the process of the copy; 0: there is no copy */
    int fd;    /* the file of the pipe; -1: it is closed */
    bool killed;
    struct yk_buf answer;  /* what was read so far */
    int64_t begin_mono_ns; /* real time of the fork */
    int64_t fork_ns;       /* duration of fork() in this thread */
};

enum yk_copy_end {
    YK_COPY_ANSWERED, /* `answer` is complete */
    YK_COPY_LATE,     /* the copy took too long, or yk_copy_kill() was called */
    YK_COPY_DIED,     /* the copy ended without an answer, because of a bug or for lack of memory */
};

struct yk_copy_cost {
    int64_t fork_ns;  /* duration of fork() in the thread that called it */
    int64_t child_ns; /* from the fork until yk_copy_poll() has found the end of the copy */
    size_t bytes;     /* size of the pages that the system has copied or made for the copy */
};

/*
 * Begins a copy, which calls only `run`, with `context`. `run` appends from 1 to YK_COPY_ANSWER_MAX bytes to
 * `answer`, which is empty, and returns. `*copy` is overwritten, so it must have no running copy and no
 * answer; it is zeroed before its first use. The caller must not hold the lock of the resource types.
 * Afterwards, the caller calls yk_copy_poll() again and again. Errors: YK_ERR_UNAVAILABLE: the system has too
 * little memory, or too many processes or files. There is no copy then: `*copy` is overwritten if the process
 * could not be copied, and untouched if the pipe could not be made.
 */
YK_NODISCARD enum yk_status yk_copy_begin(struct yk_copy *copy,
                                          void (*run)(void *context, struct yk_buf *answer), void *context,
                                          struct yk_err *err);
/* Reads what the copy has written, and kills a copy that takes too long. The caller repeats this every few
 * milliseconds. True: the copy has ended, `*ret_end` and `*ret_cost` are set, and another copy can begin; the
 * caller ends copy->answer with yk_buf_done(), whatever `*ret_end` is. False: the copy is still running, or
 * there is no copy. */
bool yk_copy_poll(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Like yk_copy_poll(), but waits until the copy has ended, which takes at most a little longer than
 * YK_COPY_SECONDS_MAX. The caller ends copy->answer. Sets nothing if there is no copy, so the caller checks
 * copy->pid before. */
void yk_copy_wait(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost);
/* Kills the copy. The caller goes on with yk_copy_poll(), which soon reports YK_COPY_LATE. No effect if there
 * is no copy. */
void yk_copy_kill(struct yk_copy *copy);
/* Kills the copy, waits for its end and frees its answer. No effect if there is no copy; in particular, the
 * answer of a copy that has ended is not freed. */
void yk_copy_done(struct yk_copy *copy);

#endif
