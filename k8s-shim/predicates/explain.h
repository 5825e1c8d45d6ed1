/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a pod waits, in the words of kube-scheduler: "0/5 nodes are available: 1 node(s) were unschedulable, 4
 * Insufficient cpu."
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 1.4, 4.7.
 */
#ifndef YK_PREDICATES_EXPLAIN_H
#define YK_PREDICATES_EXPLAIN_H

#include "predicates/classes.h"

struct yk_explained {
    /* False: there are no nodes, or one reason holds for all of them, such as a claim that does not exist. */
    bool are_nodes_counted;
    /* The first of YK_REASON_NODE_RESOURCES, _VOLUMES, _RESERVED and _PREDICATES that is the reason at some
     * node; YK_REASON_NODE_RESOURCES also if there are no nodes. YK_REASON_NONE: there are nodes, and the pod
     * fits on each of them. */
    enum yk_si_reason reason;
    /* Equal to `reason` if that is YK_REASON_VOLUMES or YK_REASON_PREDICATES. Otherwise why some nodes that
     * have the capacity refuse the pod: YK_REASON_VOLUMES, or YK_REASON_PREDICATES for a host port or other
     * pods; YK_REASON_NONE: there are no such nodes. Nodes that a fixed filter such as a taint refuses do not
     * count, because the core does not offer them. */
    enum yk_si_reason filter;
    /* With `reason` = YK_REASON_VOLUMES: on some node, only other pods keep the pod from its volumes. */
    bool volumes_come_free;
    /* With `reason` = YK_REASON_VOLUMES: for all nodes, because a claim or a volume is missing or not bound. */
    bool volumes_are_missing;
};
/*
 * Appends the sentence that says why a pod of this size and class waits. `class_` is a class to which the
 * caller, or an object that it holds, has a reference, or YK_SI_CLASS_ANY. If nodes were counted, the
 * sentence counts those that a filter refuses and those that are reserved for other pods, and the sentences
 * of yk_explain_devices() follow. Also calls `sink` then for each obstacle, with the number of nodes where it
 * is the first obstacle. A node that lacks several resources, or that volumes refuse for several reasons, is
 * counted for each of them. `sink` and `sink_context` may be NULL. O(nodes).
 */
struct yk_explained yk_explain_nodes(struct yk_classes *classes, yk_si_class class_,
                                     const struct yk_size *size, yk_si_obstacle_sink *sink,
                                     void *sink_context, struct yk_buf *out);

/* Calls `sink`, as yk_explain_nodes() does, for `most` nodes from the `from`-th one on. Returns whether there are nodes
 * behind these. `class_`: as in yk_explain_nodes(). O(most). */
bool yk_explain_some(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size, size_t from,
                     size_t most, yk_si_obstacle_sink *sink, void *sink_context);

/* Appends the sentence that kube-scheduler adds when preemption found no victims: "0/5 nodes are available: 2
 * No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling." The first filter
 * that refuses a node decides whether preemption could help there. Call it only if yk_explain_nodes() has
 * counted nodes and the core has found no victims. This function checks neither. `class_`: as in
 * yk_explain_nodes(). O(nodes). */
void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out);

/* Appends a sentence, which begins with a space, for each requested resource that no node offers and a
 * DeviceClass provides, but for at most four resources. The sentence says that this scheduler does not
 * allocate devices. yk_explain_nodes() appends these sentences itself if it has counted nodes.
 * O(device classes) per resource, and O(nodes) per resource that a DeviceClass provides. */
void yk_explain_devices(const struct yk_cache *cache, const struct yk_size *size, struct yk_buf *out);

#endif
