/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pod index: counters for the filters that depend on other pods.
 *
 * Pods with the same namespace, labels (except own labels, see own_labels.h), host ports and anti-affinity
 * share a *profile*. The constraints of classes about other pods are *rules*, which are shared as well. A
 * rule has counters of:
 *
 * PORT           pods with a host port that conflicts with a requested one, by node
 * SPREAD         pods of a namespace that a constraint counts, by domain, on the eligible nodes
 * AFFINITY       pods that match all affinity terms of a pod, by domain of each topology key
 * ANTI           pods that match an anti-affinity term of a class, by domain
 * EXISTING_ANTI  pods that have an anti-affinity term, by domain; the term selects classes of waiting pods
 *
 * A rule is matched with entities: a rule of kind EXISTING_ANTI with classes, the others with profiles.
 * Matches are computed when a rule or an entity is added or a namespace changes, and stored as struct
 * yk_k8s_match. A pod that is added to a node or removed from it changes only the counters of the rules of
 * its profile. A rule exists while a class uses it, or while a profile has it as its own anti-affinity.
 *
 * When a counter changes so that a class may fit where it did not before, the classes that use the rule, or
 * match it, are woken.
 *
 * Owns:      profiles, rules, spread nodes, matches, the topology.
 * Borrows:   the cache, its pods and nodes.
 * Thread:    scheduling thread only.
 * Invariant: each counter equals the result of a loop over all pods on known nodes
 *            (test/unit/lib/predicates_oracle.h).
 * Source:    docs/reference/predicates.md 7.2, 7.3.
 */
#ifndef YK_PREDICATES_POD_INDEX_H
#define YK_PREDICATES_POD_INDEX_H

#include "base/bitset.h"
#include "predicates/class_key.h"
#include "predicates/constraints.h"
#include "predicates/counts.h"
#include "predicates/own_labels.h"
#include "predicates/pod_selector.h"
#include "predicates/topology.h"

struct yk_host_port {
    yk_name protocol, ip; /* counted */
    int32_t number;
};

enum yk_rule_kind {
    YK_RULE_PORT,
    YK_RULE_SPREAD,
    YK_RULE_AFFINITY,
    YK_RULE_ANTI,
    YK_RULE_EXISTING_ANTI,
};

/* The counters of a rule by the domains of one topology key. */
struct yk_axis {
    struct yk_topology_key *key; /* NULL (ports): each node is a domain, numbered by its slot */
    struct yk_counts pods;       /* by domain */
};

struct yk_rule {
    enum yk_rule_kind kind;
    char *key; /* owned bytes: equal for equal constraints */
    size_t key_len;
    uint32_t holders;                  /* references */
    struct yk_pod_selector *selectors; /* owned; a pod matches the rule if it matches all of them */
    uint32_t selector_count;
    struct yk_axis *axes; /* owned; AFFINITY: one per topology key; other kinds: one */
    uint32_t axis_count;
    struct yk_host_port port;             /* PORT */
    uint32_t entries;                     /* AFFINITY: pods that are counted in some axis */
    struct yk_spread_nodes *spread_nodes; /* SPREAD; counted */
    uint32_t spread_axis;                 /* SPREAD: index of the rule's topology key in spread_nodes->axes */
    struct yk_counts levels; /* SPREAD: number of pods, above 0 -> number of domains with that many */
    uint32_t lowest;         /* SPREAD: the smallest key of `levels`, if lowest_known */
    bool lowest_known;
    struct yk_list matches;                 /* struct yk_k8s_match, of_rule */
    struct yk_list uses;                    /* struct yk_use, of_rule */
    struct yk_list in_bucket;               /* in the bucket `bucket` of yk_pod_index.buckets */
    struct yk_list with_namespace_selector; /* in the list of that name; only with a namespaceSelector */
    struct yk_list in_spread_nodes;         /* in spread_nodes->rules */
    uint64_t bucket;
    uint64_t round; /* yk_pod_index.round of the last lookup that evaluated the rule */
};

