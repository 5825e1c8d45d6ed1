/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Effective properties of a queue: its own ones, and those it inherits.
 *
 * A set is immutable and shared. It holds its own pairs only, and the set that it inherits from; a queue
 * without properties of its own uses its parent's set where inheriting changes nothing. So thousands of
 * queues below one with thousands of properties cost a pointer each.
 *
 * Owns:   copies of the texts; the set above is held.
 * Thread: any; the count of holders is atomic, because a reload prepares sets on another thread than the one
 *         that uses them.
 * Source: docs/reference/queues.md 3.2 (I1, I2).
 */
#ifndef YK_CONFIG_PROPERTY_SET_H
#define YK_CONFIG_PROPERTY_SET_H

#include "config/properties.h"

/* NULL is the set without properties: all functions take it. */
struct yk_property_set;

/*
 * The set of a queue with the properties `own` (copied; unique keys) below one with `above`. The result is
 * the caller's to give back, and may be `above` itself. Time: in the number of own pairs, times its
 * logarithm.
 */
struct yk_property_set *yk_property_set_new(struct yk_property_set *above, const struct yk_pairs *own);
/* One hold more. */
struct yk_property_set *yk_property_set_hold(struct yk_property_set *set);
/* Gives one hold back; the last one frees. */
void yk_property_set_put(struct yk_property_set *set);

/* The pair in force for a key of properties.c, by its number there, or NULL. Time: constant. */
const struct yk_pair *yk_property_set_known(const struct yk_property_set *set, int number);
/* All pairs that are in force, sorted by key; the array lives in `arena`, the texts in the set. */
struct yk_pairs yk_property_set_list(const struct yk_property_set *set, struct yk_arena *arena);

#endif
