/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intrusive ordered tree (AVL) with an optional summary per branch.
 *
 * Items are ordered by `order`, which must be total: two different items never compare equal (end it in a
 * unique tie-breaker). `summarize(link, NULL)` recomputes what an item knows about the branch below it from
 * itself and link->left / link->right and says whether that changed; it runs bottom-up on every path that
 * changes, as far as something changes. `summarize(link, same)` takes it over from an item that knows it of
 * the same branch. Insert and remove O(log n),
 * first and last O(1), next O(1) amortised; what comes behind all others is put there after one comparison.
 * An item's key must not change while it is in the tree: remove, change, insert; or, if the item stays
 * between its neighbours, change and call yk_tree_refresh(). Nothing is allocated.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_TREE_H
#define YK_BASE_TREE_H

#include "base/base.h"

struct yk_tree_link {
    struct yk_tree_link *parent, *left, *right;
    /* 0: not in a tree; and those of the two branches, so that balancing looks at no child. */
    int8_t height, left_height, right_height;
};

struct yk_tree {
    struct yk_tree_link *root;
    struct yk_tree_link *first, *last; /* meaningful while there is a root */
    size_t count;
    /* Written by: its holder, these two, while the tree is empty. `summarize` may be NULL. */
    int (*order)(const struct yk_tree_link *a, const struct yk_tree_link *b);
    bool (*summarize)(struct yk_tree_link *link, const struct yk_tree_link *same);
};

/* Whether it is in a tree. */
static inline bool yk_tree_linked(const struct yk_tree_link *link)
{
    return link->height != 0;
}
/* Adds `link`, which is in no tree. Its order must not change while it is in the tree. O(log n). */
void yk_tree_insert(struct yk_tree *tree, struct yk_tree_link *link);
/* Removes `link`, which is in this tree. O(log n). */
void yk_tree_remove(struct yk_tree *tree, struct yk_tree_link *link);
/* Recomputes the summaries from `link` to the root after its content changed but not its place. */
void yk_tree_refresh(struct yk_tree *tree, struct yk_tree_link *link);
/*
 * Call it after the key of `link`, which is linked, changed: moves it to its new place, or only refreshes the
 * summaries if it is still between its neighbours. O(log n).
 */
void yk_tree_moved(struct yk_tree *tree, struct yk_tree_link *link);
/* The first item in order; NULL if the tree is empty. O(1). */
struct yk_tree_link *yk_tree_first(const struct yk_tree *tree);
/* The next in order; NULL at the end. O(log n), O(1) on average. */
struct yk_tree_link *yk_tree_next(const struct yk_tree_link *link);
/* The item before it in order; NULL at the beginning. */
struct yk_tree_link *yk_tree_prev(const struct yk_tree_link *link);
/* Whether order, balance and links are right; for tests. O(items). */
bool yk_tree_valid(const struct yk_tree *tree);

/* for each T *item in order; the current item may not be removed. */
#define yk_tree_foreach(item, tree, T, member)                                                               \
    for (struct yk_tree_link *yk_at_ = yk_tree_first(tree);                                                  \
         yk_at_ != NULL && ((item) = YK_CONTAINER(yk_at_, T, member), true); yk_at_ = yk_tree_next(yk_at_))

#endif
