/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of the kubelet that some pods need and that nodes declare, as bits. Others that nodes declare say
 * nothing about where a pod may run.
 * Source: docs/reference/predicates.md 4.15.
 */
#ifndef YK_CACHE_FEATURES_H
#define YK_CACHE_FEATURES_H

#include "api/object.h"

enum {
    YK_FEATURE_RESTART_ALL = 1u << 0,       /* RestartAllContainersOnContainerExits */
    YK_FEATURE_USERS_ON_HOST_NET = 1u << 1, /* UserNamespacesHostNetworkSupport */
};

/* What `status.declaredFeatures` names of them. */
uint32_t yk_features_declared(const struct yk_k8s_node *node);
/* What the pod cannot do without. */
uint32_t yk_features_needed(const struct yk_pod *pod);

#endif
