/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each queue is entitled to when demand exceeds supply: weighted max-min by progressive filling.
 *
 * It shares no code with the scheduler. Capacity is a fluid: sizes of pods do not matter. The queues are
 * filled in small steps of the dominant share, in two passes: first those below their guarantee, then all.
 * Each step goes to the queue that is first in the documented order (docs/reference/queues.md 8): higher
 * priority where the parent sorts by it, then the smaller share; the share of a queue is the largest ratio of
 * what it has to its guarantee, for types without one to its maximum or the capacity. No queue gets more than
 * its demand or its maximum.
 * Thread: any.
 */
#ifndef YK_CMD_ENTITLED_H
#define YK_CMD_ENTITLED_H

#include "base/base.h"
#include "resources/resvec.h"

enum { YK_ENTITLED_GROUPS_MAX = 64 };

struct yk_entitled_queue {
    size_t parent; /* index; smaller than its own, of the root its own */
    bool is_leaf, has_guaranteed, has_max, has_limit, priority_sort, priority_fence;
    int32_t priority_offset;
    struct yk_resvec guaranteed, max; /* of the root the maximum is ignored */
    struct yk_resvec limit;           /* as the maximum, but it has no part in shares */
    double entitled[YK_RESTYPE_MAX];  /* the result, base units */
};

struct yk_entitled_demand { /* pods of a leaf that may run on the same nodes */
    size_t queue;           /* index of a leaf */
    int32_t priority;
    struct yk_resvec amounts; /* in use and pending */
    uint64_t groups;          /* bit g: they may run on the nodes of group g */
    double given;             /* the result: the part that fits, 0 to 1 */
};

struct yk_entitled {
    struct yk_entitled_queue *queues; /* borrowed, as the following; parents before children */
    size_t queue_count;
    struct yk_entitled_demand *demands;
    size_t demand_count;
    const struct yk_resvec *groups; /* capacity of each group of nodes */
    size_t group_count;
    bool lacks_capacity; /* the result: some demand is not met although its queue may have more */
};

/* Computes the results: `entitled` of the queues, `given` of the demands, `lacks_capacity`. O(steps * (queues
 * * depth + demands)), with some 1,000 steps. */
void yk_entitled_compute(struct yk_entitled *entitled);
/* The priority that the queue's parent sees for what has `priority` below it (queues.md R46). */
int32_t yk_entitled_priority(const struct yk_entitled_queue *queue, int32_t priority);
/* The share of `has` as described above, at queue `index`. `total`: capacity. */
double yk_entitled_share(const struct yk_entitled_queue *queues, size_t index, const double *has,
                         const double *total);
/* The largest ratio of `has` to the queue's guarantee; without one above 0: 1. */
double yk_entitled_of_guarantee(const struct yk_entitled_queue *queue, const double *has);

#endif
