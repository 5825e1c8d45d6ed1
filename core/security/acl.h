/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control lists: "*" for all users, or "user1,user2 group1,group2".
 *
 * An ACL only grants access; an empty one grants none. The caller implements inheritance from parent queues
 * (A5). Names are compared exactly, including case.
 *
 * Thread: that of its owner.
 * Source: docs/reference/queues.md, rules A1 to A6.
 */
#ifndef YK_SECURITY_ACL_H
#define YK_SECURITY_ACL_H

#include "base/map.h"

/* Zeroed: no user. */
struct yk_acl {
    bool all;
    char *text;              /* owned: what the keys below point into */
    struct yk_strmap users;  /* name -> itself */
    struct yk_strmap groups; /* name -> itself */
};

/* Parses an access control list. Invalid names are dropped with a log line, empty ones silently. The caller
 * ends `*ret_acl` with yk_acl_done(). Errors: YK_ERR_INVALID, more than two fields (each single space
 * separates fields). */
YK_NODISCARD enum yk_status yk_acl_parse(struct yk_str text, struct yk_acl *ret_acl, struct yk_err *err);
void yk_acl_done(struct yk_acl *acl);

/* Whether the list grants access to the user (NULL: anonymous) or to one of the groups (A4). O(groups). */
bool yk_acl_allows(const struct yk_acl *acl, const char *user, const char *const *groups, size_t group_count);

#endif
