/* SPDX-License-Identifier: Apache-2.0 */
#include "http/http_server.h"

#include "base/clock.h"
#include "base/log.h"
#include "http/http_chunk.h"
#include "http/http_server_priv.h"
#include "http/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    READ_AHEAD = YK_HTTP_HEAD_MAX + 4096, /* most bytes of a connection that are read but not processed yet */
    LINGER_SECONDS = 2,
    REFUSED_TOLD_SECONDS = 10, /* between two log lines about refused connections */
    ACCEPT_PAUSE_MS = 100,
    TLS_HANDSHAKE = 0x16, /* the first byte of a client that speaks TLS; no request begins with it */
    BACKLOG = 1024, /* connections that are not accepted yet; beyond that, clients try again after a second */
};

/* ---- life of a connection ---- */

static void discharge(struct yk_http_exchange *exchange)
{
    if (exchange->server != NULL)
        exchange->server->body_bytes -= exchange->charged;
    exchange->charged = 0;
}

struct yk_buf yk_http_take_body(struct yk_http_exchange *exchange)
{
    struct yk_buf body = exchange->body;
    exchange->body = (struct yk_buf){0};
    discharge(exchange);
    return body;
}

void yk_http_exchange_free(struct yk_http_exchange *exchange)
{
    if (exchange == NULL)
        return;
    if (exchange->connection != NULL)
        exchange->connection->exchange = NULL;
    discharge(exchange);
    yk_list_remove(&exchange->in_server);
    free(exchange->head_text);
    yk_caller_done(&exchange->peer.caller);
    yk_buf_done(&exchange->body);
    free(exchange);
}

static void tell_ready(struct yk_http_exchange *exchange)
{
    exchange->sending = false;
    exchange->ready(exchange->context);
}

static void tell_gone(struct yk_http_exchange *exchange)
{
    void (*gone)(void *) = exchange->gone;
    exchange->gone = NULL;
    if (gone != NULL)
        gone(exchange->context);
}

void yk__http_close(struct yk_http_connection *connection)
{
    struct yk_http_exchange *exchange = connection->exchange;
    bool is_out = connection->state == YK__HTTP_WORKING || connection->state == YK__HTTP_STREAMING;
    if (exchange != NULL && is_out) {
        exchange->connection = NULL; /* tells the handler that the client has gone */
        tell_gone(exchange);
    } else if (exchange != NULL)
        yk_http_exchange_free(exchange);
    yk_list_remove(&connection->in_server);
    if (connection->is_reserved)
        connection->server->reserved--;
    else
        connection->server->count--;
    event_free(connection->deadline);
    yk_tls_say_goodbye(connection->ssl);
    bufferevent_free(connection->stream);
    free(connection);
    if (exchange != NULL && is_out && exchange->sending)
        tell_ready(exchange);
}

static void arm(struct yk_http_connection *connection, int seconds)
{
    struct timeval in = {.tv_sec = seconds};
    /* If it fails for lack of memory, the client may stay longer. */
    (void)evtimer_add(connection->deadline, &in);
}

static struct yk_http_exchange *exchange_new(struct yk_http_connection *connection)
{
    struct yk_http_exchange *exchange = yk_new0(struct yk_http_exchange);
    exchange->connection = connection;
    exchange->server = connection->server;
    exchange->peer = connection->peer;
    if (connection->ssl != NULL)
        yk_tls_caller(connection->ssl, &exchange->peer.caller);
    yk_list_append(&connection->server->exchanges, &exchange->in_server);
    connection->exchange = exchange;
    return exchange;
}

static void hand_over(struct yk_http_connection *connection, int refused)
{
    struct yk_http_exchange *exchange =
        connection->exchange != NULL ? connection->exchange : exchange_new(connection);
    exchange->refused = refused;
    if (refused != 0 || !exchange->head.keep_alive || connection->server->retiring || connection->is_reserved)
        connection->close_after = true; /* if refused, the rest of this request is not read */
    connection->state = YK__HTTP_WORKING;
    (void)evtimer_del(connection->deadline); /* it was armed */
    connection->server->options.handle(connection->server->options.context, exchange);
}

/* ---- reading ---- */

