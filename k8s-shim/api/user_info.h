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

/* A user and its groups. A zeroed struct is an unknown user without groups. */
struct yk_user_info {
    char *user;          /* owned; NULL: not given, or empty */
    const char **groups; /* owned array, in the order of the annotation; a group may be "" */
    size_t group_count;
    char *group_texts; /* owned: the texts that `groups` points to */
};

/*
 * Parses the value of the annotation. The case of field names is ignored. A field that is missing or null is
 * read as empty; other fields than user and groups are ignored. `*ret_info` is overwritten; the caller ends
 * it with yk_user_info_done(). Errors: YK_ERR_INVALID (not such an object), YK_ERR_LIMIT (a limit above);
 * `*ret_info` is then untouched.
 */
YK_NODISCARD enum yk_status yk_user_info_parse(struct yk_str text, struct yk_user_info *ret_info,
                                               struct yk_err *err);
void yk_user_info_done(struct yk_user_info *info);

#endif
