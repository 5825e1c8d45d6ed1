/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags of the log, the same for all programs that run for long: --log-format and -v.
 * Thread: the main thread.
 */
#ifndef YK_CMD_LOG_FLAGS_H
#define YK_CMD_LOG_FLAGS_H

#include "cmd/arguments.h"

struct yk_log_arguments { /* as given; NULL: not given */
    const char *format, *verbosity;
};

enum { YK_LOG_FLAGS = 2 };

/* Fills `flags` with the flags of the log, whose values go to `arguments`. */
void yk_log_flags(struct yk_log_arguments *arguments, struct yk_flag flags[YK_LOG_FLAGS]);
/* Sets format and level. False: a sentence was printed. `command`: for it. Before threads start. */
YK_NODISCARD bool yk_log_flags_apply(const struct yk_log_arguments *arguments, const char *command);

#endif