static struct yk_str peek(struct yk_http_connection *connection)
{
    struct evbuffer *input = bufferevent_get_input(connection->stream);
    size_t len = evbuffer_get_length(input);
    return (struct yk_str){len > 0 ? (const char *)evbuffer_pullup(input, -1) : "", len};
}

static void drop(struct yk_http_connection *connection, size_t bytes)
{
    (void)evbuffer_drain(bufferevent_get_input(connection->stream), bytes); /* the bytes are there */
}

/* Returns 0, or the status code with which the request has to be refused. */
static int admit(struct yk_http_connection *connection, bool has_body)
{
    struct yk_http_exchange *exchange = connection->exchange;
    const struct yk_http_options *options = &connection->server->options;
    if (!has_body && !connection->is_reserved)
        return 0;
    struct yk_http_admission admission = options->admit(options->context, exchange);
    if (connection->is_reserved && !admission.is_probe)
        return 503;
    if (has_body && (admission.body_max == 0 || exchange->head.length > admission.body_max))
        return 413;
    exchange->body.max = admission.body_max;
    return 0;
}

static void begin_body(struct yk_http_connection *connection)
{
    struct yk_http_exchange *exchange = connection->exchange;
    const struct yk_http_head *head = &exchange->head;
    static const char go_ahead[] = "HTTP/1.1 100 Continue\r\n\r\n";
    bool has_body = head->chunked || head->length > 0;
    int refused = admit(connection, has_body);
    if (refused != 0 || !has_body) {
        hand_over(connection, refused);
        return;
    }
    if (head->wants_continue && !head->is_1_0)
        (void)bufferevent_write(connection->stream, go_ahead,
                                strlen(go_ahead)); /* if it fails, the client sends the body after a while */
    connection->state = head->chunked ? YK__HTTP_CHUNK_SIZE : YK__HTTP_BODY;
    connection->wanted = head->length;
    arm(connection, YK_HTTP_BODY_SECONDS);
}

/* Skips empty lines before a request (RFC 9112, 2.2). */
static void skip_empty_lines(struct yk_http_connection *connection)
{
    struct yk_str bytes = peek(connection);
    size_t blank = 0;
    while (blank < bytes.len && (bytes.p[blank] == '\r' || bytes.p[blank] == '\n'))
        blank++;
    drop(connection, blank);
}

/* Refuses a request whose head is too long or not that of a request. */
static void refuse_head(struct yk_http_connection *connection, struct yk_str bytes, int status)
{
    struct yk_http_exchange *refused = exchange_new(connection);
    refused->head_text = yk_strndup(bytes.p, YK_MIN(bytes.len, (size_t)YK_HTTP_HEAD_MAX));
    refused->head.request_id = yk_http_head_request_id(yk_str_from(refused->head_text));
    hand_over(connection, status);
}

static bool read_head(struct yk_http_connection *connection)
{
    if (connection->scanned == 0)
        skip_empty_lines(connection);
    struct yk_str bytes = peek(connection);
    if (bytes.len == 0)
        return false;
    if (connection->scanned == 0) {
        connection->began_mono_ns = yk_clock_mono_ns(&yk_clock_real);
        if (!connection->is_reserved) /* else the time has run since the connection was accepted */
            arm(connection, YK_HTTP_HEAD_SECONDS);
    }
    size_t len = yk_http_head_end(bytes, &connection->scanned);
    connection->scanned = YK_MAX(connection->scanned, (size_t)1); /* a request has begun */
    if (len == 0 ? bytes.len > YK_HTTP_HEAD_MAX : len > YK_HTTP_HEAD_MAX) {
        refuse_head(connection, bytes, 431);
        return true;
    }
    /* A client that speaks TLS here would wait for its handshake until the time for a head is over. */
    if (len == 0 && bytes.p[0] == TLS_HANDSHAKE) {
        refuse_head(connection, bytes, 400);
        return true;
    }
    if (len == 0)
        return false;
    struct yk_http_exchange *exchange = exchange_new(connection);
    exchange->head_text = yk_strndup(bytes.p, len);
    connection->scanned = 0;
    drop(connection, len);
    int status = yk_http_head_parse((struct yk_str){exchange->head_text, len}, &exchange->head);
    if (status != 0)
        hand_over(connection, status);
    else
        begin_body(connection);
    return true;
}

