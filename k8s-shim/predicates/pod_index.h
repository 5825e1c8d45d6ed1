/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pod index: counters that answer the filters which depend on other pods in constant time.
 *
 * Pods that are equal for selectors and ports share a profile. The constraints of classes about other pods
 * are rules, which are shared as well:
 *
 * PORT           pods with a host port that conflicts with a requested one, by node
 * SPREAD         pods of a namespace that a constraint counts, by domain, on the eligible nodes
 * AFFINITY       pods that match all affinity terms of a pod, by domain of each topology key
 * ANTI           pods that match an anti-affinity term of a class, by domain
 * EXISTING_ANTI  pods that have an anti-affinity term, by domain; it matches classes instead of pods
 *
 * A rule matches entities: profiles, or classes for EXISTING_ANTI. Matches are computed when either is added,
 * and stored as struct yk_k8s_match. A pod that is added to a node or removed from it changes only the
 * counters of the rules of its profile. A rule exists while a class, or a profile that has it as its own
 * anti-affinity, uses it.
 *
 * When a counter changes so that a class may fit where it did not before, the classes that use the rule are
 * woken.
 *
 * Owns:      profiles, rules, spread nodes, matches, the topology.
 * Borrows:   the cache, its pods and nodes.
 * Thread:    scheduling thread only.
 * Invariant: each counter equals the result of a loop over all pods on known nodes
 * (test/unit/predicates/oracle.h).
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

struct yk_axis {
    struct yk_topology_key *key; /* NULL (ports): each node is a domain, numbered by its slot */
    struct yk_counts pods;       /* by domain */
};

struct yk_rule {
    enum yk_rule_kind kind;
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t holders;
    struct yk_pod_selector *selectors; /* owned; all must match */
    uint32_t selector_count;
    struct yk_axis *axes; /* owned; AFFINITY: one per key, others one */
    uint32_t axis_count;
    struct yk_host_port port;             /* PORT */
    uint32_t entries;                     /* AFFINITY: pods in any of the domains of any axis */
    struct yk_spread_nodes *spread_nodes; /* SPREAD; counted */
    uint32_t spread_axis;                 /* which of its topology keys */
    struct yk_counts levels; /* SPREAD: number of domains with that many pods, for counts above zero */
    uint32_t lowest;         /* the smallest key of `levels`, if lowest_known */
    bool lowest_known;
    struct yk_list matches; /* struct yk_k8s_match, of_rule */
    struct yk_list uses;    /* struct yk_use, of_rule */
    struct yk_list in_bucket;
    struct yk_list with_namespace_selector; /* linked if it has a namespaceSelector */
    struct yk_list in_spread_nodes;
    uint64_t bucket;
    uint64_t round; /* the last lookup that evaluated it; see yk_pod_index.round */
};

struct yk_k8s_match {
    struct yk_list of_entity, of_rule;
    struct yk_entity *entity;
    struct yk_rule *rule;
};

/* The nodes on which a spread constraint counts pods: they have all topology keys, and satisfy its node
 * inclusion policies (predicates.md 4.12). */
struct yk_spread_nodes {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t holders;
    uint64_t sequence;                 /* identifies it in the keys of rules */
    struct yk_constraints constraints; /* of the pod */
    bool honors_affinity, honors_taints;
    struct yk_axis *axes; /* owned; `pods` counts nodes here: the keys are the domains */
    uint32_t axis_count;
    struct yk_bitset nodes; /* by slot */
    struct yk_list rules;   /* struct yk_rule, in_spread_nodes */
    struct yk_list in_index;
};

/* What selectors and ports see of a pod, and its own anti-affinity. */
struct yk_pod_profile {
    struct yk_entity entity; /* first */
    uint64_t digest[2];      /* of its contents, as the lookup key: the contents would be its largest part */
    struct yk_list pods;     /* struct yk_cache_pod, of_profile; with or without a node */
    struct yk_list in_all, in_namespace, in_ports;
    struct yk_rule **existing_anti; /* own anti-affinity: owned array of counted rules */
    struct yk_host_port *ports;     /* owned */
    uint32_t existing_anti_count, port_count, pod_count;
};

/*
 * A label key of pods. Its values are part of profiles. If most pods have different values, it is an "own"
 * key: each pod stores its value itself (own_labels.h), so that pods which differ in nothing else share a
 * profile. Rules refer to profiles only, so a key that a rule refers to is never an own key.
 */
struct yk_label_key {
    yk_name name; /* counted */
    bool is_own;
    uint32_t references; /* requirements of rules that refer to it */
    uint32_t profiles;   /* profiles that have it */
    uint32_t pods;       /* pods that store it as an own label */
    uint32_t recheck_at; /* number of new profiles, or pods, after which it is checked again whether it is an
                            own key */
    struct yk_list in_due;
    struct yk_idmap seen_values; /* during a check: some of its values */
    uint64_t seen_pods;          /* and the number of pods that have them */
};
enum { YK_OWN_FROM = 1024 }; /* an own key has at least so many values */

