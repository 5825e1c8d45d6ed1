/* SPDX-License-Identifier: Apache-2.0 */
#include "client/backoff.h"

static const int64_t first_ns = 800 * YK_NS_PER_MS;
static const int64_t last_ns = 30 * YK_NS_PER_S;
static const int64_t forget_ns = 120 * YK_NS_PER_S;

int64_t yk_backoff_next_ns(struct yk_backoff *backoff, struct yk_random *random, int64_t now_mono_ns)
{
    bool fresh = backoff->step_ns == 0 || yk_i64_sub(now_mono_ns, backoff->last_failure_mono_ns) > forget_ns;
    int64_t step_ns = fresh ? first_ns : backoff->step_ns;
    backoff->last_failure_mono_ns = now_mono_ns;
    backoff->step_ns = YK_MIN(step_ns * 2, last_ns);
    return step_ns + (int64_t)(yk_random_unit(random) * (double)step_ns);
}
