/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits how long libldap waits for its server, and how many bytes it reads, by a layer between the socket
 * and the TLS of libldap.
 *
 * libldap itself limits the time of connecting and the wait for an answer, but neither a TLS handshake nor
 * the rest of an answer that has begun; with a non-blocking socket it would poll in a busy loop. This layer
 * waits until the socket is ready. At the deadline it reports an error, which libldap treats as a broken
 * connection.
 *
 * Thread: that of the connection.
 */
#ifndef YK_SECURITY_LDAP_DEADLINE_H
#define YK_SECURITY_LDAP_DEADLINE_H

#include "base/base.h"

#include <ldap.h>

struct yk_ldap_deadline {
    /* The caller sets these two before it begins to connect, and again before each later request on the
     * connection. */
    int64_t mono_ns;             /* deadline, by the monotonic time of yk_clock_real */
    ber_len_t bytes_left;        /* bytes that the server may still send; the layer counts them down */
    struct ldap_conncb callback; /* private to ldap_deadline.c */
};

/* Adds the layer to each connection that `ldap` opens from now on. `deadline` is borrowed until `ldap` is
 * unbound, and may be changed meanwhile. Returns LDAP_SUCCESS or another code of the library. */
YK_NODISCARD int yk_ldap_deadline_install(struct yk_ldap_deadline *deadline, LDAP *ldap);

#endif
