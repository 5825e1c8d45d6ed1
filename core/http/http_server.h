/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HTTP/1.1 server on libevent's sockets and buffers: connections, limits and time-outs, without paths.
 *
 * libevent's own evhttp is not used because it has no limit on connections and no deadline for a request that
 * arrives slowly, and it sends its own pages for refused requests; clients without credentials can reach this
 * port.
 *
 * Bodies are read only where the handler takes one, and all that are kept share one budget. When there are
 * too many connections, in all or from one address, a slow request goes for a new connection
 * (http_connections.c).
 *
 * One request of a connection is worked on at a time; further ones wait in the socket. A client that goes
 * away while its request is worked on is noticed when the reply is sent.
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
    YK_HTTP_BODIES_MAX = 32 << 20, /* bytes of the bodies of all requests that are not answered yet */
    YK_HTTP_BODIES_OF_ADDRESS_MAX = 8 << 20, /* of those from one address */
    YK_HTTP_BODY_SMALL =
        16 << 10, /* bytes of a body that are kept in any case: large ones cannot keep others out */
    YK_HTTP_CONNECTIONS_MAX = 512,
    YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX = 128,
    YK_HTTP_PROBE_CONNECTIONS_MAX = 32, /* beyond those, for probes only */
    YK_HTTP_PROBE_CONNECTIONS_OF_ADDRESS_MAX = 4,
    YK_HTTP_PROBE_SECONDS = 2, /* to the end of the head on a connection for probes */
    YK_HTTP_HEAD_SECONDS = 10, /* from the connection to its first byte or the end of the TLS handshake; from
                                  the first byte to the end of the head */
    YK_HTTP_BODY_SECONDS = 60,
    YK_HTTP_IDLE_SECONDS = 120, /* before each request, once TLS is set up; without progress of a reply. Go's
                                   clients close after 90: a request then never crosses our close */
    YK_HTTP_PIECE_SECONDS = 5,  /* without progress of a piece */
    YK_HTTP_PIECE_ALL_SECONDS = 20, /* until all of a piece of an answer is taken */
};

struct yk_http_server;

enum { YK_HTTP_ADDRESS_MAX = 64 };

struct yk_http_peer { /* the other end of a connection */
    bool encrypted;
    bool local; /* this host, over its loopback interface */
    char address[YK_HTTP_ADDRESS_MAX];
    /* What counts as one address: the family, and the IPv4 address or the first 64 bits of the IPv6
     * address. */
    uint8_t network[YK_NETWORK_LEN];
    struct yk_caller caller; /* of its certificate; user NULL: none */
};

/* One request and its way back. */
struct yk_http_exchange {
    struct yk_http_head head; /* views into `head_text`; empty when refused early */
    char *head_text;          /* owned */
    struct yk_buf body;       /* owned; the handler may take it */
    struct yk_http_peer peer;
    int refused; /* a status code: the request is not to be worked on, only answered; 0: fine */
    struct yk_http_connection *connection; /* NULL: the client has gone */
    struct yk_http_server *server;         /* NULL: freed */
    struct yk_list in_server;
    size_t charged; /* bytes of the body, counted by the server until yk_http_take_body() or the free */
    /* Written by: the handler; these two of a reply in pieces, and `gone`. */
    void (*ready)(void *context); /* for the next piece, or to see that the client has gone */
    void *context;
    bool sending; /* `ready` is owed */
    /* The client has gone or sends no more, before the reply, which is still to be given. NULL: not asked
     * for. Called once with `context`. */
    void (*gone)(void *context);
};

struct yk_http_reply {
    int status;
    const char *reason;
    struct yk_str headers; /* "Name: value\r\n" lines, without those about length and connection; copied */
    struct yk_str body;    /* borrowed until `release` */
    void (*release)(void *context); /* called once, when the body is sent or given up */
    void *context;
    bool is_answer; /* of a reply in pieces: it has an end, so a client that has closed its half waits for it,
                       and each piece has YK_HTTP_PIECE_ALL_SECONDS */
};

