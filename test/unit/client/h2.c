/* SPDX-License-Identifier: Apache-2.0 */
#include "client/h2.h"

#include <event2/buffer.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <openssl/ssl.h>

enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
enum { FRAME_HEAD = 9, REFUSED_STREAM = 7 };
static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

struct h2_connection {
    struct yk_list link;
    struct h2 *h2;
    struct bufferevent *socket;
    bool greeted, going; /* going: GOAWAY was said */
};

struct frame {
    uint32_t len, stream;
    uint8_t type, flags;
};

static void put_u32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void send_frame(struct h2_connection *c, uint8_t type, uint8_t flags, uint32_t stream,
                       const void *payload, size_t len)
{
    unsigned char head[FRAME_HEAD] = {0, (unsigned char)(len >> 8), (unsigned char)len, type, flags};
    put_u32(head + 5, stream);
    bufferevent_write(c->socket, head, sizeof(head));
    if (len > 0)
        bufferevent_write(c->socket, payload, len);
}

static void send_u32(struct h2_connection *c, uint8_t type, uint32_t stream, uint32_t value)
{
    unsigned char payload[4];
    put_u32(payload, value);
    send_frame(c, type, 0, stream, payload, sizeof(payload));
}

static void go_away(struct h2_connection *c, uint32_t last_stream)
{
    unsigned char payload[8] = {0};
    put_u32(payload, last_stream); /* and NO_ERROR */
    send_frame(c, GOAWAY, 0, 0, payload, sizeof(payload));
    c->going = true;
}

/* :status and content-type as literals that no table remembers (RFC 7541, 6.2.2; static entries 8 and 31). */
static void answer(struct h2_connection *c, uint32_t stream, const char *status, const char *body)
{
    unsigned char headers[] = {0x08, 3,   0,   0,   0,   0x0f, 0x10, 16,  'a', 'p', 'p', 'l',
                               'i',  'c', 'a', 't', 'i', 'o',  'n',  '/', 'j', 's', 'o', 'n'};
    for (int i = 0; i < 3; i++)
        headers[2 + i] = (unsigned char)status[i];
    send_frame(c, HEADERS, END_HEADERS, stream, headers, sizeof(headers));
    send_frame(c, DATA, END_STREAM, stream, body, strlen(body));
}

static void free_connection(struct h2_connection *c)
{
    yk_list_remove(&c->link);
    bufferevent_free(c->socket);
    free(c);
}

static void decide(struct h2_connection *c, uint32_t stream)
{
    struct h2 *h2 = c->h2;
    if (c->going)
        return; /* came after GOAWAY: not looked at */
    enum h2_reply reply = h2->decide(h2, ++h2->with_body);
    switch (reply) {
    case H2_GO_AWAY:
        go_away(c, stream - 2);
        return;
    case H2_REFUSE:
        send_u32(c, RST_STREAM, stream, REFUSED_STREAM);
        return;
    case H2_SAY_GO:
        go_away(c, stream);
        break;
    case H2_ANSWER:
        break;
    }
    h2->answered++;
    answer(c, stream, "201", "{}");
}

static void take_frame(struct h2_connection *c, const struct frame *frame, const unsigned char *payload)
{
    bool ends = (frame->flags & END_STREAM) != 0;
    if (frame->type == SETTINGS && (frame->flags & ACK) == 0)
        send_frame(c, SETTINGS, ACK, 0, NULL, 0);
    else if (frame->type == PING && (frame->flags & ACK) == 0)
        send_frame(c, PING, ACK, 0, payload, frame->len);
    else if (frame->type == HEADERS && ends)
        answer(c, frame->stream, "200", "{\"gitVersion\":\"v1.36.1\",\"groups\":[]}");
    else if (frame->type == DATA && frame->len > 0)
        send_u32(c, WINDOW_UPDATE, 0, frame->len);
    if (frame->type == DATA && ends)
        decide(c, frame->stream);
}

static bool next_frame(struct evbuffer *input, struct frame *ret_frame)
{
    const unsigned char *p = evbuffer_pullup(input, FRAME_HEAD);
    if (p == NULL)
        return false;
    *ret_frame = (struct frame){
        .len = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2],
        .type = p[3],
        .flags = p[4],
        .stream = ((uint32_t)p[5] << 24 | (uint32_t)p[6] << 16 | (uint32_t)p[7] << 8 | p[8]) & INT32_MAX};
    return evbuffer_get_length(input) >= FRAME_HEAD + ret_frame->len;
}

static void bytes_came(struct bufferevent *socket, void *context)
{
    struct h2_connection *c = context;
    struct evbuffer *input = bufferevent_get_input(socket);
    struct frame frame;
    if (!c->greeted) {
        if (evbuffer_get_length(input) < sizeof(preface) - 1)
            return;
        if (memcmp(evbuffer_pullup(input, sizeof(preface) - 1), preface, sizeof(preface) - 1) != 0)
            abort();
        evbuffer_drain(input, sizeof(preface) - 1);
        c->greeted = true;
        send_frame(c, SETTINGS, 0, 0, NULL, 0);
    }
    while (next_frame(input, &frame)) {
        unsigned char *whole = evbuffer_pullup(input, (ev_ssize_t)(FRAME_HEAD + frame.len));
        take_frame(c, &frame, whole + FRAME_HEAD);
        evbuffer_drain(input, FRAME_HEAD + frame.len);
    }
}

static void connection_ended(struct bufferevent *socket, short what, void *context)
{
    (void)socket;
    if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) != 0)
        free_connection(context);
}

static void take_socket(struct mock *mock, intptr_t fd)
{
    struct h2 *h2 = mock->context;
    struct h2_connection *c = yk_new0(struct h2_connection);
    c->h2 = h2;
    c->socket = bufferevent_openssl_socket_new(mock->base, (evutil_socket_t)fd, SSL_new(mock->tls),
                                               BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
    h2->connections++;
    yk_list_append(&h2->open, &c->link);
    bufferevent_setcb(c->socket, bytes_came, NULL, connection_ended, c);
    bufferevent_enable(c->socket, EV_READ | EV_WRITE);
}

static int choose_h2(SSL *ssl, const unsigned char **ret, unsigned char *ret_len,
                     const unsigned char *offered, unsigned len, void *context)
{
    (void)ssl;
    (void)context;
    static const unsigned char wanted[] = "\x02h2";
    unsigned char *chosen;
    if (SSL_select_next_proto(&chosen, ret_len, wanted, sizeof(wanted) - 1, offered, len) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *ret = chosen;
    return SSL_TLSEXT_ERR_OK;
}

void h2_open(struct h2 *h2, struct mock *mock, enum h2_reply (*decide_)(struct h2 *h2, size_t number))
{
    *h2 = (struct h2){.mock = mock, .decide = decide_};
    yk_list_init(&h2->open);
    mock->context = h2;
    mock->take_socket = take_socket;
    SSL_CTX_set_alpn_select_cb(mock->tls, choose_h2, NULL);
}

void h2_close(struct h2 *h2)
{
    struct h2_connection *c;
    while ((c = yk_list_first(&h2->open, struct h2_connection, link)) != NULL)
        free_connection(c);
}
