/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Housekeeping: removes queues that are no longer needed, and reports queues that drain for long.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R17 to R22.
 */
#ifndef YK_PARTITION_HOUSEKEEPING_H
#define YK_PARTITION_HOUSEKEEPING_H

#include "state/partition.h"

/* Call it after `queue` may have become removable: it has lost an application or a child, drains now, or was
 * made for an application that did not join it. If it is dynamic or draining, has neither applications nor
 * children, and is not the root, it is removed within 10 s, unless that changes; its parent follows if it is
 * removable then. O(1). */
void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue);
/* Call it when `queue` has become Draining (`state` and `state_wall_ns` are set): records an event now, and
 * reports to the resource manager every 10 minutes that it still drains (callback queue_draining()), unless a
 * queue above it drains (R21). This ends when the queue is removed. When the queue becomes active again, the
 * caller removes it from the list `housekeeping.draining` (yk_queue_housekeeping.in_draining). Also call
 * yk_housekeeping_check_queue(). O(1). */
void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue);

#endif
