/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a class asks about other pods: its uses of rules (books.h), and their answers.
 *
 * Thread: scheduling thread only. Source: docs/reference/predicates.md 4.6, 4.12, 4.13.
 */
#ifndef YK_PREDICATES_DYNAMIC_H
#define YK_PREDICATES_DYNAMIC_H

#include "predicates/pod_index.h"

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
    struct yk_idmap own_keys; /* set of name ids: labels of the pod that its own selectors look at */
    bool is_invalid;          /* a selector of its own does not parse: it fits nowhere */
};

/* What the core wants to know. */
enum yk_class_question {
    YK_CLASS_ALLOCATE,  /* everything */
    YK_CLASS_RESERVE,   /* but resources and volumes in use: room that is to come */
    YK_CLASS_SIGNATURE, /* what all nodes of the same signature share: neither ports nor hostname domains */
};

void yk_dynamic_init(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                     const struct yk_pod *pod);
void yk_dynamic_done(struct yk_dynamic *dynamic, struct yk_pod_index *pod_index);
static inline bool yk_dynamic_asks_for(const struct yk_dynamic *dynamic, yk_name key)
{
    return yk_idmap_get(&dynamic->own_keys, key.id) != NULL;
}

/* The first filter that objects; O(rules of the class). */
enum yk_verdict yk__class_verdict_on_ports(const struct yk_k8s_class *class_,
                                           const struct yk_cache_node *node);
enum yk_verdict yk__class_verdict_on_pods(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                                          enum yk_class_question question);
/* Whether that may say the same of many nodes for where others stand: some domain is not that of one node. */
bool yk__class_sees_domains(const struct yk_k8s_class *class_);
/* False: no node can do, whatever stands there now. */
bool yk__class_fits_some_node(const struct yk_k8s_class *class_);
/* Whether the class matches its own terms; true when one begins to. */
bool yk__class_update_self_match(const struct yk_pod_index *pod_index, struct yk_k8s_class *class_);

#endif