struct yk_pod_index {
    struct yk_cache *cache; /* borrowed for life */
    struct yk_topology topology;
    struct yk_strmap profiles, rules, spread_nodes_by_key;
    struct yk_idmap buckets;      /* struct bucket: rules by the value that they require first */
    struct yk_idmap by_namespace; /* struct namespace_profiles by name id */
    struct yk_list all_profiles, port_profiles, with_namespace_selector, all_spread_nodes;
    uint64_t spread_nodes_sequence;
    uint64_t round;         /* number of the current lookup of rules that match an entity */
    struct yk_list classes; /* struct yk_k8s_class, in_index: those with a namespace */
    struct yk_list woken;   /* struct yk_k8s_class, in_woken */
    /* (namespace or 0, label key or 0 for any) -> 1 + number of EXISTING_ANTI rules that refer to it.
     * Entries without rules are kept for a while. */
    struct yk_idmap references;
    size_t references_max; /* entries; above that, those without rules are dropped */
    struct yk_idmap
        newly_referenced; /* namespaces (0: all) with a new reference since yk_classes_updated() */
    bool is_dry_run;      /* classes are not woken */
    struct yk_class_key profile_key, rule_key;
    /* Label keys. */
    struct yk_idmap label_keys; /* struct yk_label_key by name id: keys of pods and of rules */
    uint32_t own_keys;          /* how many of them are own keys */
    struct yk_list due_keys;    /* struct yk_label_key, in_due */
    bool moves_labels;          /* pods move between profiles of equal matches: nothing is counted again */
    uint32_t own_from;          /* number of values from which a key can be an own key */
    struct yk_pairs shared;     /* scratch: labels of the current pod without own ones, items owned; */
    uint32_t shared_capacity;
    struct yk_buf own; /* its own labels, packed */
};

struct yk_k8s_class;

/* Makes an index without pods. `cache` is borrowed for life. */
void yk_pod_index_init(struct yk_pod_index *pod_index, struct yk_cache *cache);
/* Frees it. No pod, node or class is left. */
void yk_pod_index_done(struct yk_pod_index *pod_index);

/* ---- pods and nodes ---- */

/* Stores what selectors and ports see of the pod, from `object` (borrowed). `object` NULL: forgets the pod,
 * which has no node. O(constraints and labels of the pod). */
void yk_pod_index_pod_described(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                                const struct yk_pod *object);
/* The pod was added to the node (`is_added`), or is about to leave it. O(rules that it matches or has). */
void yk_pod_index_pod_on_node(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                              const struct yk_cache_node *node, bool is_added);
/* Whether pods store values of that label themselves. */
bool yk_pod_index_label_is_own(const struct yk_pod_index *pod_index, struct yk_str key);
/* The labels of the namespace changed, or it is new or gone. */
void yk_pod_index_namespace_changed(struct yk_pod_index *pod_index, struct yk_str name);
/* A node was added: counts the pods on it. O(pods on the node). */
void yk_pod_index_node_added(struct yk_pod_index *pod_index, struct yk_cache_node *node);
/* Labels or taints of the node changed: counts its pods again. O(pods on the node). */
void yk_pod_index_node_changed(struct yk_pod_index *pod_index, struct yk_cache_node *node);
/* Removes the node and its pods from all counts; call it before the node is freed. O(pods on the node). */
void yk_pod_index_node_removed(struct yk_pod_index *pod_index, struct yk_cache_node *node);

/* ---- rules, counted; release them with yk_rule_put() ---- */

/* The rule that counts pods with a host port that conflicts with `port`; one more holder. */
struct yk_rule *yk_rule_for_port(struct yk_pod_index *pod_index, const struct yk_container_port *port);
/* `known`: scratch that is shared by all constraints of one pod; all NULL at first. */
enum { YK_SPREAD_NODES_PER_POD = 4 }; /* combinations of node inclusion policies */
/* The rule that counts the pods of a spread constraint of `pod`; one more holder, as for
 * yk_rule_for_affinity(). `known` keeps the sets of eligible nodes of this pod between calls; it begins
 * with NULLs. The selector of the constraint is valid. */
struct yk_rule *yk_rule_for_spread(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                   const struct yk_spread_constraint *constraint,
                                   struct yk_spread_nodes *known[static YK_SPREAD_NODES_PER_POD]);
/* The rule that counts pods that match all required affinity terms of the pod; one more holder. */
struct yk_rule *yk_rule_for_affinity(struct yk_pod_index *pod_index, const struct yk_pod *pod);
/* The rule that counts pods that match one required anti-affinity term of the pod; one more holder. */
struct yk_rule *yk_rule_for_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                 const struct yk_pod_affinity_term *term);
/* The rule that counts pods on nodes that have such a term; it matches the classes that they keep away. One
 * more holder. */
struct yk_rule *yk_rule_for_existing_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                          const struct yk_pod_affinity_term *term);
/* Drops one holder; the last one frees the rule. */
void yk_rule_put(struct yk_pod_index *pod_index, struct yk_rule *rule);

/* The smallest number of pods in any domain of a rule of kind YK_RULE_SPREAD; 0 if some domain has none. O(1)
 * amortised. */
uint32_t yk_rule_floor(struct yk_rule *rule);
/* The number of values of the topology key that count for a rule of kind YK_RULE_SPREAD. */
static inline uint32_t yk_rule_domains(const struct yk_rule *rule)
{
    return (uint32_t)rule->spread_nodes->axes[rule->spread_axis].pods.map.count;
}

/* ---- classes as entities ---- */

/* Adds the class as an entity: rules are matched with it from now on. */
void yk_pod_index_class_added(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
/* The opposite of yk_pod_index_class_added(). */
void yk_pod_index_class_removed(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
/* Whether EXISTING_ANTI rules refer to that label key of pods in the namespace; key YK_NO_NAME: to any pod
 * there. */
bool yk_pod_index_is_referenced(const struct yk_pod_index *pod_index, yk_name namespace_, yk_name key);
/* Asks of the class that wait may fit now. No effect in a dry run, and for a class without asks. */
void yk_pod_index_wake(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
