/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time until which this process may send writes to the API server. With several replicas, only the leader
 * may write, and only for a limited time after it last renewed the Lease (leader/elector.h). A write that
 * waits in a queue past that time is not sent.
 *
 * Thread: the scheduling thread sets the fence, the I/O thread reads it. Memory order is relaxed because the
 * fence guards no other data, and the fence closes seconds before another replica can get the Lease.
 */
#ifndef YK_API_FENCE_H
#define YK_API_FENCE_H

#include "api/server.h"

#include <stdatomic.h>

struct yk_fence {
    _Atomic int64_t until_mono_ns; /* monotonic time; 0: writes may not be sent */
};

/* Lets writes be sent until the monotonic time `until_mono_ns`; 0: no writes may be sent from now on.
 * Scheduling thread. */
static inline void yk_fence_set(struct yk_fence *fence, int64_t until_mono_ns)
{
    atomic_store_explicit(&fence->until_mono_ns, until_mono_ns, memory_order_relaxed);
}

/* Whether a request of that kind may be sent at the monotonic time `now_mono_ns`. Always true for reads and
 * for requests for a Lease, and if `fence` is NULL. */
static inline bool yk_fence_lets(const struct yk_fence *fence, enum yk_op_kind kind, int64_t now_mono_ns)
{
    return fence == NULL || yk_op_is_read(kind) || yk_op_is_lease(kind) ||
           now_mono_ns < atomic_load_explicit(&fence->until_mono_ns, memory_order_relaxed);
}

#endif
