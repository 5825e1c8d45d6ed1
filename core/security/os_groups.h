/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups of a user in the operating system. The function blocks as long as the name services of the
 * machine take.
 *
 * Thread: any but the scheduling thread.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_OS_GROUPS_H
#define YK_SECURITY_OS_GROUPS_H

#include "security/directory.h"

/*
 * Appends the groups of `user->name` to `user`, which has none: first the primary group, then the others. A
 * group whose name is not found is added as its number in decimal. Errors: YK_ERR_NOT_FOUND, no such user;
 * YK_ERR_IO, the user cannot be looked up; YK_ERR_LIMIT, too many groups. After an error, `user` may have
 * some groups.
 */
YK_NODISCARD enum yk_status yk_os_groups(struct yk_user *user, struct yk_err *err);

#endif
