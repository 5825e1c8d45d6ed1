/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads cluster and user of a context from a kubeconfig file (apiVersion v1, kind Config; YAML or JSON).
 *
 * If certificates are given both as data and as a file, the data is used. Relative paths are relative to the
 * folder of the kubeconfig. A credential plug-in (exec) is used if the user has neither a token nor a client
 * certificate. A plug-in that is used must not need a terminal (interactiveMode Always). An auth-provider, a
 * user name, a password, and impersonation are refused with an error, also beside a token.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.6 "kubeconfig fields" (K02, K03).
 */
#ifndef YK_CLIENT_KUBECONFIG_H
#define YK_CLIENT_KUBECONFIG_H

#include "client/access.h"

/* Parses the text of a kubeconfig, and reads no file. `directory`: the folder that relative paths are
 * relative to. `context`: name of a context; NULL: the current context. `source` of the access stays NULL.
 * The caller frees `*ret_access` with yk_access_free(). Errors: YK_ERR_INVALID, YK_ERR_LIMIT,
 * YK_ERR_NOT_FOUND (context, cluster or user). */
YK_NODISCARD enum yk_status yk_kubeconfig_parse(struct yk_str text, const char *directory,
                                                const char *context, struct yk_access **ret_access,
                                                struct yk_err *err);
/* Reads a kubeconfig file. `context`: name of a context; NULL: the current context. `source` of the access is
 * set to `path`. The caller frees `*ret_access` with yk_access_free(). Errors: those of yk_file_read() and
 * yk_kubeconfig_parse(); the message names the file. */
YK_NODISCARD enum yk_status yk_kubeconfig_load(const char *path, const char *context,
                                               struct yk_access **ret_access, struct yk_err *err);

#endif