/* Takes the bytes of the body, or of a chunk, that have come. True: it is complete, or the request was
 * refused. */
static bool take_bytes(struct yk_http_connection *connection)
{
    struct yk_str bytes = peek(connection);
    size_t now = (size_t)YK_MIN((uint64_t)bytes.len, connection->wanted);
    if (!yk__http_charge(connection->exchange, now)) {
        hand_over(connection, 503);
        return true;
    }
    yk_buf_add(&connection->exchange->body, bytes.p, now);
    drop(connection, now);
    connection->wanted -= now;
    return connection->wanted == 0;
}

static bool read_body(struct yk_http_connection *connection)
{
    if (!take_bytes(connection))
        return false;
    if (connection->state == YK__HTTP_BODY)
        hand_over(connection, 0);
    return true;
}

/*
 * Finds the next line of the framing of chunks. Returns its length including its end; `*ret_line` is without
 * its end and borrowed from the input. 0: it is not complete, or the request was refused.
 */
static size_t find_line(struct yk_http_connection *connection, struct yk_str *ret_line)
{
    struct yk_str bytes = peek(connection);
    size_t len = 0;
    switch (yk_http_line(bytes, ret_line, &len)) {
    case YK_HTTP_LINE_THERE:
        return len;
    case YK_HTTP_LINE_PARTIAL:
        return 0;
    case YK_HTTP_LINE_BAD:
        hand_over(connection, 400);
        return 0;
    }
    return 0;
}

static bool read_chunk_size(struct yk_http_connection *connection)
{
    struct yk_http_exchange *exchange = connection->exchange;
    struct yk_str line;
    uint64_t size;
    size_t len = find_line(connection, &line);
    if (len == 0)
        return connection->state == YK__HTTP_WORKING;
    if (!yk_http_chunk_size(line, &size)) {
        hand_over(connection, 400);
        return true;
    }
    drop(connection, len);
    if (size > exchange->body.max - exchange->body.len) {
        hand_over(connection, 413);
        return true;
    }
    connection->wanted = size;
    connection->state = size > 0 ? YK__HTTP_CHUNK_DATA : YK__HTTP_TRAILER;
    return true;
}

static bool read_chunk_data(struct yk_http_connection *connection)
{
    if (!take_bytes(connection))
        return false;
    if (connection->state == YK__HTTP_CHUNK_DATA)
        connection->state = YK__HTTP_CHUNK_END;
    return true;
}

static bool read_chunk_end(struct yk_http_connection *connection)
{
    struct yk_str line;
    size_t len = find_line(connection, &line);
    if (len == 0)
        return connection->state == YK__HTTP_WORKING;
    drop(connection, len);
    if (line.len > 0)
        hand_over(connection, 400);
    else
        connection->state = YK__HTTP_CHUNK_SIZE;
    return true;
}

/* Fields of a trailer are ignored. The deadline of the body limits their time, and YK_HTTP_FIELDS_MAX their
 * number. */
static bool read_trailer(struct yk_http_connection *connection)
{
    struct yk_str line;
    size_t len = find_line(connection, &line);
    if (len == 0)
        return connection->state == YK__HTTP_WORKING;
    bool is_end = line.len == 0, is_field = yk_http_is_field(line);
    drop(connection, len);
    connection->wanted++; /* in a trailer, the number of fields */
    if (is_end)
        hand_over(connection, 0);
    else if (!is_field || connection->wanted > YK_HTTP_FIELDS_MAX)
        hand_over(connection, 400);
    return true;
}

/* Takes one step with the input that has come. False: no further step is possible without more input or a
 * reply. */
static bool step(struct yk_http_connection *connection)
{
    switch (connection->state) {
    case YK__HTTP_HEAD:
        return read_head(connection);
    case YK__HTTP_BODY:
        return read_body(connection);
    case YK__HTTP_CHUNK_SIZE:
        return read_chunk_size(connection);
    case YK__HTTP_CHUNK_DATA:
        return read_chunk_data(connection);
    case YK__HTTP_CHUNK_END:
        return read_chunk_end(connection);
    case YK__HTTP_TRAILER:
        return read_trailer(connection);
    case YK__HTTP_WORKING:
    case YK__HTTP_SENDING:
    case YK__HTTP_STREAMING:
        return false; /* the next request waits */
    case YK__HTTP_LINGER:
        drop(connection, evbuffer_get_length(bufferevent_get_input(connection->stream)));
        return false;
    }
    return false;
}

