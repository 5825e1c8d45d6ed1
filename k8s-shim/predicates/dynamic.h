/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constraints of a class about other pods: the rules that it uses (pod_index.h), and the filters that
 * read their counters.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 4.6, 4.12, 4.13.
 */
#ifndef YK_PREDICATES_DYNAMIC_H
#define YK_PREDICATES_DYNAMIC_H

#include "predicates/pod_index.h"

struct yk_filter_sample;

/* A rule that a spec uses. */
struct yk_use {
    struct yk_list of_rule;     /* in rule->uses */
    struct yk_rule *rule;       /* counted */
    struct yk_class_spec *spec; /* owns this use */
    int64_t max_skew;           /* of a rule of kind YK_RULE_SPREAD */
    uint32_t min_domains;       /* of a rule of kind YK_RULE_SPREAD; at least 1 */
};

struct yk_dynamic {
    struct yk_use *uses; /* owned; in the order of the filters: ports, spread, affinity, anti-affinity */
    uint32_t use_count;
    struct yk_idmap own_keys; /* set of name ids: label keys to which selectors of the pod itself refer */
    bool is_invalid;          /* a selector of the pod itself cannot be parsed, so its pods fit on no node */
};

/* Which of the filters of ports, volumes and other pods are evaluated. */
enum yk_class_question {
    YK_CLASS_ALLOCATE, /* all filters: may the pod run on the node now? */
    /* all; volumes that other pods use are no obstacle, because they can become free */
    YK_CLASS_RESERVE,
    /* only those that answer the same for all nodes of a signature: neither ports, volumes nor hostname
     * domains */
    YK_CLASS_SIGNATURE,
};

/* Compiles the constraints of `pod` about other pods. `spec` need not be complete. It is borrowed until
 * yk_dynamic_done(), with which the caller ends `*ret`. Rules are shared in `pod_index`. May raise
 * `pod_index->topology.generation`: the caller then computes the signatures of all nodes again. If a selector
 * cannot be parsed, `is_invalid` is set and there are no uses. */
void yk_dynamic_init(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                     const struct yk_pod *pod);
void yk_dynamic_done(struct yk_dynamic *dynamic, struct yk_pod_index *pod_index);
/* Whether a selector of the pod itself refers to the label key. */
static inline bool yk_dynamic_asks_for(const struct yk_dynamic *dynamic, yk_name key)
{
    return yk_idmap_get(&dynamic->own_keys, key.id) != NULL;
}

/* YK_VERDICT_PORTS if a pod on the node, which has a slot, has a host port that conflicts with one of the
 * class, otherwise YK_VERDICT_FITS. O(host ports of the class). `sample`, here and below: NULL if the
 * question is not measured (filter_meter.h). */
enum yk_verdict yk__class_verdict_on_ports(const struct yk_k8s_class *class_,
                                           const struct yk_cache_node *node, struct yk_filter_sample *sample);
/* The verdict of the first filter of topology spread or pod affinity that refuses the node; YK_VERDICT_FITS
 * if there is none. YK_VERDICT_INVALID if a selector of the pod cannot be parsed. With YK_CLASS_SIGNATURE,
 * hostname domains are ignored; the other questions are the same here. O(rules of the class and rules that
 * match it). */
enum yk_verdict yk__class_verdict_on_pods(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                                          enum yk_class_question question, struct yk_filter_sample *sample);
/* Whether these filters can refuse many nodes at once: some rule counts in domains other than hostnames. */
bool yk__class_sees_domains(const struct yk_k8s_class *class_);
/* Whether some node may pass the filters of yk__class_verdict_on_pods(). False: no node can pass, with the
 * pods that are on nodes now. True does not mean that a node passes, because only pod affinity and selectors
 * that cannot be parsed are looked at. O(rules of the class). */
bool yk__class_fits_some_node(const struct yk_k8s_class *class_);
/* Computes `class_->matches_itself`, which has an element for each use of the class, for a new class or after
 * a change of namespace labels. The caller has allocated the array, unless the class has no use. True: an
 * element has changed from false to true. The caller then wakes the class, unless it is new. */
bool yk__class_update_self_match(const struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
