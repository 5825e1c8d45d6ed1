/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of api/server.h to a real API server.
 *
 * Connections belong to the I/O thread. Watches, requests, their answers and watch events are passed between
 * the I/O thread and the scheduling thread in mailboxes. When the events of a watch have filled the mailbox
 * of the scheduling thread, the watch is not read until there is space. The client sets `on_capacity` of this
 * mailbox, so nothing else may set it.
 * Thread: each function says its thread; those of api/server.h run on the scheduling thread.
 */
#ifndef YK_CLIENT_CLIENT_H
#define YK_CLIENT_CLIENT_H

#include "api/fence.h"
#include "base/io_loop.h"
#include "client/discovery.h"

struct yk_client_options {
    struct yk_io *io;             /* borrowed for the life of the client */
    struct yk_mailbox *inbox;     /* the mailbox of the scheduling thread; borrowed likewise */
    const struct yk_clock *clock; /* borrowed for the life of the client */
    /* the argument kubeconfig_path of yk_access_find(); may be NULL; borrowed for the call of
     * yk_client_new() */
    const char *kubeconfig;
    int64_t qps, burst;           /* limits of writes: kubernetes.qps, kubernetes.burst; see token_bucket.h */
    unsigned in_flight;           /* size of the window at the start, see op_queue.h; 0 means 64 */
    unsigned in_flight_max;       /* largest size of the window; 0 means 256 */
    uint64_t seed;                /* determines random times, such as those of the back-off */
    const struct yk_fence *fence; /* stops writes; borrowed for the life of the client; NULL: there is none */
};

/*
 * Makes a client: reads the kubeconfig or the service account, and the credentials. Sends nothing before the
 * I/O loop runs. From now on, the whole process ignores SIGPIPE. `options` are copied. The caller frees
 * `*ret_server` with yk_client_free(). To be called before the threads of `io` and `inbox` start.
 * Errors: those of yk_io_timers_init(), yk_access_find(), yk_identity_new(), yk_transport_new() and
 * yk_op_queue_new().
 */
YK_NODISCARD enum yk_status yk_client_new(const struct yk_client_options *options,
                                          struct yk_api_server **ret_server, struct yk_err *err);
/* Frees the client. Requests that were not answered are freed without done(). To be called after both threads
 * have ended. `server` may be NULL. */
void yk_client_free(struct yk_api_server *server);
/* Replaces the limits of writes (kubernetes.qps and kubernetes.burst). On the scheduling thread: the I/O
 * thread begins to use the new limits soon after this call. Errors: those of yk_token_bucket_init(); the old
 * limits stay. */
YK_NODISCARD enum yk_status yk_client_set_limits(struct yk_api_server *server, int64_t qps, int64_t burst,
                                                 struct yk_err *err);
/* What the API server serves; NULL before the I/O loop has run, and after the I/O thread has handled
 * yk_api_stop(), which frees the discovery: do not keep the pointer beyond a turn of the loop. On the I/O
 * thread. */
struct yk_discovery *yk_client_discovery(struct yk_api_server *server);
/* Appends the metrics of requests to the API server in the Prometheus text format. On the I/O thread. */
void yk_client_put_metrics(struct yk_api_server *server, struct yk_buf *out);
/* Whether there is an outage: the API server does not answer lists and watches (client/outage.h). False
 * before the first list or watch. Says nothing about other requests. On the I/O thread. */
bool yk_client_is_cut_off(const struct yk_api_server *server);
/* The timers of the client, for callers that need timers on the I/O thread or that move a virtual clock.
 * Borrowed until yk_client_free(); timers that are still armed at that time do not fire. On the I/O thread,
 * or before this thread runs. */
struct yk_io_timers *yk_client_timers(struct yk_api_server *server);

#endif
