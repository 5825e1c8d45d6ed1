/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_link.h"

#include "base/io_loop.h"
#include "client/transport.h"
#include "client/url.h"
#include "cmd/kubectl_forward.h"

#include <event2/event.h>

enum {
    FORWARD_PATIENCE_MS = 30 * 1000,
    TOKEN_SECONDS = 600, /* the shortest life of a token that API servers grant */
    TOKEN_ANSWER_MAX = 256 << 10,
    STATUS_UNREACHED = 0,
};

static const int64_t patience_ns = 30 * YK_NS_PER_S;
/* Name of the port of the Service. Users can change the number of the port. */
static const char port_name[] = "yunikorn-core";
/* How libcurl's sentence for CURLE_SSL_CONNECT_ERROR begins. */
static const char handshake_failed[] = "SSL connect error";

/* A server, and the credentials for it. */
struct endpoint {
    /* Owned; NULL: not opened. */
    struct yk_identity *identity;
    struct yk_transport *transport;
};

enum way { WAY_AUTO, WAY_PROXY, WAY_FORWARD, WAY_DIRECT };

struct yk_ctl_link {
    const struct yk_ctl_flags *flags;
    struct yk_io *io;
    bool owns_io;
    struct yk_io_timers timers;
    struct endpoint cluster, scheduler;
    enum way way;
    struct yk_forward *forward;
    bool proxy_is_encrypted;
};

/* ---- one request ---- */

struct exchange {
    struct yk_ctl_link *link;
    const struct yk_ctl_request *request;
    struct yk_buf *body;
    bool is_done;          /* the answer has ended */
    bool is_too_large;     /* the body is longer than body->max */
    bool is_enough;        /* the sink has ended the request */
    int http_status;       /* STATUS_UNREACHED: there is no answer */
    struct yk_buf refusal; /* the body of an answer that is not 2xx */
    struct yk_err trouble; /* why there is no answer, or only a part of it */
};

static enum yk_chunk take_bytes(struct yk_transfer *transfer, struct yk_str bytes, void *context)
{
    (void)transfer;
    struct exchange *exchange = context;
    if (exchange->request->sink != NULL) {
        exchange->is_enough = bytes.len > 0 && !exchange->request->sink(exchange->request->context, bytes);
        return exchange->is_enough ? YK_CHUNK_STOP : YK_CHUNK_GO_ON;
    }
    yk_buf_str(exchange->body, bytes);
    exchange->is_too_large = exchange->body->failed;
    return exchange->is_too_large ? YK_CHUNK_STOP : YK_CHUNK_GO_ON;
}

static void ended(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    (void)transfer;
    struct exchange *exchange = context;
    exchange->is_done = true;
    exchange->http_status = answer->http_status;
    exchange->trouble = answer->error;
    if (answer->http_status != 0 && (answer->http_status < 200 || answer->http_status > 299))
        yk_buf_str(&exchange->refusal, answer->body);
    event_base_loopbreak(yk_io_base(exchange->link->io));
}

static void exchange_run(struct exchange *exchange, struct endpoint *endpoint, const char *path)
{
    const struct yk_ctl_request *request = exchange->request;
    bool has_body = request->body.p != NULL;
    const struct yk_k8s_request wire = {
        .lane = YK_LANE_STREAMS,
        .method = request->method,
        .path = path,
        .accept = request->accept != NULL ? request->accept : "application/json",
        .content_type = !has_body                    ? NULL
                        : request->body_type != NULL ? request->body_type
                                                     : "application/json",
        .body = request->body,
        .compressed = !request->is_endless,
        .timeout_ns = request->is_endless ? 0 : patience_ns,
        .on_data = take_bytes,
        .on_done = ended,
        .context = exchange,
    };
    exchange->is_done = exchange->is_too_large = exchange->is_enough = false;
    exchange->http_status = STATUS_UNREACHED;
    exchange->trouble = (struct yk_err){0};
    yk_buf_clear(&exchange->refusal);
    if (exchange->body != NULL)
        yk_buf_clear(exchange->body);
    (void)yk_transport_start(endpoint->transport, &wire); /* ended() is called on success and on failure */
    while (!exchange->is_done)
        event_base_loop(yk_io_base(exchange->link->io), EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY);
}

/* ---- errors ---- */

/* Appends the message in the body of a refusal, if there is one, and says whether the API server, not the
 * scheduler, sent the body. */
