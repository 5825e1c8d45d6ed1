/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the threads of this process are: the stack of each, once; and samples of those that use a processor,
 * over a while.
 *
 * A thread writes its own stack, in the handler of a signal, into a place that was made before: nothing is
 * allocated there and no lock is taken. Who waits for it waits for a bounded time; a thread that does not
 * answer has no stack. Threads that block all signals answer only if they were started with
 * yk_stacks_unblock() on their mask.
 *
 * Thread: any, one at a time; a second caller gets nothing.
 */
#ifndef YK_BASE_STACKS_H
#define YK_BASE_STACKS_H

#include "base/base.h"
#include "base/error.h"

#include <signal.h>

enum {
    YK_STACK_FRAMES_MAX = 48,
    YK_STACKS_MAX = 256,      /* threads that are asked */
    YK_SAMPLES_MAX = 1 << 13, /* of one recording; further ones are counted */
    YK_SAMPLES_PER_S = 100,   /* of processor time of the whole process */
};

struct yk_stack {
    int thread;                        /* its number in the kernel */
    char name[16];                     /* terminated */
    int depth;                         /* 0: it did not answer in time */
    void *frames[YK_STACK_FRAMES_MAX]; /* return addresses, the innermost first; the first is its own */
};

/* Removes the signals of stacks and samples from `mask`, a mask of blocked signals. */
void yk_stacks_unblock(sigset_t *mask);

/* Writes the stacks of all threads, ordered by number, into `stacks`, which has space for YK_STACKS_MAX.
 * Returns how many; 0: another thread is taking them. Waits up to 100 ms per thread that does not answer, and
 * up to 1 s for all. */
size_t yk_stacks_take(struct yk_stack *stacks);

struct yk_sample {
    int depth; /* of the frames, as above */
    void *frames[YK_STACK_FRAMES_MAX];
};

/* Begins to take samples of the process. Errors: YK_ERR_EXISTS, samples are being taken already;
 * YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_samples_start(struct yk_err *err);
/*
 * Ends yk_samples_start(). Sets `*ret_samples` to the samples, which the caller frees with free(), and
 * `*ret_dropped` to the number of those that had no place. Returns the number of samples; 0 and NULL if no
 * recording was started.
 */
size_t yk_samples_stop(struct yk_sample **ret_samples, size_t *ret_dropped);

#endif
