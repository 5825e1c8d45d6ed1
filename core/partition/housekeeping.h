/* SPDX-License-Identifier: Apache-2.0 */
/* Housekeeping: queues that are no longer needed. Source: docs/reference/queues.md, R17 to R22. */
#ifndef YK_PARTITION_HOUSEKEEPING_H
#define YK_PARTITION_HOUSEKEEPING_H

#include "state/partition.h"

/* `queue` may have become empty, or was marked for removal: looks again in 10 s. O(1). */
void yk_housekeeping_check_queue(struct yk_partition *partition, struct yk_queue *queue);
/* `queue` drains from now on: reported every 10 minutes until it is gone or active again (R21). O(1). */
void yk_housekeeping_watch_draining(struct yk_partition *partition, struct yk_queue *queue);

#endif
