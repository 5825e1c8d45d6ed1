/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An HTTP/1.1 server whose answers the test gives, in place of an API server. It can also act as the proxy in
 * front of itself.
 *
 * It runs on an event loop of libevent, which the test runs. Each request is passed to `handler`, which
 * answers it at once, later or never. A request is valid until it is answered or its connection ends.
 */
#ifndef TEST_LIB_MOCK_SERVER_H
#define TEST_LIB_MOCK_SERVER_H

#include "base/list.h"
#include "base/str.h"

struct event_base;
struct mock_request;
struct mock;

typedef void mock_handler(struct mock *mock, struct mock_request *request, const char *path, void *context);

struct mock {
    struct event_base *base;
    struct evconnlistener *listener;
    void *tls; /* SSL_CTX; NULL: without TLS */
    /* The test sets these before the first connection. */
    bool is_proxy; /* it acts as a proxy: TLS begins after a CONNECT */
    /* Takes each connection, which is then not read as HTTP/1.1; NULL: not called. */
    void (*take_socket)(struct mock *mock, intptr_t fd);
    /* About the requests so far. */
    size_t proxied;       /* number of requests, CONNECT among them, that were meant for a proxy */
    char asked_for[128];  /* of the last of these: the URL without its path, or host and port */
    char client_name[64]; /* common name in the certificate of the client of the last request */
    uint16_t port;
    mock_handler *handler;
    void *context;   /* of `handler` */
    size_t requests; /* number of requests */
    struct yk_list connections;
    struct mock_request *stream; /* see mock_stream_open(); NULL: it has ended on either side */
};

/* Listens on a free port of 127.0.0.1. `certificate_file`: the server uses TLS with a new certificate, and
 * writes certificate and key to this file as PEM; NULL: without TLS. */
void mock_open(struct mock *mock, struct event_base *base, const char *certificate_file,
               mock_handler *handler, void *context);
/* Writes a key, and a certificate for 127.0.0.1 and kubernetes.example that is signed with it, as PEM. */
void mock_write_certificate(const char *common_name, const char *certificate_file, const char *key_file);
/* From now on, accepts only clients with a certificate. Any issuer will do. */
void mock_want_certificate(struct mock *mock);
/* Stops to listen, and closes all connections. mock_open() may be called again. */
void mock_close(struct mock *mock);
/* Listens again on the port that it had before mock_close(). */
void mock_reopen(struct mock *mock);
/* Answers the request. `header` and `value`: one more header; NULL: none. */
void mock_answer(struct mock_request *request, int status, const char *header, const char *value,
                 const char *body);
/* Answers the request with a Status object. `extra`: further members of it, such as ",\"details\":{}"; NULL:
 * none. */
void mock_refuse(struct mock_request *request, int status, const char *reason, const char *extra);
/* Begins a chunked answer with status 200. The request is `mock->stream` until the answer ends. */
void mock_stream_open(struct mock *mock, struct mock_request *request, const char *content_type);
/* Sends bytes on the open stream, in a chunk of their own. */
void mock_stream_send(struct mock *mock, const void *bytes, size_t len);
/* Sends a text on the open stream, in a chunk of its own. */
void mock_stream_text(struct mock *mock, const char *text);
/* Ends the open stream with the last chunk. */
void mock_stream_end(struct mock *mock);
/* Closes the connection of the open stream, so that the answer is incomplete. */
void mock_stream_cut(struct mock *mock);
/* The value of a header of the request; "": there is none. Valid until the next call. */
const char *mock_header(struct mock_request *request, const char *name);
/* The body of the request; valid as long as the request. */
const char *mock_body(const struct mock_request *request);
/* The method of the request; valid as long as the request. */
const char *mock_method(const struct mock_request *request);

#endif