static bool is_reading(const struct yk_http_connection *connection)
{
    return connection->state != YK__HTTP_WORKING && connection->state != YK__HTTP_SENDING &&
           connection->state != YK__HTTP_STREAMING;
}

/* Processes the input that has come. May free the connection. */
static void go_on(struct yk_http_connection *connection)
{
    while (step(connection))
        ;
    if (connection->ended && is_reading(connection))
        yk__http_close(connection); /* the rest of the request will not come */
}

/* ---- replying ---- */

struct lent_body {
    void (*release)(void *context);
    void *context;
};

static void body_done(const void *bytes, size_t len, void *context)
{
    struct lent_body *lent = context;
    (void)bytes, (void)len;
    lent->release(lent->context);
    free(lent);
}

/* Adds the field Date (RFC 9110, 6.6.1), such as "Date: Sun, 06 Nov 1994 08:49:37 GMT". */
static void add_date(struct evbuffer *output)
{
    char text[YK_TIME_TEXT_MAX];
    yk_time_format_http(yk_clock_wall_ns(&yk_clock_real), text);
    (void)evbuffer_add_printf(output, "Date: %s\r\n", text);
}

static void add_head(struct evbuffer *output, const struct yk_http_connection *connection,
                     const struct yk_http_reply *reply)
{
    (void)evbuffer_add_printf(output, "HTTP/1.1 %d %s\r\n", reply->status, reply->reason);
    (void)evbuffer_add(output, reply->headers.p, reply->headers.len);
    add_date(output);
    (void)evbuffer_add_printf(output, "Content-Length: %zu\r\n%s\r\n", reply->body.len,
                              connection->close_after             ? "Connection: close\r\n"
                              : connection->exchange->head.is_1_0 ? "Connection: keep-alive\r\n"
                                                                  : "");
}

/* Hands the body to the socket without copying it. */
static void add_body(struct evbuffer *output, const struct yk_http_reply *reply)
{
    struct lent_body *lent = yk_new0(struct lent_body);
    *lent = (struct lent_body){reply->release, reply->context};
    if (evbuffer_add_reference(output, reply->body.p, reply->body.len, body_done, lent) != 0)
        body_done(NULL, 0, lent);
}

void yk_http_reply(struct yk_http_exchange *exchange, const struct yk_http_reply *reply)
{
    struct yk_http_connection *connection = exchange->connection;
    if (connection == NULL) {
        reply->release(reply->context);
        yk_http_exchange_free(exchange);
        return;
    }
    struct evbuffer *output = bufferevent_get_output(connection->stream);
    connection->state = YK__HTTP_SENDING;
    connection->close_after = connection->close_after || connection->server->retiring;
    add_head(output, connection, reply);
    if (reply->body.len > 0 && !yk_str_is(exchange->head.method, "HEAD"))
        add_body(output, reply);
    else
        reply->release(reply->context);
    connection->exchange = NULL;
    yk_http_exchange_free(exchange);
    (void)bufferevent_enable(connection->stream, EV_WRITE); /* cannot fail: the socket is open */
}

/* Clients of HTTP/1.0 do not know chunks. For them, the end of the connection is the end of the body. */
void yk_http_begin(struct yk_http_exchange *exchange, const struct yk_http_reply *reply)
{
    struct yk_http_connection *connection = exchange->connection;
    struct timeval stuck = {.tv_sec = reply->is_answer ? YK_HTTP_PIECE_ALL_SECONDS : YK_HTTP_PIECE_SECONDS};
    bool is_1_0 = exchange->head.is_1_0;
    if (connection == NULL)
        return;
    connection->is_answering = reply->is_answer;
    if (connection->ended && !reply->is_answer) {
        yk__http_close(connection); /* its client has stopped sending: only a write shows whether it reads */
        return;
    }
    struct evbuffer *output = bufferevent_get_output(connection->stream);
    connection->state = YK__HTTP_STREAMING;
    connection->close_after = connection->close_after || connection->server->retiring || is_1_0;
    (void)evbuffer_add_printf(output, "HTTP/1.1 %d %s\r\n", reply->status, reply->reason);
    (void)evbuffer_add(output, reply->headers.p, reply->headers.len);
    add_date(output);
    (void)evbuffer_add_printf(output, "%s%s\r\n", is_1_0 ? "" : "Transfer-Encoding: chunked\r\n",
                              connection->close_after ? "Connection: close\r\n" : "");
    (void)bufferevent_set_timeouts(connection->stream, NULL, &stuck); /* cannot fail for a socket */
    (void)bufferevent_enable(connection->stream, EV_WRITE);           /* cannot fail: the socket is open */
}

