/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on their way to the API server.
 *
 * Order: Leases at once, past all limits; binds and reads first, then other changes of pods (never fewer than
 * two of them on their way), then events (never more than four). How many are in flight follows what the
 * server grants: one more for each full window answered, half after 429. 429 and 5xx that carry Retry-After
 * are repeated here, at most ten times; every other answer goes to the caller. A best-effort operation
 * comes back YK_OP_CANCELLED while 1,000 others wait. Past the fence nothing is sent but reads and Leases: it comes back
 * YK_OP_CANCELLED.
 * Invariant: every operation that is submitted comes back through `done` exactly once.
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
    int64_t qps, burst;                            /* of writes; see token_bucket.h */
    unsigned in_flight;                            /* to start with; 0 reads as 64 */
    unsigned in_flight_max;                        /* 0 reads as 256 */
    void (*done)(struct yk_op *op, void *context); /* takes the op; may not submit from within */
    void *context;
    const struct yk_fence *fence; /* borrowed for life; NULL: none */
};

/* Makes an empty queue. `transport` and `timers` are borrowed for life, `options` are copied. The caller
 * frees it with yk_op_queue_free(). Errors: YK_ERR_INVALID, a limit of qps without a burst. */
YK_NODISCARD enum yk_status yk_op_queue_new(struct yk_transport *transport, struct yk_io_timers *timers,
                                            const struct yk_op_queue_options *options,
                                            struct yk_op_queue **ret_queue, struct yk_err *err);
/* Frees the queue. Every operation that is left comes back YK_OP_CANCELLED before. NULL is fine. */
void yk_op_queue_free(struct yk_op_queue *queue);
YK_DEFINE_FREEP(yk_op_queue)
/* Takes `op` and sends it in its turn; the result comes through `done`. An operation that is refused
 * (after yk_op_queue_stop(), past the fence, or one best-effort operation too many) may come back within this
 * call. */
void yk_op_queue_submit(struct yk_op_queue *queue, struct yk_op *op);
/* Stops: cancels operations that wait, and gives those in flight five more seconds. Operations that are
 * submitted later are cancelled. */
void yk_op_queue_stop(struct yk_op_queue *queue);
/* Sets the limits of writes (see token_bucket.h) from now on. Errors: YK_ERR_INVALID; the old ones stay. */
YK_NODISCARD enum yk_status yk_op_queue_set_limits(struct yk_op_queue *queue, int64_t qps, int64_t burst,
                                                   struct yk_err *err);
/* Appends the metrics of waiting for kubernetes.qps in the Prometheus text format. */
void yk_op_queue_put_metrics(const struct yk_op_queue *queue, struct yk_buf *out);

#endif
