/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Until when this process may write. With several replicas the one that leads may, and only for a while after
 * it last said so in the Lease (leader/elector.h): a write that waits in a queue past that time is not sent.
 *
 * Thread: the scheduling thread moves the fence, the I/O thread reads it. Relaxed: it orders nothing else,
 * and the renew deadline leaves seconds.
 */
#ifndef YK_API_FENCE_H
#define YK_API_FENCE_H

#include "api/server.h"

#include <stdatomic.h>

struct yk_fence {
    _Atomic int64_t until_mono_ns; /* 0: closed */
};

/* Writes may be sent until then. Scheduling thread. */
static inline void yk_fence_set(struct yk_fence *fence, int64_t until_mono_ns)
{
    atomic_store_explicit(&fence->until_mono_ns, until_mono_ns, memory_order_relaxed);
}

/* Whether a request of that kind may be sent now. Reads and the Lease itself always may. NULL: no fence. */
static inline bool yk_fence_lets(const struct yk_fence *fence, enum yk_op_kind kind, int64_t now_mono_ns)
{
    return fence == NULL || yk_op_is_read(kind) || yk_op_is_lease(kind) ||
           now_mono_ns < atomic_load_explicit(&fence->until_mono_ns, memory_order_relaxed);
}

#endif
