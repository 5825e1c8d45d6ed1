/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn record --hash-names`: copies a recording without the names of the cluster (docs/record.md).
 *
 * Thread: main thread; the log is switched off for the rest of the process.
 */
#ifndef YK_CMD_HASH_NAMES_H
#define YK_CMD_HASH_NAMES_H

#include "base/str.h"

/*
 * Copies the recording in the file `from` to another file, `to`, with other words instead of names, and
 * checks by replays whether the decisions of both are the same. A file `to` that exists is replaced. If the
 * decisions are not the same, appends sentences to `why` that say what differs; the copy exists nevertheless,
 * and the function succeeds. If copying fails, the copy is removed. Errors: YK_ERR_INVALID, YK_ERR_LIMIT,
 * `from` is not a recording; YK_ERR_INVALID also if `to` is the same file or exists and is not a regular file; YK_ERR_IO, YK_ERR_NOT_FOUND, a file cannot be read or written; YK_ERR_LIMIT also
 * if there are too many words in names.
 */
YK_NODISCARD enum yk_status yk_hash_names_file(const char *from, const char *to, struct yk_buf *why,
                                               struct yk_err *err);

#endif
