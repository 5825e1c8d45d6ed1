/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access by the service account that a cluster mounts into a pod.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.6 "In-cluster" (K01).
 */
#ifndef YK_CLIENT_IN_CLUSTER_H
#define YK_CLIENT_IN_CLUSTER_H

#include "client/access.h"

#define YK_SERVICE_ACCOUNT_DIR "/var/run/secrets/kubernetes.io/serviceaccount"

/* Whether both variables (KUBERNETES_SERVICE_HOST and _PORT) are set; NULL and "" are not. If so, a later
 * failure is an error and no reason to look for a kubeconfig. */
bool yk_in_cluster_is(const char *host, const char *port);
/* Makes the access of a service account. `host` and `port` have passed yk_in_cluster_is(); `host` may be an
 * IPv6 address. `directory` has the files token, ca.crt and namespace. `*ret_access` belongs to the caller.
 * Errors: YK_ERR_INVALID or YK_ERR_LIMIT, host or port; those of reading the token. */
YK_NODISCARD enum yk_status yk_in_cluster_access(const char *host, const char *port, const char *directory,
                                                 struct yk_access **ret_access, struct yk_err *err);

#endif
