/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filters as docs/reference/predicates.md states them, by simple loops over typed objects. Tests compare
 * their answers with those of k8s-shim/predicates, with which they share no code. They keep no state.
 */
#ifndef TEST_LIB_PREDICATES_ORACLE_H
#define TEST_LIB_PREDICATES_ORACLE_H

#include "predicates/constraints.h"

struct oracle_pod {
    const struct yk_pod *object; /* NULL: the entry is empty */
    const char *node;            /* the node to which it is bound or assumed to be; NULL: it waits */
};

/* A cluster. All is borrowed. */
struct oracle {
    const struct yk_k8s_node *const *nodes; /* entries that are NULL are skipped */
    size_t node_count;
    const struct oracle_pod *pods;
    size_t pod_count;
    const struct yk_namespace *const *namespaces;
    size_t namespace_count;
};

/* The verdict of the first fixed filter that refuses the node, else YK_VERDICT_FITS. */
enum yk_verdict oracle_fixed(const struct yk_pod *pod, const struct yk_k8s_node *node);
/* Whether the fixed filter whose verdict is `no` passes the node. */
bool oracle_fixed_filter(enum yk_verdict no, const struct yk_pod *pod, const struct yk_k8s_node *node);
/* The verdict of host ports, as if the other filters had passed. */
enum yk_verdict oracle_ports(const struct oracle *oracle, const struct yk_pod *pod,
                             const struct yk_k8s_node *node);
/* The verdict of the filters that depend on other pods, as if the other filters had passed. */
enum yk_verdict oracle_others(const struct oracle *oracle, const struct yk_pod *pod,
                              const struct yk_k8s_node *node);

#endif
