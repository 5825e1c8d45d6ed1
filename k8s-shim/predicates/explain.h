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

/*
 * Appends the sentence for a pod of that size and class. The class has a reference, or is YK_SI_CLASS_ANY.
 * Then appends the sentences of yk_explain_devices(). A node that passes every filter and is not reserved is
 * not counted, because the pod waits for something else. False: nodes were not counted, because there are
 * none, or because one reason holds for all of them, such as a claim that does not exist. In this case only a
 * sentence that says so was appended. O(nodes).
 */
bool yk_explain(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                struct yk_buf *out);

struct yk_explained {
    bool are_nodes_counted; /* what yk_explain() returns */
    /* YK_REASON_NODE_RESOURCES, _VOLUMES, _RESERVED or _PREDICATES. YK_REASON_NONE: each node would do. */
    enum yk_si_reason reason;
};
/* Like yk_explain(), and also returns the reason. Calls `sink` for each obstacle, with the number of nodes
 * that it keeps from the pod. A node that lacks several resources counts for each of them. `sink` is not
 * called if nodes were not counted; it may be NULL. `sink_context` may be NULL. O(nodes). */
struct yk_explained yk_explain_nodes(struct yk_classes *classes, yk_si_class class_,
                                     const struct yk_size *size, yk_si_obstacle_sink *sink,
                                     void *sink_context, struct yk_buf *out);

/* Appends the sentence that kube-scheduler adds when preemption found no victims: "0/5 nodes are available: 2
 * No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling." The first filter
 * that refuses a node decides whether preemption could help there. Call it only if yk_explain_nodes() has
 * counted nodes. `class_`: as in yk_explain(). O(nodes). */
void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out);

/* Appends a sentence, which begins with a space, for each requested resource that no node offers and a
 * DeviceClass provides, but for at most four resources. The sentence says that this scheduler does not
 * allocate devices. yk_explain() and yk_explain_nodes() call this function. O(device classes) per resource,
 * and O(nodes) per resource that a DeviceClass provides. */
void yk_explain_devices(const struct yk_cache *cache, const struct yk_size *size, struct yk_buf *out);

#endif