static void read_refusal(const struct exchange *exchange, struct yk_buf *ret_text, bool *ret_is_api_server)
{
    const char *bytes = yk_buf_cstr(&exchange->refusal);
    json_t *tree = json_loadb(bytes, exchange->refusal.len, 0, NULL);
    const char *kind = json_string_value(json_object_get(tree, "kind"));
    const char *message = json_string_value(json_object_get(tree, "message"));
    *ret_is_api_server = kind != NULL && strcmp(kind, "Status") == 0;
    if (message != NULL)
        yk_buf_line(ret_text, yk_str_from(message));
    json_decref(tree);
}

static bool is_scheduler_401(const struct exchange *exchange)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    bool is_api_server;
    read_refusal(exchange, &text, &is_api_server);
    return exchange->http_status == 401 && !is_api_server;
}

/* Whether the answer has the status `status` and comes from the API server, not from the scheduler behind its
 * proxy. */
static bool proxy_answers(const struct exchange *exchange, int status)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    bool is_api_server;
    read_refusal(exchange, &text, &is_api_server);
    return exchange->http_status == status && is_api_server;
}

/* The role of the chart that permits the request. NULL: ACLs in the configuration or service.schedulerACL
 * decide about it. */
static const char *role_for(const struct yk_ctl_request *request)
{
    bool is_recording = strncmp(request->path, "/ws/v1/recording", strlen("/ws/v1/recording")) == 0;
    if (is_recording || (request->is_guarded && strcmp(request->method, "POST") != 0))
        return NULL;
    return strcmp(request->method, "GET") == 0 && strncmp(request->path, "/ws/", 4) == 0
               ? "yunikorn-viewer"
               : "yunikorn-operator";
}

static enum yk_status fail_denied(const struct exchange *exchange, const char *said, bool is_api_server,
                                  struct yk_err *err)
{
    const struct yk_ctl_request *request = exchange->request;
    char verb[16];
    const char *role = role_for(request), *separator = said[0] != '\0' ? ": " : "";
    (void)snprintf(verb, sizeof(verb), "%s", request->method); /* fits */
    for (char *p = verb; *p != '\0'; p++)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    if (is_api_server)
        return yk_fail(err, YK_ERR_DENIED, "the API server refuses this%s%s", separator, said);
    if (exchange->http_status == 401)
        return yk_fail(err, YK_ERR_DENIED,
                       "the scheduler does not know who you are%s%s; give --token, --token-file or "
                       "--service-account",
                       separator, said);
    if (role == NULL)
        return yk_fail(err, YK_ERR_DENIED, "you may not %s %s%s%s", verb, request->path, separator, said);
    return yk_fail(err, YK_ERR_DENIED, "you may not %s %s; ask for the role %s%s%s", verb, request->path,
                   role, separator, said);
}

static enum yk_status judge(const struct exchange *exchange, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    bool is_api_server;
    int status = exchange->http_status;
    if (exchange->is_too_large)
        return yk_fail(err, YK_ERR_LIMIT, "%s: the answer is larger than %zu bytes", exchange->request->path,
                       exchange->body->max);
    if (status == STATUS_UNREACHED)
        return yk_fail(
            err, YK_ERR_UNAVAILABLE, "%s%s", exchange->trouble.text,
            strstr(exchange->trouble.text, handshake_failed) != NULL ? "; the port may not speak TLS" : "");
    if (status >= 200 && status <= 299)
        return exchange->is_enough || exchange->trouble.text[0] == '\0'
                   ? YK_OK
                   : yk_fail(err, YK_ERR_UNAVAILABLE, "the answer broke off: %s", exchange->trouble.text);
    read_refusal(exchange, &text, &is_api_server);
    const char *said = yk_buf_cstr(&text);
    if (status == 401 || status == 403)
        return fail_denied(exchange, said, is_api_server, err);
    if ((status == 404 && said[0] == '\0') || status == 405)
        return yk_fail(err, YK_ERR_INVALID, "the scheduler has no %s: it is of another version",
                       exchange->request->path);
    if (said[0] == '\0')
        return yk_fail(err, status >= 500 ? YK_ERR_UNAVAILABLE : YK_ERR_STATE, "%s: status %d",
                       exchange->request->path, status);
    return yk_fail(err,
                   status == 404                                     ? YK_ERR_NOT_FOUND
                   : status == 502 || status == 503 || status == 504 ? YK_ERR_UNAVAILABLE
                                                                     : YK_ERR_STATE,
                   "%s", said);
}

/* ---- endpoints ---- */

