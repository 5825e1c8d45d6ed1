/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS of an HTTP server: certificate, key and the authorities of client certificates.
 *
 * Certificate and key come from files or from memory, or are made here. Files are checked for changes when a
 * connection comes, at most every YK_TLS_LOOK_SECONDS. A certificate in memory is replaced with
 * yk_tls_replace(). One that was made here is replaced when a connection comes after YK_TLS_RENEW_DAYS, by
 * one of another authority. A replacement that cannot be used leaves the old one in force. Connections keep
 * what they began with. Sessions are not resumed: each connection authenticates its client again.
 * Thread: I/O thread.
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
    YK_TLS_FILE_MAX = 1 << 20,
    YK_TLS_RENEW_DAYS = 270, /* age of a certificate that was made here; it is valid for YK_SERVING_DAYS */
};

struct yk_tls_options {               /* all copied */
    const char *cert_file, *key_file; /* PEM; the certificate first, then its chain */
    struct yk_str cert_pem, key_pem;  /* the same in memory; used when `cert_file` is "" or NULL */
    /* Used when neither is given: the names in a certificate that is made here. NULL: none is made. */
    const struct yk_serving_names *self_signed;
    const char *client_ca_file;   /* "" or NULL: certificates of clients are not asked for */
    const char *min_version;      /* "1.2" or "1.3"; "" or NULL: 1.2 */
    const struct yk_clock *clock; /* borrowed for life */
};

/* Makes the TLS settings of a server. `options` are copied. The caller frees `*ret_tls`. Errors:
 * YK_ERR_INVALID naming the file, or saying what is wrong with the text. */
YK_NODISCARD enum yk_status yk_tls_new(const struct yk_tls_options *options, struct yk_tls **ret_tls,
                                       struct yk_err *err);
/* Frees it. Connections that were accepted go on. NULL is fine. */
void yk_tls_free(struct yk_tls *tls);
YK_DEFINE_FREEP(yk_tls)

/*
 * Replaces certificate and key for new connections; for an object whose first ones came from memory. Both
 * texts are read during the call. The key is kept in OpenSSL's context only. Errors: YK_ERR_INVALID; the old
 * ones stay in force.
 */
YK_NODISCARD enum yk_status yk_tls_replace(struct yk_tls *tls, struct yk_str cert_pem, struct yk_str key_pem,
                                           struct yk_err *err);

/* Makes the SSL object of a new connection, which the caller frees with SSL_free(). NULL: out of memory. */
struct ssl_st *yk_tls_accept(struct yk_tls *tls);
/* Common name and organizations of the client's certificate, when it is signed by one of the authorities;
 * else user NULL. Ends with yk_caller_done(). */
void yk_tls_caller(struct ssl_st *ssl, struct yk_caller *ret_caller);
/* Sends the close notification of TLS: nothing more will be sent. NULL is fine. */
void yk_tls_say_goodbye(struct ssl_st *ssl);

#endif