static bool is_head(const struct yk_http_exchange *exchange)
{
    return yk_str_is(exchange->head.method, "HEAD");
}

void yk_http_piece(struct yk_http_exchange *exchange, struct yk_str bytes)
{
    struct yk_http_connection *connection = exchange->connection;
    exchange->sending = true;
    if (connection == NULL) {
        tell_ready(exchange);
        return;
    }
    struct evbuffer *output = bufferevent_get_output(connection->stream);
    if (connection->is_answering)
        arm(connection, YK_HTTP_PIECE_ALL_SECONDS);
    if (!exchange->head.is_1_0)
        (void)evbuffer_add_printf(output, "%zx\r\n", bytes.len);
    (void)evbuffer_add(output, bytes.p, bytes.len);
    if (!exchange->head.is_1_0)
        (void)evbuffer_add(output, "\r\n", 2);
}

static void begin_linger(struct yk_http_connection *connection);

void yk_http_end(struct yk_http_exchange *exchange)
{
    struct yk_http_connection *connection = exchange->connection;
    struct timeval stuck = {.tv_sec = YK_HTTP_IDLE_SECONDS};
    bool is_1_0 = exchange->head.is_1_0, has_body = !is_head(exchange);
    yk_http_exchange_free(exchange);
    if (connection == NULL)
        return;
    struct evbuffer *output = bufferevent_get_output(connection->stream);
    connection->state = YK__HTTP_SENDING;
    connection->is_answering = false;
    (void)bufferevent_set_timeouts(connection->stream, NULL, &stuck); /* cannot fail for a socket */
    if (!has_body)
        return; /* the head of the reply is still being written */
    if (!is_1_0)
        (void)evbuffer_add(output, "0\r\n\r\n", 5);
    else if (evbuffer_get_length(output) == 0)
        begin_linger(connection); /* all was written, so on_written() is not called again */
}

void yk_http_cut(struct yk_http_exchange *exchange)
{
    exchange->sending = false;
    if (exchange->connection != NULL)
        yk__http_close(exchange->connection);
    yk_http_exchange_free(exchange);
}

static void begin_linger(struct yk_http_connection *connection)
{
    connection->state = YK__HTTP_LINGER;
    yk_tls_say_goodbye(connection->ssl);
    /* If it fails, the next read returns an error. */
    (void)shutdown(bufferevent_getfd(connection->stream), SHUT_WR);
    arm(connection, LINGER_SECONDS);
    go_on(connection);
}

static void on_written(struct bufferevent *stream, void *context)
{
    struct yk_http_connection *connection = context;
    (void)stream;
    bool last = connection->close_after || connection->server->draining;
    if (connection->state == YK__HTTP_STREAMING && connection->exchange->sending) {
        if (connection->is_answering)
            (void)evtimer_del(connection->deadline); /* it was armed */
        tell_ready(connection->exchange);            /* may end the reply and free the connection */
        return;
    }
    if (connection->state != YK__HTTP_SENDING)
        return;
    if (last && connection->ended) {
        yk__http_close(connection);
    } else if (last) {
        begin_linger(connection);
    } else {
        connection->state = YK__HTTP_HEAD;
        yk_list_remove(&connection->in_server); /* it has been idle for the shortest time */
        yk_list_append(&connection->server->connections, &connection->in_server);
        arm(connection, YK_HTTP_IDLE_SECONDS);
        go_on(connection);
    }
}

/* ---- events ---- */

static void on_readable(struct bufferevent *stream, void *context)
{
    (void)stream;
    go_on(context);
}