/* Opens an endpoint with `access`, which is taken. */
static enum yk_status endpoint_open(struct yk_ctl_link *link, struct yk_access *access,
                                    struct endpoint *endpoint, struct yk_err *err)
{
    enum yk_status st = yk_identity_new(access, &yk_clock_real, &endpoint->identity, err);
    if (st == YK_OK)
        st = yk_transport_new(yk_io_base(link->io), &link->timers, endpoint->identity, &endpoint->transport,
                              err);
    return st;
}

static void endpoint_close(struct endpoint *endpoint)
{
    yk_transport_free(endpoint->transport);
    yk_identity_free(endpoint->identity);
    *endpoint = (struct endpoint){0};
}

static enum yk_status open_cluster(struct yk_ctl_link *link, struct yk_err *err)
{
    struct yk_access *access = NULL;
    if (link->cluster.transport != NULL)
        return YK_OK;
    enum yk_status st = yk_access_find(link->flags->kubeconfig, link->flags->context, &access, err);
    return st == YK_OK ? endpoint_open(link, access, &link->cluster, err) : st;
}

static const char *scheduler_namespace(const struct yk_ctl_link *link)
{
    return link->flags->scheduler_namespace != NULL ? link->flags->scheduler_namespace : "yunikorn";
}

static const char *service(const struct yk_ctl_link *link)
{
    return link->flags->service != NULL ? link->flags->service : "yunikorn-service";
}

/* ---- a token of a service account ---- */

static enum yk_status put_token_request(const struct yk_ctl_link *link, struct yk_buf *body,
                                        struct yk_err *err)
{
    const char *audience = link->flags->audience;
    json_t *audiences = audience != NULL ? json_pack("[s]", audience) : NULL;
    if (audience != NULL && audiences == NULL)
        return yk_fail(err, YK_ERR_INVALID, "--audience is not UTF-8");
    json_t *tree = json_pack("{s:s,s:s,s:{s:i}}", "apiVersion", "authentication.k8s.io/v1", "kind",
                             "TokenRequest", "spec", "expirationSeconds", (int)TOKEN_SECONDS);
    if (audiences != NULL)
        (void)json_object_set_new(json_object_get(tree, "spec"), "audiences", audiences); /* an object */
    char *text = json_dumps(tree, JSON_COMPACT);
    yk_buf_text(body, text != NULL ? text : "");
    free(text);
    json_decref(tree);
    return YK_OK;
}

/* Appends the path for a token of the service account [NAMESPACE/]NAME. Without NAMESPACE, the namespace of
 * the scheduler is used. */
static void put_account_path(const struct yk_ctl_link *link, struct yk_buf *path)
{
    const char *account = link->flags->service_account, *slash = strchr(account, '/');
    YK_CLEANUP(yk_freep)
    char *namespace_ = slash != NULL ? yk_strndup(account, (size_t)(slash - account)) : NULL;
    yk_buf_text(path, "/api/v1/namespaces");
    yk_url_segment(path, namespace_ != NULL ? namespace_ : scheduler_namespace(link));
    yk_buf_text(path, "/serviceaccounts");
    yk_url_segment(path, slash != NULL ? slash + 1 : account);
    yk_buf_text(path, "/token");
}

static enum yk_status request_token(struct yk_ctl_link *link, char **ret_token, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 2048}, body = {.max = 4096};
    YK_CLEANUP(yk_buf_wipe) struct yk_buf answer = {.max = TOKEN_ANSWER_MAX};
    put_account_path(link, &path);
    enum yk_status st = put_token_request(link, &body, err);
    if (st != YK_OK)
        return st;
    const struct yk_ctl_request request = {
        .method = "POST", .path = yk_buf_cstr(&path), .body = yk_buf_view(&body), .is_guarded = true};
    st = yk_ctl_link_call_cluster(link, &request, &answer, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "a token of service account '%s'", link->flags->service_account);
    json_t *tree = json_loadb(yk_buf_cstr(&answer), answer.len, 0, NULL);
    const char *token = json_string_value(json_object_get(json_object_get(tree, "status"), "token"));
    if (token != NULL)
        *ret_token = yk_strdup(token);
    json_decref(tree);
    return *ret_token != NULL ? YK_OK : yk_fail(err, YK_ERR_INVALID, "the API server gave no token");
}

/* ---- credentials for the scheduler ---- */

/* Takes the token or the client certificate of the kubeconfig. If these come from a credential plug-in, an
 * earlier request to the API server has called the plug-in. */
