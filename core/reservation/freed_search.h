/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches, among the groups that wait for nodes, for the first one that fits on a node of the list of
 * pending/freed_nodes.h.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.6, 4.
 */
#ifndef YK_RESERVATION_FREED_SEARCH_H
#define YK_RESERVATION_FREED_SEARCH_H

#include "state/partition.h"

/*
 * The first group, in the order of the cycle, that waits for nodes and whose first ask fits on a node of the
 * list now, borrowed; NULL: there is none, and the list is empty. Checks capacity, constraints and
 * reservations of the nodes; the caller checks limits, and whether the application may start. Also offers
 * nodes to shapes that are to be tried again (yk_freed_nodes_retry()). Removes nodes on which nothing fits
 * from the list. The answer is valid until an amount, a node or the order changes.
 *
 * The caller tries the group next, unless something else that may start comes before it; then the next call
 * finds it again. If no node takes it after all, so that it still waits for nodes (YK_WAIT_NODES), the caller
 * calls yk_freed_nodes_refused(); otherwise the next call would return the same group. The caller does not do
 * so if the attempt made a reservation (`partition->reservation.sequence` has grown): the reserved node may
 * be the one that the group fits on.
 */
struct yk_group *yk_freed_search_first_group(struct yk_partition *partition);

#endif
