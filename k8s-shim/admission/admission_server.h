/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTPS server of the admission controller: /health, /mutate and /validate-conf.
 *
 * The server answers /health itself. It checks content type and size of a review, and then calls
 * `mutate`, which answers at once, or `validate`, which may answer later. A connection has at most one
 * request without an answer, and at most one answer that the client has not read. This server has few
 * clients, which send many requests. Therefore the limits below replace the corresponding limits of
 * http/http_server.h.
 *
 * Owns:   its sockets. Borrows the I/O loop, `tls` and `context` until it is freed.
 * Thread: I/O thread.
 * Source: docs/reference/admission-server.md, "Requests".
 */
#ifndef YK_ADMISSION_ADMISSION_SERVER_H
#define YK_ADMISSION_ADMISSION_SERVER_H

#include "base/io_loop.h"
#include "base/str.h"

struct yk_tls;
struct yk_admission_server;
struct yk_admission_call; /* a request that is answered later */

enum {
    /* Bytes of a request body. The API server accepts objects of 3 MiB; a review of an update has two. */
    YK_ADMISSION_BODY_MAX = 7 << 20,
    /* An API server serves 600 requests at a time by default. Each may need a connection to this server. */
    YK_ADMISSION_CONNECTIONS_MAX = 1024,
    YK_ADMISSION_CONNECTIONS_OF_ADDRESS_MAX = 700,
    YK_ADMISSION_BODIES_OF_ADDRESS_MAX = 24 << 20, /* bytes of bodies that are being read from one address */
};

struct yk_admission_server_options {
    struct yk_io *io;    /* borrowed until the server is freed */
    const char *address; /* address to listen on, borrowed for the call; "" or NULL: all addresses */
    uint16_t port;       /* 0: any free port */
    struct yk_tls *tls;  /* borrowed until the server is freed; NULL: not encrypted, for tests */
    /*
     * Reviews a request of "/mutate": appends the AdmissionReview that answers `body` to `ret_answer`. `body`
     * is not empty, and is borrowed for the call.
     */
    void (*mutate)(void *context, struct yk_str body, struct yk_buf *ret_answer);
    /*
     * Starts the review of a request of "/validate-conf", which may take seconds. `body` is not empty. The
     * callback takes the bytes of `body` and the call, which it has to end with yk_admission_answer(), at
     * once or later.
     */
    void (*validate)(void *context, struct yk_buf *body, struct yk_admission_call *call);
    void *context; /* passed to both callbacks; borrowed until the server is freed */
};

/* Makes a server and listens. `options` are copied. The caller frees `*ret_server`. Errors: YK_ERR_INVALID,
 * the address is malformed; YK_ERR_IO, the server cannot listen, for example because the port is in use. */
YK_NODISCARD enum yk_status yk_admission_server_new(const struct yk_admission_server_options *options,
                                                    struct yk_admission_server **ret_server,
                                                    struct yk_err *err);
/*
 * Answers `call` with an AdmissionReview and frees the call. `answer` is the text. Its bytes are taken, so
 * that `answer` is empty afterwards. `answer` is NULL if there was no review: the client then gets status
 * 503. The function may also be called when the client has closed the connection or the server has been
 * freed.
 */
void yk_admission_answer(struct yk_admission_call *call, struct yk_buf *answer);
/* Closes the listening socket and all connections. Calls stay valid until they are answered. NULL is
 * allowed. */
void yk_admission_server_free(struct yk_admission_server *server);
YK_DEFINE_FREEP(yk_admission_server)
/* The TCP port on which the server listens, also if the options say 0. */
uint16_t yk_admission_server_port(const struct yk_admission_server *server);
/* From now on the server closes a connection after its next reply. It still accepts new connections. */
void yk_admission_server_retire(struct yk_admission_server *server);
/* Stops accepting connections. Closes idle connections at once, and the others after the reply to their
 * request. */
void yk_admission_server_drain(struct yk_admission_server *server);
/* Whether no connection is open. New connections can follow unless yk_admission_server_drain() was called. */
bool yk_admission_server_is_idle(const struct yk_admission_server *server);

#endif
