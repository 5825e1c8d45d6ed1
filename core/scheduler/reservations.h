/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations: a node kept for an ask that waits. Thread: scheduling thread only. Source:
 * docs/reference/scheduling.md 4.
 */
#ifndef YK_SCHEDULER_RESERVATIONS_H
#define YK_SCHEDULER_RESERVATIONS_H

#include "scheduler/cycle.h"

enum yk_reserve_why { YK_RESERVE_DELAY, YK_RESERVE_REQUIRED, YK_RESERVE_PREEMPTION };

struct yk_reservation {
    struct yk_ask *ask;
    struct yk_node *node;
    int64_t created_mono_ns;
    enum yk_reserve_why why;
    struct yk_list in_node, in_partition;
};

bool yk_reserve(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                enum yk_reserve_why why);
void yk_unreserve(struct yk_partition *partition, struct yk_ask *ask);
bool yk_reservations_may_yield(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_ask *preemptor);
void yk_reservations_drop(struct yk_partition *partition, struct yk_node *node);
enum yk_turn yk_reservations_turn(struct yk_partition *partition);

#endif
