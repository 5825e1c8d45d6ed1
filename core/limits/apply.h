/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A configuration's limits come into force.
 *
 * Whoever activates a configuration calls yk_limits_set() for each queue whose configuration changed (a queue
 * that is drained has no limits any more) and then, once, yk_quota_reloaded() (scheduler/quota.h), which
 * wakes who waited and finds other groups for applications whose group is not named any more. Setting the
 * same again costs one comparison.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, rules L15, L17 and L18.
 */
#ifndef YK_LIMITS_APPLY_H
#define YK_LIMITS_APPLY_H

#include "base/vec.h"
#include "limits/usage.h"

/* Of this number of entries on, names that use nothing are no longer shown; their limits hold all the same.
 */
enum { YK_LIMITS_PINNED_MAX = 100 * 1000 };

/*
 * The limits of `queue` are `config` (copied; NULL: none). Entries there have their new limit at once; those
 * where it differs are in `usages->changed` afterwards.
 */
void yk_limits_set(struct yk_usages *usages, struct yk_queue *queue, const struct yk_config_limits *config);
/* L18: appends applications (struct yk_app) whose group is named nowhere on their path any more. */
void yk_limits_orphans(const struct yk_usages *usages, struct yk_vec *apps);

#endif
