/* SPDX-License-Identifier: Apache-2.0 */
#include "client/in_cluster.h"
#include "client/kubeconfig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/write_file.h"

#define HEAD(cluster, user)                                                                                  \
    "apiVersion: v1\nkind: Config\ncurrent-context: c\n"                                                     \
    "contexts: [{name: other, context: {cluster: x}}, {name: c, context: {cluster: k, user: u, namespace: "  \
    "n}}]\n"                                                                                                 \
    "clusters: [{name: k, cluster: {" cluster "}}]\nusers: [{name: u, user: {" user "}}]\n"
#define SERVER "server: 'https://h:6443/'"

static bool same(const char *got, const char *want)
{
    return want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0;
}

static void accepted_fields(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        struct yk_access want;
    } cases[] = {
        {"a token",
         HEAD(SERVER, "token: t"),
         {.server = (char *)(uintptr_t) "https://h:6443", .token = (char *)(uintptr_t) "t"}},
        {"a relative token file beside a token",
         HEAD(SERVER, "token: t, tokenFile: sub/tok"),
         {.server = (char *)(uintptr_t) "https://h:6443",
          .token = (char *)(uintptr_t) "t",
          .token_file = (char *)(uintptr_t) "/dir/sub/tok"}},
        {"files, one of them absolute",
         HEAD(SERVER ", certificate-authority: ca.crt", "client-certificate: /abs/c.crt, client-key: c.key"),
         {.server = (char *)(uintptr_t) "https://h:6443",
          .ca = {.file = (char *)(uintptr_t) "/dir/ca.crt"},
          .certificate = {.file = (char *)(uintptr_t) "/abs/c.crt"},
          .key = {.file = (char *)(uintptr_t) "/dir/c.key"}}},
        {"data wins over a file",
         HEAD(SERVER ", certificate-authority: ca.crt, certificate-authority-data: cGVt", "token: t"),
         {.server = (char *)(uintptr_t) "https://h:6443",
          .token = (char *)(uintptr_t) "t",
          .ca = {.data = (char *)(uintptr_t) "pem"}}},
        {"a name for TLS, a proxy, no compression",
         HEAD(SERVER ", tls-server-name: s, proxy-url: 'socks5://p:1', disable-compression: true",
              "token: t"),
         {.server = (char *)(uintptr_t) "https://h:6443",
          .token = (char *)(uintptr_t) "t",
          .tls_server_name = (char *)(uintptr_t) "s",
          .proxy_url = (char *)(uintptr_t) "socks5://p:1",
          .disable_compression = true}},
        {"no verification",
         HEAD("server: 'https://[::1]:1', insecure-skip-tls-verify: true", ""),
         {.server = (char *)(uintptr_t) "https://[::1]:1", .insecure_skip_verify = true}},
        {"exec beside a token is not needed",
         HEAD(SERVER, "token: t, exec: {command: x}"),
         {.server = (char *)(uintptr_t) "https://h:6443", .token = (char *)(uintptr_t) "t"}},
        {"JSON",
         "{\"current-context\":\"c\",\"contexts\":[{\"name\":\"c\",\"context\":{\"cluster\":\"k\","
         "\"namespace\":\"n\"}}],"
         "\"clusters\":[{\"name\":\"k\",\"cluster\":{\"server\":\"http://h\",\"proxy-url\":null}}]}",
         {.server = (char *)(uintptr_t) "http://h"}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        YK_CLEANUP(yk_access_freep) struct yk_access *got = NULL;
        const struct yk_access *want = &cases[i].want;
        if (yk_kubeconfig_parse(yk_str_from(cases[i].text), "/dir", NULL, &got, &err) != YK_OK)
            fail_msg("%s: %s", cases[i].what, err.text);
        bool ok = same(got->server, want->server) && same(got->token, want->token) &&
                  same(got->token_file, want->token_file) && same(got->ca.file, want->ca.file) &&
                  same(got->ca.data, want->ca.data) && same(got->certificate.file, want->certificate.file) &&
                  same(got->key.file, want->key.file) && same(got->tls_server_name, want->tls_server_name) &&
                  same(got->proxy_url, want->proxy_url) && same(got->namespace_, "n") &&
                  got->insecure_skip_verify == want->insecure_skip_verify &&
                  got->disable_compression == want->disable_compression;
        if (!ok)
            fail_msg("%s: some field is not what it should be", cases[i].what);
    }
}

#define V1 "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never"

