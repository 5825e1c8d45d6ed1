/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The books of what stands where: counters from which the filters that depend on other pods answer at once.
 *
 * Pods that look the same to selectors and ports share a profile. What classes ask about other pods is a set
 * of rules, shared as well:
 *
 *   PORT      pods with a port that clashes with one wanted, by node
 *   SPREAD    pods of one namespace that a constraint counts, by domain, on the nodes of a reach
 *   AFFINITY  pods that match all affinity terms of a pod, by domain of each of the keys
 *   ANTI      pods that match an anti-affinity term, by domain
 *   HELD      pods that hold an anti-affinity term, by domain; it matches classes instead of pods
 *
 * Which subjects (profiles; classes for HELD) a rule matches is found out once, when either comes, and kept
 * as struct yk_k8s_match. A pod that comes to a node or leaves it touches the counters of its profile's
 * matches and held rules, nothing else. A rule lives while a class, or a profile that holds it, lives; its
 * counters are made from the profiles it matches.
 *
 * When a counter changes so that something could fit that did not, the classes that look at it are woken.
 *
 * Owns:      profiles, rules, reaches, matches, the topology. Borrows: the cache, its pods and nodes.
 * Thread:    scheduling thread only.
 * Invariant: each counter is what a walk over all pods on known nodes would give
 * (test/unit/predicates/oracle.h). Source:    docs/reference/predicates.md 7.2, 7.3.
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
    struct yk_topology_key *key; /* NULL (ports): each node is a domain of its own, numbered by its spot */
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
    uint32_t spread_axis;                 /* which of its keys */
    struct yk_counts levels;              /* SPREAD: how many domains have that many pods; above zero only */
    uint32_t lowest;                      /* of levels, when known */
    bool lowest_known;
    struct yk_list matches; /* struct yk_k8s_match, of_rule */
    struct yk_list uses;    /* struct yk_use, of_rule */
    struct yk_list in_bucket;
    struct yk_list with_namespace_selector; /* linked: it has a namespaceSelector */
    struct yk_list in_spread_nodes;
    uint64_t bucket;
    uint64_t round; /* of the books, in which it was asked last */
};

struct yk_k8s_match {
    struct yk_list of_entity, of_rule;
    struct yk_entity *entity;
    struct yk_rule *rule;
};

/* The nodes that a spread constraint counts on: those with all keys, and what its policies say (4.12). */
struct yk_spread_nodes {
    char *key; /* owned bytes */
    size_t key_len;
    uint32_t holders;
    uint64_t sequence;                 /* by which rules name it */
    struct yk_constraints constraints; /* of the pod */
    bool honors_affinity, honors_taints;
    struct yk_axis *axes; /* owned; `pods` counts nodes here: its keys are the domains */
    uint32_t axis_count;
    struct yk_bitset nodes; /* by spot */
    struct yk_list rules;   /* struct yk_rule, in_spread_nodes */
    struct yk_list in_index;
};

/* What selectors and ports see of a pod, and what it holds against others. */
struct yk_pod_profile {
    struct yk_entity entity; /* first */
    uint64_t digest[2];  /* of what makes it, under which it is found: the bytes would be its largest part */
    struct yk_list pods; /* struct yk_cache_pod, of_profile; standing or not */
    struct yk_list in_all, in_namespace, in_ports;
    struct yk_rule **existing_anti; /* owned array of counted rules */
    struct yk_host_port *ports;     /* owned */
    uint32_t existing_anti_count, port_count, pod_count;
};

/*
 * A key of pods' labels. Its values are part of profiles, unless it turns out that they are mostly different
 * ones: then it is an own key, and each pod keeps its value (own_labels.h), so that pods that differ in
 * nothing else share a profile. Rules look at profiles only: a key that one looks at is not an own one.
 */
struct yk_label_key {
    yk_name name; /* counted */
    bool is_own;
    uint32_t references; /* lines of rules that look at it in profiles */
    uint32_t profiles;   /* that have it */
    uint32_t pods;       /* that have it as their own */
    uint32_t recheck_at; /* after so many new profiles, or pods, that have it: is it an own one (still)? */
    struct yk_list in_due;
    struct yk_idmap seen_values; /* while it is looked at: a set of some, */
    uint64_t seen_pods;          /* and who has them */
};
enum { YK_OWN_FROM = 1024 }; /* values, at least */

