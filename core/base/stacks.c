/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stacks.h"

#include "base/clock.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { HANDLER_FRAMES_MAX = 8 }; /* frames of the handler and of the return from a signal */
#define PATIENCE_NS     (100 * YK_NS_PER_MS)
#define ALL_PATIENCE_NS (1 * YK_NS_PER_S)

static atomic_flag in_use = ATOMIC_FLAG_INIT, recording = ATOMIC_FLAG_INIT;

static int stack_signal(void)
{
    return SIGRTMIN + 6;
}

void yk_stacks_unblock(sigset_t *mask)
{
    (void)sigdelset(mask, stack_signal()); /* cannot fail: both are valid signals */
    (void)sigdelset(mask, SIGPROF);
}

/* The first backtrace() loads the unwinder, which allocates memory. So it must not happen in a handler. */
static void load_unwinder(void)
{
    void *frame[1];
    (void)backtrace(frame, 1); /* the result is not used */
}

/* The instruction that the signal interrupted; NULL on processors other than x86-64 and arm64. */
static const void *interrupted_at(const void *context)
{
    const ucontext_t *interrupted = context;
#if defined(__x86_64__)
    return (const void *)(uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)interrupted->uc_mcontext.pc;
#else
    (void)interrupted;
    return NULL;
#endif
}

/* Takes the stack without the frames of the handler. Returns the number of frames. */
static int take_frames(const void *context, void **ret_frames)
{
    void *frames[YK_STACK_FRAMES_MAX + HANDLER_FRAMES_MAX];
    const void *at = interrupted_at(context);
    int depth = backtrace(frames, YK_STACK_FRAMES_MAX + HANDLER_FRAMES_MAX), first = 0;
    for (int i = 0; i < depth && i < HANDLER_FRAMES_MAX; i++) {
        if (frames[i] == at)
            first = i;
    }
    depth = YK_MIN(depth - first, (int)YK_STACK_FRAMES_MAX);
    memcpy(ret_frames, frames + first, (size_t)depth * sizeof(*frames));
    return depth;
}

/* ---- the stack of each thread ---- */

/* Each thread that is asked writes to a place of its own, so that a late answer does not overwrite
 * another one. Places are static, because an answer can come after yk_stacks_take() has returned. */
struct place {
    _Atomic int depth; /* -1: the thread was asked and has not answered yet */
    void *frames[YK_STACK_FRAMES_MAX];
};
static struct place places[YK_STACKS_MAX];
static sem_t answered;

static void on_question(int number, siginfo_t *info, void *context)
{
    int before = errno;
    int place = info->si_value.sival_int;
    (void)number;
    if (info->si_code == SI_QUEUE && place >= 0 && place < YK_STACKS_MAX &&
        atomic_load(&places[place].depth) == -1) {
        int depth = take_frames(context, places[place].frames);
        atomic_store(&places[place].depth, depth);
        (void)sem_post(&answered); /* cannot overflow */
    }
    errno = before;
}

static bool ask(int thread, int place)
{
    siginfo_t info = {.si_signo = stack_signal(), .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = place;
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, stack_signal(), &info) == 0;
}

static void wait_for_answer(struct place *place, int64_t until_mono_ns)
{
    const struct timespec until = {.tv_sec = until_mono_ns / YK_NS_PER_S,
                                   .tv_nsec = until_mono_ns % YK_NS_PER_S};
    while (atomic_load(&place->depth) == -1) {
        if (sem_clockwait(&answered, CLOCK_MONOTONIC, &until) != 0 && errno == ETIMEDOUT)
            return;
    }
}

static void read_name(int thread, char name[16])
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/comm", thread); /* always fits */
    FILE *file = fopen(path, "re");
    name[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(name, 16, file) == NULL)
        name[0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    (void)fclose(file); /* nothing was written */
}

static int by_number(const void *a, const void *b)
{
    int x = ((const struct yk_stack *)a)->thread, y = ((const struct yk_stack *)b)->thread;
    return (x > y) - (x < y);
}

static size_t list_threads(struct yk_stack *stacks)
{
    DIR *tasks = opendir("/proc/self/task");
    size_t count = 0;
    if (tasks == NULL)
        return 0;
    for (struct dirent *entry; count < YK_STACKS_MAX && (entry = readdir(tasks)) != NULL;) {
        int64_t thread;
        if (yk_str_to_i64(yk_str_from(entry->d_name), &thread) == YK_OK) /* skips "." and ".." */
            stacks[count++].thread = (int)thread;
    }
    (void)closedir(tasks); /* nothing was written */
    qsort(stacks, count, sizeof(*stacks), by_number);
    return count;
}

