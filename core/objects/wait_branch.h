/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The link of a waiting item (group, application or queue) in an ordered tree, with the smallest amounts that
 * wait in the branch of the tree at this link. A search for asks that fit skips branches whose smallest
 * amounts do not fit.
 *
 * The item that embeds a struct yk_wait_branch owns it.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_WAIT_BRANCH_H
#define YK_OBJECTS_WAIT_BRANCH_H

#include "base/tree.h"
#include "resources/resvec.h"

/* Written by: pending. */
struct yk_wait_branch {
    struct yk_tree_link link;
    struct yk_resvec least; /* in no type larger than any size that waits in the branch; base units */
};

/* The branch that embeds `link`. */
struct yk_wait_branch *yk_wait_branch_of(const struct yk_tree_link *link);
/* Lowers `least`, type by type, to the amounts of the branch at `top`. Types that the branch lacks are
 * removed from `least`; a missing type counts as 0. No effect if `top` is NULL. */
void yk_wait_branch_lower(struct yk_resvec *least, const struct yk_tree_link *top);
/* For yk_tree.summarize: recomputes the smallest amounts of the branch at `link` from `own`, those of the
 * item itself, and from the branches below it. Returns whether they changed. */
bool yk_wait_branch_summarize(struct yk_tree_link *link, const struct yk_resvec *own);
/* For yk_tree.summarize: copies to `link` the smallest amounts of `same`, which was the top of the same
 * branch before. Always returns true. */
bool yk_wait_branch_take_over(struct yk_tree_link *link, const struct yk_tree_link *same);
/* Removes all items from the tree and inserts them again. Call it when their order has changed. O(n log
 * n). */
void yk_wait_branches_restore_order(struct yk_tree *tree);
/* Whether the links and the order of the tree are right, and in no type the smallest amount of a branch
 * exceeds that of a branch below it. O(n). For tests and checks. */
bool yk_wait_branches_valid(const struct yk_tree *tree);

#endif
