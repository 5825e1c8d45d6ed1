/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/cluster_config.h"

#include "base/actor.h"
#include "base/io_loop.h"
#include "client/client.h"
#include "client/url.h"
#include "config/config.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>

#define PATIENCE_NS (15 * YK_NS_PER_S)
enum { LIVE_PATIENCE_MS = 15000, TOKEN_MAX = 64 << 10, ANSWER_MAX = 8 << 20 };

const char *yk_default_namespace(void)
{
    const char *set = getenv("NAMESPACE");
    return set != NULL && set[0] != '\0' ? set : "default";
}

/* ---- ConfigMaps ---- */

struct reading {
    struct yk_actor actor;
    struct yk_io *io;
    struct yk_api_server *api;
    struct yk_timer limit;
    struct yk_op *answers[2]; /* yunikorn-defaults, yunikorn-configs */
    bool too_late;
};

static void answered(struct yk_op *op)
{
    struct reading *reading = op->context;
    reading->answers[strcmp(op->name, YK_CONFIG_MAP_DEFAULTS) == 0 ? 0 : 1] = op;
    if (reading->answers[0] != NULL && reading->answers[1] != NULL)
        yk_actor_stop(&reading->actor);
}

static void out_of_patience(struct yk_timer *timer)
{
    struct reading *reading = YK_CONTAINER(timer, struct reading, limit);
    reading->too_late = true;
    yk_actor_stop(&reading->actor);
}

static void ask_for(struct reading *reading, const char *namespace_, const char *name)
{
    struct yk_op *op =
        yk_op_new(YK_OP_GET_CONFIG_MAP,
                  &(struct yk_op_target){.namespace_ = yk_str_from(namespace_), .name = yk_str_from(name)});
    op->done = answered;
    op->context = reading;
    yk_api_submit(reading->api, op);
}

static enum yk_status set_up(struct reading *reading, const char *kubeconfig, struct yk_err *err)
{
    enum yk_status st = yk_io_new(&reading->io, err);
    if (st != YK_OK)
        return st;
    const struct yk_client_options options = {.io = reading->io,
                                              .inbox = &reading->actor.inbox,
                                              .clock = &yk_clock_real,
                                              .kubeconfig = kubeconfig,
                                              .qps = -1,
                                              .seed = 1};
    return yk_client_new(&options, &reading->api, err);
}

static enum yk_status converse(struct reading *reading, const char *namespace_, struct yk_err *err)
{
    ask_for(reading, namespace_, YK_CONFIG_MAP_DEFAULTS);
    ask_for(reading, namespace_, YK_CONFIG_MAP_CONFIGS);
    reading->limit.fire = out_of_patience;
    yk_timer_arm(&reading->actor.timers, &reading->limit, PATIENCE_NS);
    enum yk_status st = yk_io_run_beside(reading->io, &reading->actor, err);
    yk_timer_cancel(&reading->actor.timers, &reading->limit);
    if (st == YK_OK && reading->too_late)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the cluster did not answer within %d s",
                       (int)(PATIENCE_NS / YK_NS_PER_S));
    return st;
}

/* Sets `*ret` to the ConfigMap of an answer; NULL: the ConfigMap does not exist, which is not an error. */
static enum yk_status config_map_of(const struct yk_op *op, const struct yk_config_map **ret,
                                    struct yk_err *err)
{
    *ret = op->result == YK_OP_OK ? yk_config_map_of(op->object) : NULL;
    if (op->result == YK_OP_OK || op->result == YK_OP_NOT_FOUND)
        return YK_OK;
    return yk_fail(err, YK_ERR_UNAVAILABLE, "ConfigMap %s/%s: %s", op->namespace_, op->name,
                   yk_op_reason(op));
}

static enum yk_status read_answers(const struct reading *reading, struct yk_effective_config *ret,
                                   struct yk_err *err)
{
    const struct yk_config_map *defaults, *configs;
    enum yk_status st = config_map_of(reading->answers[0], &defaults, err);
    if (st == YK_OK)
        st = config_map_of(reading->answers[1], &configs, err);
    if (st == YK_OK)
        yk_effective_config_merge(defaults, configs, ret);
    return st;
}

enum yk_status yk_cluster_config_read(const char *kubeconfig, const char *namespace_,
                                      struct yk_effective_config *ret, struct yk_err *err)
{
    struct reading reading = {.too_late = false};
    yk_actor_init(&reading.actor, &yk_clock_real, 16);
    enum yk_status st = set_up(&reading, kubeconfig, err);
    if (st == YK_OK)
        st = converse(&reading, namespace_, err);
    if (st == YK_OK)
        st = read_answers(&reading, ret, err);
    if (st == YK_OK && ret->queues.len == 0)
        (void)fprintf(stderr,
                      "note: no ConfigMap of namespace '%s' has queues, so the built-in queues are used\n",
                      namespace_);
    yk_client_free(reading.api);
    yk_op_free(reading.answers[0]);
    yk_op_free(reading.answers[1]);
    yk_actor_done(&reading.actor);
    yk_io_free(reading.io);
    return st;
}

/* ---- REST ---- */

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct yk_buf *body = context;
    yk_buf_add(body, bytes, size * count);
    return body->failed ? 0 : size * count;
}

struct yk_str yk_live_config_queues(struct yk_str body)
{
    static const char mark[] = "\nchecksum:";
    const char *end = body.len > 0 ? memmem(body.p, body.len, mark, strlen(mark)) : NULL;
    return end == NULL ? body : (struct yk_str){body.p, (size_t)(end - body.p) + 1};
}

