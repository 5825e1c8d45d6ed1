/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/books.h"

#include "predicates/books_priv.h"

void yk_books_init(struct yk_books *books, struct yk_cache *cache)
{
    *books = (struct yk_books){.cache = cache, .own_from = YK_OWN_FROM};
    yk_topology_init(&books->topology);
    yk_list_init(&books->all_profiles);
    yk_list_init(&books->port_profiles);
    yk_list_init(&books->roaming);
    yk_list_init(&books->all_reaches);
    yk_list_init(&books->classes);
    yk_list_init(&books->woken);
    yk_list_init(&books->due_keys);
}

void yk_books_done(struct yk_books *books)
{
    YK_ASSERT(books->profiles.count == 0 && books->rules.count == 0 && books->reaches.count == 0);
    YK_ASSERT(books->buckets.count == 0 && books->by_namespace.count == 0);
    YK_ASSERT(yk_list_empty(&books->classes) && yk_list_empty(&books->woken));
    YK_ASSERT(books->label_keys.count == 0 && books->own_keys == 0);
    yk_topology_done(&books->topology);
    yk_idmap_done(&books->label_keys);
    free(books->shared.items);
    yk_buf_done(&books->own);
    yk_strmap_done(&books->profiles);
    yk_strmap_done(&books->rules);
    yk_strmap_done(&books->reaches);
    yk_idmap_done(&books->buckets);
    yk_idmap_done(&books->by_namespace);
    yk__mentions_tidy(books, true);
    yk_idmap_done(&books->grown);
    yk_class_key_done(&books->profile_key);
    yk_class_key_done(&books->rule_key);
}

static void pods_stand(struct yk_books *books, const struct yk_cache_node *node, bool begins)
{
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node)
        yk_books_pod_stands(books, pod, node, begins);
}

void yk_books_node_added(struct yk_books *books, struct yk_cache_node *node)
{
    yk_topology_add(&books->topology, node);
    yk_topology_enter(&books->topology, node);
    yk__reaches_enter(books, node);
    pods_stand(books, node, true);
}

/* Its pods are taken out of all domains and put back into those that it is in now. */
void yk_books_node_changed(struct yk_books *books, struct yk_cache_node *node)
{
    pods_stand(books, node, false);
    yk__reaches_leave(books, node);
    yk_topology_leave(&books->topology, node);
    yk_topology_enter(&books->topology, node);
    yk__reaches_enter(books, node);
    pods_stand(books, node, true);
}

void yk_books_node_removed(struct yk_books *books, struct yk_cache_node *node)
{
    pods_stand(books, node, false);
    yk__reaches_leave(books, node);
    yk_topology_leave(&books->topology, node);
    yk_topology_remove(&books->topology, node);
}
