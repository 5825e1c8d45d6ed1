/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reservation: what is known of a node that is kept for an ask. reservation/reservations.h makes and ends them.
 *
 * Owns:   nothing. The partition owns its reservations.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_RESERVATION_H
#define YK_OBJECTS_RESERVATION_H

#include "objects/ask.h"
#include "objects/node.h"

/* Why a node is kept: the kinds of reservation/reservations.h. */
enum yk_reserve_why { YK_RESERVE_WAITING, YK_RESERVE_REQUIRED, YK_RESERVE_PREEMPTION };

/* Written by: reservation. */
struct yk_reservation {
    struct yk_ask *ask;   /* pending; yk_ask_reservation() of it is this */
    struct yk_node *node; /* its whole capacity is enough for the ask */
    int64_t created_mono_ns;
    uint64_t sequence; /* order of creation */
    enum yk_reserve_why why;
    bool blocked; /* when it was looked at, a queue or user had no headroom for the ask */
    struct yk_list in_partition, in_node, in_group; /* each by creation */
    struct yk_list in_waiting;     /* of `waiting` of struct yk_reserving; by creation */
    struct yk_tree_link in_active; /* of the partition: to be looked at; never if it is for a waiting ask */
};

#endif
