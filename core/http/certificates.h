/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates that the servers of this program make: a pair of certificate authorities and a serving
 * certificate.
 *
 * All functions compute PEM texts from PEM texts and the time, and keep no state. The two authorities expire
 * at different times. Webhook configurations trust both, so one of them can be replaced while a certificate
 * that the other one signed is in use.
 *
 * New keys are ECDSA P-256. Authorities that YuniKorn 1.9 wrote (RSA 4096, PKCS#1) are used as they are.
 *
 * Owns:   nothing; results belong to the caller. Private keys are overwritten in memory when they are freed.
 * Thread: any.
 * Source: docs/reference/admission-server.md, "Certificates".
 */
#ifndef YK_HTTP_CERTIFICATES_H
#define YK_HTTP_CERTIFICATES_H

#include "base/str.h"

enum {
    YK_CA_COUNT = 2,
    YK_CA_DAYS = 365,       /* how long a new authority is valid */
    YK_CA_FIRST_DAYS = 183, /* how long the first one is valid when both are new */
    YK_CA_RENEW_DAYS = 90,  /* an authority that expires within this time is replaced */
    /* An authority that becomes valid more than this time from now is replaced: it was made with a wrong
     * clock. */
    YK_CA_SKEW_SECONDS = 5 * 60,
    /* How long a serving certificate is valid; never longer than its authority. */
    YK_SERVING_DAYS = 365,
    YK_SERVING_NAMES_MAX = 8,
    YK_PEM_MAX = 64 << 10, /* bytes of a PEM text; a longer one counts as unreadable */
};

/* A certificate and its private key. Written by: http, admission. */
struct yk_key_pair {
    char *cert_pem; /* owned; NULL: none */
    char *key_pem;  /* owned, secret; NULL: none */
};

/* The two certificate authorities. Written by: http, admission. */
struct yk_ca_pair {
    struct yk_key_pair ca[YK_CA_COUNT];
};

/* Overwrites the key in memory and frees both texts; the pair is empty afterwards. */
void yk_key_pair_done(struct yk_key_pair *pair);
void yk_ca_pair_done(struct yk_ca_pair *pair);

/*
 * Replaces each authority of `pair` that is missing, unreadable, no authority or without its key, that
 * expires before YK_CA_RENEW_DAYS after `now_wall_ns`, or that becomes valid later than YK_CA_SKEW_SECONDS
 * after `now_wall_ns`. Certificates that stay are rewritten in canonical PEM.
 *
 * `*ret_renewed`: bit i is set if authority i was replaced; 0: none was.
 * Errors: YK_ERR_UNAVAILABLE, OpenSSL cannot make an authority; `pair` is unchanged.
 */
YK_NODISCARD enum yk_status yk_ca_pair_renew(struct yk_ca_pair *pair, int64_t now_wall_ns,
                                             unsigned *ret_renewed, struct yk_err *err);

/* Appends the certificates of the pair to `ret_pem`; one that is missing is left out. Webhook configurations
 * have this text, in base64, as caBundle. */
void yk_ca_pair_bundle(const struct yk_ca_pair *pair, struct yk_buf *ret_pem);

/* The names in a serving certificate. */
struct yk_serving_names {
    const char *service, *namespace_; /* name of the Service and its namespace */
    const char *host;                 /* one more DNS name or IP address; NULL: none */
};

/*
 * Makes a serving certificate with a new key, signed by the authority of `pair` that expires later. It is
 * valid from five minutes before `now_wall_ns`, for YK_SERVING_DAYS, but not longer than the authority. The
 * dates of the authority are not checked: call yk_ca_pair_renew() before.
 *
 * The caller ends `*ret_pair` with yk_key_pair_done(); its cert_pem is the certificate followed by that of
 * the authority. Errors: YK_ERR_INVALID, the authority cannot be used, or a name is empty or has a comma,
 * double quote, backslash, space or line end; YK_ERR_UNAVAILABLE, OpenSSL fails.
 */
YK_NODISCARD enum yk_status yk_serving_certificate(const struct yk_ca_pair *pair,
                                                   const struct yk_serving_names *names, int64_t now_wall_ns,
                                                   struct yk_key_pair *ret_pair, struct yk_err *err);

/* When the first certificate of `pem` becomes valid, in nanoseconds of wall time; 0: `pem` is NULL or
 * unreadable. */
int64_t yk_certificate_start_wall_ns(const char *pem);
/* When the first certificate of `pem` expires, in nanoseconds of wall time; 0: `pem` is NULL or
 * unreadable. */
int64_t yk_certificate_expiry_wall_ns(const char *pem);
/* Whether the first certificate of `pem` is signed by one of the authorities of `pair`. False if `pem` is
 * NULL or unreadable. Does not check dates. */
bool yk_ca_pair_signed(const struct yk_ca_pair *pair, const char *pem);

#endif
