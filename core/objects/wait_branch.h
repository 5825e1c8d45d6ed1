/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The place of a group, an application or a queue among its siblings that wait for nodes, with what the search
 * of scheduler/wait_order.h needs to pass by whole branches.
 *
 * Owned and written by scheduler/wait_order.c. Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_WAIT_BRANCH_H
#define YK_OBJECTS_WAIT_BRANCH_H

#include "base/tree.h"
#include "resources/resvec.h"

struct yk_wait_branch {
    struct yk_tree_link link; /* first, so that a link is the branch below it */
    struct yk_resvec least;   /* at most as large, type by type, as every size that waits in the branch */
};

#endif