/* Written by: the handler of the server, which returns it. */
struct yk_http_admission {
    size_t body_max; /* bytes of the body; 0: none is taken, the request is refused with 413 */
    bool is_probe;   /* may use a connection that is kept for probes */
};

struct yk_http_options {
    struct yk_io *io;
    const char *address; /* "" or NULL: all */
    uint16_t port;       /* 0: any free one */
    struct yk_tls *tls;  /* borrowed for life, or until another is set; NULL: not encrypted */
    /* Instead of YK_HTTP_..._MAX, for a server with few and busy clients; 0: those. */
    size_t connections_max, connections_of_address_max, bodies_of_address_max;
    /* Asked when the head of a request with a body, or of one on a connection for probes, is complete. */
    struct yk_http_admission (*admit)(void *context, const struct yk_http_exchange *exchange);
    /* Answers with yk_http_reply(), now or later. */
    void (*handle)(void *context, struct yk_http_exchange *exchange);
    void *context;
};

/* Makes a server and listens. `options` are copied; `io` is borrowed for life. The caller frees
 * `*ret_server`. Errors: YK_ERR_INVALID, the address; YK_ERR_IO, the port is in use, for example. */
YK_NODISCARD enum yk_status yk_http_server_new(const struct yk_http_options *options,
                                               struct yk_http_server **ret_server, struct yk_err *err);
/* Closes everything. Exchanges that are out stay valid until they are replied to. NULL is fine. */
void yk_http_server_free(struct yk_http_server *server);
YK_DEFINE_FREEP(yk_http_server)
/* Sets the certificate from the next connection on. `tls` is borrowed; NULL: not encrypted. */
void yk_http_server_set_tls(struct yk_http_server *server, struct yk_tls *tls);
/* The port it listens on, also if 0 was asked for. */
uint16_t yk_http_server_port(const struct yk_http_server *server);
/*
 * From now on each reply is the last one of its connection. New connections are taken. Before a drain, so
 * that clients leave without a request that crosses the end of its connection.
 */
void yk_http_server_retire(struct yk_http_server *server);
/* Takes no more connections, closes idle ones and the others after their reply. */
void yk_http_server_drain(struct yk_http_server *server);
/* The number of open connections. */
size_t yk_http_server_connections(const struct yk_http_server *server);

/* Moves the body to the caller, who ends it with yk_buf_done(). It no longer counts against the limits of the
 * server. */
struct yk_buf yk_http_take_body(struct yk_http_exchange *exchange);
/* Frees an exchange without a reply; its connection stays as it is. NULL is fine. */
void yk_http_exchange_free(struct yk_http_exchange *exchange);
/* Sends the answer. Takes the exchange, which is freed. Calls `reply->release` once, also if the client has
 * gone. */
void yk_http_reply(struct yk_http_exchange *exchange, const struct yk_http_reply *reply);

/*
 * A reply in pieces, whose length is not known: begin, then one piece at a time, then the end. After each
 * piece `exchange->ready` is called once, when the socket has taken all of it or the client has gone
 * (`exchange->connection` is NULL then); a client that does not read is cut off. Of `reply` only status,
 * reason, headers and is_answer count. A HEAD gets no piece: begin, then the end. Only end, cut, or
 * yk_http_exchange_free(), frees the exchange.
 */
void yk_http_begin(struct yk_http_exchange *exchange, const struct yk_http_reply *reply);
/* Sends a piece, which is not empty and is copied. Call it only after `ready` was called for the one
 * before. */
void yk_http_piece(struct yk_http_exchange *exchange, struct yk_str bytes);
/* Ends an answer that was sent in pieces. Frees the exchange. */
void yk_http_end(struct yk_http_exchange *exchange);
/* Instead of the end: closes the connection, so that the client sees that the answer is not complete. */
void yk_http_cut(struct yk_http_exchange *exchange);

#endif
