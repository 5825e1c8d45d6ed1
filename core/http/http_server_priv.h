/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of the HTTP server, and which of them goes when there are too many.
 *
 * Thread: I/O thread only.
 */
#ifndef YK_HTTP_SERVER_PRIV_H
#define YK_HTTP_SERVER_PRIV_H

#include "base/list.h"
#include "http/http_server.h"

enum yk__http_state {
    YK__HTTP_HEAD,       /* waits for a request, or for the rest of its head */
    YK__HTTP_BODY,       /* a body of known length */
    YK__HTTP_CHUNK_SIZE, /* a chunked body: the line with the size */
    YK__HTTP_CHUNK_DATA,
    YK__HTTP_CHUNK_END, /* the line end after the data */
    YK__HTTP_TRAILER,
    YK__HTTP_WORKING, /* the handler has it */
    YK__HTTP_SENDING,
    YK__HTTP_STREAMING, /* a reply in pieces */
    YK__HTTP_LINGER,    /* reads and drops what still comes, so that the reply is not lost by a reset */
};

struct yk_http_connection {
    struct yk_list in_server;
    struct yk_http_server *server;
    struct bufferevent *stream;
    struct event *deadline;
    enum yk__http_state state;
    struct yk_http_exchange *exchange; /* from the head on; NULL before and after */
    size_t scanned;                    /* of the head */
    uint64_t wanted;                   /* bytes of the body or chunk that are to come */
    bool close_after;                  /* the reply is the last thing */
    bool ended;                        /* the client sends no more */
    bool is_answering;                 /* a reply in pieces that has an end */
    bool is_reserved;                  /* among those kept for probes */
    int64_t began_mono_ns;             /* the first byte of the request that is not complete yet */
    struct yk_http_peer peer;          /* without its caller */
    struct ssl_st *ssl;                /* the stream's; NULL: not encrypted */
};

struct yk_http_server {
    struct yk_http_options options;
    struct evconnlistener *listener;
    struct event *accept_again;
    struct yk_list connections; /* struct yk_http_connection, by age */
    size_t count, reserved;     /* ordinary connections; those kept for probes */
    struct yk_list exchanges;   /* struct yk_http_exchange: all that are not freed */
    size_t body_bytes;          /* of all exchanges */
    uint64_t refused;           /* connections, since the log said so */
    int64_t refused_told_mono_ns;
    uint16_t port;
    bool retiring; /* each reply ends its connection */
    bool draining; /* no new connections */
};

/* Closes and frees it. An exchange that is with the handler loses its connection and stays. */
void yk__http_close(struct yk_http_connection *connection);
/* Whether the connection waits for a request or lingers, so that closing it loses nothing. */
bool yk__http_is_idle(const struct yk_http_connection *connection);

/* ---- http_connections.c ---- */

enum yk__http_slot {
    YK__HTTP_SLOT_NONE,
    YK__HTTP_SLOT_PROBE, /* one of the connections that are kept for probes */
    YK__HTTP_SLOT_ANY,
};

/* Makes room for a new connection of `peer`, and returns the kind of slot that it gets; YK__HTTP_SLOT_NONE: refuse it.
 * Closes another connection when the maximum of the address, or of all, is reached. */
enum yk__http_slot yk__http_make_slot(struct yk_http_server *server, const struct yk_http_peer *peer);
/* Closes the connection that is missed least, of any address. False: all are being answered. */
bool yk__http_close_one(struct yk_http_server *server);
/* Whether `bytes` more of request bodies may be kept for `exchange`; they are counted then. The first
 * YK_HTTP_BODY_SMALL bytes of each may. */
YK_NODISCARD bool yk__http_charge(struct yk_http_exchange *exchange, size_t bytes);

#endif
