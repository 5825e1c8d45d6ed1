/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capacity below a limit that is held for the first group in order that the limit refused.
 *
 * Part of a queue and of the usage of a user or group in a queue. Written by pending/limit_hold.c only.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_LIMIT_HOLD_H
#define YK_OBJECTS_LIMIT_HOLD_H

#include "base/list.h"

struct yk_group;

/* Written by: pending. */
struct yk_limit_hold {
    struct yk_group *holder; /* borrowed; its `limit.hold` is this; NULL: nothing is held */
    int64_t since_mono_ns;   /* when the holder was refused first */
    bool of_usage;           /* part of a usage, else of a queue */
    struct yk_list in_ended; /* of the partition: the hold has ended, groups may be waiting for that */
};

#endif
