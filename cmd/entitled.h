/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each queue is entitled to when demand exceeds supply: weighted max-min by progressive filling.
 *
 * No code is shared with the scheduler. Capacity is divided without regard to the sizes of pods, in steps of
 * 1/1024 of the dominant share, in two passes: first to queues below their guarantee, then to all. Each step
 * goes to the queue that is first in the documented order (docs/reference/queues.md 8): the higher priority,
 * where the parent sorts by priority, then the smaller share. The share of a queue is the largest ratio, over
 * the resource types but "pods", of what it has to its guarantee; for a type without a guarantee, to the
 * nearest maximum on its path below the root, or to the capacity. No queue gets more than its demand or its
 * maximum. Because of the steps, results are exact only to a few 1/1024 of the capacity: compare them with a
 * tolerance.
 *
 * Thread: any.
 */
#ifndef YK_CMD_ENTITLED_H
#define YK_CMD_ENTITLED_H

#include "base/base.h"
#include "resources/resvec.h"

enum { YK_ENTITLED_GROUPS_MAX = 64 };

/* A queue. The caller writes all fields but `entitled`. Amounts in base units. */
struct yk_entitled_queue {
    /* Index, smaller than the index of the queue; the root has index 0 and is its own parent. */
    size_t parent;
    bool is_leaf;
    bool has_guaranteed, has_max, has_limit; /* the vector of that name is used */
    bool priority_sort;                      /* its children are sorted by priority first */
    /* Its parent sees `priority_offset` instead of priorities below it. */
    bool priority_fence;
    int32_t priority_offset; /* added to priorities below it */
    struct yk_resvec guaranteed;
    struct yk_resvec max;            /* ignored for the root */
    struct yk_resvec limit;          /* another maximum, not used for shares; ignored for the root */
    double entitled[YK_RESTYPE_MAX]; /* result: the amount of each type */
};

/* Pods of a leaf that have the same priority and may run on the same nodes. The caller writes all fields but
 * `given`. */
struct yk_entitled_demand {
    size_t queue; /* index of a leaf */
    int32_t priority;
    struct yk_resvec amounts; /* in use and pending, in base units */
    uint64_t groups;          /* bit g: they may run on the nodes of group g */
    double given;             /* result: the part of `amounts` that the leaf is entitled to, 0 to 1 */
};

/* The input; all arrays are borrowed. */
struct yk_entitled {
    struct yk_entitled_queue *queues; /* parents before children */
    size_t queue_count;
    struct yk_entitled_demand *demands;
    size_t demand_count;
    const struct yk_resvec *groups; /* the capacity of each group of nodes */
    size_t group_count;             /* at most YK_ENTITLED_GROUPS_MAX */
    /* Result: some demand is not met for lack of capacity, not because of a maximum. */
    bool lacks_capacity;
};

/* Computes the results: `entitled` of the queues, `given` of the demands, `lacks_capacity`. Their values
 * before the call do not matter. Without queues there must be no demands. Can take thousands of steps, each
 * of which visits all queues and demands. */
void yk_entitled_compute(struct yk_entitled *entitled);
/* The priority that the parent of `queue` sees for pods that have `priority` in the queue (queues.md R46).
 * INT32_MIN means that there are no pods; the result is then INT32_MIN, too. */
int32_t yk_entitled_priority(const struct yk_entitled_queue *queue, int32_t priority);
/* The share of the queue `index`, as described above, if it had the amounts `has`. `total` is the capacity of
 * all nodes. Both have an item for each resource type (yk_restype_count()), in base units. */
double yk_entitled_share(const struct yk_entitled_queue *queues, size_t index, const double *has,
                         const double *total);
/* The largest ratio of `has` (by resource type, in base units) to the guarantee of the queue. 1 if the queue
 * has no guarantee above 0: a caller that asks whether the queue is within its guarantee checks
 * `has_guaranteed`, too. */
double yk_entitled_of_guarantee(const struct yk_entitled_queue *queue, const double *has);

#endif
