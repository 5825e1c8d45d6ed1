/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer between the socket and the TLS of libldap. It limits how long libldap waits for its server, and how
 * many bytes libldap reads.
 *
 * libldap itself limits the time until it is connected and the time until an answer begins. It does not limit
 * the time of a TLS handshake, or the time until an answer is complete. With a non-blocking socket, it would
 * poll in a busy loop. This layer waits until the socket is ready. After the deadline, reads and writes fail,
 * and libldap treats the connection as broken.
 *
 * Thread: the one that uses the LDAP connection.
 */
#ifndef YK_SECURITY_LDAP_DEADLINE_H
#define YK_SECURITY_LDAP_DEADLINE_H

#include "base/base.h"

#include <ldap.h>

struct yk_ldap_deadline {
    /* The caller sets these two before it begins to connect, and again before a later request that gets its
     * own time and bytes. */
    int64_t mono_ns;             /* deadline, by the monotonic time of yk_clock_real */
    ber_len_t bytes_left;        /* bytes that the server may still send; the layer counts them down */
    struct ldap_conncb callback; /* private to ldap_deadline.c */
};

/* Adds the layer to each connection that `ldap` opens from now on. `deadline` is borrowed until `ldap` is
 * unbound, and may be changed meanwhile. Returns LDAP_SUCCESS or another code of the library. */
YK_NODISCARD int yk_ldap_deadline_install(struct yk_ldap_deadline *deadline, LDAP *ldap);

#endif
