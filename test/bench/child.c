/* SPDX-License-Identifier: Apache-2.0 */
#include "child.h"

#include "base/str.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
    (void)fprintf(stderr, "bench: %s: no result\n", what);
    exit(1);
}

pid_t child_start(char *const *command, const char *log)
{
    pid_t pid = fork();
    if (pid < 0)
        die("cannot fork");
    if (pid > 0)
        return pid;
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out >= 0) {
        (void)dup2(out, STDOUT_FILENO); /* else it goes where ours goes */
        (void)dup2(out, STDERR_FILENO);
    }
    (void)execvp(command[0], command);
    _exit(127);
}

/* "VmHWM:    1234 kB" */
static int64_t status_field(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    long value = 0;
    if (at == NULL || sscanf(at + strlen(name), " %ld", &value) != 1)
        die("the scheduler's memory is not known");
    return value;
}

struct child_usage child_usage(pid_t pid)
{
    char path[64];
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    if (yk_file_read(path, &text, NULL) != YK_OK)
        die("the scheduler has ended");
    struct child_usage usage = {.resident_kib = status_field(yk_buf_cstr(&text), "VmRSS:"),
                                .anonymous_kib = status_field(yk_buf_cstr(&text), "RssAnon:"),
                                .peak_kib = status_field(yk_buf_cstr(&text), "VmHWM:")};
    yk_buf_clear(&text);
    (void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    if (yk_file_read(path, &text, NULL) != YK_OK)
        die("the scheduler has ended");
    const char *after_name = strrchr(yk_buf_cstr(&text), ')');
    long user = 0, system = 0;
    if (after_name == NULL ||
        sscanf(after_name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system) != 2)
        die("no CPU time");
    usage.cpu_s = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return usage;
}

void child_end(pid_t pid, int *ret_status)
{
    (void)kill(pid, SIGTERM); /* its exit status tells */
    (void)waitpid(pid, ret_status, 0);
}
