/* SPDX-License-Identifier: Apache-2.0 */
/* On which nodes a spread constraint counts pods, and which domains there are
 * (docs/reference/predicates.md 4.12). */
#include "predicates/books_priv.h"

static bool includes(const struct yk_reach *reach, const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < reach->axis_count; i++) {
        if (yk_domain_at(reach->axes[i].key, node->spot) == 0)
            return false;
    }
    if (reach->honors_affinity && !yk_filter_node_affinity(&reach->constraints, node))
        return false;
    return !reach->honors_taints || yk_filter_taint_toleration(&reach->constraints, node);
}

static void count_node(struct yk_reach *reach, const struct yk_cache_node *node, int change)
{
    yk_bitset_assign(&reach->nodes, node->spot, change > 0);
    for (uint32_t i = 0; i < reach->axis_count; i++) {
        uint32_t domain = yk_domain_at(reach->axes[i].key, node->spot);
        (void)yk_counts_add(&reach->axes[i].pods, domain, change); /* nobody asks for one of them */
    }
}

static void wake_rules(struct yk_books *books, const struct yk_reach *reach)
{
    const struct yk_rule *rule;
    yk_list_foreach (rule, &reach->rules, struct yk_rule, in_reach)
        yk__rule_wake(books, rule);
}

void yk__reaches_leave(struct yk_books *books, const struct yk_cache_node *node)
{
    struct yk_reach *reach;
    yk_list_foreach (reach, &books->all_reaches, struct yk_reach, in_books) {
        if (!yk_bitset_test(&reach->nodes, node->spot))
            continue;
        count_node(reach, node, -1);
        wake_rules(books, reach);
    }
}

/* Wakes nobody: another node can only bring an empty domain, which lets nobody in elsewhere. */
void yk__reaches_enter(struct yk_books *books, const struct yk_cache_node *node)
{
    struct yk_reach *reach;
    yk_list_foreach (reach, &books->all_reaches, struct yk_reach, in_books) {
        if (includes(reach, node))
            count_node(reach, node, 1);
    }
}

/* ---- life ---- */

static bool has_key(const struct yk_reach *reach, yk_name name)
{
    for (uint32_t i = 0; i < reach->axis_count; i++) {
        if (yk_name_eq(reach->axes[i].key->name, name))
            return true;
    }
    return false;
}

static void take_keys(struct yk_books *books, struct yk_reach *reach, const struct yk_pod *pod)
{
    reach->axes = yk_new0_array(struct yk_axis, pod->spread_constraint_count);
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        if (!yk_spread_is_hard(&pod->spread_constraints[i]))
            continue;
        yk_name name = yk_name_get(pod->spread_constraints[i].topology_key);
        if (!has_key(reach, name))
            reach->axes[reach->axis_count++].key = yk_topology_use(&books->topology, name);
        yk_name_put(name);
    }
}

static struct yk_reach *reach_new(struct yk_books *books, const struct yk_pod *pod,
                                  const struct yk_spread_constraint *constraint, struct yk_str key)
{
    struct yk_reach *reach = yk_new0(struct yk_reach);
    reach->key = yk_realloc_array(NULL, key.len, 1);
    memcpy(reach->key, key.p, key.len);
    reach->key_len = key.len;
    reach->sequence = ++books->reach_sequence;
    reach->honors_affinity = yk_spread_honors_affinity(constraint);
    reach->honors_taints = yk_spread_honors_taints(constraint);
    yk_constraints_init(&reach->constraints, pod);
    yk_list_init(&reach->rules);
    take_keys(books, reach, pod);
    yk_list_append(&books->all_reaches, &reach->in_books);
    (void)yk_strmap_put(&books->reaches, (struct yk_str){reach->key, key.len}, reach); /* is new */
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &books->topology.nodes) {
        if (node != NULL && includes(reach, node))
            count_node(reach, node, 1);
    }
    return reach;
}

struct yk_reach *yk__reach_for(struct yk_books *books, const struct yk_pod *pod,
                               const struct yk_spread_constraint *constraint)
{
    yk_class_key_begin(&books->rule_key);
    yk_class_key_reach(&books->rule_key, pod, constraint);
    struct yk_str key = yk_buf_view(&books->rule_key.bytes);
    struct yk_reach *reach = yk_strmap_get(&books->reaches, key);
    if (reach == NULL)
        reach = reach_new(books, pod, constraint, key);
    reach->holders++;
    return reach;
}

void yk__reach_put(struct yk_books *books, struct yk_reach *reach)
{
    if (reach == NULL || !YK_ASSERT(reach->holders > 0) || --reach->holders > 0)
        return;
    (void)yk_strmap_remove(&books->reaches, (struct yk_str){reach->key, reach->key_len}); /* was there */
    yk_list_remove(&reach->in_books);
    for (uint32_t i = 0; i < reach->axis_count; i++) {
        yk_topology_unuse(&books->topology, reach->axes[i].key);
        yk_counts_done(&reach->axes[i].pods);
    }
    yk_constraints_done(&reach->constraints);
    yk_bitset_done(&reach->nodes);
    free(reach->axes);
    free(reach->key);
    free(reach);
}
