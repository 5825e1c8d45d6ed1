/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tries asks of a scheduling class again, after the resource manager reported that nodes may pass the class
 * now.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.
 */
#ifndef YK_SCHEDULER_WAKE_CLASS_H
#define YK_SCHEDULER_WAKE_CLASS_H

#include "state/partition.h"

/* Call it for each partition of the resource manager after the callback class_fits_now() became true for the
 * class and some node: the next turns try pending asks of the class again, also those with reservations and
 * those of gangs. No effect if no ask has a class with that number. O(groups of asks of the class). */
void yk_wake_class(struct yk_partition *partition, yk_si_class number);

#endif
