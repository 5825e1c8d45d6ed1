/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HTTP/1.1 server on libevent's sockets and buffers: connections, limits and time-outs, without paths.
 *
 * Clients without credentials can reach this port. libevent's own evhttp is not used because it has no limit
 * on connections and no deadline for a request that arrives slowly, and it sends its own pages for refused
 * requests.
 *
 * A body is read only if `admit` of struct yk_http_options allows one, and the bodies of all requests share
 * one budget. When there are too many connections, in all or from one address, an idle connection, or one
 * whose request is not complete, is closed for a new one.
 *
 * A connection handles one request at a time; further ones wait. A handler that wants to know that the client
 * has gone while it works on the request sets yk_http_exchange.gone.
 *
 * Thread: I/O thread only.
 * Source: docs/reference/rest.md 1.1; RFC 9112.
 */
#ifndef YK_HTTP_SERVER_H
#define YK_HTTP_SERVER_H

#include "base/io_loop.h"
#include "base/list.h"
#include "base/str.h"
#include "http/caller.h"
#include "http/http_head.h"

struct yk_tls; /* http/tls.h */

enum {
    YK_HTTP_BODIES_MAX = 32 << 20, /* bytes of all request bodies that count (yk_http_take_body()) */
    YK_HTTP_BODIES_OF_ADDRESS_MAX = 8 << 20, /* the same for the requests from one address */
    /* A body of at most this many bytes counts, but is never refused for these two limits: large bodies do
     * not block small ones. */
    YK_HTTP_BODY_SMALL = 16 << 10,
    YK_HTTP_CONNECTIONS_MAX = 512,
    YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX = 128,
    YK_HTTP_PROBE_CONNECTIONS_MAX = 32, /* additional connections, for probes only */
    YK_HTTP_PROBE_CONNECTIONS_OF_ADDRESS_MAX = 4,
    /* From the start of a connection for probes to the end of the head of its request. */
    YK_HTTP_PROBE_SECONDS = 2,
    /* From the start of the connection to its first byte or the end of the TLS handshake, and from the first
     * byte of a request to the end of its head. */
    YK_HTTP_HEAD_SECONDS = 10,
    YK_HTTP_BODY_SECONDS = 60, /* from the end of the head to the end of the body */
    /* The longest wait for a request, after the TLS handshake or a reply, and for progress of a reply.
     * Clients in Go close idle connections after 90 s, so the server does not close one just when they send a
     * request. */
    YK_HTTP_IDLE_SECONDS = 120,
    /* The longest wait for progress of a piece of a stream (`is_answer` of struct yk_http_reply is false). */
    YK_HTTP_PIECE_SECONDS = 5,
    YK_HTTP_PIECE_ALL_SECONDS = 20, /* until the socket has taken all of a piece of an answer */
};

struct yk_http_server;

enum { YK_HTTP_ADDRESS_MAX = 64 }; /* bytes of the text of an address */

/* The other end of a connection. */
struct yk_http_peer {
    bool encrypted;
    bool local;                        /* it is on this host and uses the loopback interface */
    char address[YK_HTTP_ADDRESS_MAX]; /* the IP address as text */
    /* Equal for all addresses that limits treat as one: the family, and the IPv4 address or the first 64 bits
     * of the IPv6 address. */
    uint8_t network[YK_NETWORK_LEN];
    struct yk_caller caller; /* from the client certificate; its user is NULL if there is none */
};

/* One request and what is needed to answer it. The handler owns it from `handle` on, until yk_http_reply() or
 * another function that takes it. */
struct yk_http_exchange {
    struct yk_http_head head; /* views into `head_text`; only the request_id if the head was refused */
    char *head_text;          /* owned; NULL: none */
    struct yk_buf body;       /* owned; see yk_http_take_body() */
    struct yk_http_peer peer;
    int refused; /* not 0: the handler must only answer the request, with this status code */
    struct yk_http_connection *connection; /* NULL: the client has gone */
    struct yk_http_server *server;         /* NULL: it was freed */
    struct yk_list in_server;
    size_t charged; /* bytes of the body that count against the limits of the server */
    /* Called after each piece of a reply in pieces (yk_http_begin()). Written by: the handler, before
     * yk_http_begin(). The handler writes `context` and `gone`, too. */
    void (*ready)(void *context);
    void *context; /* for `ready` and `gone` */
    bool sending;  /* a piece is being sent: `ready` will be called. Written by: http */
    /* Called at most once: when the client goes or closes its sending half before the reply, or when its
     * connection is closed during a reply in pieces. The handler still has to reply, or to end the reply.
     * NULL: not called. */
    void (*gone)(void *context);
};

struct yk_http_reply {
    int status;            /* 200, for example */
    const char *reason;    /* "OK", for example */
    struct yk_str headers; /* "Name: value\r\n" lines, copied. Not Date, Content-Length, Connection and
                              Transfer-Encoding, which the server adds */
    struct yk_str body;    /* borrowed until `release` is called; not sent for HEAD */
    /* Never NULL for yk_http_reply(); called once with `context`, when the body was sent or is no longer
     * needed, perhaps before that function returns. */
    void (*release)(void *context);
    void *context;
    /* Of a reply in pieces. True: it has an end, so a client that has closed its sending half may wait for
     * it, and the client has YK_HTTP_PIECE_ALL_SECONDS for each piece. False: a stream without an end. */
    bool is_answer;
};

