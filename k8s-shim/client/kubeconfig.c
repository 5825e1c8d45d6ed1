/* SPDX-License-Identifier: Apache-2.0 */
#include "client/kubeconfig.h"

#include "base/yaml_scalar.h"

enum {
    KUBECONFIG_MAX = 4 << 20,
    PEM_MAX = 1 << 20,
    PATH_TEXT_MAX = 4096,
    EXEC_ITEMS_MAX = 256, /* largest number of arguments, and of variables, of a command */
};

static const struct yk_yaml_limits limits = {.nodes = 1000 * 1000, .depth = 500};

/* A mapping of the YAML document, and its name in messages. */
struct place {
    const struct yk_yaml_node *mapping; /* NULL: read like an empty mapping */
    const char *what;                   /* such as "cluster", "user" or "context" */
    struct yk_str name;
};

static bool is_null(const struct yk_yaml_node *node)
{
    return node == NULL || (node->kind == YK_YAML_SCALAR && yk_yaml_scalar_is_null(node));
}

/* Reads a text field. `*ret_text` is absent if the field is missing, null or "". */
static enum yk_status get_text(const struct place *at, const char *key, struct yk_str *ret_text,
                               struct yk_err *err)
{
    const struct yk_yaml_node *node = yk_yaml_get(at->mapping, key);
    *ret_text = (struct yk_str){0};
    if (is_null(node))
        return YK_OK;
    if (node->kind != YK_YAML_SCALAR)
        return yk_fail(err, YK_ERR_INVALID, "%s '" YK_STR_FMT "': %s is not a text", at->what,
                       YK_STR_ARG(at->name), key);
    struct yk_str text = node->u.text;
    if (text.len > 0 && memchr(text.p, '\0', text.len) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s '" YK_STR_FMT "': %s holds a NUL byte", at->what,
                       YK_STR_ARG(at->name), key);
    if (text.len > 0)
        *ret_text = text;
    return YK_OK;
}

static enum yk_status copy_text(const struct place *at, const char *key, char **ret_text, struct yk_err *err)
{
    struct yk_str text;
    enum yk_status st = get_text(at, key, &text, err);
    if (st == YK_OK && text.p != NULL)
        *ret_text = yk_str_dup(text);
    return st;
}

static enum yk_status get_bool(const struct place *at, const char *key, bool *ret_value, struct yk_err *err)
{
    struct yk_str text;
    enum yk_status st = get_text(at, key, &text, err);
    if (st != YK_OK || text.p == NULL)
        return st;
    if (yk_str_to_bool(text, ret_value) != YK_OK)
        return yk_fail(err, YK_ERR_INVALID, "%s '" YK_STR_FMT "': %s is '" YK_STR_FMT "', not true or false",
                       at->what, YK_STR_ARG(at->name), key, YK_STR_ARG(text));
    return YK_OK;
}

static enum yk_status copy_path(const struct place *at, const char *key, const char *directory,
                                char **ret_path, struct yk_err *err)
{
    struct yk_str text;
    enum yk_status st = get_text(at, key, &text, err);
    if (st != YK_OK || text.p == NULL)
        return st;
    struct yk_buf path = {.max = PATH_TEXT_MAX};
    if (text.p[0] != '/') {
        yk_buf_text(&path, directory);
        yk_buf_char(&path, '/');
    }
    yk_buf_str(&path, text);
    if (path.failed) {
        yk_buf_done(&path);
        return yk_fail(err, YK_ERR_LIMIT, "%s '" YK_STR_FMT "': %s is longer than %d bytes", at->what,
                       YK_STR_ARG(at->name), key, PATH_TEXT_MAX);
    }
    *ret_path = yk_buf_take(&path);
    return YK_OK;
}

