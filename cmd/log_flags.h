/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flags of the log, --log-format and -v, which the scheduler and the admission controller have.
 *
 * Thread: main thread, before other threads start.
 */
#ifndef YK_CMD_LOG_FLAGS_H
#define YK_CMD_LOG_FLAGS_H

#include "cmd/arguments.h"

/* The values given for the flags, borrowed from argv; NULL: the flag is not given. yk_arguments_parse() sets
 * them. */
struct yk_log_arguments {
    const char *format, *verbosity;
};

enum { YK_LOG_FLAGS = 2 };

/* Writes the flags of the log to `flags`, for yk_arguments_parse(), which sets their values in `arguments`.
 * `arguments` must be zeroed. */
void yk_log_flags(struct yk_log_arguments *arguments, struct yk_flag flags[YK_LOG_FLAGS]);
/* Sets the format of the log and, if -v is given, its default level. False: a value is invalid, and a message
 * that names `command` was printed. */
YK_NODISCARD bool yk_log_flags_apply(const struct yk_log_arguments *arguments, const char *command);

#endif
