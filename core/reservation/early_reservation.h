/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Early reservations: made before a later ask takes what an earlier ask lacks.
 *
 * A queue with large asks falls behind its share when small asks of other queues take all capacity that
 * becomes free. A reservation for an overtaken group (reservation/make_reservation.h) is made only after the
 * group was overtaken. So before an ask is placed on a node, this file looks at the groups that come before
 * the ask. It takes the first one in order that could run on the node, lacks capacity there, and belongs to
 * a queue that is far behind. A queue is far behind if its share would be much smaller than that of the
 * queue of the ask to be placed, even after an ask of the group and all asks with reservations had started.
 * The group gets a reservation of the node that lacks least for it. If this is the node on which the other
 * ask was to be placed, that ask needs another node.
 *
 * The reservations are of the kind YK_RESERVE_WAITING. make_reservation.h moves and drops them like its own.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.1.
 */
#ifndef YK_RESERVATION_EARLY_RESERVATION_H
#define YK_RESERVATION_EARLY_RESERVATION_H

#include "state/partition.h"

/* Call it before an ask of `group` is placed on `node`, which has capacity for the ask, and before the
 * ask is charged. True: a node was reserved for an ask of another group. This may be `node`, so the caller
 * searches for a node again, and then calls this function again. At most 64 calls in a row return true.
 * False: place the ask. O(1) while nothing waits for nodes; otherwise O(64 groups * reservations), and
 * O(nodes) if the function reserves a node. */
bool yk_early_reservation_make(struct yk_partition *partition, const struct yk_group *group,
                               const struct yk_node *node);

#endif
