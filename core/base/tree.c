/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tree.h"

static void set_left(struct yk_tree_link *link, struct yk_tree_link *child)
{
    link->left = child;
    link->left_height = child == NULL ? 0 : child->height;
    if (child != NULL)
        child->parent = link;
}

static void set_right(struct yk_tree_link *link, struct yk_tree_link *child)
{
    link->right = child;
    link->right_height = child == NULL ? 0 : child->height;
    if (child != NULL)
        child->parent = link;
}

static void replace_child(struct yk_tree *tree, struct yk_tree_link *parent, const struct yk_tree_link *old,
                          struct yk_tree_link *child)
{
    if (parent == NULL) {
        tree->root = child;
        if (child != NULL)
            child->parent = NULL;
    } else if (parent->left == old) {
        set_left(parent, child);
    } else {
        set_right(parent, child);
    }
}

static void measure(struct yk_tree_link *link)
{
    link->height = (int8_t)(1 + YK_MAX(link->left_height, link->right_height));
}

/* Recomputes the summary of `link`. Returns whether it has changed; the summaries above it then have to be
 * recomputed. */
static bool summarize(const struct yk_tree *tree, struct yk_tree_link *link)
{
    return tree->summarize != NULL && tree->summarize(link, NULL);
}

/* Renews the summaries after a rotation: `link` is now below `up`, whose branch has the items that the branch
 * of `link` had before. `is_known`: the summary of `link` was up to date before. */
static void renew(const struct yk_tree *tree, struct yk_tree_link *link, struct yk_tree_link *up,
                  bool is_known)
{
    measure(link);
    if (tree->summarize == NULL)
        return;
    if (is_known)
        (void)tree->summarize(up, link); /* the same items, so the same summary */
    (void)tree->summarize(link, NULL);   /* its branch has other items */
    if (!is_known)
        (void)tree->summarize(up, NULL); /* rebalance() recomputes the summaries above in any case */
}

/* Puts the right child in the place of `link`, which becomes its left child. Returns the former right
 * child. */
static struct yk_tree_link *rotate_left(struct yk_tree *tree, struct yk_tree_link *link, bool is_known)
{
    struct yk_tree_link *up = link->right, *parent = link->parent;
    set_right(link, up->left);
    up->left = link;
    renew(tree, link, up, is_known);
    set_left(up, link);
    measure(up);
    replace_child(tree, parent, link, up);
    return up;
}

static struct yk_tree_link *rotate_right(struct yk_tree *tree, struct yk_tree_link *link, bool is_known)
{
    struct yk_tree_link *up = link->left, *parent = link->parent;
    set_left(link, up->right);
    up->right = link;
    renew(tree, link, up, is_known);
    set_right(up, link);
    measure(up);
    replace_child(tree, parent, link, up);
    return up;
}

static void tell_parent(const struct yk_tree_link *link)
{
    struct yk_tree_link *parent = link->parent;
    if (parent != NULL && parent->left == link)
        parent->left_height = link->height;
    else if (parent != NULL)
        parent->right_height = link->height;
}

/* Balances the branch of `link` and returns the item that is at its top afterwards. `is_known`: the
 * summary of `link` is up to date. */
static struct yk_tree_link *balance(struct yk_tree *tree, struct yk_tree_link *link, bool is_known)
{
    int lean = link->left_height - link->right_height;
    if (lean > 1) {
        if (link->left->left_height < link->left->right_height)
            (void)rotate_left(tree, link->left, is_known); /* the result is link->left now */
        return rotate_right(tree, link, is_known);
    }
    if (lean < -1) {
        if (link->right->right_height < link->right->left_height)
            (void)rotate_right(tree, link->right, is_known); /* the result is link->right now */
        return rotate_left(tree, link, is_known);
    }
    measure(link);
    return link;
}

/*
 * Restores balance and summaries from `link` (may be NULL) upwards. It ends at the first branch whose height
 * and summary stay the same: nothing changes above, and in a large tree the items there are not in the
 * processor's cache. A rotation does not change the summary of a branch. `placed` (may be NULL) is an item
 * that was put in another place, so that its stored summary is not that of its branch.
 */
static void rebalance(struct yk_tree *tree, struct yk_tree_link *link, const struct yk_tree_link *placed)
{
    bool is_news = true; /* the summary of `link` is out of date */
    for (bool higher = true; (higher || is_news) && link != NULL; link = link->parent) {
        const struct yk_tree_link *top = link;
        int8_t before = link->height;
        is_news = is_news || top == placed;
        link = balance(tree, link, !is_news);
        higher = link->height != before;
        if (link == top && is_news)
            is_news = summarize(tree, link) || top == placed;
        tell_parent(link);
    }
}

static bool is_behind_all(const struct yk_tree *tree, const struct yk_tree_link *link)
{
    return tree->root != NULL && tree->order(tree->last, link) < 0;
}

/* The pointer to which `link` has to be stored when it is inserted. Sets `*ret_parent` to its parent;
 * NULL: the tree is empty. */
static struct yk_tree_link **place_for(struct yk_tree *tree, const struct yk_tree_link *link,
                                       struct yk_tree_link **ret_parent)
{
    struct yk_tree_link *parent = NULL, **place = &tree->root;
    while (*place != NULL) {
        parent = *place;
        place = tree->order(link, parent) < 0 ? &parent->left : &parent->right;
    }
    *ret_parent = parent;
    return place;
}

