/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/copy.h"

#include "base/log.h"
#include "resources/restype.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    READ_BYTES = 64 << 10,
    NICE = 10,
    FIRST_FILE = 3, /* the first file after the standard ones */
    EXIT_NO_ANSWER = 1,
};

#define END_MARK "\n" /* follows a complete answer */

/* The time of the system, even if yk_clock_real is frozen. */
static const struct yk_clock real = {.is_virtual = false};

/* ---- the child ---- */

static void close_files_but(int fd)
{
    if (fd > FIRST_FILE)
        (void)close_range(FIRST_FILE, (unsigned)fd - 1, 0); /* the copy uses none of these files */
    (void)close_range((unsigned)fd + 1, ~0u, 0);
}

/* Makes a kernel that is short of memory kill the copy first. */
static void be_expendable(void)
{
    static const char most[] = "1000";
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!write(fd, most, sizeof(most) - 1); /* a failure leaves the score as it is */
    (void)close(fd);
}

/* Sets limits for the copy. If a limit cannot be set, the parent still kills the copy after
 * YK_COPY_SECONDS_MAX. */
static void limit_itself(pid_t parent)
{
    const struct rlimit cpu = {YK_COPY_SECONDS_MAX, YK_COPY_SECONDS_MAX}, none = {0, 0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NO_ANSWER);
    (void)setrlimit(RLIMIT_CPU, &cpu);
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)setpriority(PRIO_PROCESS, 0, NICE);
    be_expendable();
}

static bool write_all(int fd, struct yk_str bytes)
{
    while (bytes.len > 0) {
        ssize_t written = write(fd, bytes.p, bytes.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.p += written;
        bytes.len -= (size_t)written;
    }
    return true;
}

_Noreturn static void be_the_copy(int fd, pid_t parent, void (*run)(void *context, struct yk_buf *answer),
                                  void *context)
{
    struct yk_buf answer = {.max = YK_COPY_ANSWER_MAX};
    yk_log_set_stream(NULL);
    close_files_but(fd);
    limit_itself(parent);
    run(context, &answer);
    bool complete = !answer.failed && write_all(fd, yk_buf_view(&answer)) && write_all(fd, YK_STR(END_MARK));
    _exit(complete ? 0 : EXIT_NO_ANSWER);
}

/* ---- the parent ---- */

static enum yk_status make_pipe(int ends[2], struct yk_err *err)
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "cannot make a pipe: %s", strerrordesc_np(errno));
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return YK_OK;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return yk_fail(err, YK_ERR_UNAVAILABLE, "cannot set up a pipe");
}

enum yk_status yk_copy_begin(struct yk_copy *copy, void (*run)(void *context, struct yk_buf *answer),
                             void *context, struct yk_err *err)
{
    int ends[2];
    enum yk_status st = make_pipe(ends, err);
    if (st != YK_OK)
        return st;
    *copy = (struct yk_copy){.answer = {.max = YK_COPY_ANSWER_MAX + 2 * READ_BYTES},
                             .begin_mono_ns = yk_clock_mono_ns(&real)};
    pid_t parent = getpid();
    yk_restype_lock(); /* so that no other thread holds this lock, which the copy needs */
    pid_t pid = fork();
    yk_restype_unlock();
    if (pid == 0)
        be_the_copy(ends[1], parent, run, context);
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return yk_fail(err, YK_ERR_UNAVAILABLE, "cannot copy the process: %s", strerrordesc_np(errno));
    }
    copy->fork_ns = yk_clock_mono_ns(&real) - copy->begin_mono_ns;
    copy->pid = pid;
    copy->fd = ends[0];
    return YK_OK;
}

static void close_pipe(struct yk_copy *copy)
{
    if (copy->fd >= 0)
        (void)close(copy->fd);
    copy->fd = -1;
}

static void read_some(struct yk_copy *copy)
{
    while (copy->fd >= 0) {
        char *to = yk_buf_reserve(&copy->answer, READ_BYTES);
        if (to == NULL) { /* does not happen, because the copy writes less than the maximum */
            yk_copy_kill(copy);
            close_pipe(copy);
            return;
        }
        ssize_t got = read(copy->fd, to, READ_BYTES);
        if (got > 0)
            copy->answer.len += (size_t)got;
        else if (got == 0)
            close_pipe(copy);
        else if (errno != EINTR)
            return;
    }
}

void yk_copy_kill(struct yk_copy *copy)
{
    if (copy->pid == 0 || copy->killed)
        return;
    copy->killed = true;
    (void)kill(copy->pid, SIGKILL); /* the pid is not reused before wait4() */
}

/* Whether the answer is complete. If so, removes its end mark. `has_status`: `status` is the exit status;
 * false: it is not known, because SIGCHLD is ignored. */
static bool take_complete(struct yk_copy *copy, bool has_status, int status)
{
    bool good_end = !has_status || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (copy->killed || !good_end || !yk_str_ends(yk_buf_view(&copy->answer), END_MARK))
        return false;
    copy->answer.len -= strlen(END_MARK);
    return copy->answer.len > 0;
}

bool yk_copy_poll(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost)
{
    struct rusage usage = {.ru_minflt = 0};
    int status = 0;
    int64_t age_ns = yk_clock_mono_ns(&real) - copy->begin_mono_ns;
    if (copy->pid == 0)
        return false;
    read_some(copy);
    if (age_ns >= YK_COPY_SECONDS_MAX * YK_NS_PER_S)
        yk_copy_kill(copy);
    pid_t ended = wait4(copy->pid, &status, WNOHANG, &usage);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    read_some(copy);
    close_pipe(copy);
    *ret_cost = (struct yk_copy_cost){
        .fork_ns = copy->fork_ns,
        .child_ns = age_ns,
        .bytes = (size_t)usage.ru_minflt * (size_t)sysconf(_SC_PAGESIZE),
    };
    bool ran_out = copy->killed || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
    *ret_end = take_complete(copy, ended == copy->pid, status) ? YK_COPY_ANSWERED
               : ran_out                                       ? YK_COPY_LATE
                                                               : YK_COPY_DIED;
    copy->pid = 0;
    return true;
}

void yk_copy_wait(struct yk_copy *copy, enum yk_copy_end *ret_end, struct yk_copy_cost *ret_cost)
{
    while (copy->pid != 0 && !yk_copy_poll(copy, ret_end, ret_cost)) {
        struct pollfd pipe_end = {.fd = copy->fd, .events = POLLIN};
        (void)poll(&pipe_end, 1, 1); /* waits for at most 1 ms */
    }
}

void yk_copy_done(struct yk_copy *copy)
{
    enum yk_copy_end end;
    struct yk_copy_cost cost;
    if (copy->pid == 0)
        return;
    yk_copy_kill(copy);
    yk_copy_wait(copy, &end, &cost);
    yk_buf_done(&copy->answer);
}
