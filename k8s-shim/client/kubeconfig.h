/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kubeconfig files (apiVersion v1, kind Config; YAML or JSON): the current context's cluster and user.
 *
 * Data in the file wins over a file it names; relative paths start at the kubeconfig's folder. A credential
 * plug-in (exec) is used when the user has neither token nor client certificate. auth-providers, user name
 * and password, and impersonation are refused with a message that says so.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.6 "kubeconfig fields" (K02, K03).
 */
#ifndef YK_CLIENT_KUBECONFIG_H
#define YK_CLIENT_KUBECONFIG_H

#include "client/access.h"

/* Parses the text of a kubeconfig. `*ret_access` belongs to the caller. `directory`: the folder of relative
 * paths. `context`: NULL for the current one. Reads no file. Errors: YK_ERR_INVALID, YK_ERR_LIMIT,
 * YK_ERR_NOT_FOUND. */
YK_NODISCARD enum yk_status yk_kubeconfig_parse(struct yk_str text, const char *directory,
                                                const char *context, struct yk_access **ret_access,
                                                struct yk_err *err);
/* Reads a kubeconfig file. `context` NULL: its current one. `*ret_access` belongs to the caller. Errors:
 * those of yk_file_read() and yk_kubeconfig_parse(); the message names the file. */
YK_NODISCARD enum yk_status yk_kubeconfig_load(const char *path, const char *context,
                                               struct yk_access **ret_access, struct yk_err *err);

#endif
