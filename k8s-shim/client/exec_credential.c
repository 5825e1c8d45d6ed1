/* SPDX-License-Identifier: Apache-2.0 */
#include "client/exec_credential.h"

#include "base/clock.h"
#include "base/json_writer.h"

#include <jansson.h>
#include <openssl/evp.h>

enum { CA_MAX = 4 << 20 };

void yk_credential_done(struct yk_credential *credential)
{
    yk_secret_free(credential->token);
    free(credential->certificate);
    yk_secret_free(credential->key);
    *credential = (struct yk_credential){0};
}

/* ---- input of the plug-in ---- */

static void add_if(struct yk_json *json, const char *key, const char *text)
{
    if (text != NULL)
        yk_json_add_text(json, key, text);
}

static void add_ca(struct yk_json *json, struct yk_str ca)
{
    if (yk_str_empty(ca) || ca.len > CA_MAX)
        return;
    char *base64 = yk_alloc0((ca.len + 2) / 3 * 4 + 1);
    (void)EVP_EncodeBlock((unsigned char *)base64, (const unsigned char *)ca.p, (int)ca.len); /* terminated */
    yk_json_add_text(json, "certificate-authority-data", base64);
    free(base64);
}

static void add_cluster(struct yk_json *json, const struct yk_access *access, struct yk_str ca)
{
    yk_json_key(json, "cluster");
    yk_json_object_begin(json);
    yk_json_add_text(json, "server", access->server);
    add_if(json, "tls-server-name", access->tls_server_name);
    if (access->insecure_skip_verify)
        yk_json_add_bool(json, "insecure-skip-tls-verify", true);
    add_ca(json, ca);
    add_if(json, "proxy-url", access->proxy_url);
    if (access->disable_compression)
        yk_json_add_bool(json, "disable-compression", true);
    yk_json_object_end(json);
}

void yk_exec_info_write(const struct yk_access *access, struct yk_str ca, struct yk_buf *out)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, out);
    yk_json_object_begin(json);
    yk_json_add_text(json, "apiVersion", access->exec->api_version);
    yk_json_add_text(json, "kind", "ExecCredential");
    yk_json_key(json, "spec");
    yk_json_object_begin(json);
    if (access->exec->provide_cluster_info)
        add_cluster(json, access, ca);
    yk_json_add_bool(json, "interactive", false); /* there is no terminal */
    yk_json_object_end(json);
    yk_json_object_end(json);
}

/* ---- answer of the plug-in ---- */

/* Copies a text of the answer to `*ret_text`, which does not change if the text is missing or "". */
static enum yk_status take_text(const json_t *object, const char *key, char **ret_text, struct yk_err *err)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value))
        return YK_OK;
    if (!json_is_string(value))
        return yk_fail(err, YK_ERR_INVALID, "status.%s is not a text", key);
    if (json_string_length(value) > 0)
        *ret_text = yk_strdup(json_string_value(value)); /* the JSON parser refuses NUL in texts */
    return YK_OK;
}

static enum yk_status take_expiry(const json_t *status, int64_t *ret_wall_ns, struct yk_err *err)
{
    const json_t *value = json_object_get(status, "expirationTimestamp");
    *ret_wall_ns = INT64_MAX;
    if (value == NULL || json_is_null(value))
        return YK_OK;
    if (!json_is_string(value) || yk_time_parse(yk_str_from(json_string_value(value)), ret_wall_ns) != YK_OK)
        return yk_fail(err, YK_ERR_INVALID, "status.expirationTimestamp is not a time");
    return YK_OK;
}

static bool has_text(const json_t *object, const char *key, const char *want)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && strcmp(text, want) == 0;
}

static enum yk_status read_answer(const json_t *root, const char *api_version, struct yk_credential *ret,
                                  struct yk_err *err)
{
    if (!has_text(root, "kind", "ExecCredential"))
        return yk_fail(err, YK_ERR_INVALID, "the answer is not an ExecCredential");
    if (!has_text(root, "apiVersion", api_version))
        return yk_fail(err, YK_ERR_INVALID, "the answer is not of the version %s", api_version);
    const json_t *status = json_object_get(root, "status");
    enum yk_status st;
    if ((st = take_text(status, "token", &ret->token, err)) != YK_OK ||
        (st = take_text(status, "clientCertificateData", &ret->certificate, err)) != YK_OK ||
        (st = take_text(status, "clientKeyData", &ret->key, err)) != YK_OK ||
        (st = take_expiry(status, &ret->expires_wall_ns, err)) != YK_OK)
        return st;
    if ((ret->certificate == NULL) != (ret->key == NULL))
        return yk_fail(err, YK_ERR_INVALID, "the answer has a client %s without a client %s",
                       ret->key == NULL ? "certificate" : "key", ret->key == NULL ? "key" : "certificate");
    if (ret->token == NULL && ret->certificate == NULL)
        return yk_fail(err, YK_ERR_INVALID, "the answer has neither a token nor a client certificate");
    return YK_OK;
}

enum yk_status yk_exec_answer_read(struct yk_str text, const char *api_version,
                                   struct yk_credential *ret_credential, struct yk_err *err)
{
    struct yk_credential credential = {0};
    json_t *root = json_loadb(text.p != NULL ? text.p : "", text.len, JSON_REJECT_DUPLICATES, NULL);
    enum yk_status st = json_is_object(root)
                            ? read_answer(root, api_version, &credential, err)
                            : yk_fail(err, YK_ERR_INVALID, "the answer is not a JSON object");
    json_decref(root);
    if (st == YK_OK)
        *ret_credential = credential;
    else
        yk_credential_done(&credential);
    return st;
}
