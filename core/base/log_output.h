/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes lines to a descriptor. Unless `waits` is set, a write does not wait for the reader: if a pipe or a
 * terminal takes nothing, the line is lost. Lines do not mix. If the output took a part of a line, the rest
 * is kept and written before the next line; the rest is lost only if the next line goes to another
 * descriptor, or if the process ends first.
 *
 * A regular file takes all lines unless the disk is full, and the time that its file system needs is not
 * bounded. A write can also wait if another process writes to the same pipe at the same moment.
 * Thread: any.
 */
#ifndef YK_BASE_LOG_OUTPUT_H
#define YK_BASE_LOG_OUTPUT_H

#include "base/str.h"

enum { YK_LOG_LINE_MAX = 8192 + 2 }; /* bytes, with the end of the line */

/*
 * Writes `line`, which ends with its '\n' and has at most YK_LOG_LINE_MAX bytes, to the descriptor `fd`.
 * `waits`: whether to wait until the output takes the line, as tools do. Returns false if the line was
 * dropped; no part of it was written then.
 */
YK_NODISCARD bool yk_log_output(int fd, struct yk_str line, bool waits);

#endif
