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

/*
 * The largest sum of values of pods that fit into `capacity` together, if there is any number of pods of each
 * size. The result is exact unless the search needs more than 20,000 steps; then it is an upper bound. Fast
 * if `pods` is sorted by value, the largest first, without a size that is there twice.
 */
double yk_packing_bound(const struct yk_resvec *capacity, const struct yk_packing_pod *pods, size_t count);

#endif
