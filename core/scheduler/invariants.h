/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks invariants of docs/design.md, for tests and simulations.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_INVARIANTS_H
#define YK_SCHEDULER_INVARIANTS_H

#include "state/partition.h"

/* Recomputes sums of the partition from their parts, and compares lists that must agree. False: an
 * invariant is broken, and `err` (may be NULL) has the first difference. Changes nothing. O(asks * queues)
 * and more. */
bool yk_partition_check(const struct yk_partition *partition, struct yk_err *err);

#endif
