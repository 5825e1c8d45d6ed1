/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Housekeeping: removes queues that are no longer needed, and reports queues that have drained for 10 minutes
 * or more.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R17 to R22.
 */
#ifndef YK_PARTITION_HOUSEKEEPING_H
#define YK_PARTITION_HOUSEKEEPING_H

#include "state/partition.h"

/* Call it after `queue` may have become removable: it has lost an application or a child, drains now, or was
 * made for an application that did not join it. A queue is removable if it is dynamic or Draining, has
 * neither applications nor children, and is not the root. A removable queue is looked at again within 10 s
 * and, if it is still removable, removed. Its parent is removed with it if the parent has become removable.
 * O(1). */
void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue);
/* Call it when `queue` has become Draining (`state` and `state_wall_ns` are set): records an event now, and
 * reports every 10 minutes that the queue still drains, to the log and to the resource manager (callback
 * queue_draining()). A queue below another draining queue is not reported (R21). At most 20 queues are
 * reported at a time; the number of the others is logged. The reports end when the queue is removed. When it
 * becomes active again, the caller removes it from the list `housekeeping.draining`
 * (yk_queue_housekeeping.in_draining). Also call yk_housekeeping_check_queue(). O(1). */
void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue);

#endif
