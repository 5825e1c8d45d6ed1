/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An API server that does exactly what a test tells it to: a script in place of a cluster. It can be the
 * proxy in front of itself, too.
 *
 * Lives on the event loop of the I/O thread, which the test turns itself. Each request goes to `handler`,
 * which answers at once, later (it keeps the request, which lives as long as its connection or until it is
 * answered), or never. HTTP/1.1 only.
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
    void *tls; /* SSL_CTX */
    /* Set before the first connection comes. */
    bool is_proxy; /* TLS begins after a CONNECT */
    void (*take_socket)(struct mock *mock,
                        intptr_t fd); /* instead of HTTP/1.1, for who speaks something else */
    /* What came. */
    size_t proxied;       /* requests and CONNECTs that were meant for a proxy */
    char asked_for[128];  /* of the last of them: URL up to its path, or host and port */
    char client_name[64]; /* common name in the certificate of the client that asked last */
    uint16_t port;
    mock_handler *handler;
    void *context;
    size_t requests;
    struct yk_list connections;
    struct mock_request *stream; /* the open one, NULL when it has ended on either side */
};

/* With `certificate_file` (it and the key are written there as PEM) over TLS. */
void mock_open(struct mock *mock, struct event_base *base, const char *certificate_file,
               mock_handler *handler, void *context);
/* A key and a certificate for 127.0.0.1 and kubernetes.example that signs itself, as PEM. */
void mock_write_certificate(const char *common_name, const char *certificate_file, const char *key_file);
/* From now on only who shows a certificate, whichever, is let in. */
void mock_want_certificate(struct mock *mock);
/* No more connections; those that exist are cut. mock_open() may be called again. */
void mock_close(struct mock *mock);
/* Listens on a port that a closed mock had. */
void mock_reopen(struct mock *mock);
/* `header` may be NULL. */
void mock_answer(struct mock_request *request, int status, const char *header, const char *value,
                 const char *body);
/* A Status object as answer. */
void mock_refuse(struct mock_request *request, int status, const char *reason, const char *extra);
/* Begins the answer to `request`: status 200, this type, chunked. It is `mock->stream` until it ends. */
void mock_stream_open(struct mock *mock, struct mock_request *request, const char *content_type);
/* Sends bytes on the open stream, in a chunk of their own. */
void mock_stream_send(struct mock *mock, const void *bytes, size_t len);
/* Sends a text on the open stream, in a chunk of its own. */
void mock_stream_text(struct mock *mock, const char *text);
/* Ends the open stream as it should end. */
void mock_stream_end(struct mock *mock);
/* Closes the connection in the middle. */
void mock_stream_cut(struct mock *mock);
/* "" when the request has none. Valid until the next call. */
const char *mock_header(struct mock_request *request, const char *name);
/* Valid as long as the request. */
const char *mock_body(const struct mock_request *request);
/* Valid as long as the request. */
const char *mock_method(const struct mock_request *request);

#endif