/* Says that the entity matches the rule. The index owns it. */
struct yk_k8s_match {
    struct yk_list of_entity, of_rule;
    struct yk_entity *entity;
    struct yk_rule *rule;
};

/* The nodes on which a spread constraint counts pods: they have the topology keys of all hard spread
 * constraints of the pod, and satisfy the node inclusion policies of the constraint (predicates.md 4.12). */
struct yk_spread_nodes {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t holders;                  /* references */
    uint64_t sequence;                 /* identifies the set of nodes in the keys of rules */
    struct yk_constraints constraints; /* of the pod */
    bool honors_affinity, honors_taints;
    struct yk_axis *axes; /* owned, one per topology key; `pods` has the number of nodes in each domain */
    uint32_t axis_count;
    struct yk_bitset nodes;  /* slots of these nodes */
    struct yk_list rules;    /* struct yk_rule, in_spread_nodes */
    struct yk_list in_index; /* in all_spread_nodes */
};

/* The contents of pods that selectors and the filter of host ports read, and their own anti-affinity. */
struct yk_pod_profile {
    struct yk_entity entity; /* first member: namespace and labels without own ones */
    uint64_t digest[2];      /* 128 bits of a keyed hash of the contents; the lookup key in `profiles` */
    struct yk_list pods;     /* struct yk_cache_pod, of_profile; with or without a node */
    struct yk_list in_all, in_namespace, in_ports;
    struct yk_rule **existing_anti; /* own anti-affinity: owned array of counted rules */
    struct yk_host_port *ports;     /* owned, counted names */
    uint32_t existing_anti_count, port_count, pod_count;
};

/*
 * A label key of pods. Usually the labels with this key are part of profiles. If few pods share each value,
 * the key is an *own key*: each pod stores its label itself (own_labels.h), so that pods which differ in
 * nothing else share a profile. Rules other than EXISTING_ANTI are matched with profiles, so a key to which
 * such a rule refers is never an own key.
 */
struct yk_label_key {
    yk_name name; /* counted */
    bool is_own;
    uint32_t references; /* requirements of rules other than EXISTING_ANTI that refer to it */
    uint32_t profiles;   /* profiles that have it */
    uint32_t pods;       /* pods that store it as an own label */
    /* The number of further profiles, or pods if it is an own key, after which `is_own` is checked again. */
    uint32_t recheck_at;
    struct yk_list in_due;       /* in due_keys, until it is checked */
    struct yk_idmap seen_values; /* during a check: set of the values that were seen */
    uint64_t seen_pods;          /* during a check: number of the pods that have them */
};
/* A key with fewer values does not become an own key, unless it numbers pods (label_keys.c). */
enum { YK_OWN_FROM = 1024 };

