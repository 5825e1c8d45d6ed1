/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API server seam: the one way the shim talks to Kubernetes.
 *
 * Implemented by client/ (a real API server over libcurl) and simulate/ (a cluster in memory). All functions
 * are called on the scheduling thread and never block; all answers arrive on the scheduling thread.
 * Source: docs/design.md, "Seams".
 */
#ifndef YK_API_SERVER_H
#define YK_API_SERVER_H

#include "api/object.h"
#include "api/token_review.h"

enum yk_watch_event {
    YK_WATCH_UPSERT,        /* `object` was added, changed, or is there in a replacing list */
    YK_WATCH_DELETED,       /* `object` carries the last state the server knew */
    YK_WATCH_REPLACE_BEGIN, /* a full list begins (again): remember what it names ... */
    YK_WATCH_REPLACE_END,   /* ... and what it did not name is gone. The first one means: in sync */
    YK_WATCH_REPLACE_GAPS, /* instead of END: something in the list could not be read, so nothing is taken for
                              gone */
};

/*
 * Receives one event of one kind, in order per kind. `object` (NULL for the REPLACE events) is taken.
 * REPLACE_BEGIN may come again before its END: the list was cut and starts again.
 */
typedef void yk_watch_sink(void *context, enum yk_kind kind, enum yk_watch_event event,
                           struct yk_object *object);

struct yk_watch_spec {
    enum yk_kind kind;
    const char *namespace_;     /* NULL: all */
    const char *label_selector; /* NULL: none */
    const char *field_selector; /* NULL: none */
};

enum yk_op_kind {
    YK_OP_BIND,             /* pod to node, guarded by uid */
    YK_OP_PATCH_POD_STATUS, /* strategic merge patch `body` on the status subresource */
    YK_OP_DELETE_POD,       /* guarded by uid */
    YK_OP_CREATE_POD,       /* `body` */
    YK_OP_CREATE_EVENT,     /* events.k8s.io/v1, `body` */
    YK_OP_PATCH_EVENT,      /* `body` */
    YK_OP_PATCH_VOLUME,     /* persistent volume: merge patch `body`, guarded by its resourceVersion */
    YK_OP_PATCH_CLAIM,      /* persistent volume claim: the same */
    YK_OP_GET_CONFIG_MAP,   /* answer in `object` */
    YK_OP_PATCH_CONFIG_MAP, /* merge patch `body` */
    YK_OP_REVIEW_TOKEN,     /* TokenReview `body`; answer in `review` */
    YK_OP_REVIEW_ACCESS,    /* SubjectAccessReview `body`; answer in `answer` */
    YK_OP_GET_LEASE,        /* coordination.k8s.io/v1; answer in `answer`, as of the next two */
    YK_OP_CREATE_LEASE,     /* `body` */
    YK_OP_UPDATE_LEASE,     /* the whole object `body`, guarded by its resourceVersion */
    /* The same with other whole objects; `answer` has the object. */
    YK_OP_GET_SECRET,
    YK_OP_UPDATE_SECRET,
    YK_OP_GET_MUTATING_WEBHOOKS, /* admissionregistration.k8s.io/v1, MutatingWebhookConfiguration */
    YK_OP_CREATE_MUTATING_WEBHOOKS,
    YK_OP_UPDATE_MUTATING_WEBHOOKS,
    YK_OP_GET_VALIDATING_WEBHOOKS, /* ValidatingWebhookConfiguration */
    YK_OP_CREATE_VALIDATING_WEBHOOKS,
    YK_OP_UPDATE_VALIDATING_WEBHOOKS,
    YK_OP_KIND_COUNT,
    YK_OP_OBJECT_FIRST = YK_OP_GET_SECRET,
};

/* Classes of answers: what the caller has to do next, independent of transport. */
enum yk_op_result {
    YK_OP_OK,
    YK_OP_NOT_FOUND,    /* 404 */
    YK_OP_CONFLICT,     /* 409 */
    YK_OP_INVALID,      /* 400, 403, 422: as it is it will never work */
    YK_OP_GONE,         /* 410 */
    YK_OP_UNAUTHORIZED, /* 401 after a fresh token */
    YK_OP_RETRY,        /* 429, 5xx, time-out, connection lost: may or may not have happened */
    YK_OP_CANCELLED,    /* shutting down */
};

/* What a request is about; the API server takes an absent uid for any. */
struct yk_op_target {
    struct yk_str namespace_, name, uid, node;
};

