/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time to wait after a failure: 0.8 s, doubled with each further failure up to 30 s, times a random
 * factor from 1 to 2. After two minutes without a failure, the time begins at 0.8 s again.
 *
 * Thread: that of the owner.
 * Source: docs/reference/kubernetes.md, 1.4 "Back-off" (K10).
 */
#ifndef YK_CLIENT_BACKOFF_H
#define YK_CLIENT_BACKOFF_H

#include "base/random.h"

struct yk_backoff {
    int64_t step_ns; /* the next time to wait, before the random factor; 0: no failure yet */
    int64_t last_failure_mono_ns;
};

/* Records a failure at the monotonic time `now_mono_ns`. Returns the time to wait, in nanoseconds: the caller
 * waits, and calls once per failure. There is nothing to call after a success. `backoff` was zeroed before
 * the first call. */
int64_t yk_backoff_next_ns(struct yk_backoff *backoff, struct yk_random *random, int64_t now_mono_ns);

#endif
