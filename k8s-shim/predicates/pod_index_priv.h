/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the files of the pod index share.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_PREDICATES_POD_INDEX_PRIV_H
#define YK_PREDICATES_POD_INDEX_PRIV_H

#include "predicates/pod_index.h"

/* rules.c, wake_classes.c */
/* Makes the matches of a new entity, which has no pods yet, with all rules. No counter changes. */
void yk__entity_add(struct yk_pod_index *pod_index, struct yk_entity *entity);
/* Frees all matches of an entity, which has no pods any longer. No counter changes. */
void yk__entity_remove(struct yk_entity *entity);
/* Drops the entries of `references` without rules; `everything`: all entries, at the end of the index.
 * O(references). */
void yk__references_tidy(struct yk_pod_index *pod_index, bool everything);
/* Wakes the classes that use the rule, or match it if it is an EXISTING_ANTI rule. No effect in a dry run. */
void yk__rule_wake(struct yk_pod_index *pod_index, const struct yk_rule *rule);

/* rule_counts.c */
/* Adds the pod to the counters of the rule (`change` 1), or removes it (-1). The rule is one that the profile
 * of the pod matches, or has as its own anti-affinity; this is not checked. `slot`: of the node that the pod
 * is on; not 0. Wakes classes that may fit now. No effect for a rule of kind YK_RULE_SPREAD if the pod is
 * being deleted, or the node is not eligible. */
void yk__rule_count(struct yk_pod_index *pod_index, struct yk_rule *rule, const struct yk_cache_pod *pod,
                    uint32_t slot, int change);
/* Adds to the counters of the rule all pods on known nodes of a profile that begins to match the rule
 * (`change` 1), or removes the pods of a profile that no longer matches (-1). The caller makes or frees the
 * match. Wakes classes that may fit now. */
void yk__rule_count_profile(struct yk_pod_index *pod_index, struct yk_rule *rule,
                            const struct yk_pod_profile *profile, int change);

/* spread_nodes.c */
/* The set of nodes that are eligible for `constraint`, a hard spread constraint of `pod`, with a reference,
 * which the caller gives back with yk__spread_nodes_put(). Overwrites `pod_index->rule_key`. O(nodes) if the
 * set is new. */
struct yk_spread_nodes *yk__spread_nodes_get(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                             const struct yk_spread_constraint *constraint);
/* Gives back a reference; the last one frees the set. NULL is fine. */
void yk__spread_nodes_put(struct yk_pod_index *pod_index, struct yk_spread_nodes *spread_nodes);
/* Removes the node from all sets of eligible nodes, and wakes the classes of their spread rules. Call it
 * before the domains of the node change, and after its pods were removed from the counters. */
void yk__spread_nodes_remove_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);
/* Adds the node to the sets for which it is eligible. Call it after its domains have changed, and before its
 * pods are counted. */
void yk__spread_nodes_add_node(struct yk_pod_index *pod_index, const struct yk_cache_node *node);

/* profiles.c */
/* The list of the profiles of pods in the namespace (struct yk_pod_profile, in_namespace); NULL: there are
 * none. Borrowed from the index until its profiles change. */
struct yk_list *yk__profiles_in(const struct yk_pod_index *pod_index, yk_name namespace_);
/* Moves the labels of all own keys (yk__label_is_own()) from profiles to pods. A pod with a label that cannot
 * be packed (yk_own_labels_pack()) keeps its profile. Profiles change: no caller may iterate over them.
 * `pod_index->moves_labels` must be set. */
void yk__profiles_move_own(struct yk_pod_index *pod_index);
/* Moves the label `key` from all pods back to profiles. Profiles change: no caller may iterate over them.
 * `pod_index->moves_labels` must be set. */
void yk__profiles_with(struct yk_pod_index *pod_index, yk_name key);

/* label_keys.c */
/* Counts the label keys of a profile, whose entity is `entity`, that was added (`change` 1) or removed
 * (-1). */
void yk__label_keys_count(struct yk_pod_index *pod_index, const struct yk_entity *entity, int change);
/* Counts the label keys that the selectors of `rule` refer to, when the rule is added (`change` 1) or removed
 * (-1). No effect for a rule of kind YK_RULE_EXISTING_ANTI, which is not matched with profiles. With 1, own
 * keys among them cease to be own keys, and their labels move from pods back into profiles: call it before
 * the rule is matched with profiles. Profiles change then and may be freed: no caller may iterate over them.
 * Overwrites `pod_index->own`. With -1, no labels move. */
void yk__label_keys_reference(struct yk_pod_index *pod_index, const struct yk_rule *rule, int change);
/* Checks the keys in `due_keys`: decides which are own keys, and moves their labels. Call it after the
 * profile of a pod has changed. Profiles change: no caller may iterate over them. */
void yk__label_keys_settle(struct yk_pod_index *pod_index);
/* Whether the key of the label is an own key, so that its labels are not part of profiles. */
bool yk__label_is_own(const struct yk_pod_index *pod_index, const struct yk_label *label);
/* Replaces `pod_index->own` by the own labels of a pod, packed, and `pod_index->shared` by its other labels,
 * whose texts are borrowed. If the own labels of the pod differ from those in `pod_index->own`
 * (yk_own_labels_are()), the caller gives the new ones to the pod with yk__pod_set_own(). */
void yk__labels_split(struct yk_pod_index *pod_index, const struct yk_pairs *labels);
/* Replaces the pod's own labels by `packed` (yk_own_labels_pack()), which is copied; if it is empty, the pod
 * has no own labels. Counts their keys. Changes neither the profile nor YK_POD_RELABELLED. */
void yk__pod_set_own(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, const struct yk_buf *packed);

/* The profile whose first member is `entity`, which is not that of a class. */
static inline struct yk_pod_profile *yk__profile_of(struct yk_entity *entity)
{
    return (struct yk_pod_profile *)(void *)entity;
}

#endif
