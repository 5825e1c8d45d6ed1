/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reservation: a node that is kept for an ask. The functions of reservation/reservations.h make and end
 * them.
 *
 * Owns:   nothing. The partition owns its reservations.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_RESERVATION_H
#define YK_OBJECTS_RESERVATION_H

#include "objects/ask.h"
#include "objects/node.h"

/* Why a node is kept; reservation/reservations.h explains the kinds. */
enum yk_reserve_why { YK_RESERVE_WAITING, YK_RESERVE_REQUIRED, YK_RESERVE_PREEMPTION };

/* Written by: reservation. */
struct yk_reservation {
    struct yk_ask *ask;   /* pending; its yk_ask_reservation() is this reservation */
    struct yk_node *node; /* its capacity, if it were empty, is enough for the ask */
    int64_t created_mono_ns;
    uint64_t sequence; /* order of creation */
    enum yk_reserve_why why;
    bool blocked; /* when it was tried last, a queue, user or group had no headroom for the ask */
    /* In reservation.list of the partition, node->reservations and group->reservation.list; each by
     * creation. */
    struct yk_list in_partition, in_node, in_group;
    /* In reservation.waiting of the partition if YK_RESERVE_WAITING; by creation. */
    struct yk_list in_waiting;
    /* In reservation.active of the partition while its ask is to be tried; never if YK_RESERVE_WAITING. */
    struct yk_tree_link in_active;
};

#endif