struct yk_pod_index {
    struct yk_cache *cache; /* borrowed for life */
    struct yk_topology topology;
    struct yk_strmap profiles, rules, spread_nodes_by_key;
    struct yk_idmap buckets;      /* struct bucket: rules by what they look for first */
    struct yk_idmap by_namespace; /* struct namespace_profiles by name id */
    struct yk_list all_profiles, port_profiles, with_namespace_selector, all_spread_nodes;
    uint64_t spread_nodes_sequence;
    uint64_t round;         /* of looking for the rules that match somebody */
    struct yk_list classes; /* struct yk_k8s_class, in_index: those with a namespace */
    struct yk_list woken;   /* struct yk_k8s_class, in_woken */
    /* (namespace or 0, label key or 0 for any) -> 1 + how many held rules look at it; those that nobody looks
     * at any more are kept for a while. */
    struct yk_idmap references;
    size_t references_max;            /* then they are dropped */
    struct yk_idmap newly_referenced; /* namespaces (0: all) with a new mention since yk_classes_updated() */
    bool is_dry_run;                  /* nothing is woken */
    struct yk_class_key profile_key, rule_key;
    /* Keys of labels. */
    struct yk_idmap label_keys; /* struct yk_label_key by name id, of those that somebody has or looks at */
    uint32_t own_keys;          /* of these */
    struct yk_list due_keys;    /* struct yk_label_key, in_due */
    bool moves_labels;          /* pods go from profile to profile: nothing is new */
    uint32_t own_from;          /* as many values make an own key, if few pods share them */
    struct yk_pairs shared;     /* scratch: labels of the pod at hand, items owned; */
    uint32_t shared_capacity;
    struct yk_buf own; /* its own ones, packed */
};

struct yk_k8s_class;

void yk_pod_index_init(struct yk_pod_index *pod_index, struct yk_cache *cache);
/* No pod, node or class may be there any more. */
void yk_pod_index_done(struct yk_pod_index *pod_index);

/* ---- what stands where ---- */

/* `object` NULL: the pod, which stands nowhere, is forgotten. O(what the pod says), or O(1) if a profile is
 * remembered for one like it. */
void yk_pod_index_pod_described(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                                const struct yk_pod *object);
/* O(rules that the pod matches or holds). */
void yk_pod_index_pod_on_node(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                              const struct yk_cache_node *node, bool is_added);
/* Whether values of that label are kept with each pod. */
bool yk_pod_index_label_is_own(const struct yk_pod_index *pod_index, struct yk_str key);
void yk_pod_index_namespace_changed(struct yk_pod_index *pod_index, struct yk_str name);
/* O(pods on the node). */
void yk_pod_index_node_added(struct yk_pod_index *pod_index, struct yk_cache_node *node);
void yk_pod_index_node_changed(struct yk_pod_index *pod_index, struct yk_cache_node *node);
void yk_pod_index_node_removed(struct yk_pod_index *pod_index, struct yk_cache_node *node);

/* ---- rules, counted; yk_rule_put() gives one back ---- */

struct yk_rule *yk_rule_for_port(struct yk_pod_index *pod_index, const struct yk_container_port *port);
/* `known`: what it found out for other constraints of the pod; all NULL at first. */
enum { YK_SPREAD_NODES_PER_POD = 4 }; /* as many as there are policies */
struct yk_rule *yk_rule_for_spread(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                   const struct yk_spread_constraint *constraint,
                                   struct yk_spread_nodes *known[static YK_SPREAD_NODES_PER_POD]);
struct yk_rule *yk_rule_for_affinity(struct yk_pod_index *pod_index, const struct yk_pod *pod);
struct yk_rule *yk_rule_for_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                 const struct yk_pod_affinity_term *term);
struct yk_rule *yk_rule_for_existing_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                          const struct yk_pod_affinity_term *term);
void yk_rule_put(struct yk_pod_index *pod_index, struct yk_rule *rule);

/* The fewest pods of any domain; 0 when some domain has none. O(1) amortised. */
uint32_t yk_rule_floor(struct yk_rule *rule);
static inline uint32_t yk_rule_domains(const struct yk_rule *rule)
{
    return (uint32_t)rule->spread_nodes->axes[rule->spread_axis].pods.map.count;
}

/* ---- classes as subjects ---- */

void yk_pod_index_class_added(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
void yk_pod_index_class_removed(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);
/* Whether held rules look at that label key of pods in the namespace; key YK_NO_NAME: at any pod there. */
bool yk_pod_index_is_referenced(const struct yk_pod_index *pod_index, yk_name namespace_, yk_name key);
void yk_pod_index_wake(struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
