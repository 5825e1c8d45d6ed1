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

/* Call it after `queue` may have become removable: it has lost an application or a child, or drains now. If
 * it is dynamic or draining, has neither applications nor children, and is not the root, it is removed within
 * 10 s, unless that changes. O(1). */
void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue);
/* Call it when `queue` begins to drain: reports it now, and every 10 minutes until the queue is removed or
 * leaves the list `housekeeping.draining`, because it is active again (R21). O(1). */
void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue);

#endif
