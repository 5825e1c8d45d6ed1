/* SPDX-License-Identifier: Apache-2.0 */
#include "client/in_cluster.h"

enum { NAMESPACE_MAX = 1024, TOKEN_MAX = 1 << 20 };

bool yk_in_cluster_is(const char *host, const char *port)
{
    return host != NULL && host[0] != '\0' && port != NULL && port[0] != '\0';
}

static char *path_in(const char *directory, const char *name)
{
    struct yk_buf path = {0};
    yk_buf_printf(&path, "%s/%s", directory, name);
    return yk_buf_take(&path);
}

/* The namespace of the pod, which the caller frees. NULL: it cannot be read, or is empty. */
static char *read_namespace(const char *directory)
{
    YK_CLEANUP(yk_freep) char *path = path_in(directory, "namespace");
    struct yk_buf text = {.max = NAMESPACE_MAX};
    char *name = NULL;
    if (yk_file_read(path, &text, NULL) == YK_OK && yk_str_trim(yk_buf_view(&text)).len > 0)
        name = yk_str_dup(yk_str_trim(yk_buf_view(&text)));
    yk_buf_done(&text);
    return name;
}

static enum yk_status check_token(const char *path, struct yk_err *err)
{
    struct yk_buf token = {.max = TOKEN_MAX};
    enum yk_status st = yk_file_read(path, &token, err);
    if (st == YK_OK && yk_str_trim(yk_buf_view(&token)).len == 0)
        st = yk_fail(err, YK_ERR_INVALID, "'%s' is empty", path);
    yk_buf_wipe(&token);
    return st;
}

enum yk_status yk_in_cluster_access(const char *host, const char *port, const char *directory,
                                    struct yk_access **ret_access, struct yk_err *err)
{
    YK_CLEANUP(yk_access_freep) struct yk_access *access = yk_new0(struct yk_access);
    access->source = yk_strdup("in-cluster");
    struct yk_buf url = {.max = 4096};
    bool is_ipv6 = strchr(host, ':') != NULL;
    yk_buf_printf(&url, is_ipv6 ? "https://[%s]:%s" : "https://%s:%s", host, port);
    enum yk_status st = url.failed ? yk_fail(err, YK_ERR_LIMIT, "KUBERNETES_SERVICE_HOST is too long")
                                   : yk_access_set_server(access, yk_buf_view(&url), err);
    yk_buf_done(&url);
    if (st != YK_OK)
        return yk_fail_in(err, st, "in-cluster configuration");

    access->token_file = path_in(directory, "token");
    access->ca.file = path_in(directory, "ca.crt");
    access->ca_is_optional = true;
    access->namespace_ = read_namespace(directory);
    st = check_token(access->token_file, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "in-cluster configuration");
    *ret_access = yk_move(access);
    return YK_OK;
}