static void take_identity_of_cluster(struct yk_ctl_link *link, struct yk_access *access)
{
    struct yk_str token = yk_identity_token(link->cluster.identity);
    struct yk_identity_tls tls = yk_identity_tls(link->cluster.identity);
    if (token.len > 0) {
        access->token = yk_str_dup(token);
    } else if (tls.certificate.len > 0 && tls.key.len > 0) {
        access->certificate.data = yk_str_dup(tls.certificate);
        access->key.data = yk_str_dup(tls.key);
    }
}

static bool has_own_credential(const struct yk_ctl_flags *flags)
{
    return flags->token != NULL || flags->token_file != NULL || flags->service_account != NULL;
}

static enum yk_status add_credential(struct yk_ctl_link *link, struct yk_access *access, struct yk_err *err)
{
    const struct yk_ctl_flags *flags = link->flags;
    access->token_file = yk_strdup_or_null(flags->token_file);
    access->token = yk_strdup_or_null(flags->token);
    if (flags->service_account != NULL)
        return request_token(link, &access->token, err);
    if (link->way != WAY_DIRECT && !has_own_credential(flags))
        take_identity_of_cluster(link, access);
    return YK_OK;
}

static enum yk_status open_scheduler(struct yk_ctl_link *link, const char *server, bool is_forwarded,
                                     struct yk_err *err)
{
    YK_CLEANUP(yk_access_freep) struct yk_access *access = yk_new0(struct yk_access);
    const struct yk_ctl_flags *flags = link->flags;
    if (!yk_url_may_have_token(server) && has_own_credential(flags))
        return yk_fail(err, YK_ERR_INVALID, "a token is not sent to '%s', which is not encrypted", server);
    access->source = yk_strdup("--server");
    access->ca.file = yk_strdup_or_null(flags->ca_file);
    access->insecure_skip_verify = flags->skip_tls_verify != NULL;
    if (is_forwarded && flags->ca_file == NULL)
        /* No CA is known, and the certificate may be self-signed. The connection goes over the API server. */
        access->insecure_skip_verify = true;
    else if (is_forwarded) {
        struct yk_buf name = {0};
        yk_buf_printf(&name, "%s.%s.svc", service(link), scheduler_namespace(link));
        access->tls_server_name = yk_buf_take(&name);
    }
    enum yk_status st = yk_access_set_server(access, yk_str_from(server), err);
    if (st == YK_OK)
        st = add_credential(link, access, err);
    return st == YK_OK ? endpoint_open(link, yk_move(access), &link->scheduler, err) : st;
}

/* ---- the three ways ---- */

static enum yk_status call_direct(struct yk_ctl_link *link, struct exchange *exchange, struct yk_err *err)
{
    if (link->scheduler.transport == NULL) {
        enum yk_status st = open_scheduler(link, link->flags->server, false, err);
        if (st != YK_OK)
            return st;
    }
    exchange_run(exchange, &link->scheduler, exchange->request->path);
    enum yk_status st = judge(exchange, err);
    return st == YK_ERR_UNAVAILABLE ? yk_fail_in(err, st, "scheduler at %s", link->flags->server) : st;
}

static void put_proxy_path(const struct yk_ctl_link *link, const char *path, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {.max = 512};
    yk_buf_printf(&name, "%s:%s:%s", link->proxy_is_encrypted ? "https" : "http", service(link), port_name);
    yk_buf_text(out, "/api/v1/namespaces");
    yk_url_segment(out, scheduler_namespace(link));
    yk_buf_text(out, "/services/");
    yk_buf_str(out, yk_buf_view(&name)); /* without escapes: colons are part of the name */
    yk_buf_text(out, "/proxy");
    yk_buf_text(out, path);
}

/* Whether the API server could not reach the scheduler. The reason may be the scheme: http where the
 * scheduler expects TLS, or the opposite. */
static bool is_other_scheme(const struct exchange *exchange)
{
    return exchange->http_status >= 500 &&
           strstr(yk_buf_cstr(&exchange->refusal), "error trying to reach service") != NULL;
}

/* Tries the proxy without TLS first, because a server with TLS ends such a connection at once. With TLS
 * first, a server without TLS would cost 10 s. */
static enum yk_status run_proxy(struct yk_ctl_link *link, struct exchange *exchange, struct yk_err *err)
{
    enum yk_status st = open_cluster(link, err);
    if (st != YK_OK)
        return st;
    for (;;) {
        YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 8192};
        put_proxy_path(link, exchange->request->path, &path);
        exchange_run(exchange, &link->cluster, yk_buf_cstr(&path));
        if (link->proxy_is_encrypted || !is_other_scheme(exchange))
            return YK_OK;
        link->proxy_is_encrypted = true;
    }
}

