/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a class requires of other pods: the rules that it uses (pod_index.h), and their answers.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 4.6, 4.12, 4.13.
 */
#ifndef YK_PREDICATES_DYNAMIC_H
#define YK_PREDICATES_DYNAMIC_H

#include "predicates/pod_index.h"

struct yk_filter_sample;

struct yk_use {
    struct yk_list of_rule;
    struct yk_rule *rule; /* counted */
    struct yk_class_spec *spec;
    int64_t max_skew;     /* SPREAD */
    uint32_t min_domains; /* SPREAD */
};

struct yk_dynamic {
    struct yk_use *uses; /* owned; in the order of the filters */
    uint32_t use_count;
    struct yk_idmap own_keys; /* name ids of the labels of the pod that its own selectors refer to */
    bool is_invalid;          /* one of its own selectors cannot be parsed: it fits nowhere */
};

/* Which filters are evaluated. */
enum yk_class_question {
    YK_CLASS_ALLOCATE,  /* all */
    YK_CLASS_RESERVE,   /* all except resources and volumes in use, which can become free */
    YK_CLASS_SIGNATURE, /* what all nodes of a signature share: neither ports nor hostname domains */
};

/* Compiles the constraints of the pod about other pods. `pod` is borrowed for the call; rules are shared in
 * `pod_index`. The caller ends `*ret` with yk_dynamic_done(). */
void yk_dynamic_init(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                     const struct yk_pod *pod);
void yk_dynamic_done(struct yk_dynamic *dynamic, struct yk_pod_index *pod_index);
/* Whether a rule of the class depends on the label key. */
static inline bool yk_dynamic_asks_for(const struct yk_dynamic *dynamic, yk_name key)
{
    return yk_idmap_get(&dynamic->own_keys, key.id) != NULL;
}

/* The first filter of host ports that refuses the node, else YK_VERDICT_FITS. O(rules of the class). `sample`, here and
 * below: NULL if the question is not measured (filter_meter.h). */
enum yk_verdict yk__class_verdict_on_ports(const struct yk_k8s_class *class_,
                                           const struct yk_cache_node *node, struct yk_filter_sample *sample);
/* The first filter of topology and affinity that refuses the node, else YK_VERDICT_FITS;
 * YK_VERDICT_INVALID if a selector of the pod cannot be parsed. With YK_CLASS_SIGNATURE, domains of the
 * hostname do not count. O(rules of the class). */
enum yk_verdict yk__class_verdict_on_pods(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                                          enum yk_class_question question, struct yk_filter_sample *sample);
/* Whether these filters can refuse many nodes at once: some rule counts in a domain of more than one node. */
bool yk__class_sees_domains(const struct yk_k8s_class *class_);
/* Whether some node may pass. False: no node can pass as the pods are now. */
bool yk__class_fits_some_node(const struct yk_k8s_class *class_);
/* Updates whether the class matches its own terms. True: it begins to match one. */
bool yk__class_update_self_match(const struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
