/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The credentials of this process and the certificate authorities that it trusts: bearer token, client
 * certificate, CA bundle. Their files are read again from time to time.
 *
 * A token file is read again after 50 s, certificates after 5 min. If a file cannot be read or is invalid,
 * the last valid content stays in use, and the problem is logged. The same problem is not logged twice in a
 * row, until files are read without an error. So a certificate that stays invalid is logged every 5 min while
 * the token file is valid.
 *
 * If a credential plug-in provides the credentials (exec_plugin.h), the owner runs it when
 * yk_identity_needs_plugin() is true.
 *
 * Thread: I/O thread. yk_identity_new() and yk_identity_free() are called while that thread does not run.
 * Source: docs/reference/kubernetes.md, 1.6 (K01 to K03).
 */
#ifndef YK_CLIENT_IDENTITY_H
#define YK_CLIENT_IDENTITY_H

#include "base/clock.h"
#include "client/access.h"
#include "client/exec_credential.h"

struct yk_identity;

/*
 * Makes an identity and reads all files of `access` for the first time. `access` is taken. `clock` is
 * borrowed for the life of the identity. The caller frees `*ret_identity` with yk_identity_free(). Errors:
 * YK_ERR_NOT_FOUND, YK_ERR_IO, YK_ERR_INVALID, YK_ERR_LIMIT; the message names a file that cannot be read.
 * Two problems are not errors. If access->ca_is_optional is set, an unusable certificate authority is only
 * logged. If access->token is set, an unusable token file is ignored.
 */
YK_NODISCARD enum yk_status yk_identity_new(struct yk_access *access, const struct yk_clock *clock,
                                            struct yk_identity **ret_identity, struct yk_err *err);
void yk_identity_free(struct yk_identity *identity);
YK_DEFINE_FREEP(yk_identity)

/* The access that the identity was made from. Borrowed from the identity for its life. */
const struct yk_access *yk_identity_access(const struct yk_identity *identity);
/* Reads those files again that were read long enough ago. After yk_identity_drop_token(), reads the token
 * file in any case. To be called before each request. The generations in yk_identity_tls() say whether
 * certificates have changed. */
void yk_identity_refresh(struct yk_identity *identity);
/* The bearer token; absent if there is none. Borrowed until the next yk_identity_refresh() or
 * yk_identity_put(). */
struct yk_str yk_identity_token(const struct yk_identity *identity);
/* Whether a plug-in has to run before a request can be sent: it has given no credential yet, or its
 * credential has expired or was refused. False if there is no plug-in. If it is still true after a run, the
 * caller fails the requests that wait: it does not run the plug-in again for them. */
bool yk_identity_needs_plugin(const struct yk_identity *identity);
/* Replaces token and client certificate by copies of those in the answer of the plug-in, and raises
 * yk_identity_credential(). If the answer contains no token or no certificate, the old one is removed. A
 * credential that has expired is not an error, but yk_identity_needs_plugin() stays true. Errors:
 * YK_ERR_INVALID; the identity has not changed. */
YK_NODISCARD enum yk_status yk_identity_put(struct yk_identity *identity,
                                            const struct yk_credential *credential, struct yk_err *err);
/* The number of the credential in use: how often yk_identity_put() has succeeded. */
uint64_t yk_identity_credential(const struct yk_identity *identity);
/*
 * The API server has refused the token of a request (401). `credential`: the value of
 * yk_identity_credential() when the request was sent. True: there may be another token. The caller then calls
 * yk_identity_refresh() to read the token file again, runs the plug-in if yk_identity_needs_plugin() is true,
 * and sends the request once more. False: there is no other token, because there is neither a token file nor
 * a plug-in, or because the plug-in gave the refused token less than five seconds ago.
 */
bool yk_identity_drop_token(struct yk_identity *identity, uint64_t credential);

/* PEM texts, borrowed from the identity until `generation` changes. If `ca` is absent, the certificate
 * authorities of the system are used. If there is no client certificate, `certificate` and `key` are
 * absent. */
struct yk_identity_tls {
    struct yk_str ca, certificate, key;
    uint64_t generation;             /* raised by each change of one of the texts */
    uint64_t certificate_generation; /* raised by each change of certificate or key */
};
/* The certificates and the key in use. */
struct yk_identity_tls yk_identity_tls(const struct yk_identity *identity);

#endif