static void on_event(struct bufferevent *stream, short what, void *context)
{
    struct yk_http_connection *connection = context;
    (void)stream;
    if (what == BEV_EVENT_CONNECTED) { /* TLS is set up */
        if (!connection->is_reserved && yk__http_is_idle(connection))
            arm(connection, YK_HTTP_IDLE_SECONDS);
        return;
    }
    if ((what & BEV_EVENT_EOF) != 0 && (what & BEV_EVENT_READING) != 0) {
        /* The client may still read, so requests that have come are answered. */
        connection->ended = true;
        if (is_reading(connection) || (connection->state == YK__HTTP_STREAMING && !connection->is_answering))
            yk__http_close(connection); /* a stream has no end that the client could wait for */
        else if (connection->state == YK__HTTP_WORKING)
            tell_gone(connection->exchange);
        return;
    }
    if ((what & (BEV_EVENT_ERROR | BEV_EVENT_EOF | BEV_EVENT_TIMEOUT)) != 0)
        yk__http_close(connection);
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    yk__http_close(context);
}

/* ---- the listener ---- */

bool yk__http_is_idle(const struct yk_http_connection *connection)
{
    return connection->state == YK__HTTP_LINGER ||
           (connection->state == YK__HTTP_HEAD && connection->scanned == 0);
}

/* Sets `*ret_peer` from the address of the other end; `encrypted` and `caller` are left empty. */
static void describe_peer(const struct sockaddr *address, struct yk_http_peer *ret_peer)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
    int family = address->sa_family;
    const uint8_t *bytes = (const uint8_t *)&v4->sin_addr;
    *ret_peer = (struct yk_http_peer){0};
    if (family == AF_INET6)
        bytes = v6->sin6_addr.s6_addr;
    if (family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
        bytes = &v6->sin6_addr.s6_addr[12];
        family = AF_INET;
    }
    if (family == AF_INET) {
        ret_peer->local = bytes[0] == 127;
        memcpy(ret_peer->network + 1, bytes, 4);
    } else if (family == AF_INET6) {
        ret_peer->local = IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) != 0;
        memcpy(ret_peer->network + 1, bytes, sizeof(ret_peer->network) - 1);
    }
    ret_peer->network[0] = (uint8_t)family;
    if (inet_ntop(family, bytes, ret_peer->address, sizeof(ret_peer->address)) == NULL)
        (void)snprintf(ret_peer->address, sizeof(ret_peer->address), "unknown address");
}

static struct bufferevent *stream_new(struct yk_http_connection *connection, evutil_socket_t fd)
{
    struct event_base *base = yk_io_base(connection->server->options.io);
    struct yk_tls *tls = connection->server->options.tls;
    if (tls == NULL)
        return bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
    connection->ssl = yk_tls_accept(tls);
    if (connection->ssl == NULL)
        return NULL;
    struct bufferevent *stream = bufferevent_openssl_socket_new(
        base, fd, connection->ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
    /* Each request says in its head or chunks where it ends, so a connection that ends without close_notify
     * of TLS loses nothing. */
    if (stream != NULL)
        bufferevent_openssl_set_allow_dirty_shutdown(stream, 1);
    return stream;
}

static void tell_refused(struct yk_http_server *server, const struct yk_http_peer *peer)
{
    int64_t now = yk_clock_mono_ns(&yk_clock_real);
    server->refused++;
    if (server->refused_told_mono_ns != 0 &&
        now - server->refused_told_mono_ns < REFUSED_TOLD_SECONDS * YK_NS_PER_S)
        return;
    yk_warn(yk_log_rest, "connections refused, too many are open", KV("open", server->count),
            KV("refused", server->refused), KV("address", (const char *)peer->address));
    server->refused_told_mono_ns = now;
    server->refused = 0;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int address_len, void *context)
{
    struct yk_http_server *server = context;
    struct yk_http_peer peer;
    (void)listener, (void)address_len;
    describe_peer(address, &peer);
    enum yk__http_slot room = yk__http_make_slot(server, &peer);
    if (room == YK__HTTP_SLOT_NONE) {
        tell_refused(server, &peer);
        (void)close(fd); /* nothing was sent on it */
        return;
    }
    int one = 1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)); /* if it fails, replies are slower */
    struct yk_http_connection *connection = yk_new0(struct yk_http_connection);
    connection->server = server;
    connection->peer = peer;
    connection->is_reserved = room == YK__HTTP_SLOT_PROBE;
    connection->stream = stream_new(connection, fd);
    connection->deadline = evtimer_new(yk_io_base(server->options.io), on_deadline, connection);
    if (connection->stream == NULL || connection->deadline == NULL)
        abort(); /* out of memory: the next start rebuilds all state (base/base.h) */
    connection->peer.encrypted = connection->ssl != NULL;
    yk_list_append(&server->connections, &connection->in_server);
    if (connection->is_reserved)
        server->reserved++;
    else
        server->count++;
    struct timeval stuck = {.tv_sec = YK_HTTP_IDLE_SECONDS};
    bufferevent_setcb(connection->stream, on_readable, on_written, on_event, connection);
    bufferevent_setwatermark(connection->stream, EV_READ, 0, READ_AHEAD);
    (void)bufferevent_set_timeouts(connection->stream, NULL, &stuck); /* cannot fail for a socket */
    arm(connection, connection->is_reserved ? YK_HTTP_PROBE_SECONDS : YK_HTTP_HEAD_SECONDS);
    if (bufferevent_enable(connection->stream, EV_READ | EV_WRITE) != 0)
        yk__http_close(connection);
}

