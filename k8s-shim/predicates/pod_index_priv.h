/* SPDX-License-Identifier: Apache-2.0 */
/* Shared between the files that keep the books. */
#ifndef YK_PREDICATES_POD_INDEX_PRIV_H
#define YK_PREDICATES_POD_INDEX_PRIV_H

#include "predicates/pod_index.h"

/* rules.c */
bool yk__rule_matches(const struct yk_pod_index *pod_index, const struct yk_rule *rule,
                      const struct yk_entity *entity);
/* Finds the rules that match a new subject. */
void yk__entity_add(struct yk_pod_index *pod_index, struct yk_entity *entity);
void yk__entity_remove(struct yk_entity *entity);
struct yk_k8s_match *yk__match_new(struct yk_rule *rule, struct yk_entity *entity);
void yk__match_free(struct yk_k8s_match *match);
void yk__references_tidy(struct yk_pod_index *pod_index, bool everything);
/* Wakes whatever looks at the rule. */
void yk__rule_wake(struct yk_pod_index *pod_index, const struct yk_rule *rule);

/* rule_counts.c */
/* One pod more (1) or less (-1) that the rule counts, on a node. */
void yk__rule_count(struct yk_pod_index *pod_index, struct yk_rule *rule, const struct yk_cache_pod *pod,
                    uint32_t slot, int change);
/* All pods of a profile that begins or ceases to match. */
void yk__rule_count_profile(struct yk_pod_index *pod_index, struct yk_rule *rule,
                            const struct yk_pod_profile *profile, int change);

/* reach.c */
struct yk_spread_nodes *yk__spread_nodes_get(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                             const struct yk_spread_constraint *constraint);
void yk__spread_nodes_put(struct yk_pod_index *pod_index, struct yk_spread_nodes *spread_nodes);
/* The node leaves all reaches, before its domains change: their spread rules wake. */
void yk__spread_nodes_remove_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);
/* After that. */
void yk__spread_nodes_add_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);

/* profiles.c */
struct yk_list *yk__profiles_in(const struct yk_pod_index *pod_index, yk_name namespace_);
/* Labels with own keys go from profiles to the pods; one of them goes back. No rule looks at any. */
void yk__profiles_without_own(struct yk_pod_index *pod_index);
void yk__profiles_with(struct yk_pod_index *pod_index, yk_name key);

/* label_keys.c */
/* One profile more (1) or less (-1) that has them. */
void yk__label_keys_count(struct yk_pod_index *pod_index, const struct yk_entity *entity, int change);
/* A rule that looks at them comes (1), before it meets any profile, or goes (-1). */
void yk__label_keys_reference(struct yk_pod_index *pod_index, const struct yk_rule *rule, int change);
/* Makes keys own ones that turn out to be. Profiles change: nobody may be in the middle of them. */
void yk__label_keys_settle(struct yk_pod_index *pod_index);
/* Whether it is one that has no business in a profile. */
bool yk__label_is_own(const struct yk_pod_index *pod_index, const struct yk_label *label);
/* Fills books->shared and books->own with a pod's labels. */
void yk__labels_split(struct yk_pod_index *pod_index, const struct yk_pairs *labels);
void yk__pod_set_own(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, const struct yk_buf *packed);

static inline struct yk_pod_profile *yk__profile_of(struct yk_entity *entity)
{
    return (struct yk_pod_profile *)(void *)entity;
}

#endif
