/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the API server is and how to show who we are: what a kubeconfig (kubeconfig.h) or the pod's service
 * account (in_cluster.h) says. Nothing has been read from the files it names yet; identity.h does that.
 * Thread: any, one at a time.
 */
#ifndef YK_CLIENT_ACCESS_H
#define YK_CLIENT_ACCESS_H

#include "base/str.h"

/* PEM text: given as such, which wins, or in a file that is read again from time to time. Written by:
 * client, cmd. */
struct yk_pem_source {
    char *data; /* NULL: not given */
    char *file; /* NULL: not given */
};

struct yk_exec_variable {
    char *name, *value;
};

/* A command that says who we are: a kubeconfig's `exec`. All owned. */
struct yk_exec {
    char *command; /* with a slash: that file; else one of PATH */
    char **argv;   /* command, arguments, NULL */
    size_t argc;
    struct yk_exec_variable *env;
    size_t env_count;
    const char *api_version; /* one of those we speak; static */
    char *install_hint;      /* NULL: none */
    bool provide_cluster_info;
};

/* Written by: client, cmd, before the access is used. */
struct yk_access {
    char *source;          /* for messages: "in-cluster" or the kubeconfig's path */
    char *server;          /* https://host:port[/prefix] without a trailing slash */
    char *tls_server_name; /* NULL: the server's host */
    char *proxy_url;       /* NULL: HTTPS_PROXY and NO_PROXY decide */
    char *token;           /* NULL: none */
    char *token_file;      /* NULL: none; wins over `token` once it could be read */
    char *namespace_;      /* of the context, NULL: not given */
    struct yk_pem_source ca, certificate, key;
    struct yk_exec *exec; /* owned; NULL: none, or another credential is given */
    bool ca_is_optional;  /* a missing or bad CA file falls back to the system's roots */
    bool insecure_skip_verify;
    bool disable_compression;
};

/* Frees it, with its texts. NULL is fine. */
void yk_access_free(struct yk_access *access);
YK_DEFINE_FREEP(yk_access)
/* Sets access->server to a copy of `server` without trailing slashes. Errors: YK_ERR_INVALID, it is not
 * http:// or https:// with a host. */
YK_NODISCARD enum yk_status yk_access_set_server(struct yk_access *access, struct yk_str server,
                                                 struct yk_err *err);

/*
 * Finds out where the API server is: in-cluster when the environment says so, else the kubeconfig at
 * `kubeconfig_path`, or if that is NULL at $KUBECONFIG (the first file of the list that exists), or
 * $HOME/.kube/config. A `kubeconfig_path` that is given wins over everything. A `context` that is given is
 * one of a kubeconfig, so the environment in the cluster does not count then; NULL: the current one. The
 * caller frees `*ret_access` with yk_access_free().
 * Errors: YK_ERR_NOT_FOUND, no API server is configured; those of yk_kubeconfig_load() and
 * yk_in_cluster_access().
 * Source: docs/reference/kubernetes.md, 1.6 (K01, K02).
 */
YK_NODISCARD enum yk_status yk_access_find(const char *kubeconfig_path, const char *context,
                                           struct yk_access **ret_access, struct yk_err *err);

#endif