/* Adds the header with the bearer token from the file. The transfers below follow no redirects, so only the
 * named host gets the token. */
static enum yk_status add_token(const char *url, const char *file, struct curl_slist **headers,
                                struct yk_err *err)
{
    YK_CLEANUP(yk_buf_wipe) struct yk_buf token = {.max = TOKEN_MAX}, header = {.max = TOKEN_MAX + 64};
    if (!yk_url_may_have_token(url))
        return yk_fail(err, YK_ERR_INVALID, "a token is not sent to '%s', which is not encrypted", url);
    enum yk_status st = yk_file_read(file, &token, err);
    if (st != YK_OK)
        return st;
    struct yk_str text = yk_str_trim(yk_buf_view(&token));
    if (text.len == 0 || memchr(text.p, '\n', text.len) != NULL || memchr(text.p, '\0', text.len) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s: not a token on one line", file);
    yk_buf_text(&header, "Authorization: Bearer ");
    yk_buf_str(&header, text);
    *headers = curl_slist_append(*headers, yk_buf_cstr(&header));
    return YK_OK;
}

static void set_access(CURL *curl, const struct yk_live_access *access, struct curl_slist *headers)
{
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (access->ca_file != NULL)
        curl_easy_setopt(curl, CURLOPT_CAINFO, access->ca_file);
    if (access->skip_tls_verify) {
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

/* Sets `*ret_code` to the HTTP status. Errors: YK_ERR_UNAVAILABLE, there is no complete answer. */
static enum yk_status exchange(CURL *curl, const char *url, struct yk_buf *body, long *ret_code,
                               struct yk_err *err)
{
    char why[CURL_ERROR_SIZE] = "";
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)LIVE_PATIENCE_MS);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
    CURLcode result = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, ret_code);
    if (result != CURLE_OK)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "%s: %s", url,
                       why[0] != '\0' ? why : curl_easy_strerror(result));
    return YK_OK;
}

static enum yk_status fetch(CURL *curl, const char *url, struct yk_buf *body, struct yk_err *err)
{
    long code = 0;
    enum yk_status st = exchange(curl, url, body, &code, err);
    if (st == YK_OK && code != 200)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "%s: status %ld", url, code);
    return st;
}

static void put_address(const char *url, const char *path, struct yk_buf *ret_address)
{
    size_t len = strlen(url);
    while (len > 0 && url[len - 1] == '/')
        len--;
    yk_buf_add(ret_address, url, len);
    yk_buf_text(ret_address, path);
}

enum yk_status yk_live_config_read(const char *url, const struct yk_live_access *access,
                                   struct yk_buf *ret_text, struct yk_err *err)
{
    struct curl_slist *headers = NULL;
    YK_CLEANUP(yk_buf_done) struct yk_buf address = {.max = 4096}, body = {.max = YK_CONFIG_BYTES_MAX};
    put_address(url, "/ws/v1/config", &address);
    CURL *curl = curl_easy_init();
    if (curl == NULL)
        return yk_fail(err, YK_ERR_IO, "no memory for a connection");
    enum yk_status st =
        access->token_file != NULL ? add_token(url, access->token_file, &headers, err) : YK_OK;
    set_access(curl, access, headers);
    if (st == YK_OK)
        st = fetch(curl, yk_buf_cstr(&address), &body, err);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    if (st == YK_OK)
        yk_buf_str(ret_text, yk_live_config_queues(yk_buf_view(&body)));
    return st;
}

/* ---- what-if questions ---- */

/* The body of an error usually has a member "Message" (REST) or "message" (API server). */
static enum yk_status fail_refused(const struct yk_buf *body, long code, struct yk_err *err)
{
    json_t *tree = json_loadb(yk_buf_cstr(body), body->len, 0, NULL);
    const char *text = json_string_value(json_object_get(tree, "Message"));
    if (text == NULL)
        text = json_string_value(json_object_get(tree, "message"));
    enum yk_status st = code == 503 ? YK_ERR_STATE : YK_ERR_INVALID;
    if (text != NULL)
        st = yk_fail(err, st, "%s", text);
    else
        st = yk_fail(err, st, "status %ld", code);
    json_decref(tree);
    return st;
}

enum yk_status yk_live_whatif(const char *url, const struct yk_live_access *access, struct yk_str question,
                              struct yk_buf *ret_answer, struct yk_err *err)
{
    struct curl_slist *headers = NULL;
    long code = 0;
    YK_CLEANUP(yk_buf_done) struct yk_buf address = {.max = 4096}, body = {.max = ANSWER_MAX};
    put_address(url, "/ws/v1/whatif", &address);
    CURL *curl = curl_easy_init();
    if (curl == NULL)
        return yk_fail(err, YK_ERR_IO, "no memory for a connection");
    enum yk_status st =
        access->token_file != NULL ? add_token(url, access->token_file, &headers, err) : YK_OK;
    headers = curl_slist_append(headers, "Content-Type: application/yaml");
    /* The body is sent at once, without waiting for a 100. */
    headers = curl_slist_append(headers, "Expect:");
    set_access(curl, access, headers);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, question.p != NULL ? question.p : "");
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)question.len);
    if (st == YK_OK)
        st = exchange(curl, yk_buf_cstr(&address), &body, &code, err);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    if (st == YK_OK && code != 200)
        return fail_refused(&body, code, err);
    if (st == YK_OK)
        yk_buf_str(ret_answer, yk_buf_view(&body));
    return st;
}
