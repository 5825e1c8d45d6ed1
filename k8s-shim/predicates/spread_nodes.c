/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes on which a spread constraint counts pods, and their domains (docs/reference/predicates.md
 * 4.12). */
#include "predicates/pod_index_priv.h"

static bool includes(const struct yk_spread_nodes *spread_nodes, const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < spread_nodes->axis_count; i++) {
        if (yk_domain_at(spread_nodes->axes[i].key, node->slot) == 0)
            return false;
    }
    if (spread_nodes->honors_affinity && !yk_filter_node_affinity(&spread_nodes->constraints, node))
        return false;
    return !spread_nodes->honors_taints || yk_filter_taint_toleration(&spread_nodes->constraints, node);
}

static void count_node(struct yk_spread_nodes *spread_nodes, const struct yk_cache_node *node, int change)
{
    yk_bitset_assign(&spread_nodes->nodes, node->slot, change > 0);
    for (uint32_t i = 0; i < spread_nodes->axis_count; i++) {
        uint32_t domain = yk_domain_at(spread_nodes->axes[i].key, node->slot);
        (void)yk_counts_add(&spread_nodes->axes[i].pods, domain, change); /* the new count is not needed */
    }
}

static void wake_rules(struct yk_pod_index *pod_index, const struct yk_spread_nodes *spread_nodes)
{
    const struct yk_rule *rule;
    yk_list_foreach (rule, &spread_nodes->rules, struct yk_rule, in_spread_nodes)
        yk__rule_wake(pod_index, rule);
}

void yk__spread_nodes_remove_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node)
{
    struct yk_spread_nodes *spread_nodes;
    yk_list_foreach (spread_nodes, &pod_index->all_spread_nodes, struct yk_spread_nodes, in_index) {
        if (!yk_bitset_test(&spread_nodes->nodes, node->slot))
            continue;
        count_node(spread_nodes, node, -1);
        wake_rules(pod_index, spread_nodes);
    }
}

/* Wakes no class: a new node can only add an empty domain, which does not make another domain fit. */
void yk__spread_nodes_add_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node)
{
    struct yk_spread_nodes *spread_nodes;
    yk_list_foreach (spread_nodes, &pod_index->all_spread_nodes, struct yk_spread_nodes, in_index) {
        if (includes(spread_nodes, node))
            count_node(spread_nodes, node, 1);
    }
}

/* ---- creation and removal ---- */

static bool has_key(const struct yk_spread_nodes *spread_nodes, yk_name name)
{
    for (uint32_t i = 0; i < spread_nodes->axis_count; i++) {
        if (yk_name_eq(spread_nodes->axes[i].key->name, name))
            return true;
    }
    return false;
}

static void take_keys(struct yk_pod_index *pod_index, struct yk_spread_nodes *spread_nodes,
                      const struct yk_pod *pod)
{
    spread_nodes->axes = yk_new0_array(struct yk_axis, pod->spread_constraint_count);
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        if (!yk_spread_is_hard(&pod->spread_constraints[i]))
            continue;
        yk_name name = yk_name_get(pod->spread_constraints[i].topology_key);
        if (!has_key(spread_nodes, name))
            spread_nodes->axes[spread_nodes->axis_count++].key = yk_topology_use(&pod_index->topology, name);
        yk_name_put(name);
    }
}

static struct yk_spread_nodes *spread_nodes_new(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                                const struct yk_spread_constraint *constraint,
                                                struct yk_str key)
{
    struct yk_spread_nodes *spread_nodes = yk_new0(struct yk_spread_nodes);
    spread_nodes->key = yk_realloc_array(NULL, key.len, 1);
    memcpy(spread_nodes->key, key.p, key.len);
    spread_nodes->key_len = key.len;
    spread_nodes->sequence = ++pod_index->spread_nodes_sequence;
    spread_nodes->honors_affinity = yk_spread_honors_affinity(constraint);
    spread_nodes->honors_taints = yk_spread_honors_taints(constraint);
    yk_constraints_init(&spread_nodes->constraints, pod);
    yk_list_init(&spread_nodes->rules);
    take_keys(pod_index, spread_nodes, pod);
    yk_list_append(&pod_index->all_spread_nodes, &spread_nodes->in_index);
    (void)yk_strmap_put(&pod_index->spread_nodes_by_key, (struct yk_str){spread_nodes->key, key.len},
                        spread_nodes); /* is new */
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &pod_index->topology.nodes) {
        if (node != NULL && includes(spread_nodes, node))
            count_node(spread_nodes, node, 1);
    }
    return spread_nodes;
}

struct yk_spread_nodes *yk__spread_nodes_get(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                             const struct yk_spread_constraint *constraint)
{
    yk_class_key_begin(&pod_index->rule_key);
    yk_class_key_spread_nodes(&pod_index->rule_key, pod, constraint);
    struct yk_str key = yk_buf_view(&pod_index->rule_key.bytes);
    struct yk_spread_nodes *spread_nodes = yk_strmap_get(&pod_index->spread_nodes_by_key, key);
    if (spread_nodes == NULL)
        spread_nodes = spread_nodes_new(pod_index, pod, constraint, key);
    spread_nodes->holders++;
    return spread_nodes;
}

void yk__spread_nodes_put(struct yk_pod_index *pod_index, struct yk_spread_nodes *spread_nodes)
{
    if (spread_nodes == NULL || !YK_ASSERT(spread_nodes->holders > 0) || --spread_nodes->holders > 0)
        return;
    (void)yk_strmap_remove(&pod_index->spread_nodes_by_key,
                           (struct yk_str){spread_nodes->key, spread_nodes->key_len}); /* was there */
    yk_list_remove(&spread_nodes->in_index);
    for (uint32_t i = 0; i < spread_nodes->axis_count; i++) {
        yk_topology_unuse(&pod_index->topology, spread_nodes->axes[i].key);
        yk_counts_done(&spread_nodes->axes[i].pods);
    }
    yk_constraints_done(&spread_nodes->constraints);
    yk_bitset_done(&spread_nodes->nodes);
    free(spread_nodes->axes);
    free(spread_nodes->key);
    free(spread_nodes);
}
