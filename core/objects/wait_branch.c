/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/wait_branch.h"

struct yk_wait_branch *yk_wait_branch_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_wait_branch, link);
}

void yk_wait_branch_lower(struct yk_resvec *least, const struct yk_tree_link *top)
{
    if (top == NULL)
        return;
    const struct yk_resvec *other = &yk_wait_branch_of(top)->least;
    yk_resvec_keep_types(least, other);
    yk_resvec_min_existing(least, other);
}

bool yk_wait_branch_summarize(struct yk_tree_link *link, const struct yk_resvec *own)
{
    struct yk_wait_branch *branch = yk_wait_branch_of(link);
    YK_RESVEC(least);
    yk_resvec_copy(&least, own);
    yk_wait_branch_lower(&least, link->left);
    yk_wait_branch_lower(&least, link->right);
    if (yk_resvec_same(&least, &branch->least))
        return false;
    yk_resvec_copy(&branch->least, &least);
    return true;
}

bool yk_wait_branch_take_over(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    yk_resvec_copy(&yk_wait_branch_of(link)->least, &yk_wait_branch_of(same)->least);
    return true;
}

void yk_wait_branches_restore_order(struct yk_tree *tree)
{
    struct yk_tree old = *tree;
    tree->root = NULL;
    tree->count = 0;
    while (old.root != NULL) {
        struct yk_tree_link *link = old.root;
        yk_tree_remove(&old, link);
        yk_tree_insert(tree, link);
    }
}

/* The recursion is as deep as the tree, which is balanced. */
static bool summaries_valid(const struct yk_tree_link *top)
{
    const struct yk_tree_link *const below[] = {top->left, top->right};
    for (size_t i = 0; i < YK_COUNT(below); i++) {
        if (below[i] != NULL &&
            (!yk_resvec_fit(&yk_wait_branch_of(below[i])->least, &yk_wait_branch_of(top)->least) ||
             !summaries_valid(below[i])))
            return false;
    }
    return true;
}

bool yk_wait_branches_valid(const struct yk_tree *tree)
{
    return yk_tree_valid(tree) && (tree->root == NULL || summaries_valid(tree->root));
}
