/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A branch of an ordered tree of what waits, with the smallest amounts that wait in it, so that a search for
 * what fits passes by whole branches.
 *
 * The item that embeds it owns it. Trees are kept by pending/wait_order.c (waiting for nodes) and by
 * pending/limit_wait.c (waiting for limits of users and groups).
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_WAIT_BRANCH_H
#define YK_OBJECTS_WAIT_BRANCH_H

#include "base/tree.h"
#include "resources/resvec.h"

/* Written by: pending. */
struct yk_wait_branch {
    struct yk_tree_link link; /* first, so that a link is the branch below it */
    struct yk_resvec least;   /* at most as large, type by type, as every size that waits in the branch */
};

/* The branch that embeds `link`, which is not NULL. */
struct yk_wait_branch *yk_wait_branch_of(const struct yk_tree_link *link);
/* Sets each type of `least` to the smaller of its amount and that of the branch at `top`; `top` NULL: no
 * effect. Types that one of them lacks are removed from `least`: they count as 0. */
void yk_wait_branch_lower(struct yk_resvec *least, const struct yk_tree_link *top);
/* Recomputes the amounts of the branch at `link` from `own`, those of the item itself, and from the branches
 * below. True: they changed. */
bool yk_wait_branch_summarize(struct yk_tree_link *link, const struct yk_resvec *own);
/* Copies the amounts of `same`, which was the top of the branch before. Always true. */
bool yk_wait_branch_take_over(struct yk_tree_link *link, const struct yk_tree_link *same);
/* Takes all items out of the tree and puts them back, after their order changed. O(n log n). */
void yk_wait_branches_restore_order(struct yk_tree *tree);
/* For checks: links, order, and whether the amounts of each branch fit into those of the branches below.
 * O(n). */
bool yk_wait_branches_valid(const struct yk_tree *tree);

#endif
