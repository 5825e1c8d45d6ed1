/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP requests to the API server: libcurl's multi interface on the libevent loop of the I/O thread.
 *
 * There are two lanes with connections of their own, so that neither blocks the other:
 * requests: HTTP/2 (1.1 if the server does not support it), many requests on a few shared connections;
 * streams: lists and watches, HTTP/1.1, one connection each. A paused stream blocks its server by TCP alone,
 * and no data is buffered here as in the window of HTTP/2.
 *
 * Owns:   connections, TLS, adding the bearer token to requests, one retry after 401, one after GOAWAY.
 * Thread: I/O thread. No function except yk_transfer_resume() calls back before it returns.
 * Source: docs/reference/kubernetes.md, 1.5 and 1.7 (K01, K04).
 */
#ifndef YK_CLIENT_TRANSPORT_H
#define YK_CLIENT_TRANSPORT_H

#include "client/identity.h"
#include "client/io_timers.h"

struct event_base;
struct yk_api_stats;
struct yk_transport;
struct yk_transfer;

enum yk_lane { YK_LANE_REQUESTS, YK_LANE_STREAMS, YK_LANE_COUNT };

enum yk_chunk {
    YK_CHUNK_GO_ON,
    YK_CHUNK_PAUSE, /* taken, but no more until yk_transfer_resume() */
    YK_CHUNK_STOP,  /* enough: the transfer ends with `stopped` */
};

/* How a transfer ended. */
struct yk_http_answer {
    int http_status;        /* 0: no answer at all */
    bool complete;          /* the body came to its proper end */
    bool stopped;           /* by YK_CHUNK_STOP */
    int64_t retry_after_ns; /* 0: the server said nothing */
    struct yk_str body;     /* of an answer that is no 2xx, cut at 64 KiB; borrowed until on_done returns */
    struct yk_err error;    /* what went wrong on the way; empty when complete */
};

struct yk_k8s_request {
    enum yk_lane lane;
    const char *method; /* GET, POST, PUT, PATCH or DELETE */
    const char *path;   /* "/api/v1/..." with its query */
    const char *accept;
    const char *content_type; /* NULL: no body */
    struct yk_str body;       /* borrowed until on_done */
    bool compressed;          /* ask for gzip, unless the kubeconfig says no */
    int64_t timeout_ns;       /* for the whole; 0: none */
    /*
     * Bytes of a 2xx body; first without bytes, when the headers have come (what it returns then is ignored).
     * May be NULL. Must not start or cancel transfers.
     */
    enum yk_chunk (*on_data)(struct yk_transfer *transfer, struct yk_str bytes, void *context);
    /* Once, unless cancelled; the transfer is gone when it returns. May start new ones. */
    void (*on_done)(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context);
    void *context;
};

/* Makes a transport without connections. The pointers are borrowed for life. Ignores SIGPIPE for the
 * process. Reads DISABLE_HTTP2 and HTTP2_*_TIMEOUT_SECONDS from the environment. Errors: YK_ERR_IO,
 * libcurl or an event could not be set up. */
YK_NODISCARD enum yk_status yk_transport_new(struct event_base *base, struct yk_io_timers *timers,
                                             struct yk_identity *identity,
                                             struct yk_transport **ret_transport, struct yk_err *err);
/* Cancels what is left. NULL is fine. */
void yk_transport_free(struct yk_transport *transport);
YK_DEFINE_FREEP(yk_transport)

/* Starts a request. Copies everything but the body. The request that is returned is valid until on_done
 * returns. Errors are reported through on_done only. */
struct yk_transfer *yk_transport_start(struct yk_transport *transport, const struct yk_k8s_request *request);
/* Cancels the transfer; on_done is not called. Must not be called from on_data. */
void yk_transfer_cancel(struct yk_transfer *transfer);
/* Goes on after YK_CHUNK_PAUSE. May call on_data and on_done before it returns. */
void yk_transfer_resume(struct yk_transfer *transfer);
/* The counts of requests so far, by how they ended. Borrowed for life. */
const struct yk_api_stats *yk_transport_stats(const struct yk_transport *transport);
/* The content type of the answer; "" when there is none. Only within on_data and on_done; borrowed for that
 * time. */
const char *yk_transfer_content_type(const struct yk_transfer *transfer);

#endif
