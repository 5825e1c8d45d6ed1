/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The admission controller: it combines watches, certificates, webhook configurations and the HTTPS server.
 *
 * It waits until all watches have delivered their first list and the version of the API server is known,
 * reads or makes the certificate authorities, serves, and then installs the webhook configurations. Every
 * YK_CONTROLLER_CHECK_SECONDS it reads the Secret and the configurations again and repairs what differs. The
 * controller serves its first certificate at once. If API servers trust the certificate that is served, a
 * certificate of a new authority replaces it only after a check has found the configurations unchanged,
 * because API servers know the new authority by then.
 *
 * Owns:   the server, its certificates, and copies of its settings. Borrows the pointers in its options,
 *         except for texts, until it is freed.
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

enum {
    YK_CONTROLLER_CHECK_SECONDS = 60,
    YK_CONTROLLER_RENEW_DAYS = 30, /* a serving certificate is replaced if it expires within this time */
};

/* The functions that decide about requests and know the settings (admission/reviewer.h). */
struct yk_controller_reviews {
    /* Called for each event of the watches of ConfigMaps (in `namespace_`), namespaces and priority classes.
     * The callback takes `object`, which is NULL for the YK_WATCH_REPLACE_... events. */
    void (*observe)(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object);
    /* As in admission/admission_server.h. */
    void (*mutate)(void *context, struct yk_str body, struct yk_buf *ret_answer);
    void (*validate)(void *context, struct yk_buf *body, struct yk_admission_call *call);
    /* The name of the Service. Borrowed until the next event. */
    const char *(*service)(void *context);
    /* Whether the settings ask for pods to be guarded. Only an event of a ConfigMap changes the answer. */
    bool (*wants_guard)(void *context);
    void *context;
};

struct yk_controller_options {
    struct yk_io *io;
    struct yk_api_server *api;
    struct yk_io_timers *timers;
    const struct yk_clock *clock;
    struct yk_controller_reviews reviews;
    /* The version of the API server, such as "v1.36.1"; "" until it is known. No check begins before it is
     * known. */
    const char *(*version)(void *context);
    /* Called once, when the controller has ended. `why` says why the controller could not go on; NULL: it
     * ended because of yk_controller_stop(). The callback must not free the controller. */
    void (*ended)(void *context, const struct yk_err *why);
    void *context;              /* passed to `version` and `ended` */
    const char *namespace_;     /* of the ConfigMaps, the Secret and the Service */
    const char *address;        /* address to listen on; "" or NULL: all addresses */
    uint16_t port;              /* 0: any free port */
    const char *url, *url_host; /* "https://host:port" and its host, which API servers call instead of the
                                   Service; both NULL: they call the Service */
    int64_t retire_ns;          /* how long the controller still serves after a stop, so that API servers can
                                   turn to another replica; 0 or more */
};

/* Makes a controller and starts the watches. All texts are copied. The caller frees `*ret_controller` after
 * `ended` was called and `api` was freed. The function does not fail. If the controller fails before its
 * first successful check, it ends, and calls `ended`. */
void yk_controller_new(const struct yk_controller_options *options, struct yk_controller **ret_controller);
/* Frees the controller. `api` must have been freed before, because its requests refer to the controller. NULL
 * is allowed. */
void yk_controller_free(struct yk_controller *controller);
YK_DEFINE_FREEP(yk_controller)
/* Starts a check of the Secret and the webhook configurations now, or after the current check, and makes a
 * new serving certificate. The certificate is served when API servers know its authority. If the watches have
 * not delivered their first lists yet, the check waits for the lists. Has no effect after
 * yk_controller_stop() or a failure that ends the controller. */
void yk_controller_reload(struct yk_controller *controller);
/* Starts the end: serves for `retire_ns`, waits up to 5 s for requests in progress, stops `api`, waits up to
 * 5 s for its requests, then calls `ended`. A second call has no effect. */
void yk_controller_stop(struct yk_controller *controller);
/* The TCP port on which the controller serves; 0: it does not serve. */
uint16_t yk_controller_port(const struct yk_controller *controller);
/* The certificate that is served, followed by the certificate of its authority, in PEM; "" while none is
 * served. Borrowed until another certificate is served. */
const char *yk_controller_certificate(const struct yk_controller *controller);
/* Whether the last check that has ended left both webhook configurations as wanted; false before the first
 * one. */
bool yk_controller_is_installed(const struct yk_controller *controller);

#endif
