/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search among what waits for the first group that takes a node of pending/freed_nodes.h.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 3.6, 4.
 */
#ifndef YK_RESERVATION_FREED_SEARCH_H
#define YK_RESERVATION_FREED_SEARCH_H

#include "state/partition.h"

/*
 * The first group in order that waits for nodes and that one of these nodes takes now; NULL: there is none,
 * and the list is empty. The answer is valid until something changes; a group that could not be placed
 * although it was answered must be handed to yk_freed_nodes_refused().
 */
struct yk_group *yk_freed_search_first_group(struct yk_partition *partition);

#endif
