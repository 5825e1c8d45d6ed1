/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Health checks: what the scheduler believes is compared with itself, now and then, and the result is kept.
 * Source: docs/reference/rest.md, section 6; docs/reference/scheduling.md 3.10.
 */
#ifndef YK_SCHEDULER_HEALTH_H
#define YK_SCHEDULER_HEALTH_H

#include "base/str.h"

struct yk_core;

enum { YK_HEALTH_CHECKS = 11 };

struct yk_health_check {
    const char *name, *description;
    bool succeeded;
    char *diagnosis; /* owned */
};

struct yk_health {
    bool has_run;
    bool healthy;
    struct yk_health_check checks[YK_HEALTH_CHECKS];
    uint64_t errors_seen, failed_nodes_seen; /* counters at the previous run: only new ones are unhealthy */
};

/*
 * Runs all checks now and keeps the result in core->health. O(nodes + allocations). The last two checks tell
 * what the last pass of core->cross_check has found.
 */
void yk_health_run(struct yk_core *core);
void yk_health_done(struct yk_health *health);

#endif
