/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of asks that can never start with the present nodes, maxima and limits of users: an empty cluster would have
 * no room for one ask. Their priorities do not count for their applications and queues (yk_group_lends_priority()), or
 * else these would come first for as long as the groups wait, and only other asks of the queues would be served.
 *
 * Groups are looked at before decisions: each new group, and all of them again after a change. A group that is not
 * looked at yet keeps its last answer; that of a new one is "possible".
 *
 * Owns:   yk_group_waiting.is_impossible and in_looks, yk_shape.nodes_epoch and has_node, and the lists new_groups and
 *         seen_groups of yk_partition_pending.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md R46.
 */
#ifndef YK_PENDING_IMPOSSIBLE_H
#define YK_PENDING_IMPOSSIBLE_H

#include "state/partition.h"

/* Call it when the group gets its first pending ask, and when its application gets another leaf: it is looked at
 * before the next decision. No effect if the application has no partition. */
void yk_impossible_note(struct yk_group *group);
/* Call it when the group loses its last pending ask. Its priority counts again. */
void yk_impossible_forget(struct yk_group *group);
/* Call it after nodes, their constraints, maxima of queues or limits of users changed: all groups are looked at again.
 * O(1). */
void yk_impossible_capacity_changed(struct yk_partition *partition);
/* Whether groups are to be looked at. */
bool yk_impossible_has_work(const struct yk_partition *partition);
/* Looks at one group. False: there was none. Sets `*ret_changed` to the group if its `is_impossible` has changed; the
 * caller calls yk_active_lends_changed() then. NULL: it has not. O(depth), or O(nodes) for the first group of a shape
 * after a change. */
bool yk_impossible_look(struct yk_partition *partition, struct yk_group **ret_changed);
/* Whether an ask of the group could start if all nodes, queues and users were empty. The application has a leaf. */
bool yk_impossible_could_start(struct yk_partition *partition, const struct yk_group *group);

#endif