void yk_tree_insert(struct yk_tree *tree, struct yk_tree_link *link)
{
    if (!YK_ASSERT(!yk_tree_linked(link)))
        return;
    struct yk_tree_link *parent = tree->last, **place;
    if (is_behind_all(tree, link))
        place = &parent->right;
    else
        place = place_for(tree, link, &parent);
    if (parent == NULL || (parent == tree->first && place == &parent->left))
        tree->first = link;
    if (parent == NULL || (parent == tree->last && place == &parent->right))
        tree->last = link;
    *link = (struct yk_tree_link){.parent = parent, .height = 1};
    *place = link;
    tell_parent(link);
    tree->count++;
    if (tree->summarize != NULL)
        (void)tree->summarize(link, NULL); /* the summary of `link` alone */
    rebalance(tree, parent, NULL);
}

/* Puts the item behind `link` in order, `*ret_next`, in the place of `link`, which has two branches.
 * Returns the lowest item whose branch changes. */
static struct yk_tree_link *put_next_in_place(struct yk_tree *tree, struct yk_tree_link *link,
                                              struct yk_tree_link **ret_next)
{
    struct yk_tree_link *next = link->right;
    while (next->left != NULL)
        next = next->left;
    struct yk_tree_link *from = next->parent == link ? next : next->parent;
    if (next->parent != link) {
        replace_child(tree, next->parent, next, next->right);
        set_right(next, link->right);
    }
    set_left(next, link->left);
    next->height = link->height;
    replace_child(tree, link->parent, link, next);
    *ret_next = next;
    return from;
}

void yk_tree_remove(struct yk_tree *tree, struct yk_tree_link *link)
{
    if (!YK_ASSERT(yk_tree_linked(link)))
        return;
    if (tree->first == link)
        tree->first = yk_tree_next(link);
    if (tree->last == link)
        tree->last = yk_tree_prev(link);
    struct yk_tree_link *from = link->parent, *next = NULL;
    if (link->left != NULL && link->right != NULL)
        from = put_next_in_place(tree, link, &next);
    else
        replace_child(tree, link->parent, link, link->left != NULL ? link->left : link->right);
    *link = (struct yk_tree_link){0};
    tree->count--;
    if (from != next)
        rebalance(tree, from, next);
    if (next != NULL)
        rebalance(tree, next, next);
}

void yk_tree_refresh(struct yk_tree *tree, struct yk_tree_link *link)
{
    while (tree->summarize != NULL && link != NULL && tree->summarize(link, NULL))
        link = link->parent;
}

void yk_tree_moved(struct yk_tree *tree, struct yk_tree_link *link)
{
    const struct yk_tree_link *prev = tree->first == link ? NULL : yk_tree_prev(link);
    const struct yk_tree_link *next = tree->last == link ? NULL : yk_tree_next(link);
    if ((prev == NULL || tree->order(prev, link) < 0) && (next == NULL || tree->order(link, next) < 0)) {
        yk_tree_refresh(tree, link);
        return;
    }
    yk_tree_remove(tree, link);
    yk_tree_insert(tree, link);
}

struct yk_tree_link *yk_tree_first(const struct yk_tree *tree)
{
    return tree->root == NULL ? NULL : tree->first;
}

struct yk_tree_link *yk_tree_next(const struct yk_tree_link *link)
{
    if (link->right != NULL) {
        struct yk_tree_link *next = link->right;
        while (next->left != NULL)
            next = next->left;
        return next;
    }
    while (link->parent != NULL && link->parent->right == link)
        link = link->parent;
    return link->parent;
}

struct yk_tree_link *yk_tree_prev(const struct yk_tree_link *link)
{
    if (link->left != NULL) {
        struct yk_tree_link *prev = link->left;
        while (prev->right != NULL)
            prev = prev->right;
        return prev;
    }
    while (link->parent != NULL && link->parent->left == link)
        link = link->parent;
    return link->parent;
}

static int height(const struct yk_tree_link *link)
{
    return link == NULL ? 0 : link->height;
}

static bool branch_valid(const struct yk_tree *tree, const struct yk_tree_link *link, size_t *count)
{
    if (link == NULL)
        return true;
    int left = height(link->left), right = height(link->right);
    if (link->left_height != left || link->right_height != right || link->height != 1 + YK_MAX(left, right) ||
        left - right > 1 || right - left > 1)
        return false;
    if ((link->left != NULL && link->left->parent != link) ||
        (link->right != NULL && link->right->parent != link))
        return false;
    /* Compares `link` with the item before it and not only with its parent, because it must be in order with
     * all items. */
    const struct yk_tree_link *prev = yk_tree_prev(link);
    if (prev != NULL && tree->order(prev, link) >= 0)
        return false;
    (*count)++;
    return branch_valid(tree, link->left, count) && branch_valid(tree, link->right, count);
}

bool yk_tree_valid(const struct yk_tree *tree)
{
    size_t count = 0;
    if (tree->root != NULL && (tree->first == NULL || yk_tree_prev(tree->first) != NULL ||
                               tree->last == NULL || yk_tree_next(tree->last) != NULL))
        return false;
    return branch_valid(tree, tree->root, &count) && count == tree->count;
}
