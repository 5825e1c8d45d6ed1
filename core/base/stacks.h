/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of the threads of this process: of all threads once (yk_stacks_take()), or samples, over some
 * time, of the threads that use a processor (yk_samples_start()).
 *
 * Each thread writes its own stack in the handler of a signal, into memory that was allocated before. The
 * handler allocates nothing and takes no lock. The wait for a thread is bounded; a thread that does not
 * answer has depth 0. Code that blocks all signals of a thread has to call yk_stacks_unblock() for the mask
 * before it sets the mask.
 *
 * Thread: any.
 */
#ifndef YK_BASE_STACKS_H
#define YK_BASE_STACKS_H

#include "base/base.h"
#include "base/error.h"

#include <signal.h>

enum {
    YK_STACK_FRAMES_MAX = 48,
    YK_STACKS_MAX = 256,      /* threads; those beyond it are left out */
    YK_SAMPLES_MAX = 1 << 13, /* samples between start and stop; those beyond it are only counted */
    YK_SAMPLES_PER_S = 100,   /* per second of processor time of the whole process */
};

struct yk_stack {
    int thread;    /* thread id of the kernel (gettid()) */
    char name[16]; /* terminated; "" if not known */
    int depth;     /* number of `frames`; 0: no answer in time */
    /* Addresses of code: where the thread is, then the return addresses outwards. */
    void *frames[YK_STACK_FRAMES_MAX];
};

/* Removes the signals of stacks and samples from `mask`, a mask of blocked signals. */
void yk_stacks_unblock(sigset_t *mask);

/* Writes the stacks of all threads, also of the caller, ordered by thread id, to `stacks`, which has
 * space for YK_STACKS_MAX. Returns the number of threads; 0: another thread is taking stacks, or the
 * system does not allow it. Waits up to 100 ms for each thread that does not answer, and up to 1 s for
 * all. */
size_t yk_stacks_take(struct yk_stack *stacks);

struct yk_sample {
    int depth;                         /* number of `frames` */
    void *frames[YK_STACK_FRAMES_MAX]; /* as in struct yk_stack */
};

/* Begins to take samples of the process, until yk_samples_stop(). Errors: YK_ERR_EXISTS, samples are
 * being taken already; YK_ERR_IO. */
YK_NODISCARD enum yk_status yk_samples_start(struct yk_err *err);
/*
 * Ends the taking of samples. Returns their number and sets `*ret_samples` to them, an array which the
 * caller frees with free(), and `*ret_dropped` to the number of samples beyond YK_SAMPLES_MAX. The array is
 * there also if the number is 0. If no samples are being taken, it returns 0 and sets `*ret_samples` to NULL.
 */
size_t yk_samples_stop(struct yk_sample **ret_samples, size_t *ret_dropped);

#endif
