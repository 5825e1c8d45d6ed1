/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The client's own limit on writes: `qps` tokens a second, at most `burst` saved up.
 * Thread: its owner's.
 * Source: docs/reference/kubernetes.md, 1.5 "Client-side limiter" (K12).
 */
#ifndef YK_CLIENT_TOKEN_BUCKET_H
#define YK_CLIENT_TOKEN_BUCKET_H

#include "base/base.h"

struct yk_token_bucket {
    int64_t qps; /* negative: unlimited */
    int64_t burst;
    double tokens;
    int64_t filled_mono_ns;
};

/*
 * Makes a full bucket. `qps` 0 reads as 5 (and then `burst` 0 as 10); a negative `qps` switches the limit
 * off. Errors: YK_ERR_INVALID, a limit without a burst could never send anything.
 */
YK_NODISCARD enum yk_status yk_token_bucket_init(struct yk_token_bucket *bucket, int64_t qps, int64_t burst,
                                                 int64_t now_mono_ns, struct yk_err *err);
/* Takes a token and returns 0, or takes none and returns the time until there is one, in nanoseconds. */
int64_t yk_token_bucket_take(struct yk_token_bucket *bucket, int64_t now_mono_ns);

#endif
