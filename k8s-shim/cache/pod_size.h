/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The amounts that a pod uses of its node, from its specification and, for a resized pod, its status.
 * Thread: any.
 * Source: docs/reference/kubernetes.md 2.8 (P16, P17).
 */
#ifndef YK_CACHE_POD_SIZE_H
#define YK_CACHE_POD_SIZE_H

#include "cache/size.h"

/* The size of the pod, with a reference for the caller, who drops it with yk_size_put(). O(containers of the pod). */
struct yk_size *yk_pod_size(struct yk_sizes *sizes, const struct yk_pod *pod);
/* The limits of the pod, as kube-scheduler sums them, with a reference for the caller. NULL: it has none. O(containers). */
struct yk_size *yk_pod_limits(struct yk_sizes *sizes, const struct yk_pod *pod);
/*
 * The amounts that a node offers, from status.allocatable. New resource names get a slot; when all slots are
 * in use the name is left out and logged. Counted; yk_size_put() it.
 */
struct yk_size *yk_node_size(struct yk_sizes *sizes, const struct yk_k8s_node *node);

#endif
