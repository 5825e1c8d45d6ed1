/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a node pods of given sizes can use at most.
 *
 * Thread: any.
 */
#ifndef YK_CMD_PACKING_H
#define YK_CMD_PACKING_H

#include "resources/resvec.h"

/*
 * The largest sum of `type` over all multisets of `sizes` that fit into `capacity` together; each size may be
 * used any number of times. It stops when the node is full, and after 20,000 combinations with the best of
 * these. Sizes without `type` do not count.
 */
int64_t yk_packing_bound(const struct yk_resvec *capacity, const struct yk_resvec *const *sizes, size_t count,
                         int type);

#endif
