/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a pod waits, in kube-scheduler's words: "0/5 nodes are available: 1 node(s) were unschedulable, 4
 * Insufficient cpu." Source: docs/reference/predicates.md 1.4, 4.7.
 */
#ifndef YK_PREDICATES_EXPLAIN_H
#define YK_PREDICATES_EXPLAIN_H

#include "predicates/classes.h"

/*
 * Appends the sentence for a pod of that class and size. When every filter passes on some node that is not
 * reserved either (the pod waits for something else) such nodes are not counted. False: what is wrong with it
 * is not about nodes, and they were not looked at. Cost: O(nodes).
 */
bool yk_explain(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                struct yk_buf *out);

/*
 * Appends what kube-scheduler adds after it has looked for victims in vain: "0/5 nodes are available: ...".
 * Whether a node could help at all is what the first filter that objects there says. Cost: O(nodes).
 */
void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out);

/*
 * Appends a sentence for each resource that the pod asks for, no node offers and a device class provides,
 * four at most. Nothing for other pods. Cost: O(device classes) per such resource.
 */
void yk_explain_devices(const struct yk_cache *cache, const struct yk_size *size, struct yk_buf *out);

#endif
