/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/pace.h"

static int64_t scaled(int64_t ns, double factor)
{
    double product = (double)ns * factor;
    return product >= 9e18 ? INT64_MAX : (int64_t)product;
}

void yk_pace_init(struct yk_pace *pace, double speed, int64_t virtual_now_ns, int64_t real_now_ns)
{
    *pace = (struct yk_pace){.speed = speed, .target_ns = virtual_now_ns, .real_ns = real_now_ns};
}

void yk_pace_move(struct yk_pace *pace, int64_t virtual_now_ns, int64_t real_now_ns)
{
    int64_t passed_ns = YK_MAX(real_now_ns - pace->real_ns, 0);
    pace->real_ns = real_now_ns;
    if (pace->paused)
        return;
    int64_t latest_ns = yk_i64_add(virtual_now_ns, YK_MAX(scaled(YK_PACE_LAG_NS, pace->speed), 1));
    pace->target_ns = yk_i64_add(pace->target_ns, scaled(passed_ns, pace->speed));
    pace->behind = pace->target_ns > latest_ns;
    if (pace->behind)
        pace->target_ns = latest_ns;
}

void yk_pace_forward(struct yk_pace *pace, int64_t virtual_now_ns, int64_t ns)
{
    pace->paused = true;
    pace->behind = false;
    pace->target_ns = yk_i64_add(virtual_now_ns, YK_MIN(ns, YK_PACE_FORWARD_MAX));
}

int64_t yk_pace_when(const struct yk_pace *pace, int64_t virtual_ns)
{
    if (virtual_ns <= pace->target_ns)
        return pace->real_ns;
    if (pace->paused)
        return INT64_MAX;
    return yk_i64_add(pace->real_ns, scaled(virtual_ns - pace->target_ns, 1 / pace->speed));
}