struct yk_pod_index {
    struct yk_cache *cache; /* borrowed for life */
    struct yk_topology topology;
    struct yk_strmap profiles, rules, spread_nodes_by_key; /* by digest; by `key`; by `key` */
    struct yk_idmap buckets;                /* struct bucket: rules by the label value that they require */
    struct yk_idmap by_namespace;           /* struct namespace_profiles by name id */
    struct yk_list all_profiles;            /* struct yk_pod_profile, in_all */
    struct yk_list port_profiles;           /* struct yk_pod_profile, in_ports: those with host ports */
    struct yk_list with_namespace_selector; /* struct yk_rule: those with a namespaceSelector */
    struct yk_list all_spread_nodes;        /* struct yk_spread_nodes, in_index */
    uint64_t spread_nodes_sequence;         /* of the last struct yk_spread_nodes that was made */
    uint64_t round;                         /* number of the current lookup of rules that match an entity */
    struct yk_list classes;                 /* struct yk_k8s_class, in_index: if `entity` is not empty */
    struct yk_list woken;                   /* struct yk_k8s_class, in_woken */
    /* The key is a namespace (0: all namespaces) and a label key (0: any pod). The value is 1 + number of
     * references to it in EXISTING_ANTI rules. Entries without rules are kept for a while. */
    struct yk_idmap references;
    /* If there are at least this many entries, and at least REFERENCES_KEPT (rules.c), those without rules
     * are dropped before a new one is added. */
    size_t references_max;
    /* Set of namespaces (0: all) with a new reference since yk_classes_updated(). */
    struct yk_idmap newly_referenced;
    bool is_dry_run;                           /* counts change for a while only: classes are not woken */
    struct yk_class_key profile_key, rule_key; /* scratch memory */
    /* Label keys. */
    struct yk_idmap label_keys; /* struct yk_label_key by name id: keys of pods and of rules */
    uint32_t own_keys;          /* number of own keys in `label_keys` */
    struct yk_list due_keys;    /* struct yk_label_key, in_due */
    bool moves_labels;      /* labels move between profiles and pods, which changes no counter of a rule */
    uint32_t own_from;      /* see YK_OWN_FROM, which is the value except in tests */
    struct yk_pairs shared; /* scratch: labels of the current pod without own ones; owned, texts borrowed */
    uint32_t shared_capacity;
    struct yk_buf own; /* scratch: own labels of the current pod, packed */
};

struct yk_k8s_class;

/* Makes an index without pods. `cache` is borrowed for the life of the index. */
void yk_pod_index_init(struct yk_pod_index *pod_index, struct yk_cache *cache);
/* Frees the contents. All pods, nodes, classes and rules were removed before. */
void yk_pod_index_done(struct yk_pod_index *pod_index);

/* ---- pods and nodes ----
 *
 * Other modules do not call the functions of this section that change the index, because volumes and
 * signatures change with them. They call yk_classes_node_added() and the two functions below it; the cache
 * calls the pod observer that yk_classes_init() has set. */

/* A pod is new or has changed: finds or makes the profile for `object`. If the pod has a node, it is counted
 * by its new profile. If its labels or its profile have changed, sets YK_POD_RELABELLED in pod->flags. May
 * add to `newly_referenced` (yk_classes_need_update()), and raise `topology.generation`: the caller then
 * computes the signatures of all nodes again. `object` NULL: forgets the pod, which has no node. Usually
 * O(constraints and labels of the pod). */
void yk_pod_index_pod_described(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                                const struct yk_pod *object);
/* Adds the pod to the counters at the node (`is_added`), or removes it from them. Wakes classes that may fit
 * now. Does not set pod->node. The flag YK_POD_DELETING must be the same in both calls: before it changes,
 * the caller removes the pod, and adds it again afterwards. No effect if the pod has no profile. No effect
 * either if the node is not known yet, because yk_pod_index_node_added() counts its pods. To count a pod as
 * gone for a while, set is_dry_run, and undo each call. O(rules that the pod matches or has). */
void yk_pod_index_pod_on_node(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                              const struct yk_cache_node *node, bool is_added);
/* Whether the label key is an own key (struct yk_label_key). */
bool yk_pod_index_label_is_own(const struct yk_pod_index *pod_index, struct yk_str key);
/* A namespace was added, deleted, or has other labels: matches the rules with a namespaceSelector again, and
 * wakes classes that may fit now. */
void yk_pod_index_namespace_changed(struct yk_pod_index *pod_index, struct yk_str name);
/* A node was added: gives it a slot and domains, and counts the pods in node->pods. Call it once. Visits all
 * pods on the node. */
void yk_pod_index_node_added(struct yk_pod_index *pod_index, struct yk_cache_node *node);
/* Labels or taints of the node, which has a slot, have changed: updates its domains, and counts its pods
 * again. Does not update its signature. Visits all pods on the node. */
