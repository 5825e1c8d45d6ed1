/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to the API server with the service account of the pod that this process runs in.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.6 "In-cluster" (K01).
 */
#ifndef YK_CLIENT_IN_CLUSTER_H
#define YK_CLIENT_IN_CLUSTER_H

#include "client/access.h"

#define YK_SERVICE_ACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"

/* Whether this process runs in a cluster. `host` and `port` are the values of KUBERNETES_SERVICE_HOST and
 * KUBERNETES_SERVICE_PORT. True if neither is NULL or ""; both may be NULL. */
bool yk_in_cluster_is(const char *host, const char *port);
/* Makes the access of a service account. `host` and `port`: as in yk_in_cluster_is(), which is true for them;
 * `host` may be an IPv6 address. `directory`: the folder with the files `token`, `ca.crt` and `namespace`,
 * usually YK_SERVICE_ACCOUNT_DIR; `ca.crt` and `namespace` may be missing. The caller frees `*ret_access`
 * with yk_access_free(). Errors: YK_ERR_INVALID: `host` or `port` is not valid, or `token` is empty;
 * YK_ERR_LIMIT: `host` is too long; those of yk_file_read() for `token`. */
YK_NODISCARD enum yk_status yk_in_cluster_access(const char *host, const char *port, const char *directory,
                                                 struct yk_access **ret_access, struct yk_err *err);

#endif
