/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that implement the pod index. Thread: scheduling thread only. */
#ifndef YK_PREDICATES_POD_INDEX_PRIV_H
#define YK_PREDICATES_POD_INDEX_PRIV_H

#include "predicates/pod_index.h"

/* Links a new entity with the rules that match it. Does not change their counts. */
void yk__entity_add(struct yk_pod_index *pod_index, struct yk_entity *entity);
/* Removes the entity from all rules that match it. The counts of the rules do not change. */
void yk__entity_remove(struct yk_entity *entity);
/* Forgets references to labels that no rule has; `everything`: all references, when the index ends.
 * O(references). */
void yk__references_tidy(struct yk_pod_index *pod_index, bool everything);
/* Wakes the classes that use the rule. */
void yk__rule_wake(struct yk_pod_index *pod_index, const struct yk_rule *rule);

/* rule_counts.c */
/* Counts one pod on a node: 1 adds it, -1 removes it. */
void yk__rule_count(struct yk_pod_index *pod_index, struct yk_rule *rule, const struct yk_cache_pod *pod,
                    uint32_t slot, int change);
/* Counts all pods of a profile that begins (1) or ceases (-1) to match. */
void yk__rule_count_profile(struct yk_pod_index *pod_index, struct yk_rule *rule,
                            const struct yk_pod_profile *profile, int change);

/* spread_nodes.c */
/* The set of nodes that are eligible for the spread constraint of `pod`; with a reference for the
 * caller, who drops it with yk__spread_nodes_put(). O(1), or O(nodes) if the set is new. */
struct yk_spread_nodes *yk__spread_nodes_get(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                             const struct yk_spread_constraint *constraint);
/* Gives back what yk__spread_nodes_get() returned; frees it with its last holder. NULL is fine. */
void yk__spread_nodes_put(struct yk_pod_index *pod_index, struct yk_spread_nodes *spread_nodes);
/* Removes the node from the sets of eligible nodes, before its domains change, and wakes the classes of the
 * spread rules. */
void yk__spread_nodes_remove_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);
/* Adds the node to the sets of eligible nodes, after its domains have changed. */
void yk__spread_nodes_add_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);

/* profiles.c */
/* The profiles of pods in the namespace (struct yk_pod_profile), or NULL. Borrowed from the index. */
struct yk_list *yk__profiles_in(const struct yk_pod_index *pod_index, yk_name namespace_);
/* Moves the labels whose keys are own keys (yk__label_is_own()) from profiles to pods. No rule refers to
 * them. */
void yk__profiles_move_own(struct yk_pod_index *pod_index);
/* Moves the label `key` from pods back to profiles. Profiles change: no caller may iterate over them. */
void yk__profiles_with(struct yk_pod_index *pod_index, yk_name key);

/* label_keys.c */
/* Counts the labels of a profile that was added (`change` 1) or removed (-1). */
void yk__label_keys_count(struct yk_pod_index *pod_index, const struct yk_entity *entity, int change);
/* Counts the labels to which a rule refers that is added (`change` 1), before it is matched with profiles, or
 * that is removed (-1). */
void yk__label_keys_reference(struct yk_pod_index *pod_index, const struct yk_rule *rule, int change);
/* Turns keys into own keys where that pays. Profiles change: no caller may iterate over them. */
void yk__label_keys_settle(struct yk_pod_index *pod_index);
/* Whether the label is not part of profiles. */
bool yk__label_is_own(const struct yk_pod_index *pod_index, const struct yk_label *label);
/* Fills index->shared and index->own with the labels of a pod. */
void yk__labels_split(struct yk_pod_index *pod_index, const struct yk_pairs *labels);
/* Replaces the pod's own labels, those that are not part of its profile, by `packed`, which is copied. */
void yk__pod_set_own(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, const struct yk_buf *packed);

/* The profile whose first field is `entity`. */
static inline struct yk_pod_profile *yk__profile_of(struct yk_entity *entity)
{
    return (struct yk_pod_profile *)(void *)entity;
}

#endif
