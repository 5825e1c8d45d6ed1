/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTPS server of the admission controller: /health, /mutate and /validate-conf.
 *
 * A request with a path, a content type and a size that are served is handed to `review`, which answers at
 * once. So one review runs at a time, and a connection has at most one answer that it has not taken. Limits
 * of connections, of bodies and of time are those of http/http_server.h.
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

/* Bytes of a request. The API server takes objects of 3 MiB; a review of an update has two of them. */
enum { YK_ADMISSION_BODY_MAX = 7 << 20 };

struct yk_admission_server_options {
    struct yk_io *io;
    const char *address; /* "" or NULL: all */
    uint16_t port;       /* 0: any free one */
    struct yk_tls *tls;  /* NULL: not encrypted, for tests */
    /*
     * Appends the AdmissionReview that answers `body` to `ret_answer`. `path` is "/mutate" or
     * "/validate-conf", `body` is not empty.
     */
    void (*review)(void *context, const char *path, struct yk_str body, struct yk_buf *ret_answer);
    void *context;
};

/* Listens at once. Errors: YK_ERR_INVALID (the address), YK_ERR_IO (it is in use, ...). */
YK_NODISCARD enum yk_status yk_admission_server_new(const struct yk_admission_server_options *options,
                                                    struct yk_admission_server **ret_server,
                                                    struct yk_err *err);
/* Closes everything. NULL is fine. */
void yk_admission_server_free(struct yk_admission_server *server);
YK_DEFINE_FREEP(yk_admission_server)
uint16_t yk_admission_server_port(const struct yk_admission_server *server);
/* New connections are taken, but each reply is the last one of its connection. */
void yk_admission_server_retire(struct yk_admission_server *server);
/* Takes no more connections; requests that are there are answered. */
void yk_admission_server_drain(struct yk_admission_server *server);
/* After a drain: every connection has ended. */
bool yk_admission_server_is_idle(const struct yk_admission_server *server);

#endif
