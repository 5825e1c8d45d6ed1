/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS of an HTTP server: its certificate and key, and the authorities that sign client certificates.
 *
 * Certificate and key come from files or from memory, or are made by this module. These files and that of the
 * client authorities are checked for changes when a connection comes, at most every YK_TLS_LOOK_SECONDS.
 * yk_tls_replace() replaces a certificate in memory. A certificate that this module made is replaced, with a
 * new authority, at the first connection after YK_TLS_RENEW_DAYS. If a replacement cannot be used, the old
 * one stays in force. Connections keep the certificate that they began with. Sessions are not resumed: each
 * connection authenticates its client again.
 *
 * Thread: I/O thread. yk_tls_new() and yk_tls_free(): any, while no other thread uses the settings.
 * Source: docs/reference/configuration.md, service.web.tls; RFC 8446.
 */
#ifndef YK_HTTP_TLS_H
#define YK_HTTP_TLS_H

#include "base/clock.h"
#include "http/caller.h"

struct ssl_st;
struct yk_serving_names;
struct yk_tls;

enum {
    YK_TLS_LOOK_SECONDS = 5,
    YK_TLS_FILE_MAX = 1 << 20, /* bytes of a PEM text in memory */
    /* Age at which a certificate made here is replaced; it is valid for YK_SERVING_DAYS. */
    YK_TLS_RENEW_DAYS = 270,
};

/* Where the certificate comes from, and other settings. If several of these are given, the first one counts:
 * files, texts, names for a certificate that is made here. */
struct yk_tls_options {
    const char *cert_file, *key_file; /* paths of PEM files; the first has the certificate, then its chain */
    struct yk_str cert_pem, key_pem;  /* the texts of such files, used if `cert_file` is "" or NULL */
    /* Names in a certificate that is made here; NULL: none is made. */
    const struct yk_serving_names *self_signed;
    /* PEM file of authorities; "" or NULL: clients are not asked for certificates */
    const char *client_ca_file;
    const char *min_version;      /* "1.2" or "1.3"; "" or NULL: 1.2 */
    const struct yk_clock *clock; /* borrowed for the life of the result */
};

/* Makes the TLS settings of a server. `options` and the texts in them are copied. The caller frees
 * `*ret_tls`. Errors: YK_ERR_INVALID, no certificate is given, or a file, text or name cannot be used: the
 * message names it; YK_ERR_UNAVAILABLE, OpenSSL fails. */
YK_NODISCARD enum yk_status yk_tls_new(const struct yk_tls_options *options, struct yk_tls **ret_tls,
                                       struct yk_err *err);
/* Frees the settings. Connections that have their SSL object are not affected. NULL is fine. */
void yk_tls_free(struct yk_tls *tls);
YK_DEFINE_FREEP(yk_tls)

/*
 * Replaces certificate and key for new connections, and reads the client authorities again. Both texts are
 * borrowed for the call; only OpenSSL keeps the key. Errors, after which the old ones stay in force:
 * YK_ERR_INVALID, a text or the file of authorities cannot be used; YK_ERR_STATE, the certificate of `tls`
 * comes from a file or was made here; YK_ERR_UNAVAILABLE, OpenSSL fails.
 */
YK_NODISCARD enum yk_status yk_tls_replace(struct yk_tls *tls, struct yk_str cert_pem, struct yk_str key_pem,
                                           struct yk_err *err);

/* Makes the SSL object of a new connection, which the caller frees with SSL_free(). NULL: out of memory. May
 * first read changed files or make a new certificate. */
struct ssl_st *yk_tls_accept(struct yk_tls *tls);
/* Sets `*ret_caller` to the common name (user) and up to 256 organizations (groups) of the client
 * certificate. The user is NULL if the client sent no certificate that could be verified, or if the
 * certificate does not have exactly one common name, of 1 to 1,024 bytes without a NUL byte. Call it after
 * the handshake. The caller ends `*ret_caller` with yk_caller_done(). */
void yk_tls_caller(struct ssl_st *ssl, struct yk_caller *ret_caller);
/* Sends the close notification of TLS; afterwards, nothing may be sent. No effect if it was sent before, or
 * the handshake is not complete. NULL is fine. */
void yk_tls_say_goodbye(struct ssl_st *ssl);

#endif