/* If there is data, the path is ignored. */
static enum yk_status copy_pem(const struct place *at, const char *key, const char *data_key,
                               const char *directory, struct yk_pem_source *ret_pem, struct yk_err *err)
{
    struct yk_str base64;
    enum yk_status st = get_text(at, data_key, &base64, err);
    if (st != YK_OK)
        return st;
    if (base64.p == NULL)
        return copy_path(at, key, directory, &ret_pem->file, err);
    struct yk_buf pem = {.max = PEM_MAX};
    st = yk_base64_decode(base64, &pem, err);
    if (st == YK_OK && (pem.len == 0 || memchr(pem.p, '\0', pem.len) != NULL))
        st = yk_fail(err, YK_ERR_INVALID, "not PEM");
    if (st != YK_OK) {
        yk_buf_done(&pem);
        return yk_fail_in(err, st, "%s '" YK_STR_FMT "': %s", at->what, YK_STR_ARG(at->name), data_key);
    }
    ret_pem->data = yk_buf_take(&pem);
    return YK_OK;
}

static enum yk_status read_cluster(const struct place *at, const char *directory, struct yk_access *access,
                                   struct yk_err *err)
{
    struct yk_str server;
    enum yk_status st = get_text(at, "server", &server, err);
    if (st == YK_OK && server.p == NULL)
        st = yk_fail(err, YK_ERR_INVALID, "cluster '" YK_STR_FMT "' has no server", YK_STR_ARG(at->name));
    if (st != YK_OK)
        return st;
    st = yk_access_set_server(access, server, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "cluster '" YK_STR_FMT "'", YK_STR_ARG(at->name));
    if ((st = copy_text(at, "tls-server-name", &access->tls_server_name, err)) != YK_OK ||
        (st = copy_text(at, "proxy-url", &access->proxy_url, err)) != YK_OK ||
        (st = get_bool(at, "insecure-skip-tls-verify", &access->insecure_skip_verify, err)) != YK_OK ||
        (st = get_bool(at, "disable-compression", &access->disable_compression, err)) != YK_OK ||
        (st = copy_pem(at, "certificate-authority", "certificate-authority-data", directory, &access->ca,
                       err)) != YK_OK)
        return st;
    if (access->insecure_skip_verify && (access->ca.data != NULL || access->ca.file != NULL))
        return yk_fail(err, YK_ERR_INVALID,
                       "cluster '" YK_STR_FMT
                       "': insecure-skip-tls-verify and a certificate authority exclude each other",
                       YK_STR_ARG(at->name));
    if (access->proxy_url != NULL) {
        struct yk_str proxy = yk_str_from(access->proxy_url);
        if (!yk_str_starts(proxy, "http://") && !yk_str_starts(proxy, "https://") &&
            !yk_str_starts(proxy, "socks5://"))
            return yk_fail(err, YK_ERR_INVALID,
                           "cluster '" YK_STR_FMT "': proxy-url is not http://, https:// or socks5://",
                           YK_STR_ARG(at->name));
    }
    return YK_OK;
}

/* Unsupported credentials are an error, because without them the client would act as another user. */
static enum yk_status refuse_unsupported(const struct place *at, struct yk_err *err)
{
    static const char *const never[] = {"auth-provider", "username",  "password",     "as",
                                        "as-uid",        "as-groups", "as-user-extra"};
    for (size_t i = 0; i < YK_COUNT(never); i++) {
        if (!is_null(yk_yaml_get(at->mapping, never[i])))
            return yk_fail(err, YK_ERR_INVALID, "user '" YK_STR_FMT "': %s is not supported yet",
                           YK_STR_ARG(at->name), never[i]);
    }
    return YK_OK;
}

/* ---- exec ---- */

static enum yk_status fail_exec(const struct place *at, const char *what, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_INVALID, "user '" YK_STR_FMT "': exec: %s", YK_STR_ARG(at->name), what);
}

static enum yk_status get_items(const struct place *at, const char *key,
                                const struct yk_yaml_node **ret_sequence, size_t *ret_count,
                                struct yk_err *err)
{
    const struct yk_yaml_node *node = yk_yaml_get(at->mapping, key);
    *ret_sequence = NULL;
    *ret_count = 0;
    if (is_null(node))
        return YK_OK;
    if (node->kind != YK_YAML_SEQUENCE)
        return yk_fail(err, YK_ERR_INVALID, "user '" YK_STR_FMT "': exec: %s is not a list",
                       YK_STR_ARG(at->name), key);
    *ret_sequence = node;
    *ret_count = node->count;
    if (*ret_count > EXEC_ITEMS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "user '" YK_STR_FMT "': exec: %zu %s (at most %d)",
                       YK_STR_ARG(at->name), *ret_count, key, EXEC_ITEMS_MAX);
    return YK_OK;
}

