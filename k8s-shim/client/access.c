/* SPDX-License-Identifier: Apache-2.0 */
#include "client/access.h"

#include "client/in_cluster.h"
#include "client/kubeconfig.h"

#include <unistd.h>

static void exec_free(struct yk_exec *exec)
{
    if (exec == NULL)
        return;
    for (size_t i = 0; i < exec->argc; i++)
        yk_secret_free(exec->argv[i]);
    for (size_t i = 0; i < exec->env_count; i++) {
        free(exec->env[i].name);
        yk_secret_free(exec->env[i].value);
    }
    free(exec->argv);
    free(exec->env);
    free(exec->command);
    free(exec->install_hint);
    free(exec);
}

void yk_access_free(struct yk_access *access)
{
    if (access == NULL)
        return;
    free(access->source);
    free(access->server);
    free(access->tls_server_name);
    free(access->proxy_url);
    yk_secret_free(access->token);
    free(access->token_file);
    free(access->namespace_);
    free(access->ca.data);
    free(access->ca.file);
    free(access->certificate.data);
    free(access->certificate.file);
    yk_secret_free(access->key.data);
    exec_free(access->exec);
    free(access->key.file);
    free(access);
}

/* Whether the URL has only printable characters, and none that would change its meaning when a path is
 * appended. */
static bool is_plain_url(struct yk_str url)
{
    for (size_t i = 0; i < url.len; i++) {
        if (url.p[i] <= ' ' || url.p[i] >= 0x7f || strchr("?#@\\\"<>", url.p[i]) != NULL)
            return false;
    }
    return true;
}

enum yk_status yk_access_set_server(struct yk_access *access, struct yk_str server, struct yk_err *err)
{
    server = yk_str_trim(server);
    size_t scheme = yk_str_starts(server, "https://") ? 8 : yk_str_starts(server, "http://") ? 7 : 0;
    while (server.len > scheme && server.p[server.len - 1] == '/')
        server.len--;
    if (scheme == 0 || server.len == scheme || server.p[scheme] == '/' || server.p[scheme] == ':' ||
        !is_plain_url(server))
        return yk_fail(err, YK_ERR_INVALID,
                       "server '" YK_STR_FMT "' is not https://host[:port] or http://host[:port]",
                       YK_STR_ARG(server));
    free(access->server);
    access->server = yk_str_dup(server);
    return YK_OK;
}

/* A copy of the first path of a colon-separated list whose file exists, or of the first path if none
 * exists. */
static char *first_existing(const char *list)
{
    struct yk_str rest = yk_str_from(list), part, first = {0};
    while (yk_str_split(&rest, ':', &part)) {
        if (part.len == 0)
            continue;
        char *path = yk_str_dup(part);
        if (access(path, F_OK) == 0)
            return path;
        free(path);
        if (first.p == NULL)
            first = part;
    }
    return first.p != NULL ? yk_str_dup(first) : NULL;
}

static char *default_path(void)
{
    const char *list = getenv("KUBECONFIG"), *home = getenv("HOME");
    char *path = list != NULL ? first_existing(list) : NULL;
    if (path != NULL || home == NULL)
        return path;
    struct yk_buf text = {0};
    yk_buf_printf(&text, "%s/.kube/config", home);
    return yk_buf_take(&text);
}

enum yk_status yk_access_find(const char *kubeconfig_path, const char *context, struct yk_access **ret_access,
                              struct yk_err *err)
{
    if (kubeconfig_path != NULL && kubeconfig_path[0] != '\0')
        return yk_kubeconfig_load(kubeconfig_path, context, ret_access, err);
    if (context == NULL &&
        yk_in_cluster_is(getenv("KUBERNETES_SERVICE_HOST"), getenv("KUBERNETES_SERVICE_PORT")))
        return yk_in_cluster_access(getenv("KUBERNETES_SERVICE_HOST"), getenv("KUBERNETES_SERVICE_PORT"),
                                    YK_SERVICE_ACCOUNT_DIR, ret_access, err);
    YK_CLEANUP(yk_freep) char *path = default_path();
    if (path == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND,
                       "no API server configured: not in a cluster, and neither KUBECONFIG nor HOME is set");
    if (access(path, F_OK) != 0)
        return yk_fail(err, YK_ERR_NOT_FOUND,
                       "no API server configured: not in a cluster, and there is no kubeconfig '%s'; give "
                       "--kubeconfig or KUBECONFIG",
                       path);
    return yk_kubeconfig_load(path, context, ret_access, err);
}
