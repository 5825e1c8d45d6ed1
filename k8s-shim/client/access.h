/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address of the API server and the source of the credentials, as a kubeconfig (kubeconfig.h) or the
 * service account of the pod (in_cluster.h) gives them. The contents of token and certificate files are not
 * stored here: identity.h reads them.
 * Thread: any.
 */
#ifndef YK_CLIENT_ACCESS_H
#define YK_CLIENT_ACCESS_H

#include "base/str.h"

/* A PEM text. If `data` is given, `file` is not used; a file is read again from time to time. Written by:
 * client, cmd. */
struct yk_pem_source {
    char *data; /* owned; the text; NULL: not given */
    char *file; /* owned; the path of a file with the text; NULL: not given */
};

/* A variable to add to the environment of a credential plug-in. Both texts are owned. */
struct yk_exec_variable {
    char *name, *value;
};

/* A credential plug-in: a command that prints credentials, from `exec` of a user in a kubeconfig. Texts
 * are owned. */
struct yk_exec {
    char *command; /* if it contains a slash, the path of a file; otherwise a name to look up in PATH */
    char **argv;   /* `command`, then the arguments, then NULL */
    size_t argc;   /* length of `argv` without the NULL */
    struct yk_exec_variable *env;
    size_t env_count;
    const char *api_version;   /* the version of ExecCredential that the command understands; static */
    char *install_hint;        /* for the message if the command cannot be run; NULL: there is none */
    bool provide_cluster_info; /* the command gets the address and the CA of the API server */
};

/* Written by: client, cmd, before the access is used. */
struct yk_access {
    /* All texts are owned. */
    char *source;          /* for messages: "in-cluster" or the path of the kubeconfig */
    char *server;          /* https:// or http://, host[:port], maybe a path; without a slash at the end */
    char *tls_server_name; /* the name in the certificate of the server; NULL: the host of `server` */
    char *proxy_url;       /* NULL: as yk_transport_new() (client/transport.h) chooses */
    char *token;           /* NULL: there is none */
    char *token_file;      /* path; NULL: none. Once the file could be read, its token replaces `token` */
    char *namespace_;      /* the namespace of the context or of the pod; NULL: it is not given */
    struct yk_pem_source ca, certificate, key;
    struct yk_exec *exec; /* owned; NULL: there is no plug-in, or a token or certificate is given */
    /* if the CA file is missing or invalid, the certificate authorities of the system are used */
    bool ca_is_optional;
    bool insecure_skip_verify; /* the certificate of the server is not checked */
    bool disable_compression;  /* answers are not compressed */
};

/* Frees the access with all that it owns; secret texts are overwritten first. `access` may be NULL. */
void yk_access_free(struct yk_access *access);
YK_DEFINE_FREEP(yk_access)
/* Sets access->server to a copy of `server` without white space around it and slashes at its end. Errors:
 * YK_ERR_INVALID: `server` is not a plain http:// or https:// URL with a host; access->server does not
 * change. */
YK_NODISCARD enum yk_status yk_access_set_server(struct yk_access *access, struct yk_str server,
                                                 struct yk_err *err);

/*
 * Finds the API server and the credentials, at the first of these places:
 * - the kubeconfig at `kubeconfig_path`, if this path is not NULL or "";
 * - the service account of the pod, if the process runs in a cluster and `context` is NULL;
 * - the kubeconfig at the first path of the list $KUBECONFIG that exists; if no path of the list exists, this
 *   is an error;
 * - the kubeconfig at $HOME/.kube/config, if $KUBECONFIG names no path.
 * `context`: name of a context of the kubeconfig; NULL: its current context. The caller frees `*ret_access`
 * with yk_access_free().
 * Errors: YK_ERR_NOT_FOUND, no API server is configured; those of yk_kubeconfig_load() and
 * yk_in_cluster_access().
 * Source: docs/reference/kubernetes.md, 1.6 (K01, K02).
 */
YK_NODISCARD enum yk_status yk_access_find(const char *kubeconfig_path, const char *context,
                                           struct yk_access **ret_access, struct yk_err *err);

#endif
