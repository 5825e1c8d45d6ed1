/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/ca_secret.h"

#include <jansson.h>

/* Bytes that the body may have in addition to those of the present Secret: enough for the certificates and
 * keys of new authorities in JSON. */
enum { BODY_EXTRA = 64 << 10 };

static void name_keys(int index, char cert[16], char key[16])
{
    (void)snprintf(cert, 16, "cacert%d.pem", index + 1); /* fits */
    (void)snprintf(key, 16, "cakey%d.pem", index + 1);
}

/* The decoded text of an entry, which the caller frees; NULL: the entry is absent, too long or malformed. */
static char *read_entry(json_t *data, const char *name)
{
    YK_CLEANUP(yk_buf_wipe) struct yk_buf text = {.max = YK_PEM_MAX};
    json_t *value = json_object_get(data, name);
    struct yk_str encoded = {json_string_value(value), json_string_length(value)};
    if (encoded.p == NULL || encoded.len > 2 * YK_PEM_MAX ||
        yk_base64_decode(encoded, &text, NULL) != YK_OK || memchr(yk_buf_cstr(&text), '\0', text.len) != NULL)
        return NULL;
    return yk_strndup(yk_buf_cstr(&text), text.len);
}

static void read_pair(json_t *data, struct yk_ca_pair *ret_pair)
{
    for (int i = 0; i < YK_CA_COUNT; i++) {
        char cert[16], key[16];
        name_keys(i, cert, key);
        ret_pair->ca[i].cert_pem = read_entry(data, cert);
        ret_pair->ca[i].key_pem = read_entry(data, key);
    }
}

static void cleanse_value(json_t *value)
{
    if (json_is_string(value)) /* jansson does not overwrite a string when it frees it */
        explicit_bzero((void *)(uintptr_t)json_string_value(value), json_string_length(value));
}

static void write_entry(json_t *data, const char *name, const char *text)
{
    YK_CLEANUP(yk_buf_wipe) struct yk_buf encoded = {0};
    cleanse_value(json_object_get(data, name));
    yk_base64_encode(yk_str_from(text), &encoded);
    json_object_set_new(data, name, json_string(yk_buf_cstr(&encoded)));
}

static void write_pair(json_t *secret, const struct yk_ca_pair *pair, unsigned renewed)
{
    json_t *data = json_object_get(secret, "data");
    if (!json_is_object(data)) {
        data = json_object();
        json_object_set_new(secret, "data", data);
    }
    for (int i = 0; i < YK_CA_COUNT; i++) {
        char cert[16], key[16];
        if ((renewed & 1u << i) == 0)
            continue;
        name_keys(i, cert, key);
        write_entry(data, cert, pair->ca[i].cert_pem);
        write_entry(data, key, pair->ca[i].key_pem);
    }
}

static void free_secret(json_t **secret)
{
    json_t *data = json_object_get(*secret, "data"), *value;
    const char *name;
    json_object_foreach(data, name, value) cleanse_value(value);
    json_decref(*secret);
}

static int add_bytes(const char *bytes, size_t len, void *context)
{
    yk_buf_add(context, bytes, len);
    return 0;
}

static enum yk_status read_secret(struct yk_str text, json_t **ret_secret, struct yk_err *err)
{
    if (text.len > YK_CA_SECRET_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "Secret '%s': %zu bytes, at most %d are read", YK_CA_SECRET,
                       text.len, YK_CA_SECRET_MAX);
    *ret_secret = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(*ret_secret) && json_is_object(json_object_get(*ret_secret, "metadata")))
        return YK_OK;
    return yk_fail(err, YK_ERR_INVALID, "Secret '%s': the answer is not a Secret", YK_CA_SECRET);
}

enum yk_status yk_ca_secret_plan(struct yk_str current, int64_t now_wall_ns, struct yk_ca_pair *ret_pair,
                                 bool *ret_differs, struct yk_buf *ret_body, struct yk_err *why,
                                 struct yk_err *err)
{
    YK_CLEANUP(free_secret) json_t *secret = NULL;
    YK_CLEANUP(yk_ca_pair_done) struct yk_ca_pair pair = {0};
    unsigned renewed = 0;
    enum yk_status st = read_secret(current, &secret, err);
    if (st != YK_OK)
        return st;
    read_pair(json_object_get(secret, "data"), &pair);
    st = yk_ca_pair_renew(&pair, now_wall_ns, &renewed, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "Secret '%s'", YK_CA_SECRET);
    if (renewed != 0) {
        write_pair(secret, &pair, renewed);
        /* Reserves enough for the whole Secret: a buffer that grows would leave copies of the keys in freed
         * memory. */
        (void)yk_buf_reserve(ret_body, current.len + BODY_EXTRA);
        (void)json_dump_callback(secret, add_bytes, ret_body, JSON_COMPACT); /* `failed` is checked below */
        (void)yk_fail(why, YK_ERR_STATE, "certificate authorities replaced: %s",
                      renewed == 3   ? "1 and 2"
                      : renewed == 1 ? "1"
                                     : "2"); /* the status is not used */
        if (ret_body->failed)
            return yk_fail(err, YK_ERR_LIMIT, "Secret '%s' is too large", YK_CA_SECRET);
    }
    yk_ca_pair_done(ret_pair);
    *ret_pair = pair;
    pair = (struct yk_ca_pair){0};
    *ret_differs = renewed != 0;
    return YK_OK;
}
