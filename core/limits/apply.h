/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activates the limits of users and groups in a configuration.
 *
 * Call yk_limits_set() for each queue whose limits may have changed (also for a queue that the configuration
 * no longer has, with NULL), and then
 * yk_limit_gate_reloaded() (pending/limit_gate.h) once, which does what the other functions of this header
 * ask of their caller.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L15, L17 and L18.
 */
#ifndef YK_LIMITS_APPLY_H
#define YK_LIMITS_APPLY_H

#include "base/vec.h"
#include "limits/usage.h"

/* Maximum number of entries that exist only because a limit names a user or group. Limits of further names
 * apply, but these names are not shown while they use nothing. */
enum { YK_LIMITS_PINNED_MAX = 100 * 1000 };

/*
 * Replaces the limits of `queue` by a copy of `config` (NULL: none) and records events of what changed. The
 * entries of the queue have their new limits at once. Entries whose limit changed are added to
 * usages->changed, from which the caller has to take them (yk_limits_take_changed()). Holds of the limits
 * stay: if the queue has holds, the caller calls yk_limit_hold_configured(), which ends those of limits that
 * are gone. If the limits are the same, nothing changes.
 */
void yk_limits_set(struct yk_usages *usages, struct yk_queue *queue, const struct yk_config_limits *config);
/* Removes an entry whose limit has changed from usages->changed and returns it, borrowed until it is freed.
 * The caller wakes the groups and applications that wait there (yk_limit_wait_eased()). NULL: there is none.
 * O(1). */
struct yk_usage *yk_limits_take_changed(struct yk_usages *usages);
/* Appends to `apps` (zeroed or in use) the applications (struct yk_app, borrowed) that count for a group
 * which no limit on their path names (L18). They still count for this group: the caller calls
 * yk_usage_drop_group() and chooses another group. */
void yk_limits_orphans(const struct yk_usages *usages, struct yk_vec *apps);

#endif