static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    struct yk_http_server *server = context;
    (void)fd, (void)what;
    if (server->listener != NULL)
        /* If accepting fails again, on_accept_error() is called again. */
        (void)evconnlistener_enable(server->listener);
}

/* Accepting failed, for example because no descriptors are left. The listener pauses, because otherwise it
 * would report the same error again at once. */
static void on_accept_error(struct evconnlistener *listener, void *context)
{
    struct yk_http_server *server = context;
    struct timeval pause = {.tv_usec = ACCEPT_PAUSE_MS * 1000};
    yk_warn(yk_log_rest, "cannot accept a connection",
            KV("err", evutil_socket_error_to_string(EVUTIL_SOCKET_ERROR())));
    (void)evconnlistener_disable(listener);
    (void)evtimer_add(server->accept_again, &pause);
    (void)yk__http_close_one(server); /* one connection fewer may be enough */
}

static enum yk_status parse_address(const struct yk_http_options *options,
                                    struct sockaddr_storage *ret_address, socklen_t *ret_len,
                                    struct yk_err *err)
{
    const char *text = options->address != NULL ? options->address : "";
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret_address;
    struct sockaddr_in *v4 = (struct sockaddr_in *)ret_address;
    memset(ret_address, 0, sizeof(*ret_address));
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(options->port);
        *ret_len = sizeof(*v4);
        return YK_OK;
    }
    if (text[0] != '\0' && inet_pton(AF_INET6, text, &v6->sin6_addr) != 1)
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not an IP address", text);
    /* "" is the unspecified address; it accepts IPv4 as well (bind_socket()). */
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(options->port);
    *ret_len = sizeof(*v6);
    return YK_OK;
}

static enum yk_status cannot_listen(const struct yk_http_options *options, struct yk_err *err)
{
    const char *address = options->address, *why = strerror(errno);
    if (address == NULL || address[0] == '\0')
        return yk_fail(err, YK_ERR_IO, "cannot listen on all addresses, port %u: %s", options->port, why);
    return yk_fail(err, YK_ERR_IO, "cannot listen on '%s', port %u: %s", address, options->port, why);
}

/* Returns a socket that is bound to the address. If the address is ::, it takes IPv4 connections, too,
 * whatever net.ipv6.bindv6only says. Negative: errno is set. */
static int bind_socket(const struct sockaddr_storage *address, socklen_t len)
{
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1, off = 0;
    if (fd < 0)
        return -1;
    bool is_bound = setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on)) == 0 &&
                    (address->ss_family != AF_INET6 ||
                     setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) == 0) &&
                    bind(fd, (const struct sockaddr *)address, len) == 0;
    if (is_bound)
        return fd;
    int why = errno;
    (void)close(fd); /* nothing was sent on it */
    errno = why;
    return -1;
}

