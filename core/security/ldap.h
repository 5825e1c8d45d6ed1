/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups of a user in an LDAP directory.
 *
 * There is one connection, which is opened on demand and again after it broke. While the server cannot be
 * reached, lookups fail at once, except for one attempt every `hold_off_ns`. The settings are read with each
 * new connection, so a changed password needs no restart.
 *
 * Every call blocks, for a multiple of `patience_ns` at most, so it must not run on the scheduling thread.
 *
 * Thread: one at a time.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_LDAP_H
#define YK_SECURITY_LDAP_H

#include "security/directory.h"

struct yk_ldap;

struct yk_ldap_options {
    const char *folder;  /* of the settings; copied */
    int64_t patience_ns; /* longest wait for each answer of the server; 0: 5 s */
    int64_t hold_off_ns; /* 0: 5 s */
};

/* Makes a client, which connects at the first question. `options` are copied. The caller frees it. */
struct yk_ldap *yk_ldap_new(const struct yk_ldap_options *options);
void yk_ldap_free(struct yk_ldap *ldap);
YK_DEFINE_FREEP(yk_ldap)

/*
 * Adds the groups of `user->name`: its own name, then one for each value of GroupAttr in the entries that the
 * filter finds. A user without an entry has only its own group. Errors: YK_ERR_INVALID, the settings;
 * YK_ERR_UNAVAILABLE, the server; YK_ERR_LIMIT, too many entries or groups. Groups may have been added in
 * case of an error.
 */
YK_NODISCARD enum yk_status yk_ldap_groups(struct yk_ldap *ldap, struct yk_user *user, struct yk_err *err);

#endif
