/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits the rate of writes: each write takes a token. The bucket gets `qps` tokens per second and holds at
 * most `burst`.
 * Thread: that of the owner.
 * Source: docs/reference/kubernetes.md, 1.5 "Client-side limiter" (K12).
 */
#ifndef YK_CLIENT_TOKEN_BUCKET_H
#define YK_CLIENT_TOKEN_BUCKET_H

#include "base/base.h"

struct yk_token_bucket {
    int64_t qps; /* tokens per second; negative: no limit */
    int64_t burst;
    double tokens;          /* number of tokens in the bucket at `filled_mono_ns` */
    int64_t filled_mono_ns; /* when `tokens` was computed */
};

/*
 * Makes a full bucket. `qps` 0 means 5; if `qps` is 0, `burst` 0 means 10. A negative `qps` means no limit.
 * `now_mono_ns`: monotonic time. Errors: YK_ERR_INVALID: there is a limit, but `burst` is not positive; the
 * bucket does not change.
 */
YK_NODISCARD enum yk_status yk_token_bucket_init(struct yk_token_bucket *bucket, int64_t qps, int64_t burst,
                                                 int64_t now_mono_ns, struct yk_err *err);
/* Takes a token and returns 0. If the bucket has none, returns the nanoseconds until it has one, and takes
 * nothing: the caller calls again after that time, before it sends. `now_mono_ns`: monotonic time. */
int64_t yk_token_bucket_take(struct yk_token_bucket *bucket, int64_t now_mono_ns);

#endif
