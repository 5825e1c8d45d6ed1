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
 * Writes `line`, with its end of line and of at most YK_LOG_LINE_MAX bytes, to the descriptor `fd`. `waits`:
 * waits until the output takes the line, for tools. False: the line was dropped, and nothing of it was
 * written.
 */
YK_NODISCARD bool yk_log_output(int fd, struct yk_str line, bool waits);

#endif
