/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface to the API server: all that the shim asks of Kubernetes passes through it.
 *
 * Thread: yk_api_...() are called on one thread, the scheduling thread or that of the admission controller,
 * and never block; sinks and done() are called there too. yk_op_...(): any.
 * Source: docs/design.md, "Seams".
 */
#ifndef YK_API_SERVER_H
#define YK_API_SERVER_H

#include "api/object.h"
#include "api/token_review.h"

enum yk_watch_event {
    YK_WATCH_UPSERT,        /* `object` was added or has changed, or is an item of a list */
    YK_WATCH_DELETED,       /* `object` was deleted and has the last state that the server knew */
    YK_WATCH_REPLACE_BEGIN, /* a complete list begins: an UPSERT follows for each object that exists */
    YK_WATCH_REPLACE_END,   /* the list has ended: objects that were not in it no longer exist */
    /* the list has ended, but items could not be read: missing objects may still exist */
    YK_WATCH_REPLACE_GAPS,
};

/*
 * Receives one event. Events about one object come in the order in which they happened. `object` is taken; it
 * is NULL for the REPLACE events. REPLACE_BEGIN may come again before REPLACE_END or REPLACE_GAPS: the list
 * was interrupted and starts again. The first REPLACE_END or REPLACE_GAPS says that the first list has been
 * passed on.
 */
typedef void yk_watch_sink(void *context, enum yk_kind kind, enum yk_watch_event event,
                           struct yk_object *object);

struct yk_watch_spec {
    enum yk_kind kind;
    const char *namespace_;     /* NULL: all namespaces */
    const char *label_selector; /* in the syntax of the API server, not escaped; NULL: all objects */
    const char *field_selector; /* like label_selector */
};

