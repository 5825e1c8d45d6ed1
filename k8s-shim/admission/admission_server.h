/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTPS server of the admission controller: /health, /mutate and /validate-conf.
 *
 * A request with a path, a content type and a size that are served is handed to `mutate`, which answers at
 * once, or to `validate`. A connection has at most one request that is not answered, and one answer that it
 * has not taken. Limits are those of http/http_server.h, but for those below: the clients are few and busy.
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
    /* Bytes of a request. The API server takes objects of 3 MiB; a review of an update has two of them. */
    YK_ADMISSION_BODY_MAX = 7 << 20,
    /* An API server answers 600 requests at a time by default, and each one may have a connection to us. */
    YK_ADMISSION_CONNECTIONS_MAX = 1024,
    YK_ADMISSION_CONNECTIONS_OF_ADDRESS_MAX = 700,
    YK_ADMISSION_BODIES_OF_ADDRESS_MAX = 24 << 20, /* bytes of bodies that are not answered yet */
};

struct yk_admission_server_options {
    struct yk_io *io;
    const char *address; /* "" or NULL: all */
    uint16_t port;       /* 0: any free one */
    struct yk_tls *tls;  /* NULL: not encrypted, for tests */
    /* Appends the AdmissionReview that answers `body`, of "/mutate", to `ret_answer`. `body` is not empty. */
    void (*mutate)(void *context, struct yk_str body, struct yk_buf *ret_answer);
    /*
     * A review of "/validate-conf", which takes long: `body` is not empty, and taken with `call`.
     * yk_admission_answer() ends the call, at once or later.
     */
    void (*validate)(void *context, struct yk_buf *body, struct yk_admission_call *call);
    void *context;
};

/* Makes a server and listens. `options` are copied. The caller frees `*ret_server`. Errors: YK_ERR_INVALID,
 * the address; YK_ERR_IO, the port is in use, for example. */
YK_NODISCARD enum yk_status yk_admission_server_new(const struct yk_admission_server_options *options,
                                                    struct yk_admission_server **ret_server,
                                                    struct yk_err *err);
/*
 * Answers a call with an AdmissionReview, and ends it. `answer` is taken, and left empty; NULL: it could not
 * be reviewed, the client gets 503. The client may have gone, and the server may have been freed.
 */
void yk_admission_answer(struct yk_admission_call *call, struct yk_buf *answer);
/* Closes everything. Calls stay valid until they are answered. NULL is fine. */
void yk_admission_server_free(struct yk_admission_server *server);
YK_DEFINE_FREEP(yk_admission_server)
/* The TCP port that it listens at, also where the options named port 0. */
uint16_t yk_admission_server_port(const struct yk_admission_server *server);
/* New connections are taken, but each reply is the last one of its connection. */
void yk_admission_server_retire(struct yk_admission_server *server);
/* Takes no more connections; requests that are there are answered. */
void yk_admission_server_drain(struct yk_admission_server *server);
/* Whether every connection has ended, after yk_admission_server_drain(). */
bool yk_admission_server_is_idle(const struct yk_admission_server *server);

#endif
