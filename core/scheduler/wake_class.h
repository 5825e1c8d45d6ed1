/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is tried again when the resource manager answers differently about a scheduling class.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.
 */
#ifndef YK_SCHEDULER_WAKE_CLASS_H
#define YK_SCHEDULER_WAKE_CLASS_H

#include "state/partition.h"

/* Tries the asks of the class again, after class_fits_now() became true for a node: see yk_core_wake_class().
 * No effect for an unknown class. O(groups of asks of the class). */
void yk_wake_class(struct yk_partition *partition, yk_si_class number);

#endif
