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
 * Appends the sentence for a pod of that class and size. A node that passes every filter and is not reserved
 * (the pod waits for something else) is not counted. False: the reason does not concern nodes, and they were
 * not evaluated. O(nodes).
 */
bool yk_explain(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                struct yk_buf *out);

struct yk_explained {
    bool are_nodes_counted; /* what yk_explain() returns */
    enum yk_si_reason reason;
};
/* Like yk_explain() with the reason, of those that concern nodes. `sink` (may be NULL) is called for each
 * obstacle that keeps nodes from the pod. O(nodes). */
struct yk_explained yk_explain_nodes(struct yk_classes *classes, yk_si_class class_,
                                     const struct yk_size *size, yk_si_obstacle_sink *sink,
                                     void *sink_context, struct yk_buf *out);

/* Appends what kube-scheduler adds when preemption found no victims: "0/5 nodes are available: ...". The
 * first filter that refuses a node decides whether preemption could help there. O(nodes). */
void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out);

/* Appends a sentence for each requested resource that no node offers and a device class provides, four at
 * most. Appends nothing for other pods. O(device classes) per such resource. */
void yk_explain_devices(const struct yk_cache *cache, const struct yk_size *size, struct yk_buf *out);

#endif