/* The result of `admit`. Written by: the handler of the server, which returns it. */
struct yk_http_admission {
    /* Maximum size of the body in bytes; 0: none is allowed. A larger one is refused with 413. */
    size_t body_max;
    /* The request may use a connection that is kept for probes; else it is refused there with 503. */
    bool is_probe;
};

struct yk_http_options {
    struct yk_io *io;
    const char *address; /* IP address to listen on; "" or NULL: all */
    uint16_t port;       /* 0: any free one */
    /* Borrowed for the life of the server, or until another is set; NULL: not encrypted. */
    struct yk_tls *tls;
    /* Limits that replace YK_HTTP_CONNECTIONS_MAX, YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX and
     * YK_HTTP_BODIES_OF_ADDRESS_MAX, for a server with few and busy clients; 0: these constants. */
    size_t connections_max, connections_of_address_max, bodies_of_address_max;
    /* Called when the head of a request is complete and valid, if the request has a body or came on a
     * connection for probes. `handle` gets the request later, also a refused one, unless the client goes. */
    struct yk_http_admission (*admit)(void *context, const struct yk_http_exchange *exchange);
    /* Called with each complete or refused request. Takes the exchange, and answers it now or later: with
     * yk_http_reply(), or in pieces. */
    void (*handle)(void *context, struct yk_http_exchange *exchange);
    void *context; /* for `admit` and `handle` */
};

/* Makes a server and listens. `options` are copied; `io` is borrowed for the life of the server. The process
 * ignores SIGPIPE from then on. The caller frees `*ret_server`. Errors: YK_ERR_INVALID, `address` is no IP
 * address; YK_ERR_IO, it cannot listen, for example because the port is in use. */
YK_NODISCARD enum yk_status yk_http_server_new(const struct yk_http_options *options,
                                               struct yk_http_server **ret_server, struct yk_err *err);
/* Closes the listener and all connections. Exchanges that the handler has stay valid until it replies to them
 * or frees them; `gone` of each, and `ready` if a piece is being sent, are called before this function
 * returns. NULL is fine. */
void yk_http_server_free(struct yk_http_server *server);
YK_DEFINE_FREEP(yk_http_server)
/* Uses `tls` for new connections. It is borrowed for the life of the server, or until another is set; NULL:
 * not encrypted. */
void yk_http_server_set_tls(struct yk_http_server *server, struct yk_tls *tls);
/* The port on which the server listens, also if `port` of the options was 0. */
uint16_t yk_http_server_port(const struct yk_http_server *server);
/*
 * Makes each reply that begins from now on the last one of its connection; new connections are still
 * accepted. Call it some time before yk_http_server_drain(), so that clients go to other servers before their
 * connections are closed.
 */
void yk_http_server_retire(struct yk_http_server *server);
/* Accepts no more connections, closes idle ones, and the others after their reply; a reply in pieces goes on
 * until the handler ends it. May be called twice. */
void yk_http_server_drain(struct yk_http_server *server);
/* The number of open connections. */
size_t yk_http_server_connections(const struct yk_http_server *server);

/* Moves the body to the caller, who ends it with yk_buf_done(). It no longer counts against the limits of the
 * server. A body that is moved out of `exchange` without this function counts until the exchange is freed. */
struct yk_buf yk_http_take_body(struct yk_http_exchange *exchange);
/* Frees an exchange without a reply. For an exchange whose client has gone (`connection` is NULL): an open
 * connection would not get its reply. NULL is fine. */
void yk_http_exchange_free(struct yk_http_exchange *exchange);
/* Sends a reply of known length; for HEAD, its head only. Takes the exchange and frees it. `reply` is
 * borrowed for the call, its body until `reply->release` is called, also if the client has gone. Do not call
 * it after yk_http_begin(). */
void yk_http_reply(struct yk_http_exchange *exchange, const struct yk_http_reply *reply);

/*
 * Begins a reply in pieces, whose length is not known. Set exchange->ready before. Then call yk_http_piece()
 * for one piece at a time, and in the end yk_http_end() or yk_http_cut(), which take the exchange. For a HEAD
 * request, call yk_http_end() at once, without a piece.
 * After each piece, `ready` is called once: when the socket has taken all of it, or when the client has gone
 * (then `exchange->connection` is NULL). The connection of a client that does not read is closed. If the
 * client has gone before or during this call, the handler still ends the reply.
 * Of `reply`, only status, reason, headers and is_answer are used.
 */
void yk_http_begin(struct yk_http_exchange *exchange, const struct yk_http_reply *reply);
/* Sends a piece, which is not empty and is copied. Call it only after `ready` was called for the piece
 * before. If the client has gone, `ready` is called before this function returns. */
void yk_http_piece(struct yk_http_exchange *exchange, struct yk_str bytes);
/* Ends a reply in pieces, after `ready` was called for the last piece. Takes the exchange and frees it.
 * Harmless if the client has gone. */
void yk_http_end(struct yk_http_exchange *exchange);
/* Ends a reply in pieces by closing the connection, so that the client sees that the reply is not complete.
 * Takes the exchange and frees it. `ready` is not called any longer; `gone` is called if it is set. */
void yk_http_cut(struct yk_http_exchange *exchange);

#endif
