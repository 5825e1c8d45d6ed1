/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting time after the n-th consecutive failure: 0.8 s, doubled up to 30 s, times a random factor in [1,
 * 2). It starts from the beginning after two minutes without a failure.
 *
 * Thread: that of its owner.
 * Source: docs/reference/kubernetes.md, 1.4 "Back-off" (K10).
 */
#ifndef YK_CLIENT_BACKOFF_H
#define YK_CLIENT_BACKOFF_H

#include "base/random.h"

struct yk_backoff {
    int64_t step_ns; /* the next delay before jitter; 0: not failed yet */
    int64_t last_failure_mono_ns;
};

/* Counts a failure at `now_mono_ns`. Returns how long to wait, in nanoseconds. A zeroed struct has no
 * failures. */
int64_t yk_backoff_next_ns(struct yk_backoff *backoff, struct yk_random *random, int64_t now_mono_ns);

#endif
