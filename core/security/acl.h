/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control lists: "*" for all users, or "user1,user2 group1,group2".
 *
 * An ACL can only grant access; an empty one grants none. Queues also use the ACLs of the queues above them,
 * but that is up to the caller (A5). Names are compared exactly, including case.
 *
 * Thread: that of its owner.
 * Source: docs/reference/queues.md, rules A1 to A6.
 */
#ifndef YK_SECURITY_ACL_H
#define YK_SECURITY_ACL_H

#include "base/map.h"

/* Who has access. A zeroed one grants no access. */
struct yk_acl {
    bool all;                /* everybody has access; the other fields are empty then */
    char *text;              /* owned: the text that the keys of the maps are in */
    struct yk_strmap users;  /* name -> itself */
    struct yk_strmap groups; /* name -> itself */
};

/* Parses `text`, whose names are copied: users separated by commas, one space, groups separated by commas. If
 * the users or the groups are "*", everybody has access; an empty text grants none. Invalid names are left
 * out with a log line, empty names without a log line. The old contents of `*ret_acl` are ignored, and the
 * caller ends it with yk_acl_done(). Errors: YK_ERR_INVALID, more than one space. */
YK_NODISCARD enum yk_status yk_acl_parse(struct yk_str text, struct yk_acl *ret_acl, struct yk_err *err);
void yk_acl_done(struct yk_acl *acl);

/* Whether the list grants access to `user` (NULL: a user without a name) or to one of the `group_count`
 * groups (A4). O(group_count). */
bool yk_acl_allows(const struct yk_acl *acl, const char *user, const char *const *groups, size_t group_count);

#endif
