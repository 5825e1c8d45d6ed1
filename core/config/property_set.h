/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Effective properties of a queue: its own ones, and those it inherits.
 *
 * A set never changes, and queues share it. It has the own pairs of a queue and a reference to the set of
 * the parent. A queue without properties of its own uses the set of its parent if all values are inherited
 * unchanged. So thousands of queues below one with thousands of properties take one pointer each.
 *
 * Owns:   copies of the texts, and a reference to the set above.
 * Thread: any; the count of holders is atomic, because a reload prepares sets on another thread than the one
 *         that uses them.
 * Source: docs/reference/queues.md 3.2 (I1, I2).
 */
#ifndef YK_CONFIG_PROPERTY_SET_H
#define YK_CONFIG_PROPERTY_SET_H

#include "config/properties.h"

/* NULL is the set without properties. All functions of this header accept it, and those that return a set may
 * return it. */
struct yk_property_set;

/*
 * The set of a queue that has the properties `own` (copied; no key twice) and whose parent has the set
 * `above`. The result, which may be `above` itself, has a reference for the caller, who drops it with
 * yk_property_set_put(). The caller also keeps its own reference to `above`. O(n log n) for n own properties.
 */
struct yk_property_set *yk_property_set_new(struct yk_property_set *above, const struct yk_pairs *own);
/* Adds a reference, which the caller drops with yk_property_set_put(), and returns `set`. */
struct yk_property_set *yk_property_set_hold(struct yk_property_set *set);
/* Drops a reference; the set is freed with the last one. */
void yk_property_set_put(struct yk_property_set *set);

/* The effective pair of a known property, by its number (yk__property_number()), valid as long as the
 * set. NULL: there is none, so the default applies. O(1). */
const struct yk_pair *yk_property_set_known(const struct yk_property_set *set, int number);
/* Lists all effective pairs, sorted by key. The array is in `arena`; the texts are borrowed from the set. */
struct yk_pairs yk_property_set_list(const struct yk_property_set *set, struct yk_arena *arena);

#endif
