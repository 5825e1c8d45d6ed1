/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bound on how long libldap may wait for its server, and on how much it listens to: a layer of our own
 * between its socket and its TLS.
 *
 * libldap bounds connecting and waiting for an answer, but not a TLS handshake, nor the rest of an answer
 * that has begun; with a non-blocking socket it even spins. Below all that, this layer waits until the socket
 * is ready, and fails once the deadline has passed; the library takes that for a broken connection.
 *
 * Thread: that of the connection.
 */
#ifndef YK_SECURITY_LDAP_DEADLINE_H
#define YK_SECURITY_LDAP_DEADLINE_H

#include "base/base.h"

#include <ldap.h>

struct yk_ldap_deadline {
    /* To be set before each call of the library. */
    int64_t mono_ns;             /* on the real clock */
    ber_len_t bytes_left;        /* that the server may still say; the library would take any number */
    struct ldap_conncb callback; /* of ldap_deadline.c */
};

/* Puts the layer into each connection that `ldap` makes from now on. Borrowed until that is unbound. Returns
 * a code of the library. */
YK_NODISCARD int yk_ldap_deadline_install(struct yk_ldap_deadline *deadline, LDAP *ldap);

#endif
