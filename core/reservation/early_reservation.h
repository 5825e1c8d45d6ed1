/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Early reservations: made before a later ask takes what an earlier ask lacks.
 *
 * A queue of large asks falls behind its share when small asks of other queues take everything that comes
 * free. Reservations for overtaken groups (reservation/make_reservation.h) come after that has happened. So,
 * before an ask is placed, this file looks for the first group in order that comes before the ask, has waited
 * for reservation_delay_ns, lacks capacity on the node that the ask would take, and must not be overtaken.
 * The shares of the two queues are compared where their paths part, as if both asks, and all waiting asks
 * with reservations, had started:
 *
 * - the queue of the group is within its guarantee, and the other one is not; or
 * - the queue of the group is far behind the other one (YK_FAR_BEHIND); or
 * - both are asks of one leaf, and the group has been overtaken for a long time while nothing of it started.
 *
 * The group gets a reservation (yk_reservable_node()). If that is of the node of the placement, the ask has
 * to go elsewhere or to wait. The reservations are of the kind YK_RESERVE_WAITING: make_reservation.h moves
 * and drops them as the others.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.1.
 */
#ifndef YK_RESERVATION_EARLY_RESERVATION_H
#define YK_RESERVATION_EARLY_RESERVATION_H

#include "state/partition.h"

/* Call it in the regular walk before the first ask of `group` is placed on `node`, which takes the ask; not
 * for asks with a required node. True: a node was reserved for an ask of another group. This may be `node`,
 * so the caller searches for a node again. If it finds one, it calls this function again; if not, the ask is
 * not placed. At most 64 calls in a row return true. False: place the ask; always so if `node` is reserved.
 * O(1) while nothing waits for nodes; otherwise O(64 groups * reservations), and O(nodes) if the function
 * searches a node to reserve. */
bool yk_early_reservation_make(struct yk_partition *partition, const struct yk_group *group,
                               const struct yk_node *node);

#endif
