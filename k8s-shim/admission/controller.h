/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The admission controller: watches, certificates, webhook configurations and the HTTPS server, put together.
 *
 * It waits until the watched objects are in sync, reads or makes the certificate authorities, serves, and
 * then installs the webhook configurations. Every YK_CONTROLLER_CHECK_SECONDS it reads the Secret and the
 * configurations again and repairs what differs. A certificate of a new authority is served only after a
 * check has found the configurations unchanged, so that API servers know the authority by then.
 *
 * Owns:   the server, its certificates, what it knows of the settings. Borrows everything in its options.
 * Thread: I/O thread, on which the answers and watch events of `api` arrive as well.
 * Source: docs/reference/admission-server.md.
 */
#ifndef YK_ADMISSION_CONTROLLER_H
#define YK_ADMISSION_CONTROLLER_H

#include "api/server.h"
#include "base/io_loop.h"
#include "client/io_timers.h"

struct yk_admission_call;
struct yk_controller;

enum { YK_CONTROLLER_CHECK_SECONDS = 60, YK_CONTROLLER_RENEW_DAYS = 30 };

/* What decides about requests (admission/reviewer.h). */
struct yk_controller_reviews {
    /* One event of a watch; `object` is taken. */
    void (*observe)(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object);
    /* As in admission/admission_server.h. */
    void (*mutate)(void *context, struct yk_str body, struct yk_buf *ret_answer);
    void (*validate)(void *context, struct yk_buf *body, struct yk_admission_call *call);
    void *context;
};

struct yk_controller_options {
    struct yk_io *io;
    struct yk_api_server *api;
    struct yk_io_timers *timers;
    const struct yk_clock *clock;
    struct yk_controller_reviews reviews;
    /* "v1.36.1"; "" until it is known. */
    const char *(*version)(void *context);
    /* The controller has ended. `why` NULL: yk_controller_stop() was called; else it cannot go on. */
    void (*ended)(void *context, const struct yk_err *why);
    void *context;              /* of the two above */
    const char *namespace_;     /* of the ConfigMaps, the Secret and the Service */
    const char *address;        /* "" or NULL: all */
    uint16_t port;              /* 0: any free one */
    const char *url, *url_host; /* what API servers call instead of the Service; both NULL: the Service */
    int64_t retire_ns;          /* how long it serves after a stop, so that API servers can turn away */
};

/* Makes a controller and starts the watches. All texts are copied. The caller frees `*ret_controller` after
 * `ended` was called. */
void yk_controller_new(const struct yk_controller_options *options, struct yk_controller **ret_controller);
/* Frees it, after `api` was freed. NULL is fine. */
void yk_controller_free(struct yk_controller *controller);
YK_DEFINE_FREEP(yk_controller)
/* Checks Secret and configurations now, and serves a new certificate. */
void yk_controller_reload(struct yk_controller *controller);
/* Ends: serves for `retire_ns`, finishes the requests that it has, stops `api`, then calls `ended`. */
void yk_controller_stop(struct yk_controller *controller);
/* The TCP port that it serves; 0: it does not serve yet. */
uint16_t yk_controller_port(const struct yk_controller *controller);
/* The certificate that is served, with its authority, in PEM; "" before there is one. Borrowed until the next
 * one. */
const char *yk_controller_certificate(const struct yk_controller *controller);
/* Whether the webhook configurations were as wanted at the last check. */
bool yk_controller_is_installed(const struct yk_controller *controller);

#endif
