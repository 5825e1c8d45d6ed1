/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of the kubelet that some pods need and that nodes declare, as bits. Other features that nodes
 * declare do not restrict where a pod may run, and are not read.
 * Thread: any.
 * Source: docs/reference/predicates.md 4.15.
 */
#ifndef YK_CACHE_FEATURES_H
#define YK_CACHE_FEATURES_H

#include "api/object.h"

enum {
    YK_FEATURE_RESTART_ALL = 1u << 0,       /* RestartAllContainersOnContainerExits */
    YK_FEATURE_USERS_ON_HOST_NET = 1u << 1, /* UserNamespacesHostNetworkSupport */
};

/* The YK_FEATURE_ bits of the features in `status.declaredFeatures` of the node. */
uint32_t yk_features_declared(const struct yk_k8s_node *node);
/* The YK_FEATURE_ bits of the features that a node must declare to run the pod. */
uint32_t yk_features_needed(const struct yk_pod *pod);

#endif
