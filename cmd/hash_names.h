/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn record --hash-names`: a copy of a recording without the names of the cluster (docs/record.md).
 * Thread: any.
 */
#ifndef YK_CMD_HASH_NAMES_H
#define YK_CMD_HASH_NAMES_H

#include "base/str.h"

/*
 * Writes the copy to `to`, and replays `from`, then the copy. `why`: sentences about what is not the same; empty if all
 * decisions are. Errors: YK_ERR_INVALID, YK_ERR_LIMIT, YK_ERR_IO, YK_ERR_NOT_FOUND; then there is no copy.
 */
YK_NODISCARD enum yk_status yk_hash_names_file(const char *from, const char *to, struct yk_buf *why,
                                               struct yk_err *err);

#endif