static enum yk_status fail_no_service(const struct yk_ctl_link *link, struct yk_err *err)
{
    return yk_fail(
        err, YK_ERR_STATE,
        "there is no Service '%s' with a scheduler in namespace '%s'; set --scheduler-namespace and "
        "--service",
        service(link), scheduler_namespace(link));
}

/* Reads the Service from the API server. This finds a wrong name, and calls a credential plug-in, if there is
 * one. */
static enum yk_status find_service(struct yk_ctl_link *link, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 2048}, body = {.max = 1 << 20};
    yk_buf_text(&path, "/api/v1/namespaces");
    yk_url_segment(&path, scheduler_namespace(link));
    yk_buf_text(&path, "/services");
    yk_url_segment(&path, service(link));
    const struct yk_ctl_request request = {.method = "GET", .path = yk_buf_cstr(&path)};
    enum yk_status st = yk_ctl_link_call_cluster(link, &request, &body, err);
    return st == YK_ERR_NOT_FOUND ? fail_no_service(link, err) : st;
}

/* Finds out whether the scheduler answers without TLS. The request has no credentials. */
static enum yk_status probe_forwarded(struct yk_ctl_link *link, const char *server, bool *ret_is_plain,
                                      struct yk_err *err)
{
    YK_CLEANUP(yk_access_freep) struct yk_access *access = yk_new0(struct yk_access);
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = 4096};
    struct endpoint endpoint = {0};
    const struct yk_ctl_request request = {.method = "GET", .path = "/livez", .accept = "*/*"};
    struct exchange exchange = {.link = link, .request = &request, .body = &body, .refusal.max = 64 << 10};
    access->source = yk_strdup("port-forward");
    enum yk_status st = yk_access_set_server(access, yk_str_from(server), err);
    if (st == YK_OK)
        st = endpoint_open(link, yk_move(access), &endpoint, err);
    if (st == YK_OK) {
        exchange_run(&exchange, &endpoint, request.path);
        *ret_is_plain = exchange.http_status != STATUS_UNREACHED;
    }
    endpoint_close(&endpoint);
    yk_buf_done(&exchange.refusal);
    return st;
}

static enum yk_status open_forwarded(struct yk_ctl_link *link, struct yk_err *err)
{
    char server[64];
    bool is_plain = false;
    unsigned port = yk_forward_port(link->forward);
    enum yk_status st = YK_OK;
    /* Fits, like the address with https. */
    (void)snprintf(server, sizeof(server), "http://127.0.0.1:%u", port);
    if (link->flags->ca_file == NULL)
        st = probe_forwarded(link, server, &is_plain, err);
    if (!is_plain)
        (void)snprintf(server, sizeof(server), "https://127.0.0.1:%u", port);
    endpoint_close(&link->scheduler);
    return st == YK_OK ? open_scheduler(link, server, true, err) : st;
}

static enum yk_status start_forward(struct yk_ctl_link *link, struct yk_err *err)
{
    const struct yk_forward_options options = {.kubeconfig = link->flags->kubeconfig,
                                               .context = link->flags->context,
                                               .namespace_ = scheduler_namespace(link),
                                               .service = service(link),
                                               .port = port_name,
                                               .patience_ms = FORWARD_PATIENCE_MS};
    if (link->forward != NULL && yk_forward_is_alive(link->forward))
        return YK_OK;
    yk_forward_free(link->forward);
    link->forward = NULL;
    enum yk_status st = find_service(link, err);
    if (st == YK_OK)
        st = yk_forward_start(&options, &link->forward, err);
    return st == YK_OK ? open_forwarded(link, err) : st;
}

static enum yk_status call_forwarded(struct yk_ctl_link *link, struct exchange *exchange, struct yk_err *err)
{
    enum yk_status st = start_forward(link, err);
    if (st != YK_OK)
        return st;
    exchange_run(exchange, &link->scheduler, exchange->request->path);
    st = judge(exchange, err);
    return st == YK_ERR_UNAVAILABLE ? yk_fail_in(err, st, "scheduler over kubectl port-forward") : st;
}

