/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS of the REST server: certificate, key and the authorities of client certificates, from files that may
 * change.
 *
 * The files are looked at when a connection comes, at most every YK_TLS_LOOK_SECONDS; what cannot be read
 * leaves the old ones in force, with a log line. Connections keep what they began with. Sessions are not
 * resumed: each connection proves anew who it is. Thread: I/O thread.
 * Source: docs/reference/configuration.md, service.web.tls; RFC 8446.
 */
#ifndef YK_HTTP_TLS_H
#define YK_HTTP_TLS_H

#include "base/clock.h"
#include "http/caller.h"

struct ssl_st;
struct yk_tls;

enum { YK_TLS_LOOK_SECONDS = 5, YK_TLS_FILE_MAX = 1 << 20 };

struct yk_tls_options {               /* all copied */
    const char *cert_file, *key_file; /* PEM; the certificate first, then its chain */
    const char *client_ca_file;       /* "" or NULL: certificates of clients are not asked for */
    const char *min_version;          /* "1.2" or "1.3"; "" or NULL: 1.2 */
    const struct yk_clock *clock;     /* borrowed for life */
};

/* Errors: YK_ERR_INVALID naming the file. */
YK_NODISCARD enum yk_status yk_tls_new(const struct yk_tls_options *options, struct yk_tls **ret_tls,
                                       struct yk_err *err);
/* Connections that were accepted go on. NULL is fine. */
void yk_tls_free(struct yk_tls *tls);
YK_DEFINE_FREEP(yk_tls)

/* For a new connection; SSL_free() it. NULL: out of memory. */
struct ssl_st *yk_tls_accept(struct yk_tls *tls);
/* Common name and organizations of the client's certificate, when it has shown one that is signed by one of
 * the authorities; else user NULL. `*ret_caller` is the caller's to be done. */
void yk_tls_caller(struct ssl_st *ssl, struct yk_caller *ret_caller);
/* Nothing more will be sent. NULL is fine. */
void yk_tls_say_goodbye(struct ssl_st *ssl);

#endif