/* K03 */
static void a_credential_plugin(void **state)
{
    (void)state;
    struct yk_err err = {0};
    YK_CLEANUP(yk_access_freep) struct yk_access *got = NULL;
    assert_int_equal(yk_kubeconfig_parse(
                         YK_STR(HEAD(SERVER, "exec: {command: bin/who, args: [get, token], env: [{name: A, "
                                             "value: b}, {name: C}], provideClusterInfo: true, "
                                             "installHint: 'look here', " V1 "}")),
                         "/dir", NULL, &got, &err),
                     YK_OK);
    const struct yk_exec *exec = got->exec;
    assert_non_null(exec);
    assert_string_equal(exec->command, "/dir/bin/who");
    assert_int_equal(exec->argc, 3);
    assert_string_equal(exec->argv[0], "/dir/bin/who");
    assert_string_equal(exec->argv[2], "token");
    assert_null(exec->argv[3]);
    assert_int_equal(exec->env_count, 2);
    assert_string_equal(exec->env[0].value, "b");
    assert_string_equal(exec->env[1].value, "");
    assert_string_equal(exec->install_hint, "look here");
    assert_string_equal(exec->api_version, "client.authentication.k8s.io/v1");
    assert_true(exec->provide_cluster_info);
    yk_access_free(got);
    got = NULL;
    assert_int_equal(
        yk_kubeconfig_parse(
            YK_STR(HEAD(SERVER, "exec: {command: who, apiVersion: client.authentication.k8s.io/v1beta1}")),
            "/dir", NULL, &got, &err),
        YK_OK);
    assert_string_equal(got->exec->command, "who"); /* of PATH */
    assert_false(got->exec->provide_cluster_info);
}

static void refused_files(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *says;
    } cases[] = {
        {"not YAML", "a: [", "line 2: did not find"},
        {"a list", "[]", "not a mapping"},
        {"nothing", "", "not a mapping"},
        {"no current context", "contexts: []", "current-context is not set"},
        {"context missing", "current-context: c", "there is no context 'c'"},
        {"cluster missing", "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]",
         "there is no cluster 'k'"},
        {"no server", HEAD("", "token: t"), "cluster 'k' has no server"},
        {"a server without scheme", HEAD("server: 'h:6443'", "token: t"), "'h:6443'"},
        {"another scheme", HEAD("server: 'ftp://h'", "token: t"), "'ftp://h'"},
        {"a server with user and password", HEAD("server: 'https://u:p@h'", "token: t"), "is not https://"},
        {"another version", "apiVersion: v2\nkind: Config\ncurrent-context: c", "apiVersion 'v2'"},
        {"unverified, yet with a CA",
         HEAD(SERVER ", insecure-skip-tls-verify: true, certificate-authority: x", ""), "exclude each other"},
        {"no boolean", HEAD(SERVER ", insecure-skip-tls-verify: maybe", ""), "'maybe'"},
        {"not base64", HEAD(SERVER ", certificate-authority-data: '!!'", ""), "certificate-authority-data"},
        {"a key without a certificate", HEAD(SERVER, "client-key: k"), "without a client certificate"},
        {"a text that is a list", HEAD(SERVER, "token: [t]"), "user 'u': token is not a text"},
        {"exec that is no mapping", HEAD(SERVER, "exec: x"), "exec: not a mapping"},
        {"exec without a version", HEAD(SERVER, "exec: {command: x}"), "exec: apiVersion '' is neither"},
        {"exec of an old version",
         HEAD(SERVER, "exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}"),
         "exec: apiVersion 'client.authentication.k8s.io/v1alpha1' is neither"},
        {"exec without a command", HEAD(SERVER, "exec: {" V1 "}"), "exec: there is no command"},
        {"v1 wants to know about terminals",
         HEAD(SERVER, "exec: {command: x, apiVersion: client.authentication.k8s.io/v1}"),
         "interactiveMode is required"},
        {"a terminal that is not there",
         HEAD(SERVER, "exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1, "
                      "interactiveMode: Always}"),
         "Always needs a terminal"},
        {"another mode",
         HEAD(SERVER, "exec: {command: x, apiVersion: client.authentication.k8s.io/v1beta1, "
                      "interactiveMode: Sometimes}"),
         "interactiveMode 'Sometimes'"},
        {"arguments that are no list", HEAD(SERVER, "exec: {command: x, args: y, " V1 "}"),
         "args is not a list"},
        {"an argument that is no text", HEAD(SERVER, "exec: {command: x, args: [[y]], " V1 "}"),
         "an argument is not a text"},
        {"a variable without a name", HEAD(SERVER, "exec: {command: x, env: [{value: y}], " V1 "}"),
         "a variable of env has no name"},
        {"a variable with '='", HEAD(SERVER, "exec: {command: x, env: [{name: 'a=b'}], " V1 "}"),
         "a variable of env has no name"},
        {"auth-provider", HEAD(SERVER, "auth-provider: {name: x}"), "auth-provider is not supported yet"},
        {"user and password", HEAD(SERVER, "username: a, password: b"), "username is not supported yet"},
        {"impersonation", HEAD(SERVER, "token: t, as: root"), "as is not supported yet"},
        {"a proxy of an unknown kind", HEAD(SERVER ", proxy-url: 'gopher://p'", "token: t"), "proxy-url"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        struct yk_access *got = NULL;
        enum yk_status st = yk_kubeconfig_parse(yk_str_from(cases[i].text), "/dir", NULL, &got, &err);
        if (st == YK_OK || got != NULL || strstr(err.text, cases[i].says) == NULL)
            fail_msg("%s: status %d, '%s'", cases[i].what, st, err.text);
    }
}

