/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outstanding requests: asks that only lack a node, told to the resource manager so that an autoscaler can
 * add one.
 *
 * An ask is told once in its life: when it was tried, fits its queues (the cluster's size apart) and found no
 * node. Nothing runs while nothing was parked. Source: docs/reference/scheduling.md 3.9.
 */
#ifndef YK_SCHEDULER_OUTSTANDING_H
#define YK_SCHEDULER_OUTSTANDING_H

#include "scheduler/partition.h"

/* Something was parked for want of nodes: looks within a second. O(1). */
void yk_outstanding_note(struct yk_partition *partition);
/* Tells what is outstanding now. */
void yk_outstanding_report(struct yk_partition *partition);

#endif
