/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions about a group of asks that waits, before a node is reserved for one of its asks.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.1.
 */
#ifndef YK_RESERVATION_WAITING_GROUP_H
#define YK_RESERVATION_WAITING_GROUP_H

#include "state/partition.h"

/* Whether the group has pending asks and waits for nodes (YK_WAIT_NODES). O(1). */
bool yk_waiting_group_waits(const struct yk_group *group);
/* Whether the group consists of placeholders that wait until the whole gang fits (`is_held`), or of an
 * incomplete gang that can never start. Nodes are not reserved for these. O(1). */
bool yk_waiting_group_waits_for_gang(const struct yk_group *group);
/* Whether the application of the group may start asks, and no limit of a user, group or queue refuses an ask
 * of the group. Whether a limit is held for earlier groups, and whether the group waits for nodes
 * (yk_waiting_group_waits()), is not checked. O(depth of the leaf + limits). */
bool yk_waiting_group_is_within_limits(const struct yk_group *group);
/* Whether a limit refuses an ask of the group that the group may hold (pending/limit_hold.h). O(depth of the leaf
 * + limits). */
bool yk_waiting_group_could_hold_limit(const struct yk_group *group);
/* Like yk_waiting_group_is_within_limits(), if also the asks had started that the limits of the user and group
 * count, that have reservations of the kind YK_RESERVE_WAITING, and that do not come later in order: otherwise
 * nodes would be reserved for asks of a user that cannot all start.
 * O(depth of the leaf + limits * reservations). */
bool yk_waiting_group_may_reserve_one_more(const struct yk_group *group);
/* Whether an ask of the group could run on the node if the node were empty: the whole capacity of the node is
 * enough, and the node passes the fixed constraints of the class. False if these constraints have not been
 * evaluated yet (yk_node_search_prepare()). Whether the node is schedulable or reserved, and constraints that
 * depend on other allocations, are not checked (yk_node_could_serve()). O(1). */
bool yk_waiting_group_could_run_on(const struct yk_group *group, const struct yk_node *node);
/* Whether the group could reserve instead of being overtaken by a placement on the node: it could run there,
 * an ask of it has no reservation, yk_waiting_group_may_reserve_one_more() is true, and
 * yk_waiting_group_waits_for_gang() is not. */
bool yk_waiting_group_may_be_overtaken(const struct yk_group *group, const struct yk_node *node);
/* The group's first pending ask that has no reservation, borrowed; NULL: there is none. O(reservations of the
 * group). */
struct yk_ask *yk_waiting_group_first_unreserved(const struct yk_group *group);

#endif
