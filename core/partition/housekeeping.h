/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Housekeeping: queues that are no longer needed.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R17 to R22.
 */
#ifndef YK_PARTITION_HOUSEKEEPING_H
#define YK_PARTITION_HOUSEKEEPING_H

#include "state/partition.h"

/* Checks in 10 s whether `queue`, which may be empty now or was marked for removal, can be removed. O(1). */
void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue);
/* Reports every 10 minutes that `queue` drains, until it is removed or active again (R21). O(1). */
void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue);

#endif
