/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tree.h"

static int height(const struct yk_tree_link *link)
{
    return link == NULL ? 0 : link->height;
}

static void update(const struct yk_tree *tree, struct yk_tree_link *link)
{
    link->height = (int8_t)(1 + YK_MAX(height(link->left), height(link->right)));
    if (tree->summarize != NULL)
        tree->summarize(link);
}

static void replace_child(struct yk_tree *tree, struct yk_tree_link *parent, struct yk_tree_link *old,
                          struct yk_tree_link *child)
{
    if (parent == NULL)
        tree->root = child;
    else if (parent->left == old)
        parent->left = child;
    else
        parent->right = child;
    if (child != NULL)
        child->parent = parent;
}

/* The right child takes the place of `link`. */
static struct yk_tree_link *rotate_left(struct yk_tree *tree, struct yk_tree_link *link)
{
    struct yk_tree_link *up = link->right;
    replace_child(tree, link->parent, link, up);
    link->right = up->left;
    if (link->right != NULL)
        link->right->parent = link;
    up->left = link;
    link->parent = up;
    update(tree, link);
    update(tree, up);
    return up;
}

static struct yk_tree_link *rotate_right(struct yk_tree *tree, struct yk_tree_link *link)
{
    struct yk_tree_link *up = link->left;
    replace_child(tree, link->parent, link, up);
    link->left = up->right;
    if (link->left != NULL)
        link->left->parent = link;
    up->right = link;
    link->parent = up;
    update(tree, link);
    update(tree, up);
    return up;
}

/*
 * Restores balance and summaries from `link` to the root. Without summaries it ends where a branch is as high
 * as it was: nothing above notices, and in a large tree the way to the root is not in the cache.
 */
static void rebalance(struct yk_tree *tree, struct yk_tree_link *link)
{
    while (link != NULL) {
        int8_t before = link->height;
        int lean = height(link->left) - height(link->right);
        if (lean > 1) {
            if (height(link->left->left) < height(link->left->right))
                (void)rotate_left(tree, link->left); /* the new child is found through link */
            link = rotate_right(tree, link);
        } else if (lean < -1) {
            if (height(link->right->right) < height(link->right->left))
                (void)rotate_right(tree, link->right); /* the new child is found through link */
            link = rotate_left(tree, link);
        } else {
            update(tree, link);
        }
        if (link->height == before && tree->summarize == NULL)
            return;
        link = link->parent;
    }
}

void yk_tree_insert(struct yk_tree *tree, struct yk_tree_link *link)
{
    if (!YK_ASSERT(!yk_tree_linked(link)))
        return;
    struct yk_tree_link *parent = NULL, **place = &tree->root;
    bool is_first = true;
    while (*place != NULL) {
        parent = *place;
        bool before = tree->order(link, parent) < 0;
        place = before ? &parent->left : &parent->right;
        is_first = is_first && before;
    }
    if (is_first)
        tree->first = link;
    *link = (struct yk_tree_link){.parent = parent, .height = 1};
    *place = link;
    tree->count++;
    if (tree->summarize != NULL)
        tree->summarize(link);
    rebalance(tree, parent);
}

void yk_tree_remove(struct yk_tree *tree, struct yk_tree_link *link)
{
    if (!YK_ASSERT(yk_tree_linked(link)))
        return;
    if (tree->first == link)
        tree->first = yk_tree_next(link);
    struct yk_tree_link *from;
    if (link->left != NULL && link->right != NULL) {
        /* The next item takes the place of the one removed. */
        struct yk_tree_link *next = link->right;
        while (next->left != NULL)
            next = next->left;
        from = next->parent == link ? next : next->parent;
        if (next->parent != link) {
            replace_child(tree, next->parent, next, next->right);
            next->right = link->right;
            next->right->parent = next;
        }
        next->left = link->left;
        next->left->parent = next;
        next->height = link->height;
        replace_child(tree, link->parent, link, next);
    } else {
        from = link->parent;
        replace_child(tree, link->parent, link, link->left != NULL ? link->left : link->right);
    }
    *link = (struct yk_tree_link){0};
    tree->count--;
    rebalance(tree, from);
}

void yk_tree_refresh(struct yk_tree *tree, struct yk_tree_link *link)
{
    if (tree->summarize == NULL)
        return;
    for (; link != NULL; link = link->parent)
        tree->summarize(link);
}

void yk_tree_moved(struct yk_tree *tree, struct yk_tree_link *link)
{
    const struct yk_tree_link *prev = tree->first == link ? NULL : yk_tree_prev(link);
    const struct yk_tree_link *next = yk_tree_next(link);
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

struct yk_tree_link *yk_tree_last(const struct yk_tree *tree)
{
    struct yk_tree_link *link = tree->root;
    while (link != NULL && link->right != NULL)
        link = link->right;
    return link;
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

static bool branch_valid(const struct yk_tree *tree, const struct yk_tree_link *link, size_t *count)
{
    if (link == NULL)
        return true;
    int left = height(link->left), right = height(link->right);
    if (link->height != 1 + YK_MAX(left, right) || left - right > 1 || right - left > 1)
        return false;
    if ((link->left != NULL && link->left->parent != link) ||
        (link->right != NULL && link->right->parent != link))
        return false;
    const struct yk_tree_link *prev =
        yk_tree_prev(link); /* a child in order may still be out of order further up */
    if (prev != NULL && tree->order(prev, link) >= 0)
        return false;
    (*count)++;
    return branch_valid(tree, link->left, count) && branch_valid(tree, link->right, count);
}

bool yk_tree_valid(const struct yk_tree *tree)
{
    size_t count = 0;
    if (tree->root != NULL && (tree->first == NULL || yk_tree_prev(tree->first) != NULL))
        return false;
    return branch_valid(tree, tree->root, &count) && count == tree->count;
}
