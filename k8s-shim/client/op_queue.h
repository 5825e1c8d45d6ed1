/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue of requests (`struct yk_op`) that are to be sent to the API server.
 *
 * Order: requests for a Lease are sent at once, without regard to the limits. Of the other requests,
 * bindings, patches of volumes and claims, reviews and reads of ConfigMaps are sent first. *Changes*, which
 * are all others except Events, come next. While fewer than two changes are in flight, the next change is
 * sent before bindings that wait. Events are sent last, and at most four of them are in flight.
 *
 * Limits: the number of requests in flight is limited by a window. While the window is full, it grows by one
 * place after as many successful answers as it has places. A 429 halves it, but not again if the request was
 * sent before the window was halved. A token bucket limits the rate of writes.
 *
 * Repetitions: a request that is answered 429 or 5xx with Retry-After is sent again after that time, or after
 * a minute if that time is longer. A read of a ConfigMap that gets no answer is sent again after one second.
 * A request is repeated at most ten times. A request for a Lease is never repeated. All other results are
 * passed to the caller.
 *
 * A droppable request comes back YK_OP_CANCELLED if 1,000 droppable requests are waiting. A write comes back
 * YK_OP_CANCELLED if its turn comes when the fence is closed (api/fence.h); a request for a Lease does not.
 *
 * Invariant: each request that is submitted comes back through `done` exactly once.
 * Thread: I/O thread.
 * Source: docs/reference/kubernetes.md, 1.5 (K12, K13, K14).
 */
#ifndef YK_CLIENT_OP_QUEUE_H
#define YK_CLIENT_OP_QUEUE_H

#include "api/fence.h"
#include "client/token_bucket.h"
#include "client/transport.h"

struct yk_op_queue;

struct yk_op_queue_options {
    int64_t qps, burst;     /* limits of writes; see token_bucket.h */
    unsigned in_flight;     /* size of the window at the start; 0 means 64 */
    unsigned in_flight_max; /* largest size of the window; 0 means 256 */
    /* Called with the result of a request in `op`, which is taken. Must not call functions of the queue. */
    void (*done)(struct yk_op *op, void *context);
    void *context;
    const struct yk_fence *fence; /* borrowed for life; NULL: there is none */
};

/* Makes an empty queue. `transport` and `timers` are borrowed for the life of the queue, `options` are
 * copied. The caller frees `*ret_queue` with yk_op_queue_free(). Errors: those of yk_token_bucket_init(). */
YK_NODISCARD enum yk_status yk_op_queue_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                            const struct yk_op_queue_options *options,
                                            struct yk_op_queue **ret_queue, struct yk_err *err);
/* Frees the queue. Before that, each request that is left comes back YK_OP_CANCELLED through `done`.
 * `queue` may be NULL. */
void yk_op_queue_free(struct yk_op_queue *queue);
YK_DEFINE_FREEP(yk_op_queue)
/* Sends `op`, which is taken, when its turn comes. The result is passed to `done`, after this function has
 * returned. But `done` is called within this function if the request is refused: after yk_op_queue_stop(), if
 * too many droppable requests wait, or if the turn of the request has come and the fence is closed. Requests
 * that wait may also be refused within this function. */
void yk_op_queue_submit(struct yk_op_queue *queue, struct yk_op *op);
/* Cancels the requests that wait: `done` is called for them before this function returns. Requests that are
 * still in flight after five seconds are cancelled then. Requests that are submitted later are cancelled at
 * once. The second call has no effect. */
void yk_op_queue_stop(struct yk_op_queue *queue);
/* Replaces the limits of writes (see token_bucket.h), fills the bucket, and sends the requests that the new
 * limits allow. Errors: YK_ERR_INVALID; the old limits stay. */
YK_NODISCARD enum yk_status yk_op_queue_set_limits(struct yk_op_queue *queue, int64_t qps, int64_t burst,
                                                   struct yk_err *err);
/* Appends the histogram of the times that writes waited for a token, in the Prometheus text format. */
void yk_op_queue_put_metrics(const struct yk_op_queue *queue, struct yk_buf *out);

#endif
