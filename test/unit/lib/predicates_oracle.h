/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow truth: the filters as docs/reference/predicates.md states them, by plain loops over typed objects.
 * It shares nothing with the fast code and keeps nothing.
 */
#ifndef TEST_LIB_PREDICATES_ORACLE_H
#define TEST_LIB_PREDICATES_ORACLE_H

#include "predicates/constraints.h"

/* struct yk_k8s_node of api/object.h */
struct oracle_pod {
    const struct yk_pod *object; /* NULL: there is none */
    const char *node;            /* where it stands, assumed or bound; NULL: it waits */
};

struct oracle {
    const struct yk_k8s_node *const *nodes; /* NULLs are passed over */
    size_t node_count;
    const struct oracle_pod *pods;
    size_t pod_count;
    const struct yk_namespace *const *namespaces;
    size_t namespace_count;
};

/* The first filter of the node alone that refuses it, else YK_VERDICT_FITS. */
enum yk_verdict oracle_fixed(const struct yk_pod *pod, const struct yk_k8s_node *node);
/* One of these filters alone: what it says no with names it. */
bool oracle_fixed_filter(enum yk_verdict no, const struct yk_pod *pod, const struct yk_k8s_node *node);
/* The verdict of host ports, as if the other filters had passed. */
enum yk_verdict oracle_ports(const struct oracle *oracle, const struct yk_pod *pod,
                             const struct yk_k8s_node *node);
/* The verdict of the filters that depend on other pods, as if the other filters had passed. */
enum yk_verdict oracle_others(const struct oracle *oracle, const struct yk_pod *pod,
                              const struct yk_k8s_node *node);

#endif