static void where_it_is_looked_for(void **state)
{
    (void)state;
    char folder[] = "/tmp/yk-kubeconfig-XXXXXX", path[64], list[192];
    struct yk_err err = {0};
    struct yk_access *got = NULL;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof(path), "%s/config", folder);
    write_file(path, HEAD(SERVER, "tokenFile: tok"));
    (void)snprintf(list, sizeof(list), ":%s/missing:%s:%s/other", folder, path, folder);
    (void)unsetenv("KUBERNETES_SERVICE_HOST");
    (void)setenv("KUBECONFIG", list, 1);
    assert_int_equal(yk_access_find(NULL, NULL, &got, &err), YK_OK);
    assert_string_equal(got->source, path);
    assert_memory_equal(got->token_file, folder, strlen(folder));
    yk_access_free(got);

    got = NULL;
    (void)setenv("KUBECONFIG", "/nonexistent/config", 1);
    assert_int_equal(yk_access_find(NULL, NULL, &got, &err), YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "no kubeconfig '/nonexistent/config'; give --kubeconfig or KUBECONFIG"));
    assert_int_equal(yk_access_find("/nonexistent/other", NULL, &got, &err), YK_ERR_NOT_FOUND);
    assert_string_equal(err.text, "kubeconfig: cannot open '/nonexistent/other': No such file or directory");

    (void)setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1); /* in a cluster: no other place is looked at */
    (void)setenv("KUBERNETES_SERVICE_PORT", "443", 1);
    (void)setenv("KUBECONFIG", path, 1);
    assert_int_not_equal(yk_access_find(NULL, NULL, &got, &err), YK_OK);
    assert_memory_equal(err.text, "in-cluster", 10);
    (void)unsetenv("KUBERNETES_SERVICE_HOST");
    (void)unlink(path);
    (void)rmdir(folder);
}

static void in_cluster(void **state)
{
    (void)state;
    char folder[] = "/tmp/yk-account-XXXXXX", token[64], namespace_[64];
    struct yk_err err = {0};
    struct yk_access *got = NULL;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(token, sizeof(token), "%s/token", folder);
    (void)snprintf(namespace_, sizeof(namespace_), "%s/namespace", folder);
    assert_false(yk_in_cluster_is("", "443"));
    assert_false(yk_in_cluster_is("h", NULL));
    assert_int_equal(yk_in_cluster_access("fd00::1", "6443", folder, &got, &err), YK_ERR_NOT_FOUND);
    write_file(token, " \n");
    assert_int_equal(yk_in_cluster_access("fd00::1", "6443", folder, &got, &err), YK_ERR_INVALID);
    write_file(token, "t\n");
    write_file(namespace_, "yunikorn\n");
    assert_int_equal(yk_in_cluster_access("fd00::1", "6443", folder, &got, &err), YK_OK);
    assert_string_equal(got->server, "https://[fd00::1]:6443");
    assert_string_equal(got->namespace_, "yunikorn");
    assert_string_equal(got->token_file, token);
    assert_true(got->ca_is_optional);
    yk_access_free(got);
    (void)unlink(token);
    (void)unlink(namespace_);
    (void)rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_fields),     cmocka_unit_test(refused_files),
        cmocka_unit_test(a_credential_plugin), cmocka_unit_test(where_it_is_looked_for),
        cmocka_unit_test(in_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
