/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/admission_server.h"

#include "http/http_server.h"

struct yk_admission_server {
    struct yk_admission_server_options options;
    struct yk_http_server *http;
};

enum route { ROUTE_HEALTH, ROUTE_MUTATE, ROUTE_VALIDATE, ROUTE_NONE };

static const char *const paths[] = {
    [ROUTE_HEALTH] = "/health", [ROUTE_MUTATE] = "/mutate", [ROUTE_VALIDATE] = "/validate-conf"};
YK_INDEXED_BY(paths, ROUTE_NONE - 1);

/* The route of the path. The query is ignored; API servers send "?timeout=10s". */
static enum route route_of(const struct yk_http_exchange *exchange)
{
    struct yk_str rest = exchange->head.target, path = rest;
    (void)yk_str_split(&rest, '?', &path); /* cannot fail: there always is a first part */
    for (int route = 0; route < ROUTE_NONE; route++) {
        if (yk_str_is(path, paths[route]))
            return (enum route)route;
    }
    return ROUTE_NONE;
}

static bool is_json(const struct yk_http_exchange *exchange)
{
    struct yk_str rest = exchange->head.content_type, type = rest;
    if (rest.p == NULL)
        return false;
    (void)yk_str_split(&rest, ';', &type); /* cannot fail: there always is a first part */
    return yk_str_is_nocase(yk_str_trim(type), "application/json");
}

static void free_answer(void *context)
{
    struct yk_buf *answer = context;
    yk_buf_done(answer);
    free(answer);
}

/* Sends a reply with `answer` as its body. Takes `answer`, which is allocated. */
static void reply(struct yk_http_exchange *exchange, int status, const char *reason, const char *type,
                  struct yk_buf *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
    yk_buf_printf(&headers, "Content-Type: %s\r\nX-Content-Type-Options: nosniff\r\n", type);
    const struct yk_http_reply message = {.status = status,
                                          .reason = reason,
                                          .headers = yk_buf_view(&headers),
                                          .body = yk_buf_view(answer),
                                          .release = free_answer,
                                          .context = answer};
    yk_http_reply(exchange, &message);
}

static void reply_text(struct yk_http_exchange *exchange, int status, const char *reason, const char *text)
{
    struct yk_buf *answer = yk_new0(struct yk_buf);
    yk_buf_text(answer, text);
    reply(exchange, status, reason, "text/plain; charset=utf-8", answer);
}

static void refuse(struct yk_http_exchange *exchange)
{
    static const struct {
        int status;
        const char *reason, *text;
    } texts[] = {
        {413, "Request Entity Too Large", "the request body is too large\n"},
        {417, "Expectation Failed", "unknown expectation\n"},
        {431, "Request Header Fields Too Large", "the request header is larger than 64 KiB\n"},
        {501, "Not Implemented", "unknown transfer encoding\n"},
        {503, "Service Unavailable", "too many requests are being read, try again\n"},
        {505, "HTTP Version Not Supported", "unknown version of HTTP\n"},
    };
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        if (texts[i].status == exchange->refused) {
            reply_text(exchange, texts[i].status, texts[i].reason, texts[i].text);
            return;
        }
    }
    reply_text(exchange, 400, "Bad Request", "malformed request\n");
}

static void reply_review(struct yk_http_exchange *exchange, struct yk_buf *answer)
{
    reply(exchange, 200, "OK", "application/json", answer);
}

void yk_admission_answer(struct yk_admission_call *call, struct yk_buf *answer)
{
    struct yk_http_exchange *exchange = (struct yk_http_exchange *)(void *)call;
    if (answer == NULL) {
        reply_text(exchange, 503, "Service Unavailable", "too many configurations are being checked\n");
        return;
    }
    struct yk_buf *kept = yk_new0(struct yk_buf);
    *kept = *answer;
    *answer = (struct yk_buf){0};
    reply_review(exchange, kept);
}

