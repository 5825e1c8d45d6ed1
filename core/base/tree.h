/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intrusive ordered tree (AVL) with an optional summary per branch. A zeroed tree with `order` set is empty;
 * a zeroed link is in no tree. Nothing is allocated.
 *
 * Items are ordered by `order`, for which two different items must never be equal (let it end in a unique
 * tie-breaker). What `order` compares must not change while an item is in the tree: remove the item, change
 * it, insert it again; or change it and call yk_tree_moved().
 *
 * An item can store a summary of its branch, which is the item and all items below it, such as the largest of
 * their amounts. `summarize(link, NULL)` computes the summary from the item itself and from the summaries of
 * link->left and link->right, each of which may be NULL, and returns whether it has changed. The tree calls
 * it from the lowest changed item upwards until a summary stays the same. `summarize(link, same)` copies the
 * summary of the item `same`, whose branch had the items that are now in the branch of `link`; its result is
 * not used.
 *
 * Insert and remove O(log n), first and last O(1), next O(1) amortised. An insert at the end needs one
 * comparison.
 *
 * Thread: any.
 */
#ifndef YK_BASE_TREE_H
#define YK_BASE_TREE_H

#include "base/base.h"

struct yk_tree_link {
    struct yk_tree_link *parent, *left, *right;
    /* Height of the branch (0: the link is not in a tree), and of the branches below it, so that
     * balancing reads no child. */
    int8_t height, left_height, right_height;
};

struct yk_tree {
    struct yk_tree_link *root;
    struct yk_tree_link *first, *last; /* not valid while `root` is NULL */
    size_t count;
    /* Written by: its holder (these two fields), while the tree is empty. `order` returns a negative number
     * if `a` comes before `b`. `summarize` may be NULL: there are no summaries. */
    int (*order)(const struct yk_tree_link *a, const struct yk_tree_link *b);
    bool (*summarize)(struct yk_tree_link *link, const struct yk_tree_link *same);
};

/* Whether `link` is in a tree. */
static inline bool yk_tree_linked(const struct yk_tree_link *link)
{
    return link->height != 0;
}
/* Adds `link`, which is in no tree and is borrowed until it is removed. O(log n). */
void yk_tree_insert(struct yk_tree *tree, struct yk_tree_link *link);
/* Removes `link`, which is in this tree. O(log n). */
void yk_tree_remove(struct yk_tree *tree, struct yk_tree_link *link);
/* Recomputes the summaries from `link`, which is in the tree, towards the root, as far as they change.
 * Call it after a change of fields that `summarize` reads and `order` does not read. O(log n). */
void yk_tree_refresh(struct yk_tree *tree, struct yk_tree_link *link);
/*
 * Call it after a change of fields of `link` that `order` compares. `link` is in the tree, and is the only
 * item that has changed. Moves `link` to its new place; if it is still between its neighbours, only
 * recomputes the summaries. O(log n).
 */
void yk_tree_moved(struct yk_tree *tree, struct yk_tree_link *link);
/* The first item in order; NULL if the tree is empty. O(1). */
struct yk_tree_link *yk_tree_first(const struct yk_tree *tree);
/* The item behind `link` in order; NULL: it is the last. O(log n), O(1) on average. */
struct yk_tree_link *yk_tree_next(const struct yk_tree_link *link);
/* The item before `link` in order; NULL: it is the first. O(log n), O(1) on average. */
struct yk_tree_link *yk_tree_prev(const struct yk_tree_link *link);
/* Whether order, balance and links are right; for checks of invariants. O(items). */
bool yk_tree_valid(const struct yk_tree *tree);

/* For each T *item, whose link is its field `member`, in order. The current item must not be removed. */
#define yk_tree_foreach(item, tree, T, member)                                                               \
    for (struct yk_tree_link *yk_at_ = yk_tree_first(tree);                                                  \
         yk_at_ != NULL && ((item) = YK_CONTAINER(yk_at_, T, member), true); yk_at_ = yk_tree_next(yk_at_))

#endif
