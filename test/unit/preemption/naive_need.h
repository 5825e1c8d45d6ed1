/* SPDX-License-Identifier: Apache-2.0 */
/* The need of a partition (scheduling.md 6.1, "Preemption ends"), computed from scratch over all queues. */
#ifndef YK_TEST_NAIVE_NEED_H
#define YK_TEST_NAIVE_NEED_H

#include "objects/queue.h"

enum { NEED_LEVELS = 5 }; /* leaves, then parents from the deepest up */

struct need {
    double levels[2 * NEED_LEVELS]; /* needs, then shortfalls */
};

/* `root`: of a tree that is no deeper than NEED_LEVELS. */
struct need need_of(const struct yk_queue *root);
/* Negative: `a` is less. Differences within rounding are none. */
int compare_needs(const struct need *a, const struct need *b);

#endif
