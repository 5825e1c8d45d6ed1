/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The amounts that a pod uses of its node, from its spec and its status, which differ while the pod is
 * resized. Also the limits of a pod, and the amounts that a node offers.
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.8 (P16, P17).
 */
#ifndef YK_CACHE_POD_SIZE_H
#define YK_CACHE_POD_SIZE_H

#include "cache/size.h"

/* The amounts that the pod uses, with "pods" 1, as a size with one more holder: the caller calls
 * yk_size_put(). */
struct yk_size *yk_pod_size(struct yk_sizes *sizes, const struct yk_pod *pod);
/* The limits of the pod, summed as kube-scheduler does, as a size with one more holder: the caller calls
 * yk_size_put(). NULL: the pod has no limits. */
struct yk_size *yk_pod_limits(struct yk_sizes *sizes, const struct yk_pod *pod);
/*
 * The amounts that a node offers, from status.allocatable, as a size with one more holder: the caller calls
 * yk_size_put(). A new resource name is added to the resource types; if no further type can be added, the
 * resource is left out and a warning is logged. Calls yk_restype_give_back() first, so no variable of the
 * caller may hold a type without a reference.
 */
struct yk_size *yk_node_size(struct yk_sizes *sizes, const struct yk_k8s_node *node);

#endif
