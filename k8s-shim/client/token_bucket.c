/* SPDX-License-Identifier: Apache-2.0 */
#include "client/token_bucket.h"

enum { DEFAULT_QPS = 5, DEFAULT_BURST = 10 };

enum yk_status yk_token_bucket_init(struct yk_token_bucket *bucket, int64_t qps, int64_t burst,
                                    int64_t now_mono_ns, struct yk_err *err)
{
    if (qps == 0) {
        qps = DEFAULT_QPS;
        if (burst == 0)
            burst = DEFAULT_BURST;
    }
    if (qps > 0 && burst <= 0)
        return yk_fail(err, YK_ERR_INVALID,
                       "kubernetes.burst must be positive when kubernetes.qps is %lld, not %lld",
                       (long long)qps, (long long)burst);
    *bucket = (struct yk_token_bucket){
        .qps = qps, .burst = burst, .tokens = (double)burst, .filled_mono_ns = now_mono_ns};
    return YK_OK;
}

int64_t yk_token_bucket_take(struct yk_token_bucket *bucket, int64_t now_mono_ns)
{
    if (bucket->qps < 0)
        return 0;
    double rate_per_ns = (double)bucket->qps / (double)YK_NS_PER_S;
    int64_t passed_ns = YK_MAX(yk_i64_sub(now_mono_ns, bucket->filled_mono_ns), 0);
    bucket->tokens = YK_MIN(bucket->tokens + (double)passed_ns * rate_per_ns, (double)bucket->burst);
    bucket->filled_mono_ns = now_mono_ns;
    if (bucket->tokens < 1.0)
        /* rounded up, so that there is a token when this time has passed */
        return (int64_t)((1.0 - bucket->tokens) / rate_per_ns) + 1;
    bucket->tokens -= 1.0;
    return 0;
}
