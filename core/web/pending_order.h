/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the applications with pending asks in a branch of queues, one after the other in order, in slices.
 *
 * Their numbers (yk_app.number) are collected in a heap: four bytes for each application. Comparisons read
 * the applications as they are at that moment. Their order may change meanwhile: an order by fair shares
 * changes with each decision. Then applications may be taken in another order. But each number is taken once,
 * so an application that has pending asks in the branch all the time is taken exactly once.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_PENDING_ORDER_H
#define YK_WEB_PENDING_ORDER_H

#include "state/partition.h"
#include "web/job.h"

enum yk__pending_sort {
    YK__BY_POSITION, /* leaf by leaf in the order of paths, and within a leaf in its own order */
    YK__BY_AGE,      /* by submission time, the oldest first */
    YK__BY_PRIORITY, /* by priority, the highest first, then by submission time */
};

/* A zeroed one is empty. Written by: its functions; `sort` by the holder, before the first call. */
struct yk__pending_order {
    enum yk__pending_sort sort;
    uint32_t *numbers;      /* owned: a heap, once it is complete */
    size_t count, capacity; /* numbers that are left */
    size_t at;              /* place in the applications of the partition, then in the heap */
    bool is_collected;
};

void yk__pending_order_done(struct yk__pending_order *order);
/* Continues to collect the applications in the branch of `top`, which is a queue of `partition`, and then to
 * make the heap, until `until_mono_ns`. True: the heap is complete; `count` may be 0. False: call the
 * function again in the next slice, with `partition` and `top` looked up again. */
bool yk__pending_order_fill(struct yk__pending_order *order, const struct yk_job *job,
                            const struct yk_partition *partition, const struct yk_queue *top,
                            int64_t until_mono_ns);
/* Removes and returns the first of the applications that are left. `count` must not be 0, and
 * yk__pending_order_fill() must have returned true. NULL: the application that was removed has ended or left
 * the branch; others may be left. The returned application may have no pending asks any longer. O(log
 * applications). */
const struct yk_app *yk__pending_order_next(struct yk__pending_order *order,
                                            const struct yk_partition *partition, const struct yk_queue *top);
/* Like yk__pending_order_next(), but removes any of the applications that are left. O(1). For counting, when
 * the order of those that are left no longer matters. */
const struct yk_app *yk__pending_order_any(struct yk__pending_order *order,
                                           const struct yk_partition *partition, const struct yk_queue *top);

#endif
