/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/pod_index.h"

#include "predicates/pod_index_priv.h"

void yk_pod_index_init(struct yk_pod_index *pod_index, struct yk_cache *cache)
{
    *pod_index = (struct yk_pod_index){.cache = cache, .own_from = YK_OWN_FROM};
    yk_topology_init(&pod_index->topology);
    yk_list_init(&pod_index->all_profiles);
    yk_list_init(&pod_index->port_profiles);
    yk_list_init(&pod_index->with_namespace_selector);
    yk_list_init(&pod_index->all_spread_nodes);
    yk_list_init(&pod_index->classes);
    yk_list_init(&pod_index->woken);
    yk_list_init(&pod_index->due_keys);
}

void yk_pod_index_done(struct yk_pod_index *pod_index)
{
    YK_ASSERT(pod_index->profiles.count == 0 && pod_index->rules.count == 0 &&
              pod_index->spread_nodes_by_key.count == 0);
    YK_ASSERT(pod_index->buckets.count == 0 && pod_index->by_namespace.count == 0);
    YK_ASSERT(yk_list_empty(&pod_index->classes) && yk_list_empty(&pod_index->woken));
    YK_ASSERT(pod_index->label_keys.count == 0 && pod_index->own_keys == 0);
    yk_topology_done(&pod_index->topology);
    yk_idmap_done(&pod_index->label_keys);
    free(pod_index->shared.items);
    yk_buf_done(&pod_index->own);
    yk_strmap_done(&pod_index->profiles);
    yk_strmap_done(&pod_index->rules);
    yk_strmap_done(&pod_index->spread_nodes_by_key);
    yk_idmap_done(&pod_index->buckets);
    yk_idmap_done(&pod_index->by_namespace);
    yk__references_tidy(pod_index, true);
    yk_idmap_done(&pod_index->newly_referenced);
    yk_class_key_done(&pod_index->profile_key);
    yk_class_key_done(&pod_index->rule_key);
}

static void count_pods_on(struct yk_pod_index *pod_index, const struct yk_cache_node *node, bool is_added)
{
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node)
        yk_pod_index_pod_on_node(pod_index, pod, node, is_added);
}

void yk_pod_index_node_added(struct yk_pod_index *pod_index, struct yk_cache_node *node)
{
    yk_topology_add(&pod_index->topology, node);
    yk_topology_enter(&pod_index->topology, node);
    yk__spread_nodes_add_node(pod_index, node);
    count_pods_on(pod_index, node, true);
}

void yk_pod_index_node_changed(struct yk_pod_index *pod_index, struct yk_cache_node *node)
{
    count_pods_on(pod_index, node, false);
    yk__spread_nodes_remove_node(pod_index, node);
    yk_topology_leave(&pod_index->topology, node);
    yk_topology_enter(&pod_index->topology, node);
    yk__spread_nodes_add_node(pod_index, node);
    count_pods_on(pod_index, node, true);
}

void yk_pod_index_node_removed(struct yk_pod_index *pod_index, struct yk_cache_node *node)
{
    count_pods_on(pod_index, node, false);
    yk__spread_nodes_remove_node(pod_index, node);
    yk_topology_leave(&pod_index->topology, node);
    yk_topology_remove(&pod_index->topology, node);
}