void yk_pod_index_node_changed(struct yk_pod_index *pod_index, struct yk_cache_node *node);
/* Removes the node and its pods from all counts, and takes its slot back. Call it before the node is freed.
 * Visits all pods on the node. */
void yk_pod_index_node_removed(struct yk_pod_index *pod_index, struct yk_cache_node *node);

/*
 * ---- rules ----
 *
 * The functions yk_rule_for_... find or make a rule, and return it with a reference, which the caller gives
 * back with yk_rule_put(). The selectors of the pod must be valid (yk_terms_parse(),
 * yk_spread_selector_init()). A new rule is matched with profiles or classes, which can be all of them. A new
 * rule may raise `topology.generation`: the caller then computes the signatures of all nodes again. Profiles
 * may change: no caller may iterate over them.
 */

/* The rule that counts pods with a host port that conflicts with `port`, whose `host_port` is above 0. */
struct yk_rule *yk_rule_for_port(struct yk_pod_index *pod_index, const struct yk_container_port *port);
enum { YK_SPREAD_NODES_PER_POD = 4 }; /* combinations of node inclusion policies */
/* The rule that counts the pods of `constraint`, a hard spread constraint of `pod`. `known`: scratch memory
 * for the calls for one pod. The caller sets it to NULLs before the first call, and need not free it. It
 * borrows from the rules of the earlier calls, so the caller keeps their references until the last call. */
struct yk_rule *yk_rule_for_spread(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                   const struct yk_spread_constraint *constraint,
                                   struct yk_spread_nodes *known[static YK_SPREAD_NODES_PER_POD]);
/* The rule that counts pods that match all required affinity terms of the pod, which has at least one. */
struct yk_rule *yk_rule_for_affinity(struct yk_pod_index *pod_index, const struct yk_pod *pod);
/* The rule that counts pods that match `term`, a required anti-affinity term of `pod`. */
struct yk_rule *yk_rule_for_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                 const struct yk_pod_affinity_term *term);
/* The rule that counts the pods that have `term`, a required anti-affinity term of `pod`. It is matched with
 * the classes whose pods the term keeps away. May add to `newly_referenced` (yk_classes_need_update()). */
struct yk_rule *yk_rule_for_existing_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                          const struct yk_pod_affinity_term *term);
/* Gives back a reference; the last one frees the rule. Before the last one is given back, all `uses` of the
 * rule were unlinked. NULL is fine. */
void yk_rule_put(struct yk_pod_index *pod_index, struct yk_rule *rule);

/* The smallest number of counted pods in any domain with an eligible node, for a rule of kind YK_RULE_SPREAD;
 * 0 if some such domain has none, or there is no such domain. Usually O(1). */
uint32_t yk_rule_floor(struct yk_rule *rule);
/* The number of domains with an eligible node, for a rule of kind YK_RULE_SPREAD. */
static inline uint32_t yk_rule_domains(const struct yk_rule *rule)
{
    return (uint32_t)rule->spread_nodes->axes[rule->spread_axis].pods.map.count;
}

/* ---- classes as entities ---- */

/* Adds a new class, whose `entity` is complete: rules are matched with it until yk_pod_index_class_removed().
 * Does not wake the class. No effect for a class whose entity is empty. */
void yk_pod_index_class_added(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
/* Removes the class, also from the list of those that were woken. Call it before the class is freed, also if
 * its entity is empty. */
void yk_pod_index_class_removed(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
/* Whether EXISTING_ANTI rules refer to that label key of pods in the namespace; key YK_NO_NAME: whether they
 * refer to pods there at all. May stay true for a while after the last such rule was freed. */
bool yk_pod_index_is_referenced(const struct yk_pod_index *pod_index, yk_name namespace_, yk_name key);
/* Pods of the class may fit now: adds the class to the list of yk_classes_next_woken(), if it is not in the
 * list. The core learns of it only when the list is read. No effect in a dry run, and for a class without
 * references. */
void yk_pod_index_wake(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
