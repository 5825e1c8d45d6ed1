/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTTP requests to the API server: libcurl's multi interface on the libevent loop of the I/O thread.
 *
 * There are two lanes with connections of their own, so that neither blocks the other:
 * - requests: HTTP/2 (1.1 if the server does not support it or DISABLE_HTTP2 is set), many requests on a few
 *   shared connections;
 * - streams: for example lists and watches, HTTP/1.1, one connection each. While a stream is paused, the
 *   receive window of TCP stops the server. With HTTP/2, libcurl would buffer up to a window of data for each
 *   paused stream.
 *
 * The transport adds the bearer token to each request. It sends a request again once after 401 with a new
 * token, and once after GOAWAY.
 * Owns:   connections and their TLS state.
 * Thread: I/O thread. No function except yk_transfer_resume() calls on_data or on_done before it returns.
 * Source: docs/reference/kubernetes.md, "Connections" (K02, K04).
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
    YK_CHUNK_PAUSE, /* the bytes were read; on_data is not called again before yk_transfer_resume() */
    YK_CHUNK_STOP,  /* ends the transfer: on_done gets an answer with `stopped` */
};

/* The end of a transfer. */
struct yk_http_answer {
    int http_status; /* 0: no answer, or the time-out has passed before the answer was complete */
    /* The whole body has been received, or the transport has ended the stream as if the server had closed it,
     * because the client certificate was replaced. */
    bool complete;
    bool stopped;           /* on_data has returned YK_CHUNK_STOP */
    int64_t retry_after_ns; /* from the header Retry-After, at most ten minutes; 0: there is no such header */
    struct yk_str body;  /* the body if the status is not 2xx, cut at 64 KiB; valid until on_done returns */
    struct yk_err error; /* why the transfer failed; empty if `complete` or `stopped` */
};

struct yk_k8s_request {
    enum yk_lane lane;
    const char *method;       /* GET, POST, PUT, PATCH or DELETE */
    const char *path;         /* path and query, escaped: "/api/v1/..." */
    const char *accept;       /* media type */
    const char *content_type; /* the type of `body`; NULL: the request has no body */
    struct yk_str body;       /* borrowed until on_done has returned or the transfer is cancelled */
    bool compressed;          /* ask for gzip, if the kubeconfig does not disable it */
    int64_t timeout_ns;       /* time-out, which begins again if the request is sent again; 0: none */
    /*
     * Gets the bytes of a 2xx body as they arrive. The first call comes when the headers are complete; it has
     * no bytes, and its result is ignored. May be NULL. Must not start or cancel transfers.
     */
    enum yk_chunk (*on_data)(struct yk_transfer *transfer, struct yk_str bytes, void *context);
    /* Called once at the end, if the transfer is not cancelled. `transfer` must not be used after on_done has
     * returned. May start transfers and cancel other transfers. */
    void (*on_done)(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context);
    void *context;
};

/* Makes a transport without connections. The three objects are borrowed for the life of the transport. Calls
 * curl_global_init(), which is not safe beside other threads that use libcurl, and ignores SIGPIPE in the
 * process. Reads DISABLE_HTTP2 and HTTP2_*_TIMEOUT_SECONDS from the environment. If the kubeconfig names no
 * proxy and the server is not on this machine, the variables that libcurl reads (such as HTTPS_PROXY and
 * NO_PROXY) name the proxy. For an http:// server, HTTP_PROXY names it if http_proxy is not set.
 * Errors: YK_ERR_IO, libcurl or an event could not be set up. */
YK_NODISCARD enum yk_status yk_transport_new(struct event_base *base, struct yk_io_timers *timers,
                                             struct yk_identity *identity,
                                             struct yk_transport **ret_transport, struct yk_err *err);
/* Cancels all transfers without on_done, and frees the transport. Free the owners of transfers, such as the
 * reflectors, the op queue and the discovery, before: they cancel the transfers that they hold. Calls
 * curl_global_cleanup(), which is not safe beside other threads that use libcurl. `transport` may be NULL. */
void yk_transport_free(struct yk_transport *transport);
YK_DEFINE_FREEP(yk_transport)

/* Starts a transfer. If a credential plug-in has to run first, the transfer waits for the plug-in. `request`
 * is copied with its texts, but without the body. The result belongs to the transport and is valid until
 * on_done returns or the transfer is cancelled. Errors are reported only to on_done. */
struct yk_transfer *yk_transport_start(struct yk_transport *transport, const struct yk_k8s_request *request);
/* Ends the transfer; on_data and on_done are not called again. Must not be called from on_data. */
void yk_transfer_cancel(struct yk_transfer *transfer);
/* Continues a transfer after YK_CHUNK_PAUSE. May call on_data and on_done before this function returns, so
 * `transfer` may have ended afterwards. No effect on a transfer that is not paused. */
void yk_transfer_resume(struct yk_transfer *transfer);
/* The counts of the requests that have ended. Borrowed from the transport for its life. */
const struct yk_api_stats *yk_transport_stats(const struct yk_transport *transport);
/* The content type of the answer; "" if there is none. To be called only within on_data and on_done; the
 * text is valid until they return. */
const char *yk_transfer_content_type(const struct yk_transfer *transfer);

#endif
