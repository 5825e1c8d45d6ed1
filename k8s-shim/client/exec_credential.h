/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ExecCredential: the input of a credential plug-in, and its answer.
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.6 "exec plug-ins" (K03); client.authentication.k8s.io.
 */
#ifndef YK_CLIENT_EXEC_CREDENTIAL_H
#define YK_CLIENT_EXEC_CREDENTIAL_H

#include "client/access.h"

struct yk_credential {
    char *token;             /* owned; NULL: there is none */
    char *certificate, *key; /* owned PEM texts; both NULL: there is no certificate */
    int64_t expires_wall_ns; /* nanoseconds since 1970; INT64_MAX: not given */
};

/* Overwrites token and key with zeros, and frees all texts. */
void yk_credential_done(struct yk_credential *credential);

/* Appends the input of a plug-in, the value of KUBERNETES_EXEC_INFO. `access->exec` is not NULL. `ca`:
 * certificate authorities of the cluster in PEM; may be absent. `ca` and the other fields of the cluster are
 * written only if access->exec->provide_cluster_info is set. */
void yk_exec_info_write(const struct yk_access *access, struct yk_str ca, struct yk_buf *json);
/*
 * Reads `text`, the standard output of a plug-in. `api_version`: the version in the input. The caller ends
 * `*ret_credential` with yk_credential_done(); after an error, it is unchanged. Errors: YK_ERR_INVALID: not a
 * JSON object, another kind or version, a field of another type, a bad time, neither token nor certificate,
 * or only one of certificate and key. A credential that has expired is no error: the caller compares
 * `expires_wall_ns` with the clock. The message quotes nothing of `text`, because `text` may be secret.
 */
YK_NODISCARD enum yk_status yk_exec_answer_read(struct yk_str text, const char *api_version,
                                                struct yk_credential *ret_credential, struct yk_err *err);

#endif
