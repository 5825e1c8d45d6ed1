/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_forward.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4096, ARGUMENTS_MAX = 16 };

static const char mark[] = "Forwarding from 127.0.0.1:"; /* what kubectl prints once it listens */

struct yk_forward {
    pid_t pid;                      /* 0: the process has ended */
    int out, complaint;             /* pipes from its standard output and standard error */
    struct yk_buf said, complained; /* the beginning of what was read from them */
    uint16_t port;
};

/* Reads the output that is there; drops bytes beyond the maximum. False: the output has ended. */
static bool drain(int fd, struct yk_buf *text)
{
    char bytes[512];
    ssize_t len;
    while ((len = read(fd, bytes, sizeof(bytes))) > 0)
        yk_buf_add(text, bytes, YK_MIN((size_t)len, OUTPUT_MAX - YK_MIN(text->len, (size_t)OUTPUT_MAX)));
    return len < 0 && (errno == EAGAIN || errno == EINTR);
}

/* In the child process: runs the program, which gets SIGTERM when its parent ends. */
_Noreturn static void become(char **argv, int out, int complaint)
{
    int nothing = open("/dev/null", O_RDWR);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)signal(SIGPIPE, SIG_DFL);
    if (nothing >= 0)
        (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(complaint, STDERR_FILENO);
    (void)execvp(argv[0], argv);
    _exit(127);
}

static enum yk_status spawn(struct yk_forward *forward, char **argv, struct yk_err *err)
{
    int out[2], complaint[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return yk_fail(err, YK_ERR_IO, "no pipe: %s", strerror(errno));
    if (pipe2(complaint, O_CLOEXEC) != 0) {
        (void)close(out[0]);
        (void)close(out[1]);
        return yk_fail(err, YK_ERR_IO, "no pipe: %s", strerror(errno));
    }
    pid_t pid = fork();
    if (pid == 0)
        become(argv, out[1], complaint[1]);
    (void)close(out[1]);
    (void)close(complaint[1]);
    forward->out = out[0];
    forward->complaint = complaint[0];
    (void)fcntl(out[0], F_SETFL, O_NONBLOCK);
    (void)fcntl(complaint[0], F_SETFL, O_NONBLOCK);
    if (pid < 0)
        return yk_fail(err, YK_ERR_IO, "'%s' cannot be started: %s", argv[0], strerror(errno));
    forward->pid = pid;
    return YK_OK;
}

/* The local port in the output of kubectl; 0: kubectl has not printed it yet. */
static uint16_t port_said(const struct yk_forward *forward)
{
    const char *at = strstr(yk_buf_cstr(&forward->said), mark);
    int64_t port;
    if (at == NULL)
        return 0;
    at += strlen(mark);
    size_t len = strspn(at, "0123456789");
    bool is_port = at[len] != '\0' && yk_str_to_i64((struct yk_str){at, len}, &port) == YK_OK && port > 0 &&
                   port <= UINT16_MAX;
    return is_port ? (uint16_t)port : 0;
}

static enum yk_status fail_ended(struct yk_forward *forward, const char *program, struct yk_err *err)
{
    int status = 0;
    /* A program in place of kubectl may go on without its output. If it is ending, the signal changes nothing. */
    (void)kill(forward->pid, SIGKILL);
    (void)waitpid(forward->pid, &status, 0);
    forward->pid = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return yk_fail(err, YK_ERR_NOT_FOUND,
                       "there is no '%s' in PATH, which is needed to reach the scheduler with your identity; "
                       "--server names its address instead",
                       program);
    struct yk_str text = yk_str_trim(yk_buf_view(&forward->complained)), line = {0};
    (void)yk_str_split(&text, '\n', &line); /* `line` stays empty if there is no text */
    return yk_fail(err, YK_ERR_UNAVAILABLE, "%s port-forward: " YK_STR_FMT, program,
                   YK_STR_ARG(line.len > 0 ? line : YK_STR("it ended without a message")));
}

static enum yk_status wait_for_port(struct yk_forward *forward, const char *program, int patience_ms,
                                    struct yk_err *err)
{
    int64_t deadline_ns = yk_clock_mono_ns(&yk_clock_real) + patience_ms * YK_NS_PER_MS;
    for (;;) {
        struct pollfd fds[] = {{.fd = forward->out, .events = POLLIN}};
        int64_t left_ns = deadline_ns - yk_clock_mono_ns(&yk_clock_real);
        int ready = poll(fds, 1, (int)(YK_MAX(left_ns, 0) / YK_NS_PER_MS));
        bool is_open = drain(forward->out, &forward->said);
        (void)drain(forward->complaint, &forward->complained);
        if ((forward->port = port_said(forward)) != 0)
            return YK_OK;
        if (!is_open)
            return fail_ended(forward, program, err);
        if (ready == 0 && left_ns <= 0)
            return yk_fail(
                err, YK_ERR_UNAVAILABLE,
                "%s port-forward: no connection after %d s; the Service needs a scheduler pod that runs "
                "(--server names an address that is reached directly)",
                program, patience_ms / 1000);
    }
}

enum yk_status yk_forward_start(const struct yk_forward_options *options, struct yk_forward **ret_forward,
                                struct yk_err *err)
{
    YK_CLEANUP(yk_forward_freep) struct yk_forward *forward = yk_new0(struct yk_forward);
    YK_CLEANUP(yk_buf_done) struct yk_buf service = {.max = 512}, port = {.max = 128};
    const char *given = getenv("KUBECTL"), *program = given != NULL && given[0] != '\0' ? given : "kubectl";
    const char *argv[ARGUMENTS_MAX] = {program,     "port-forward", "--address",
                                       "127.0.0.1", "--namespace",  options->namespace_};
    size_t argc = 6;
    forward->out = forward->complaint = -1;
    forward->said.max = forward->complained.max = OUTPUT_MAX;
    if (options->kubeconfig != NULL) {
        argv[argc++] = "--kubeconfig";
        argv[argc++] = options->kubeconfig;
    }
    if (options->context != NULL) {
        argv[argc++] = "--context";
        argv[argc++] = options->context;
    }
    yk_buf_printf(&service, "service/%s", options->service);
    yk_buf_printf(&port, ":%s", options->port);
    argv[argc++] = yk_buf_cstr(&service);
    argv[argc++] = yk_buf_cstr(&port);
    enum yk_status st = spawn(forward, (char **)(uintptr_t)argv, err);
    if (st == YK_OK)
        st = wait_for_port(forward, program, options->patience_ms, err);
    if (st == YK_OK)
        *ret_forward = yk_move(forward);
    return st;
}

void yk_forward_free(struct yk_forward *forward)
{
    if (forward == NULL)
        return;
    if (forward->pid > 0) {
        (void)kill(forward->pid, SIGTERM);
        while (waitpid(forward->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (forward->out >= 0)
        (void)close(forward->out);
    if (forward->complaint >= 0)
        (void)close(forward->complaint);
    yk_buf_done(&forward->said);
    yk_buf_done(&forward->complained);
    free(forward);
}

uint16_t yk_forward_port(const struct yk_forward *forward)
{
    return forward->port;
}

bool yk_forward_is_alive(struct yk_forward *forward)
{
    bool is_open = drain(forward->out, &forward->said);
    (void)drain(forward->complaint, &forward->complained);
    if (forward->pid == 0 || !is_open)
        return false;
    if (waitpid(forward->pid, NULL, WNOHANG) == 0)
        return true;
    forward->pid = 0;
    return false;
}