static void take_stack(struct yk_stack *stack, int place, int64_t end_mono_ns)
{
    int64_t now = yk_clock_mono_ns(&yk_clock_real);
    read_name(stack->thread, stack->name);
    if (now >= end_mono_ns)
        return;
    atomic_store(&places[place].depth, -1);
    if (ask(stack->thread, place))
        wait_for_answer(&places[place], YK_MIN(now + PATIENCE_NS, end_mono_ns));
    int asked = -1;
    if (atomic_compare_exchange_strong(&places[place].depth, &asked, 0))
        return; /* the thread did not answer in time; if its handler begins later, it ignores the place */
    stack->depth = asked;
    memcpy(stack->frames, places[place].frames, (size_t)asked * sizeof(stack->frames[0]));
}

static bool listen_for_questions(void)
{
    static bool listens;
    struct sigaction action = {.sa_sigaction = on_question, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (listens)
        return true;
    load_unwinder();
    (void)sigfillset(&action.sa_mask); /* the handler is not interrupted */
    listens = sem_init(&answered, 0, 0) == 0 && sigaction(stack_signal(), &action, NULL) == 0;
    return listens;
}

size_t yk_stacks_take(struct yk_stack *stacks)
{
    size_t count = 0;
    if (atomic_flag_test_and_set(&in_use))
        return 0;
    memset(stacks, 0, YK_STACKS_MAX * sizeof(*stacks));
    int64_t end_mono_ns = yk_clock_mono_ns(&yk_clock_real) + ALL_PATIENCE_NS;
    if (listen_for_questions())
        count = list_threads(stacks);
    for (size_t i = 0; i < count; i++)
        take_stack(&stacks[i], (int)i, end_mono_ns);
    atomic_flag_clear(&in_use);
    return count;
}

/* ---- samples ---- */

/* `samplers` counts the threads in the handler: while it is not 0, the buffer must not be freed. */
static struct yk_sample *_Atomic samples;
static _Atomic size_t sampled, samplers;

static void on_tick(int number, siginfo_t *info, void *context)
{
    int before = errno;
    (void)number, (void)info;
    atomic_fetch_add(&samplers, 1);
    struct yk_sample *buffer = atomic_load(&samples);
    if (buffer != NULL) {
        size_t at = atomic_fetch_add(&sampled, 1);
        if (at < YK_SAMPLES_MAX)
            buffer[at].depth = take_frames(context, buffer[at].frames);
    }
    atomic_fetch_sub(&samplers, 1);
    errno = before;
}

static void set_ticks(long interval_us)
{
    struct itimerval ticks = {.it_interval = {.tv_usec = interval_us}, .it_value = {.tv_usec = interval_us}};
    (void)setitimer(ITIMER_PROF, &ticks, NULL); /* cannot fail: the interval is valid */
}

enum yk_status yk_samples_start(struct yk_err *err)
{
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (atomic_flag_test_and_set(&recording))
        return yk_fail(err, YK_ERR_EXISTS, "a profile is being taken already");
    load_unwinder();
    (void)sigfillset(&action.sa_mask); /* the handler is not interrupted */
    if (sigaction(SIGPROF, &action, NULL) != 0) {
        atomic_flag_clear(&recording);
        return yk_fail(err, YK_ERR_IO, "no handler for SIGPROF: %s", strerror(errno));
    }
    atomic_store(&sampled, 0);
    atomic_store(&samples, yk_new0_array(struct yk_sample, YK_SAMPLES_MAX));
    set_ticks(1000000 / YK_SAMPLES_PER_S);
    return YK_OK;
}

size_t yk_samples_stop(struct yk_sample **ret_samples, size_t *ret_dropped)
{
    const struct timespec moment = {.tv_nsec = 100000};
    *ret_dropped = 0;
    *ret_samples = atomic_exchange(&samples, NULL);
    if (*ret_samples == NULL)
        return 0;
    set_ticks(0);
    while (atomic_load(&samplers) > 0)
        (void)nanosleep(&moment, NULL); /* until no handler uses the buffer */
    size_t taken = atomic_load(&sampled), count = YK_MIN(taken, (size_t)YK_SAMPLES_MAX);
    *ret_dropped = taken - count;
    atomic_flag_clear(&recording);
    return count;
}
