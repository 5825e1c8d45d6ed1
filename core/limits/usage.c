/* SPDX-License-Identifier: Apache-2.0 */
#include "limits/usage.h"

void yk_usages_done(struct yk_usages *usages)
{
    YK_ASSERT(usages->users.count == 0);
    yk_strmap_done(&usages->users);
}

static struct yk_usage *entry_new(struct yk_user_usage *user, struct yk_usage *parent,
                                  const struct yk_queue *queue)
{
    struct yk_usage *usage = yk_new0(struct yk_usage);
    usage->user = user;
    usage->parent = parent;
    usage->queue = queue;
    yk_list_init(&usage->children);
    yk_list_init(&usage->in_parent);
    if (parent != NULL)
        yk_list_append(&parent->children, &usage->in_parent);
    return usage;
}

static struct yk_user_usage *user_get(struct yk_usages *usages, const char *name)
{
    struct yk_user_usage *user = yk_strmap_get(&usages->users, yk_str_from(name));
    if (user == NULL) {
        user = yk_new0(struct yk_user_usage);
        user->name = yk_strdup(name);
        (void)yk_strmap_put(&usages->users, yk_str_from(user->name), user); /* is new */
    }
    return user;
}

static struct yk_usage *child_get(struct yk_usage *parent, const struct yk_queue *queue)
{
    struct yk_usage *child;
    yk_list_foreach (child, &parent->children, struct yk_usage, in_parent) {
        if (child->queue == queue)
            return child;
    }
    return entry_new(parent->user, parent, queue);
}

/* The entry for `queue`; its ancestors' entries come first. Recursion is as deep as the queue tree, which is
 * bounded. */
static struct yk_usage *entry_for(struct yk_user_usage *user, const struct yk_queue *queue)
{
    if (queue->parent != NULL)
        return child_get(entry_for(user, queue->parent), queue);
    if (user->root == NULL)
        user->root = entry_new(user, NULL, queue);
    return user->root;
}

struct yk_usage *yk_usage_enter(struct yk_usages *usages, const char *user, const struct yk_queue *leaf)
{
    struct yk_usage *usage = entry_for(user_get(usages, user), leaf);
    for (struct yk_usage *at = usage; at != NULL; at = at->parent)
        at->apps++;
    return usage;
}

static void drop_user(struct yk_usages *usages, struct yk_user_usage *user)
{
    (void)yk_strmap_remove(&usages->users, yk_str_from(user->name)); /* was there */
    free(user->name);
    free(user);
}

void yk_usage_leave(struct yk_usages *usages, struct yk_usage *usage)
{
    struct yk_user_usage *user = usage->user;
    while (usage != NULL) {
        struct yk_usage *parent = usage->parent;
        if (--usage->apps == 0) {
            YK_ASSERT(yk_list_empty(&usage->children) && yk_resvec_is_zero(&usage->allocated));
            yk_list_remove(&usage->in_parent);
            if (parent == NULL)
                drop_user(usages, user);
            free(usage);
        }
        usage = parent;
    }
}

void yk_usage_add(struct yk_usage *usage, const struct yk_resvec *size, bool first)
{
    for (; usage != NULL; usage = usage->parent) {
        yk_resvec_add(&usage->allocated, size);
        usage->running += first;
    }
}

void yk_usage_sub(struct yk_usage *usage, const struct yk_resvec *size, bool last)
{
    for (; usage != NULL; usage = usage->parent) {
        YK_ASSERT(yk_resvec_sub_clamped(&usage->allocated, size));
        yk_resvec_prune(&usage->allocated);
        usage->running -= last;
    }
}

void yk_usage_resize(struct yk_usage *usage, const struct yk_resvec *delta)
{
    for (; usage != NULL; usage = usage->parent) {
        yk_resvec_add(&usage->allocated, delta);
        yk_resvec_prune(&usage->allocated);
    }
}