static void listen_on(struct yk_http_server *server, const struct sockaddr_storage *address, socklen_t len)
{
    int fd = bind_socket(address, len);
    if (fd < 0)
        return;
    server->listener = evconnlistener_new(yk_io_base(server->options.io), on_accept, server,
                                          LEV_OPT_CLOSE_ON_FREE, BACKLOG, fd);
    if (server->listener == NULL) {
        int why = errno;
        (void)close(fd); /* nothing was sent on it */
        errno = why;
    }
}

static void note_port(struct yk_http_server *server)
{
    struct sockaddr_storage bound = {0};
    socklen_t len = sizeof(bound);
    if (getsockname(evconnlistener_get_fd(server->listener), (struct sockaddr *)&bound, &len) != 0)
        return;
    server->port = ntohs(bound.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)&bound)->sin6_port
                                                     : ((const struct sockaddr_in *)&bound)->sin_port);
}

static void set_default_limits(struct yk_http_options *options)
{
    if (options->connections_max == 0)
        options->connections_max = YK_HTTP_CONNECTIONS_MAX;
    if (options->connections_of_address_max == 0)
        options->connections_of_address_max = YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX;
    if (options->bodies_of_address_max == 0)
        options->bodies_of_address_max = YK_HTTP_BODIES_OF_ADDRESS_MAX;
}

enum yk_status yk_http_server_new(const struct yk_http_options *options, struct yk_http_server **ret_server,
                                  struct yk_err *err)
{
    YK_CLEANUP(yk_http_server_freep) struct yk_http_server *server = yk_new0(struct yk_http_server);
    struct sockaddr_storage address;
    socklen_t len = 0;
    server->options = *options;
    set_default_limits(&server->options);
    yk_list_init(&server->connections);
    yk_list_init(&server->exchanges);
    (void)signal(SIGPIPE,
                 /* A client that goes away is an error of its connection, and must not end the process. */
                 SIG_IGN);
    enum yk_status st = parse_address(options, &address, &len, err);
    if (st != YK_OK)
        return st;
    server->accept_again = evtimer_new(yk_io_base(options->io), on_accept_again, server);
    listen_on(server, &address, len);
    if (server->listener == NULL && address.ss_family == AF_INET6 &&
        (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL) &&
        (options->address == NULL || options->address[0] == '\0')) {
        /* No IPv6 on this machine. */
        struct sockaddr_in *v4 = (struct sockaddr_in *)&address;
        memset(&address, 0, sizeof(address));
        v4->sin_family = AF_INET;
        v4->sin_port = htons(options->port);
        listen_on(server, &address, sizeof(*v4));
    }
    if (server->listener == NULL || server->accept_again == NULL)
        return cannot_listen(options, err);
    evconnlistener_set_error_cb(server->listener, on_accept_error);
    note_port(server);
    *ret_server = yk_move(server);
    return YK_OK;
}

void yk_http_server_free(struct yk_http_server *server)
{
    if (server == NULL)
        return;
    struct yk_http_connection *connection;
    yk_list_foreach (connection, &server->connections, struct yk_http_connection, in_server)
        yk__http_close(connection);
    struct yk_http_exchange *exchange;
    yk_list_foreach (exchange, &server->exchanges, struct yk_http_exchange, in_server) {
        yk_list_remove(&exchange->in_server);
        exchange->server = NULL;
    }
    if (server->listener != NULL)
        evconnlistener_free(server->listener);
    if (server->accept_again != NULL)
        event_free(server->accept_again);
    free(server);
}

void yk_http_server_set_tls(struct yk_http_server *server, struct yk_tls *tls)
{
    server->options.tls = tls;
}

uint16_t yk_http_server_port(const struct yk_http_server *server)
{
    return server->port;
}

void yk_http_server_retire(struct yk_http_server *server)
{
    server->retiring = true;
}

size_t yk_http_server_connections(const struct yk_http_server *server)
{
    return server->count + server->reserved;
}

void yk_http_server_drain(struct yk_http_server *server)
{
    struct yk_http_connection *connection;
    server->retiring = server->draining = true;
    if (server->listener != NULL)
        evconnlistener_free(server->listener);
    server->listener = NULL;
    yk_list_foreach (connection, &server->connections, struct yk_http_connection, in_server) {
        if (yk__http_is_idle(connection))
            yk__http_close(connection);
    }
}
