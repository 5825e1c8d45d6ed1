/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers the resource manager why an ask waits and when it may start. The functions do what those of si.h
 * say, which core.c defines.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md.
 */
#ifndef YK_SCHEDULER_WHY_H
#define YK_SCHEDULER_WHY_H

#include "scheduler/core.h"

/* Does what si.h says of yk_core_why(), with the same arguments and result. */
struct yk_si_why yk_why_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                               const char *key, struct yk_si_why_text *text);
/* Does what si.h says of yk_core_why_gang(), with the same arguments and result. */
struct yk_si_why yk_why_of_gang_wait(const struct yk_core *core, const char *rm_id,
                                     const char *application_id, const struct yk_si_gang_wait *wait,
                                     struct yk_buf *text);
/* Does what si.h says of yk_core_start(), with the same arguments and result. */
struct yk_si_start yk_start_of_key(const struct yk_core *core, const char *rm_id, const char *application_id,
                                   const char *key, const struct yk_si_start *like);

#endif
