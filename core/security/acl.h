/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access control lists: "*" for everybody, or "user1,user2 group1,group2".
 *
 * An ACL only ever grants; an empty one grants nothing. Inheritance from parent queues is the caller's (A5).
 * Names are compared exactly, case included. Thread: that of its owner.
 * Source: docs/reference/queues.md, rules A1 to A6.
 */
#ifndef YK_SECURITY_ACL_H
#define YK_SECURITY_ACL_H

#include "base/map.h"

/* Zeroed: nobody. */
struct yk_acl {
    bool all;
    char *text;              /* owned: what the keys below point into */
    struct yk_strmap users;  /* name -> itself */
    struct yk_strmap groups; /* name -> itself */
};

/*
 * Invalid names are dropped with a log line, empty ones silently. `*ret_acl` is to be done by the caller.
 * Errors: YK_ERR_INVALID, more than two fields (fields are cut at every single space).
 */
YK_NODISCARD enum yk_status yk_acl_parse(struct yk_str text, struct yk_acl *ret_acl, struct yk_err *err);
void yk_acl_done(struct yk_acl *acl);

/* A4. O(groups). `user` may be NULL. */
bool yk_acl_allows(const struct yk_acl *acl, const char *user, const char *const *groups, size_t group_count);

#endif
