/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduler under test as a process of ours: started, measured from outside, ended. */
#ifndef YK_BENCH_CHILD_H
#define YK_BENCH_CHILD_H

#include "base/base.h"

#include <sys/types.h>

struct child_usage {
    int64_t resident_kib, anonymous_kib, peak_kib; /* VmRSS, RssAnon, VmHWM */
    double cpu_s;
};

/* Runs `command` with its output in the file `log` (or with ours, if that cannot be written). */
pid_t child_start(char *const *command, const char *log);
/* Ends this process with a message when `pid` has ended. */
struct child_usage child_usage(pid_t pid);
/* SIGTERM; `*ret_status` as of waitpid(). */
void child_end(pid_t pid, int *ret_status);

#endif