enum yk_op_kind {
    YK_OP_BIND,             /* binds the pod with this UID to `node`; the caller sets no `body` */
    YK_OP_PATCH_POD_STATUS, /* strategic merge patch `body` on the status subresource */
    YK_OP_DELETE_POD,       /* deletes the pod with this UID; the caller sets no `body` */
    YK_OP_CREATE_POD,       /* `body`: the pod */
    YK_OP_CREATE_EVENT,     /* `body`: the Event, events.k8s.io/v1 */
    YK_OP_PATCH_EVENT,      /* strategic merge patch `body` */
    YK_OP_PATCH_VOLUME,     /* persistent volume: merge patch `body` with a resourceVersion */
    YK_OP_PATCH_CLAIM,      /* persistent volume claim: merge patch `body` with a resourceVersion */
    YK_OP_GET_CONFIG_MAP,   /* the ConfigMap comes back in `object` */
    YK_OP_PATCH_CONFIG_MAP, /* merge patch `body` */
    YK_OP_REVIEW_TOKEN,     /* `body`: a TokenReview; the answer comes back in `review` */
    YK_OP_REVIEW_ACCESS,    /* `body`: a SubjectAccessReview; it comes back with its status in `answer` */
    /* coordination.k8s.io/v1. The object comes back in `answer`, as for all kinds below */
    YK_OP_GET_LEASE,
    YK_OP_CREATE_LEASE, /* `body`: the whole object */
    YK_OP_UPDATE_LEASE, /* `body`: the whole object with its resourceVersion */
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

/* Classes of answers, by what the caller can do next. */
enum yk_op_result {
    YK_OP_OK,
    YK_OP_NOT_FOUND,    /* 404 */
    YK_OP_CONFLICT,     /* 409 */
    YK_OP_INVALID,      /* 400, 403, 422, ...: the same request would be refused again */
    YK_OP_GONE,         /* 410 */
    YK_OP_UNAUTHORIZED, /* 401, also with a new token */
    /* 408, 429, 5xx, time-out, connection lost: the request may have been carried out or not */
    YK_OP_RETRY,
    /* not sent, or given up: the process stops, may not write, or has too many droppable ops */
    YK_OP_CANCELLED,
};

/* The object of a request. All texts may be absent; an absent uid is not compared. `node` is for
 * YK_OP_BIND. */
struct yk_op_target {
    struct yk_str namespace_, name, uid, node;
};

struct yk_op {
    enum yk_op_kind kind;                       /* written by: api, as the next four */
    const char *namespace_, *name, *uid, *node; /* copies in the memory of the op; NULL: absent */
    /* Written by: the caller, as are `droppable`, `timeout_ns`, `done` and `context`. k8s-shim/client
     * writes the body of YK_OP_BIND and YK_OP_DELETE_POD. */
    struct yk_buf body; /* owned; up to YK_OP_BODY_MAX bytes of JSON */
    /* best effort (Events): under load, the op may come back with YK_OP_CANCELLED without being sent */
    bool droppable;
    /* time-out of a request for a Lease, which is sent only once; 0: the time-out of other requests */
    int64_t timeout_ns;
    /* Written by: the implementation of the server, before it calls done(). */
    enum yk_op_result result;
    int http_status;                /* 0: there was no answer */
    int64_t retry_after_ns;         /* the wait that the server asked for; 0: it asked for none */
    struct yk_object *object;       /* owned; NULL except after a successful YK_OP_GET_CONFIG_MAP */
    struct yk_token_review *review; /* owned; NULL except after a successful YK_OP_REVIEW_TOKEN */
    struct yk_buf answer;           /* owned; the Lease, Secret, SubjectAccessReview, ... in JSON */
    /* Called once for each yk_api_submit(), on the thread of that call. The callback takes `op`: it frees
     * `op`, or keeps it and may submit it again. If the server is freed before the call, it frees `op`. */
    void (*done)(struct yk_op *op);
    void *context;         /* for done() */
    struct yk_op *next;    /* a link for the current owner of the op; written by: the current owner */
    struct yk_err *reason; /* owned; read with yk_op_reason(); NULL: there is no error text */
};

enum { YK_OP_BODY_MAX = 3 << 20 }; /* bytes; the API server refuses larger requests */

/* Makes a request about `target`, which is copied; NULL: the request is about no object, as for reviews. The
 * caller fills `body`, an empty buffer with a maximum, if enum yk_op_kind says that the kind has one. The
 * caller sets `done` and `context`, and may set `droppable` and `timeout_ns`. Then it passes the op to
 * yk_api_submit() or frees it. */
struct yk_op *yk_op_new(enum yk_op_kind kind, const struct yk_op_target *target);
/* Frees the request with body and answer. If it is for a Secret, body and answer are overwritten first. `op`
 * may be NULL. Do not call the function while the request is submitted. */
void yk_op_free(struct yk_op *op);
YK_DEFINE_FREEP(yk_op)

/* The error text of the request, for implementations of the server to write: reason and message of the
 * Status, or why no answer came. The text is empty at the first call. Owned by the op. */
struct yk_err *yk_op_err(struct yk_op *op);
/* The error text of the request; "" if there is none. Borrowed from the op. */
const char *yk_op_reason(const struct yk_op *op);
/* Clears status code, wait and error text of the last answer. Call the function before the same request is
 * submitted again. Only for requests that get no `object`, `review` or `answer`, which are not cleared. */
void yk_op_forget_answer(struct yk_op *op);

/* Whether the request is for a Lease. Such a request is sent at once, before those that wait for their
 * turn. */
static inline bool yk_op_is_lease(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_LEASE || kind == YK_OP_CREATE_LEASE || kind == YK_OP_UPDATE_LEASE;
}
/* Whether the request asks who a token belongs to, or what a user may do. */
static inline bool yk_op_is_review(enum yk_op_kind kind)
{
    return kind == YK_OP_REVIEW_TOKEN || kind == YK_OP_REVIEW_ACCESS;
}
/* Whether the request changes nothing on the API server. Reviews change nothing. */
static inline bool yk_op_is_read(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_CONFIG_MAP || yk_op_is_review(kind) || kind == YK_OP_GET_LEASE ||
           kind == YK_OP_GET_SECRET || kind == YK_OP_GET_MUTATING_WEBHOOKS ||
           kind == YK_OP_GET_VALIDATING_WEBHOOKS;
}
/* Whether the request reads or writes a whole object, which comes back in `answer`. */
static inline bool yk_op_has_object(enum yk_op_kind kind)
{
    return yk_op_is_lease(kind) || (kind >= YK_OP_OBJECT_FIRST && kind < YK_OP_KIND_COUNT);
}
/* Whether the request is for a Secret. If so, yk_op_free() overwrites body and answer in memory. */
static inline bool yk_op_is_secret(enum yk_op_kind kind)
{
    return kind == YK_OP_GET_SECRET || kind == YK_OP_UPDATE_SECRET;
}

/* The class of an unsuccessful answer, by its status code alone. `http_status` is not 2xx; 0: there was no
 * answer. */
enum yk_op_result yk_op_refusal(int http_status);

/* Written by: the implementation. */
struct yk_api_server {
    const struct yk_api_server_ops *ops;
};

struct yk_api_server_ops {
    /* Each function does what yk_api_<name>() says. */
    void (*watch)(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context);
    void (*submit)(struct yk_api_server *server, struct yk_op *op);
    void (*stop)(struct yk_api_server *server);
    size_t (*in_flight)(struct yk_api_server *server);
};

/*
 * Starts a watch: `sink` is called with `c` for a list of the objects that exist, then for each change, until
 * yk_api_stop(). `spec` and its texts are copied; `c` is borrowed until yk_api_stop(). `sink` is not called
 * before this function returns. There is no way to end a single watch.
 */
static inline void yk_api_watch(struct yk_api_server *s, const struct yk_watch_spec *spec,
                                yk_watch_sink *sink, void *c)
{
    s->ops->watch(s, spec, sink, c);
}
/* Submits a request. `op` is taken. Its done() is called later on this thread, also if the request fails or
 * is dropped, unless the server is freed before. done() is not called before this function returns. */
static inline void yk_api_submit(struct yk_api_server *s, struct yk_op *op)
{
    s->ops->submit(s, op);
}
/* Ends all watches: their sinks are not called again. Requests in flight are finished, or come back with
 * YK_OP_CANCELLED; yk_api_in_flight() says how many are left. */
static inline void yk_api_stop(struct yk_api_server *s)
{
    s->ops->stop(s);
}
/* The number of requests that were submitted and whose done() has not been called. */
static inline size_t yk_api_in_flight(struct yk_api_server *s)
{
    return s->ops->in_flight(s);
}

#endif
