/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines to a descriptor without waiting for its reader: a pipe or a terminal that takes nothing loses lines
 * and delays no thread. Lines never mix and are never cut: the rest of one that was taken in part goes first.
 *
 * A regular file takes all; how long its file system needs is not bounded. Other processes that write to the
 * same pipe at the same moment can make a write wait.
 * Thread: any.
 */
#ifndef YK_BASE_LOG_OUTPUT_H
#define YK_BASE_LOG_OUTPUT_H

#include "base/str.h"

enum { YK_LOG_LINE_MAX = 8192 + 2 }; /* bytes, with the end of the line */

/*
 * False: dropped, nothing of it was written. `line` has at most YK_LOG_LINE_MAX bytes. `waits`: until the
 * output takes it, for tools that have nothing else to do.
 */
YK_NODISCARD bool yk_log_output(int fd, struct yk_str line, bool waits);

#endif