static void review(struct yk_admission_server *server, struct yk_http_exchange *exchange, enum route route)
{
    struct yk_buf body = yk_http_take_body(exchange);
    if (route == ROUTE_VALIDATE) {
        server->options.validate(server->options.context, &body,
                                 (struct yk_admission_call *)(void *)exchange);
        return;
    }
    struct yk_buf *answer = yk_new0(struct yk_buf);
    server->options.mutate(server->options.context, yk_buf_view(&body), answer);
    yk_buf_done(&body);
    reply_review(exchange, answer);
}

static void handle_review(struct yk_admission_server *server, struct yk_http_exchange *exchange,
                          enum route route)
{
    bool has_body = exchange->body.len > 0 || exchange->refused == 413;
    if (!has_body)
        reply_text(exchange, 400, "Bad Request", "empty request body\n");
    else if (!is_json(exchange))
        reply_text(exchange, 415, "Unsupported Media Type", "the content type must be application/json\n");
    else if (exchange->refused != 0)
        refuse(exchange);
    else
        review(server, exchange, route);
}

static void handle(void *context, struct yk_http_exchange *exchange)
{
    /* A request that was refused with 413 has a head; one that was refused with another status may have
     * none. */
    if (exchange->refused != 0 && exchange->refused != 413) {
        refuse(exchange);
        return;
    }
    enum route route = route_of(exchange);
    switch (route) {
    case ROUTE_HEALTH:
        reply_text(exchange, 200, "OK", "OK\r\n");
        break;
    case ROUTE_MUTATE:
    case ROUTE_VALIDATE:
        handle_review(context, exchange, route);
        break;
    case ROUTE_NONE:
        reply_text(exchange, 404, "Not Found", "no such path\n");
        break;
    }
}

/* Only requests that are reviewed may have a body. */
static struct yk_http_admission admit(void *context, const struct yk_http_exchange *exchange)
{
    enum route route = route_of(exchange);
    bool is_review = (route == ROUTE_MUTATE || route == ROUTE_VALIDATE) && is_json(exchange);
    (void)context;
    return (struct yk_http_admission){.body_max = is_review ? YK_ADMISSION_BODY_MAX : 0,
                                      .is_probe = route == ROUTE_HEALTH};
}

enum yk_status yk_admission_server_new(const struct yk_admission_server_options *options,
                                       struct yk_admission_server **ret_server, struct yk_err *err)
{
    YK_CLEANUP(yk_admission_server_freep)
    struct yk_admission_server *server = yk_new0(struct yk_admission_server);
    const struct yk_http_options http = {.io = options->io,
                                         .address = options->address,
                                         .port = options->port,
                                         .tls = options->tls,
                                         .connections_max = YK_ADMISSION_CONNECTIONS_MAX,
                                         .connections_of_address_max =
                                             YK_ADMISSION_CONNECTIONS_OF_ADDRESS_MAX,
                                         .bodies_of_address_max = YK_ADMISSION_BODIES_OF_ADDRESS_MAX,
                                         .admit = admit,
                                         .handle = handle,
                                         .context = server};
    server->options = *options;
    server->options.address = NULL; /* borrowed for the call only */
    enum yk_status st = yk_http_server_new(&http, &server->http, err);
    if (st == YK_OK)
        *ret_server = yk_move(server);
    return st;
}

void yk_admission_server_free(struct yk_admission_server *server)
{
    if (server == NULL)
        return;
    yk_http_server_free(server->http);
    free(server);
}

uint16_t yk_admission_server_port(const struct yk_admission_server *server)
{
    return yk_http_server_port(server->http);
}

void yk_admission_server_retire(struct yk_admission_server *server)
{
    yk_http_server_retire(server->http);
}

void yk_admission_server_drain(struct yk_admission_server *server)
{
    yk_http_server_drain(server->http);
}

bool yk_admission_server_is_idle(const struct yk_admission_server *server)
{
    return yk_http_server_connections(server->http) == 0;
}
