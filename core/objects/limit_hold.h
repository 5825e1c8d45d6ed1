/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hold: capacity below a limit that is kept for one group of asks, the first in the order of the cycle that
 * the limit refused.
 *
 * Part of a queue and of the usage of a user or group in a queue.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_LIMIT_HOLD_H
#define YK_OBJECTS_LIMIT_HOLD_H

#include "base/list.h"

struct yk_group;

/* Written by: pending. */
struct yk_limit_hold {
    struct yk_group *holder;  /* borrowed; NULL: nothing is held */
    struct yk_list in_holder; /* in holder->limit.holds */
    struct yk_list in_force;  /* in the partition's pending.holds while it has a holder */
    int64_t since_mono_ns;    /* when the holder became the holder */
    /* True: part of a struct yk_usage; false: of a struct yk_queue. Written by: limits. */
    bool of_usage;
    /* In the partition's pending.ended_holds: groups may be waiting for the end of this hold. */
    struct yk_list in_ended;
};

#endif