struct yk_op {
    enum yk_op_kind kind;                       /* written by: api, as the next four */
    const char *namespace_, *name, *uid, *node; /* within the op; NULL: absent */
    /* Written by: the caller, these three, `done` and `context`. The body is owned by the op and freed with it. */
    struct yk_buf body;
    bool droppable; /* best effort (events): may be answered YK_OP_CANCELLED under load without being sent */
    int64_t timeout_ns; /* of a request for a Lease, which is never repeated by itself; 0: the server's own */
    /* Written by: the implementation of the server. */
    enum yk_op_result result;
    int http_status;                /* 0 when there was no answer */
    int64_t retry_after_ns;         /* from the server, 0 when it said nothing */
    struct yk_object *object;       /* owned; YK_OP_GET_CONFIG_MAP */
    struct yk_token_review *review; /* owned; YK_OP_REVIEW_TOKEN */
    struct yk_buf answer;           /* the Lease, Secret, SubjectAccessReview, ... as it is now, in JSON */
    /* Called once on the scheduling thread; then `done` owns the op (usually frees it). */
    void (*done)(struct yk_op *op);
    void *context;         /* the caller's */
    struct yk_op *next;    /* written by: the current owner */
    struct yk_err *reason; /* owned; NULL: yk_op_err() was not called */
};

enum { YK_OP_BODY_MAX = 3 << 20 }; /* the API server's own limit on requests */

/* Makes a request. `target` (NULL: it names nothing) is copied. The caller sets `body`, `done` and `context`,
 * and passes it to yk_api_submit() or frees it. */
struct yk_op *yk_op_new(enum yk_op_kind kind, const struct yk_op_target *target);
void yk_op_free(struct yk_op *op);
YK_DEFINE_FREEP(yk_op)

/* The error text of the request, for the API server to fill: reason and message of its Status, or what went
 * wrong on the way. Made at the first call; owned by the op. */
struct yk_err *yk_op_err(struct yk_op *op);
/* The error text of the request; "" if there is none. Borrowed from the op. */
const char *yk_op_reason(const struct yk_op *op);
/* Clears result and answer, so that the request can be submitted again. */
void yk_op_forget_answer(struct yk_op *op);

/* Whether the request is for a Lease: it is sent at once, before all that wait. */
static inline bool yk_op_is_lease(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_LEASE || kind == YK_OP_CREATE_LEASE || kind == YK_OP_UPDATE_LEASE;
}
/* Whether the request only reads, so that it changes nothing. */
static inline bool yk_op_is_read(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_CONFIG_MAP || kind == YK_OP_REVIEW_TOKEN || kind == YK_OP_REVIEW_ACCESS ||
           kind == YK_OP_GET_LEASE || kind == YK_OP_GET_SECRET || kind == YK_OP_GET_MUTATING_WEBHOOKS ||
           kind == YK_OP_GET_VALIDATING_WEBHOOKS;
}
/* Whether the request sends or reads a whole object, which comes back in `answer`. */
static inline bool yk_op_has_object(enum yk_op_kind kind)
{
    return yk_op_is_lease(kind) || (kind >= YK_OP_OBJECT_FIRST && kind < YK_OP_KIND_COUNT);
}
/* Whether the request has a Secret: body and answer are overwritten in memory when the op is freed. */
static inline bool yk_op_is_secret(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_SECRET || kind == YK_OP_UPDATE_SECRET;
}

/* The class of an unsuccessful answer, by its status code alone. `http_status` 0: there was no answer. */
enum yk_op_result yk_op_refusal(int http_status);

/* Written by: the implementation. */
struct yk_api_server {
    const struct yk_api_server_ops *ops;
};

struct yk_api_server_ops {
    /* Starts watching (list, then events). `spec` is copied; `sink` is called until stop(). */
    void (*watch)(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context);
    /* `op` is taken and comes back through op->done, also when it fails. */
    void (*submit)(struct yk_api_server *server, struct yk_op *op);
    /* No more watch events; ops in flight are finished or come back YK_OP_CANCELLED. */
    void (*stop)(struct yk_api_server *server);
    /* Requests submitted whose done() has not been called. */
    size_t (*in_flight)(struct yk_api_server *server);
};

/*
 * Calls `sink` with `c` for each object of the kind, first those that are there. `spec` is borrowed for the
 * call.
 */
static inline void yk_api_watch(struct yk_api_server *s, const struct yk_watch_spec *spec,
                                yk_watch_sink *sink, void *c)
{
    s->ops->watch(s, spec, sink, c);
}
/* Submits a request. Takes `op` until its done() is called, on this thread, later. */
static inline void yk_api_submit(struct yk_api_server *s, struct yk_op *op)
{
    s->ops->submit(s, op);
}
/* Stops: no more watch events are delivered; requests in flight are finished, or come back with
 * YK_OP_CANCELLED. */
static inline void yk_api_stop(struct yk_api_server *s)
{
    s->ops->stop(s);
}
/* The number of requests without an answer. */
static inline size_t yk_api_in_flight(struct yk_api_server *s)
{
    return s->ops->in_flight(s);
}

#endif
