/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A queue of requests (`struct yk_op`) that are to be sent to the API server.
 *
 * Order: requests for a Lease are sent at once and count against no limit. Bindings, patches of volumes and
 * claims, reviews and reads of ConfigMaps are first. Then come other requests; while some wait, at least two
 * of them are in flight. Events come last, and at most four of them are in flight.
 *
 * Limits: the number of requests in flight is limited by a window, which grows by one after as many
 * successful answers as it has places, and is halved after a 429. A token bucket limits the rate of writes.
 *
 * Repetitions: a request that is answered 429 or 5xx with Retry-After is sent again after that time, at most
 * ten times; a read of a ConfigMap also one second after it got no answer. A request for a Lease is never
 * repeated. All other results go to the caller.
 *
 * A droppable request comes back YK_OP_CANCELLED if 1,000 others are waiting. A write comes back
 * YK_OP_CANCELLED if its turn comes when the fence is closed (api/fence.h).
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
    int64_t qps, burst;     /* of writes; see token_bucket.h */
    unsigned in_flight;     /* size of the window at the start; 0 means 64 */
    unsigned in_flight_max; /* largest size of the window; 0 means 256 */
    /* Takes `op` with its result. It must not call functions of the queue. */
    void (*done)(struct yk_op *op, void *context);
    void *context;
    const struct yk_fence *fence; /* borrowed for life; NULL: none */
};

/* Makes an empty queue. `transport` and `timers` are borrowed for the life of the queue, `options` are
 * copied. The caller frees it with yk_op_queue_free(). Errors: YK_ERR_INVALID, a limit of qps without a
 * burst. */
YK_NODISCARD enum yk_status yk_op_queue_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                            const struct yk_op_queue_options *options,
                                            struct yk_op_queue **ret_queue, struct yk_err *err);
/* Frees the queue. Before that, each request that is left comes back YK_OP_CANCELLED through `done`.
 * `queue` may be NULL. */
void yk_op_queue_free(struct yk_op_queue *queue);
YK_DEFINE_FREEP(yk_op_queue)
/* Takes `op` and sends it when its turn comes. The result comes through `done`. That is before this call
 * returns if the request is refused: after yk_op_queue_stop(), because too many droppable requests wait, or
 * because its turn has come and the fence is closed. Other requests that wait may come back within this
 * call, too. */
void yk_op_queue_submit(struct yk_op_queue *queue, struct yk_op *op);
/* Cancels the requests that wait, through `done` before this call returns, and after five seconds those
 * that are still in flight. Requests that are submitted later are cancelled at once. The second call has no
 * effect. */
void yk_op_queue_stop(struct yk_op_queue *queue);
/* Replaces the limits of writes (see token_bucket.h), and sends what they allow; the bucket is full then.
 * Errors: YK_ERR_INVALID; the old limits stay. */
YK_NODISCARD enum yk_status yk_op_queue_set_limits(struct yk_op_queue *queue, int64_t qps, int64_t burst,
                                                   struct yk_err *err);
/* Appends the histogram of the times that writes waited for a token, in the Prometheus text format. */
void yk_op_queue_put_metrics(const struct yk_op_queue *queue, struct yk_buf *out);

#endif
