/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activates the limits of a configuration.
 *
 * The activation of a configuration calls yk_limits_set() for each queue whose configuration changed (a
 * draining queue has no limits), and then yk_limit_gate_reloaded() (pending/limit_gate.h) once. The latter
 * wakes what waited and chooses other groups for applications whose group is no longer named. Setting the
 * same limits again costs one comparison.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L15, L17 and L18.
 */
#ifndef YK_LIMITS_APPLY_H
#define YK_LIMITS_APPLY_H

#include "base/vec.h"
#include "limits/usage.h"

/* From this number of entries on, names without usage are not shown; their limits still apply. */
enum { YK_LIMITS_PINNED_MAX = 100 * 1000 };

/*
 * Replaces the limits of `queue` by a copy of `config` (NULL: none). Its entries have their new limit at
 * once; entries whose limit changed are in `usages->changed` afterwards.
 */
void yk_limits_set(struct yk_usages *usages, struct yk_queue *queue, const struct yk_config_limits *config);
/* Takes the next entry whose limit has changed off `usages->changed`. NULL: there is none. O(1). */
struct yk_usage *yk_limits_take_changed(struct yk_usages *usages);
/* Appends to `apps` the applications (struct yk_app, borrowed) whose group no limit on their path names (L18). */
void yk_limits_orphans(const struct yk_usages *usages, struct yk_vec *apps);

#endif
