/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The invariants of docs/design.md, computed for tests and simulations.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_INVARIANTS_H
#define YK_SCHEDULER_INVARIANTS_H

#include "state/partition.h"

/* Recomputes every sum from its parts. False, with the first difference in `err`, if one is broken.
 * O(everything). */
bool yk_partition_check(const struct yk_partition *partition, struct yk_err *err);

#endif
