/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why an ask waits and when it may start, for the resource manager.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md.
 */
#ifndef YK_SCHEDULER_WHY_H
#define YK_SCHEDULER_WHY_H

#include "scheduler/core.h"

/* Carries out yk_core_why() of si.h, which says what it returns. */
struct yk_si_why yk_why_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                               const char *key, struct yk_buf *text);
/* Carries out yk_core_why_gang() of si.h, which says what it returns. */
struct yk_si_why yk_why_of_gang_wait(const struct yk_core *core, const char *rm_id,
                                     const char *application_id, const struct yk_si_gang_wait *wait,
                                     struct yk_buf *text);
/* Carries out yk_core_start() of si.h, which says what it returns. */
struct yk_si_start yk_start_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                                   const char *key);

#endif