static enum yk_status read_arguments(const struct place *at, struct yk_exec *exec, struct yk_err *err)
{
    const struct yk_yaml_node *list;
    size_t count;
    enum yk_status st = get_items(at, "args", &list, &count, err);
    if (st != YK_OK)
        return st;
    exec->argv = yk_new0_array(char *, count + 2);
    exec->argv[exec->argc++] = yk_strdup(exec->command);
    for (const struct yk_yaml_node *next = count > 0 ? list->u.children.first : NULL; next != NULL;
         next = next->next) {
        const struct yk_yaml_node *item = yk_yaml_behind(next);
        bool is_text = item->kind == YK_YAML_SCALAR;
        struct yk_str text = is_text ? item->u.text : (struct yk_str){0};
        if (!is_text || (text.len > 0 && memchr(text.p, '\0', text.len) != NULL))
            return fail_exec(at, "an argument is not a text", err);
        exec->argv[exec->argc++] = yk_str_dup(text);
    }
    return YK_OK;
}

static enum yk_status read_variables(const struct place *at, struct yk_exec *exec, struct yk_err *err)
{
    const struct yk_yaml_node *list;
    size_t count;
    enum yk_status st = get_items(at, "env", &list, &count, err);
    if (st != YK_OK || count == 0)
        return st;
    exec->env = yk_new0_array(struct yk_exec_variable, count);
    for (const struct yk_yaml_node *item = list->u.children.first; item != NULL; item = item->next) {
        const struct place entry = {yk_yaml_behind(item), "user", at->name};
        struct yk_str name, value;
        if ((st = get_text(&entry, "name", &name, err)) != YK_OK ||
            (st = get_text(&entry, "value", &value, err)) != YK_OK)
            return st;
        if (name.p == NULL || memchr(name.p, '=', name.len) != NULL)
            return fail_exec(at, "a variable of env has no name, or one with '='", err);
        exec->env[exec->env_count++] =
            (struct yk_exec_variable){yk_str_dup(name), value.p != NULL ? yk_str_dup(value) : yk_strdup("")};
    }
    return YK_OK;
}

/* Refuses plug-ins that need a terminal, because this process has none. */
static enum yk_status check_mode(const struct place *at, bool is_v1, struct yk_err *err)
{
    struct yk_str mode;
    enum yk_status st = get_text(at, "interactiveMode", &mode, err);
    if (st != YK_OK)
        return st;
    if (mode.p == NULL)
        return is_v1 ? fail_exec(at, "interactiveMode is required", err) : YK_OK;
    if (yk_str_is(mode, "Always"))
        return fail_exec(at, "interactiveMode Always needs a terminal, which there is none", err);
    if (!yk_str_is(mode, "Never") && !yk_str_is(mode, "IfAvailable"))
        return yk_fail(err, YK_ERR_INVALID, "user '" YK_STR_FMT "': exec: interactiveMode '" YK_STR_FMT "'",
                       YK_STR_ARG(at->name), YK_STR_ARG(mode));
    return YK_OK;
}

static enum yk_status check_api_version(const struct place *at, struct yk_exec *exec, bool *ret_is_v1,
                                        struct yk_err *err)
{
    static const char *const versions[] = {"client.authentication.k8s.io/v1",
                                           "client.authentication.k8s.io/v1beta1"};
    struct yk_str version;
    enum yk_status st = get_text(at, "apiVersion", &version, err);
    if (st != YK_OK)
        return st;
    for (size_t i = 0; i < YK_COUNT(versions); i++) {
        if (!yk_str_is(version, versions[i]))
            continue;
        exec->api_version = versions[i];
        *ret_is_v1 = i == 0;
        return YK_OK;
    }
    return yk_fail(err, YK_ERR_INVALID,
                   "user '" YK_STR_FMT "': exec: apiVersion '" YK_STR_FMT "' is neither %s nor %s",
                   YK_STR_ARG(at->name), YK_STR_ARG(version), versions[0], versions[1]);
}

/* Reads the path of the command. A relative path with a slash starts at the folder of the kubeconfig. A name
 * without a slash stays as it is, because it is looked up in PATH. */
