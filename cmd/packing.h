/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest value of pods that fit on a node together.
 *
 * Thread: any.
 */
#ifndef YK_CMD_PACKING_H
#define YK_CMD_PACKING_H

#include "resources/resvec.h"

struct yk_packing_pod {
    const struct yk_resvec *size; /* borrowed; some type is not 0 */
    double value;                 /* of a pod of this size; a size of value 0 or less is never used */
};

/* Inserts a size into the `*count` sizes of `pods`, which are sorted by value, the largest first. If the size
 * is there already, only the larger value is kept, and `*count` stays. The array must have capacity for one
 * more. `size` is borrowed as long as the array is used. O(count). */
void yk_packing_add(struct yk_packing_pod *pods, size_t *count, const struct yk_resvec *size, double value);
/*
 * The largest sum of values of pods that fit into `capacity` together, if there is any number of pods of each
 * size. The result is exact unless the search needs more than 20,000 steps; then it is an upper bound. Fast
 * if `pods` is sorted by value, the largest first, as by yk_packing_add().
 */
double yk_packing_bound(const struct yk_resvec *capacity, const struct yk_packing_pod *pods, size_t count);

#endif
