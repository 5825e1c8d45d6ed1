/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a node pods of given sizes can use at most.
 *
 * Thread: any.
 */
#ifndef YK_CMD_PACKING_H
#define YK_CMD_PACKING_H

#include "resources/resvec.h"

struct yk_packing_pod {
    const struct yk_resvec *size; /* borrowed; some type is not 0 */
    double value;                 /* of a pod of this size; one of 0 or less is left out */
};

/* Adds a pod to `*count` others, the most valuable first. Of two pods of one size the one of larger value
 * stays. The array has room for one more. O(count). */
void yk_packing_add(struct yk_packing_pod *pods, size_t *count, const struct yk_resvec *size, double value);
/*
 * The largest sum of values over all multisets of `pods` that fit into `capacity` together; each may be used
 * any number of times. After 20,000 combinations an upper bound of it, for which pods may be cut. Fast if the
 * pods of large value come first.
 */
double yk_packing_bound(const struct yk_resvec *capacity, const struct yk_packing_pod *pods, size_t count);

#endif
