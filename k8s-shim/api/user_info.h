/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The annotation yunikorn.apache.org/user.info: {"user": "...", "groups": ["...", ...]}.
 * Thread: any.
 * Source: docs/reference/queues.md A11, docs/reference/kubernetes.md 2.5 (P06).
 */
#ifndef YK_API_USER_INFO_H
#define YK_API_USER_INFO_H

#include "base/str.h"

enum { YK_USER_INFO_BYTES_MAX = 256 << 10, YK_USER_INFO_GROUPS_MAX = 1024 };

/* Zeroed: an unknown user. */
struct yk_user_info {
    char *user;          /* owned; NULL: not given, or empty */
    const char **groups; /* owned, in order */
    size_t group_count;
    char *group_texts; /* owned: what they point into */
};

/*
 * Parses the annotation. Field names match in any case; a missing or null field reads as empty, other fields
 * are ignored. The caller ends `*ret_info` with yk_user_info_done(). Errors: YK_ERR_INVALID, YK_ERR_LIMIT;
 * `*ret_info` is untouched.
 */
YK_NODISCARD enum yk_status yk_user_info_parse(struct yk_str text, struct yk_user_info *ret_info,
                                               struct yk_err *err);
void yk_user_info_done(struct yk_user_info *info);

#endif