static enum yk_status call_proxied(struct yk_ctl_link *link, struct exchange *exchange, struct yk_err *err)
{
    enum yk_status st = run_proxy(link, exchange, err);
    if (st != YK_OK)
        return st;
    bool is_auto = link->way == WAY_AUTO;
    if (is_auto && (is_scheduler_401(exchange) || proxy_answers(exchange, 403))) {
        link->way = WAY_FORWARD;
        return call_forwarded(link, exchange, err);
    }
    if (proxy_answers(exchange, 404))
        return fail_no_service(link, err);
    st = judge(exchange, err);
    return st == YK_ERR_UNAVAILABLE ? yk_fail_in(err, st, "scheduler over the API server") : st;
}

/* ---- calls ---- */

enum yk_status yk_ctl_link_call(struct yk_ctl_link *link, const struct yk_ctl_request *request,
                                struct yk_buf *ret_body, struct yk_err *err)
{
    struct exchange exchange = {.link = link, .request = request, .body = ret_body, .refusal.max = 64 << 10};
    enum yk_status st;
    if (link->way == WAY_DIRECT)
        st = call_direct(link, &exchange, err);
    else if (link->way == WAY_FORWARD || (link->way == WAY_AUTO && request->is_guarded))
        st = call_forwarded(link, &exchange, err);
    else
        st = call_proxied(link, &exchange, err);
    yk_buf_done(&exchange.refusal);
    return st;
}

enum yk_status yk_ctl_link_call_cluster(struct yk_ctl_link *link, const struct yk_ctl_request *request,
                                        struct yk_buf *ret_body, struct yk_err *err)
{
    struct exchange exchange = {.link = link, .request = request, .body = ret_body, .refusal.max = 64 << 10};
    enum yk_status st = open_cluster(link, err);
    if (st == YK_OK) {
        exchange_run(&exchange, &link->cluster, request->path);
        st = judge(&exchange, err);
        if (st == YK_ERR_UNAVAILABLE)
            st = yk_fail_in(err, st, "API server");
    }
    yk_buf_done(&exchange.refusal);
    return st;
}

bool yk_ctl_link_has_cluster(const struct yk_ctl_link *link)
{
    return link->way != WAY_DIRECT || link->flags->kubeconfig != NULL || link->flags->context != NULL;
}

const char *yk_ctl_link_namespace(struct yk_ctl_link *link)
{
    if (link->flags->namespace_ != NULL)
        return link->flags->namespace_;
    const char *of_context =
        open_cluster(link, NULL) == YK_OK ? yk_identity_access(link->cluster.identity)->namespace_ : NULL;
    return of_context != NULL ? of_context : "default";
}

/* ---- life ---- */

static enum yk_status choose_way(struct yk_ctl_link *link, struct yk_err *err)
{
    const char *via = link->flags->via;
    if (link->flags->server != NULL) {
        link->way = WAY_DIRECT;
        return via == NULL ? YK_OK
                           : yk_fail(err, YK_ERR_INVALID, "--server and --via cannot be used together");
    }
    if (via == NULL || strcmp(via, "auto") == 0)
        link->way = has_own_credential(link->flags) ? WAY_FORWARD : WAY_AUTO;
    else if (strcmp(via, "proxy") == 0)
        link->way = WAY_PROXY;
    else if (strcmp(via, "port-forward") == 0)
        link->way = WAY_FORWARD;
    else
        return yk_fail(err, YK_ERR_INVALID, "--via is auto, proxy or port-forward, not '%s'", via);
    return YK_OK;
}

enum yk_status yk_ctl_link_new(const struct yk_ctl_flags *flags, struct yk_io *io,
                               struct yk_ctl_link **ret_link, struct yk_err *err)
{
    YK_CLEANUP(yk_ctl_link_freep) struct yk_ctl_link *link = yk_new0(struct yk_ctl_link);
    link->flags = flags;
    link->owns_io = io == NULL;
    link->io = io;
    enum yk_status st = choose_way(link, err);
    if (st == YK_OK && io == NULL)
        st = yk_io_new(&link->io, err);
    if (st == YK_OK)
        st = yk_io_timers_init(&link->timers, yk_io_base(link->io), &yk_clock_real, err);
    if (st == YK_OK)
        *ret_link = yk_move(link);
    return st;
}

void yk_ctl_link_free(struct yk_ctl_link *link)
{
    if (link == NULL)
        return;
    endpoint_close(&link->scheduler);
    endpoint_close(&link->cluster);
    yk_forward_free(link->forward);
    yk_io_timers_done(&link->timers);
    if (link->owns_io)
        yk_io_free(link->io);
    free(link);
}
