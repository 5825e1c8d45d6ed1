/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The groups of a user in an LDAP directory.
 *
 * A client has one connection, which is opened at the first question, and again after the connection broke.
 * While the server cannot be reached, questions fail at once, except for one attempt every `hold_off_ns`. The
 * settings are read for each new connection, so a changed password needs no restart.
 *
 * Each call of yk_ldap_groups() blocks, until the name of the host is resolved and then at most for a small
 * multiple of `patience_ns`. So it must not run on the scheduling thread.
 *
 * Thread: one at a time.
 * Source: docs/reference/queues.md, rule A14.
 */
#ifndef YK_SECURITY_LDAP_H
#define YK_SECURITY_LDAP_H

#include "security/directory.h"

struct yk_ldap;

struct yk_ldap_options {
    const char *folder; /* the folder with the settings (ldap_settings.h) */
    /* Longest wait for the server: for a new connection with its first search, and for each later search; 0:
     * 5 s. */
    int64_t patience_ns;
    int64_t hold_off_ns; /* time from a failed attempt to connect to the next one; 0: 5 s */
};

/* Makes a client; does not connect. `options` are copied. The caller frees the client with yk_ldap_free(). */
struct yk_ldap *yk_ldap_new(const struct yk_ldap_options *options);
void yk_ldap_free(struct yk_ldap *ldap);
YK_DEFINE_FREEP(yk_ldap)

/*
 * Appends the groups of `user->name` to `user`, which has none: first a group with the name of the user, then
 * a group for each value of GroupAttr in the entries that the filter finds. For a user without an entry, the
 * first group is the only one. Errors: YK_ERR_INVALID, the settings are wrong; YK_ERR_UNAVAILABLE, the server
 * cannot be reached or refuses, or less than `hold_off_ns` has passed since the connection failed last;
 * YK_ERR_LIMIT, too many entries or groups, or too long a filter. After an error, `user` may have some
 * groups.
 */
YK_NODISCARD enum yk_status yk_ldap_groups(struct yk_ldap *ldap, struct yk_user *user, struct yk_err *err);

#endif