static enum yk_status read_command(const struct place *at, const char *directory, struct yk_exec *exec,
                                   struct yk_err *err)
{
    struct yk_str command;
    enum yk_status st = get_text(at, "command", &command, err);
    if (st != YK_OK)
        return st;
    if (command.p == NULL)
        return fail_exec(at, "there is no command", err);
    if (memchr(command.p, '/', command.len) == NULL) {
        exec->command = yk_str_dup(command);
        return YK_OK;
    }
    return copy_path(at, "command", directory, &exec->command, err);
}

static enum yk_status read_exec(const struct place *user, const char *directory, struct yk_access *access,
                                struct yk_err *err)
{
    const struct yk_yaml_node *mapping = yk_yaml_get(user->mapping, "exec");
    const struct place place = {mapping, "user", user->name}, *at = &place;
    /* freed with `access`, also after an error */
    struct yk_exec *exec = access->exec = yk_new0(struct yk_exec);
    bool is_v1 = false;
    enum yk_status st;
    if (mapping->kind != YK_YAML_MAPPING)
        return fail_exec(user, "not a mapping", err);
    if ((st = check_api_version(at, exec, &is_v1, err)) != YK_OK ||
        (st = check_mode(at, is_v1, err)) != YK_OK ||
        (st = read_command(at, directory, exec, err)) != YK_OK ||
        (st = read_arguments(at, exec, err)) != YK_OK || (st = read_variables(at, exec, err)) != YK_OK ||
        (st = copy_text(at, "installHint", &exec->install_hint, err)) != YK_OK)
        return st;
    return get_bool(at, "provideClusterInfo", &exec->provide_cluster_info, err);
}

static enum yk_status read_user(const struct place *at, const char *directory, struct yk_access *access,
                                struct yk_err *err)
{
    enum yk_status st;
    if ((st = copy_text(at, "token", &access->token, err)) != YK_OK ||
        (st = copy_path(at, "tokenFile", directory, &access->token_file, err)) != YK_OK ||
        (st = copy_pem(at, "client-certificate", "client-certificate-data", directory, &access->certificate,
                       err)) != YK_OK ||
        (st = copy_pem(at, "client-key", "client-key-data", directory, &access->key, err)) != YK_OK)
        return st;
    bool has_certificate = access->certificate.data != NULL || access->certificate.file != NULL;
    bool has_key = access->key.data != NULL || access->key.file != NULL;
    if (has_certificate != has_key)
        return yk_fail(err, YK_ERR_INVALID, "user '" YK_STR_FMT "' has a client %s without a client %s",
                       YK_STR_ARG(at->name), has_key ? "key" : "certificate",
                       has_key ? "certificate" : "key");
    if ((st = refuse_unsupported(at, err)) != YK_OK)
        return st;
    bool has_credential = access->token != NULL || access->token_file != NULL || has_certificate;
    bool has_exec = !is_null(yk_yaml_get(at->mapping, "exec"));
    return has_exec && !has_credential ? read_exec(at, directory, access, err) : YK_OK;
}

static enum yk_status find_entry(const struct yk_yaml_node *root, const char *list, const char *what,
                                 struct yk_str name, struct place *ret_place, struct yk_err *err)
{
    const struct yk_yaml_node *entries = yk_yaml_get(root, list);
    bool is_list = entries != NULL && entries->kind == YK_YAML_SEQUENCE;
    for (const struct yk_yaml_node *item = is_list ? entries->u.children.first : NULL; item != NULL;
         item = item->next) {
        const struct yk_yaml_node *entry = yk_yaml_behind(item), *entry_name = yk_yaml_get(entry, "name");
        if (entry_name == NULL || entry_name->kind != YK_YAML_SCALAR || !yk_str_eq(entry_name->u.text, name))
            continue;
        *ret_place = (struct place){yk_yaml_get(entry, what), what, name};
        return YK_OK;
    }
    return yk_fail(err, YK_ERR_NOT_FOUND, "there is no %s '" YK_STR_FMT "' in %s", what, YK_STR_ARG(name),
                   list);
}

