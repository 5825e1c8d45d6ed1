/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits how long libldap may wait for its server, and how much it reads: a layer between its socket and its
 * TLS.
 *
 * libldap limits connecting and waiting for an answer, but not a TLS handshake, nor the rest of an answer
 * that has begun; with a non-blocking socket it uses CPU meanwhile. This layer waits until the socket is
 * ready, and fails after the deadline. The library treats that as a broken connection.
 *
 * Thread: that of the connection.
 */
#ifndef YK_SECURITY_LDAP_DEADLINE_H
#define YK_SECURITY_LDAP_DEADLINE_H

#include "base/base.h"

#include <ldap.h>

struct yk_ldap_deadline {
    /* Set before each call of the library. */
    int64_t mono_ns;             /* on the real clock */
    ber_len_t bytes_left;        /* bytes that the server may still send; the library has no limit */
    struct ldap_conncb callback; /* of ldap_deadline.c */
};

/* Adds the layer to each connection that `ldap` opens from now on. Borrowed until `ldap` is unbound.
 * Returns a code of the library. */
YK_NODISCARD int yk_ldap_deadline_install(struct yk_ldap_deadline *deadline, LDAP *ldap);

#endif
