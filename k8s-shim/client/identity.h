/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Credentials and trust, kept up to date: bearer token, CA bundle, client certificate.
 *
 * A token file is read again after 50 s, certificates after 5 min. A file that cannot be read or is invalid
 * is logged once per text, and the last valid one stays in use. If a credential plug-in provides the
 * credentials (exec_plugin.h), the owner runs it when yk_identity_needs_plugin() is true.
 *
 * Thread: I/O thread (created before it starts).
 * Source: docs/reference/kubernetes.md, 1.6 (K01 to K03).
 */
#ifndef YK_CLIENT_IDENTITY_H
#define YK_CLIENT_IDENTITY_H

#include "base/clock.h"
#include "client/access.h"
#include "client/exec_credential.h"

struct yk_identity;

/*
 * Reads everything for the first time. `access` is taken, also when this fails.
 * Errors: YK_ERR_NOT_FOUND, YK_ERR_IO, YK_ERR_INVALID, YK_ERR_LIMIT, naming the file.
 */
YK_NODISCARD enum yk_status yk_identity_new(struct yk_access *access, const struct yk_clock *clock,
                                            struct yk_identity **ret_identity, struct yk_err *err);
void yk_identity_free(struct yk_identity *identity);
YK_DEFINE_FREEP(yk_identity)

/* The access that it was made from; borrowed for its life. */
const struct yk_access *yk_identity_access(const struct yk_identity *identity);
/* Reads again what is old enough. Call before each request. */
void yk_identity_refresh(struct yk_identity *identity);
/* The bearer token; absent when there is none. Borrowed until the next refresh. */
struct yk_str yk_identity_token(const struct yk_identity *identity);
/* Whether a plug-in has to run before anything can be sent: it has not run yet, or its credential has expired
 * or was refused. */
bool yk_identity_needs_plugin(const struct yk_identity *identity);
/* Replaces the credential by a copy of the answer of the plug-in. Errors: YK_ERR_INVALID; the old one
 * stays. */
YK_NODISCARD enum yk_status yk_identity_put(struct yk_identity *identity,
                                            const struct yk_credential *credential, struct yk_err *err);
/* The number of the present credential; it changes with each yk_identity_put(). */
uint64_t yk_identity_credential(const struct yk_identity *identity);
/*
 * The server refused the token. `credential`: the number of yk_identity_credential() when the request was
 * sent. True: call yk_identity_refresh() and send the request once more; the refresh reads the token file
 * again, or the plug-in has to run first (yk_identity_needs_plugin()). False: there is no other token, because
 * there is no token file, or the plug-in has just answered.
 */
bool yk_identity_drop_token(struct yk_identity *identity, uint64_t credential);

/* PEM texts; absent: none, for `ca` the system's roots. Borrowed until `generation` changes. */
struct yk_identity_tls {
    struct yk_str ca, certificate, key;
    uint64_t generation;             /* changes with any of them */
    uint64_t certificate_generation; /* changes with certificate or key */
};
/* Certificates and key as they are now, in PEM. Borrowed until the identity changes them, which raises the
 * generations. */
struct yk_identity_tls yk_identity_tls(const struct yk_identity *identity);

#endif