static enum yk_status check_version(const struct place *top, struct yk_err *err)
{
    struct yk_str version, kind;
    enum yk_status st;
    if ((st = get_text(top, "apiVersion", &version, err)) != YK_OK ||
        (st = get_text(top, "kind", &kind, err)) != YK_OK)
        return st;
    /* kind and apiVersion may be missing, as for kubectl. */
    if ((version.p != NULL && !yk_str_is(version, "v1")) || (kind.p != NULL && !yk_str_is(kind, "Config")))
        return yk_fail(err, YK_ERR_INVALID,
                       "apiVersion '" YK_STR_FMT "', kind '" YK_STR_FMT "' is not a v1 Config",
                       YK_STR_ARG(version), YK_STR_ARG(kind));
    return YK_OK;
}

static enum yk_status read_document(const struct yk_yaml_node *root, const char *directory,
                                    const char *wanted, struct yk_access *access, struct yk_err *err)
{
    if (root == NULL || root->kind != YK_YAML_MAPPING)
        return yk_fail(err, YK_ERR_INVALID, "not a mapping");
    struct place top = {root, "kubeconfig", YK_STR("")}, context, cluster, user;
    struct yk_str current, cluster_name, user_name;
    enum yk_status st;
    if ((st = check_version(&top, err)) != YK_OK ||
        (st = get_text(&top, "current-context", &current, err)) != YK_OK)
        return st;
    if (wanted != NULL)
        current = yk_str_from(wanted);
    if (current.p == NULL)
        return yk_fail(err, YK_ERR_INVALID, "current-context is not set");
    if ((st = find_entry(root, "contexts", "context", current, &context, err)) != YK_OK ||
        (st = get_text(&context, "cluster", &cluster_name, err)) != YK_OK ||
        (st = get_text(&context, "user", &user_name, err)) != YK_OK ||
        (st = copy_text(&context, "namespace", &access->namespace_, err)) != YK_OK)
        return st;
    if (cluster_name.p == NULL)
        return yk_fail(err, YK_ERR_INVALID, "context '" YK_STR_FMT "' names no cluster", YK_STR_ARG(current));
    if ((st = find_entry(root, "clusters", "cluster", cluster_name, &cluster, err)) != YK_OK ||
        (st = read_cluster(&cluster, directory, access, err)) != YK_OK)
        return st;
    if (user_name.p == NULL)
        return YK_OK; /* a context without a user has no credentials */
    if ((st = find_entry(root, "users", "user", user_name, &user, err)) != YK_OK)
        return st;
    return read_user(&user, directory, access, err);
}

enum yk_status yk_kubeconfig_parse(struct yk_str text, const char *directory, const char *context,
                                   struct yk_access **ret_access, struct yk_err *err)
{
    YK_CLEANUP(yk_access_freep) struct yk_access *access = yk_new0(struct yk_access);
    YK_CLEANUP(yk_arena_done) struct yk_arena arena = {0};
    struct yk_yaml_node *root = NULL;
    if (text.len > KUBECONFIG_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "longer than %d bytes", KUBECONFIG_MAX);
    enum yk_status st = yk_yaml_parse_all(text, &limits, &arena, &root, err);
    if (st != YK_OK)
        return yk_yaml_fail_by_line(err, st);
    st = read_document(root, directory, context, access, err);
    if (st == YK_OK)
        *ret_access = yk_move(access);
    return st;
}

/* The folder of `path`, which the caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return yk_strdup(".");
    return slash == path ? yk_strdup("/") : yk_strndup(path, (size_t)(slash - path));
}

enum yk_status yk_kubeconfig_load(const char *path, const char *context, struct yk_access **ret_access,
                                  struct yk_err *err)
{
    struct yk_buf text = {.max = KUBECONFIG_MAX};
    YK_CLEANUP(yk_freep) char *directory = folder_of(path);
    struct yk_access *access = NULL;
    enum yk_status st = yk_file_read(path, &text, err);
    bool is_read = st == YK_OK;
    if (is_read)
        st = yk_kubeconfig_parse(yk_buf_view(&text), directory, context, &access, err);
    yk_buf_wipe(&text);
    if (!is_read)
        return yk_fail_in(err, st, "kubeconfig"); /* the error names the file already */
    if (st != YK_OK)
        return yk_fail_in(err, st, "kubeconfig '%s'", path);
    access->source = yk_strdup(path);
    *ret_access = access;
    return YK_OK;
}
