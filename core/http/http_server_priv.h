/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structs of the HTTP server, for http_server.c and http_connections.c.
 *
 * Thread: I/O thread only.
 */
#ifndef YK_HTTP_SERVER_PRIV_H
#define YK_HTTP_SERVER_PRIV_H

#include "base/list.h"
#include "http/http_server.h"

/* What a connection does now. */
enum yk__http_state {
    YK__HTTP_HEAD,       /* waits for a request, or for the rest of its head */
    YK__HTTP_BODY,       /* a body of known length */
    YK__HTTP_CHUNK_SIZE, /* a chunked body: the line with the size */
    YK__HTTP_CHUNK_DATA, /* a chunked body: the data of a chunk */
    YK__HTTP_CHUNK_END,  /* a chunked body: the line end after the data */
    YK__HTTP_TRAILER,    /* a chunked body: the fields after the last chunk */
    YK__HTTP_WORKING,    /* the handler has the request */
    YK__HTTP_SENDING,    /* sends the rest of a reply */
    YK__HTTP_STREAMING,  /* sends a reply in pieces, of which more may come */
    /* The reply is sent. Reads and drops input: closing now would send a TCP reset, and the client could
     * lose the reply. */
    YK__HTTP_LINGER,
};

struct yk_http_connection {
    struct yk_list in_server;      /* in server->connections */
    struct yk_http_server *server; /* owns the connection */
    struct bufferevent *stream;    /* owned */
    struct event *deadline;        /* owned: a timer that closes the connection */
    enum yk__http_state state;
    /* The request, until yk_http_reply() or the end of a reply in pieces; NULL: none. */
    struct yk_http_exchange *exchange;
    size_t scanned;           /* for yk_http_head_end(); above 0: a head has begun */
    uint64_t wanted;          /* missing bytes of the body or chunk; in a trailer: fields so far */
    bool close_after;         /* the connection is closed after the reply */
    bool ended;               /* the client has closed its sending half */
    bool is_answering;        /* sends a reply in pieces for which yk_http_reply.is_answer is true */
    bool is_reserved;         /* has one of the slots for probes */
    int64_t began_mono_ns;    /* when the first byte of the present request came */
    struct yk_http_peer peer; /* without its caller */
    struct ssl_st *ssl;       /* of the stream; NULL: not encrypted */
};

struct yk_http_server {
    struct yk_http_options options;
    struct evconnlistener *listener; /* owned; NULL: the server drains */
    struct event *accept_again;      /* owned: a timer that enables the listener after an error */
    /* struct yk_http_connection, owned: in the order in which they were accepted or last became idle */
    struct yk_list connections;
    size_t count, reserved;       /* numbers of ordinary connections, and of those kept for probes */
    struct yk_list exchanges;     /* struct yk_http_exchange: all that are not freed */
    size_t body_bytes;            /* sum of `charged` of all exchanges */
    uint64_t refused;             /* connections refused since the last log line about that */
    int64_t refused_told_mono_ns; /* time of that line; 0: none yet */
    uint16_t port;                /* the port on which it listens */
    bool retiring;                /* each reply ends its connection */
    bool draining;                /* takes no new connections */
};

/* Closes and frees the connection. If the handler has the exchange, it is not freed: its `connection` becomes
 * NULL, `gone` is called if it is set, and `ready` if a piece is being sent. The exchange of a request that
 * is not complete is freed. */
void yk__http_close(struct yk_http_connection *connection);
/* Whether the connection waits for a request, or lingers after its last reply. */
bool yk__http_is_idle(const struct yk_http_connection *connection);

/* ---- http_connections.c ---- */

enum yk__http_slot {
    YK__HTTP_SLOT_NONE,
    YK__HTTP_SLOT_PROBE, /* one of the additional connections, for probes only */
    YK__HTTP_SLOT_ANY,   /* an ordinary connection, for any request */
};

/* Decides on a new connection of `peer`: returns YK__HTTP_SLOT_ANY if there is an ordinary slot, else
 * YK__HTTP_SLOT_PROBE if there is one for probes, else YK__HTTP_SLOT_NONE: the connection has to be refused.
 * If a maximum for the kind of slot is reached (that of the address, or that of all connections), closes
 * another connection of that kind, if one can be closed. The caller makes the connection, and counts it in
 * `count` or `reserved` of the server. */
enum yk__http_slot yk__http_make_slot(struct yk_http_server *server, const struct yk_http_peer *peer);
/* Closes one ordinary connection, of any address: the one with the oldest unfinished request if that is
 * a second old or more, else an idle one, else the one with the oldest unfinished request. False: there is
 * none, or all their requests are being answered; nothing was closed. */
bool yk__http_close_one(struct yk_http_server *server);
/* Charges `bytes` more of a request body to `exchange`. False: the limits do not allow it, and nothing was
 * charged. Always true if YK_HTTP_BODY_SMALL bytes or less are then charged to the exchange. */
YK_NODISCARD bool yk__http_charge(struct yk_http_exchange *exchange, size_t bytes);

#endif
