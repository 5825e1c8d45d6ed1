/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of a user in the operating system. Blocks as long as the name services of the machine take,
 * so it must not run on the scheduling thread.
 * Source: docs/reference/queues.md, rule A14. */
#ifndef YK_SECURITY_OS_GROUPS_H
#define YK_SECURITY_OS_GROUPS_H

#include "security/directory.h"

/*
 * Adds the groups of `user->name`: the primary one first, then the others; a group without a name is its
 * number. Errors: YK_ERR_NOT_FOUND, no such user; YK_ERR_IO; YK_ERR_LIMIT. Groups may have been added in case
 * of an error.
 */
YK_NODISCARD enum yk_status yk_os_groups(struct yk_user *user, struct yk_err *err);

#endif
