/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of asks that can never start with the present nodes, maxima and limits of users: an empty cluster would have
 * no room for one ask. Their priorities do not count for their applications and queues (yk_group_lends_priority()), or
 * else these would come first for as long as the groups wait, and only other asks of the queues would be served.
 *
 * Each shape of which an ask would fit on an empty node is in the list of one such node, and is looked at again when that
 * node changes; one that fits nowhere is looked at again when a node comes or changes. After a change of nodes or maxima,
 * the groups that could never start are looked at again before the next decision. Others, and new ones, are looked at by
 * and by: until then they count.
 *
 * Owns:   yk_group_waiting.is_impossible and in_looks, yk_shape.in_looks and fits_nowhere, yk_node.fitting_shapes,
 *         yk_partition_looks.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md R46.
 */
#ifndef YK_PENDING_IMPOSSIBLE_H
#define YK_PENDING_IMPOSSIBLE_H

#include "state/partition.h"

/* A step of making and of freeing a partition. */
void yk_impossible_init(struct yk_partition *partition);
void yk_impossible_done(struct yk_partition *partition);
/* Call it when the group gets its first pending ask, and when its application gets another leaf: the group is to be
 * looked at. No effect if the application has no partition. O(1). */
void yk_impossible_note(struct yk_group *group);
/* Call it when the group loses its last pending ask. Its priority counts again. O(1). */
void yk_impossible_forget(struct yk_group *group);
/* Call it after the node was added, changed its capacity or constraints, or was taken out of the partition (`leaving`).
 * `is_smaller`: it has less of some type, or is leaving. Shapes that may fit somewhere or nowhere now are to be looked at
 * again. O(types). */
void yk_impossible_node_changed(struct yk_partition *partition, struct yk_node *node, bool is_smaller);
/* Call it after maxima of queues or limits of users changed: all groups are to be looked at again. O(1). */
void yk_impossible_maxima_changed(struct yk_partition *partition);
/* Whether groups or shapes are to be looked at. */
bool yk_impossible_has_work(const struct yk_partition *partition);
/* Whether some are to be looked at whose priority does not count: no decision may come before. */
bool yk_impossible_is_due(const struct yk_partition *partition);
/* Looks at one shape or group; at those that do not count first. False: there was none. Sets `*ret_changed` to a group
 * whose `is_impossible` has changed; the caller calls yk_active_lends_changed() then. NULL: there is none. O(depth) for
 * a group. For a shape O(nodes) at worst, and O(groups of the shape) when it begins or ceases to fit nowhere. */
bool yk_impossible_look(struct yk_partition *partition, struct yk_group **ret_changed);
/* Whether an ask of the group could start if all nodes, queues and users were empty. The application has a leaf.
 * Uses nothing that was stored. O(depth + nodes). */
bool yk_impossible_could_start(const struct yk_partition *partition, const struct yk_group *group);

#endif
