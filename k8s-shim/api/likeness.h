/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pod has in common with others of its workload, as 128 bits.
 *
 * Two pods have the same likeness when they say the same in every field that the tables name, but for what is
 * a pod's own: name, uid, versions, times, the node, and its status. What follows from the rest alone is then
 * found out once for all of them (base/memo.h). It is a hash under the process's secret of what was read, not
 * of the bytes it was read from: JSON and protobuf give the same one. Maps are taken in the order in which
 * they came, so pods that differ in nothing else may be unlike. Labels that number the pods of a set count
 * without their values: what depends on labels looks at pod->is_numbered, too.
 *
 * Readers know it for every pod; whoever changes what a pod says, or builds one, makes it known again, or
 * clears it: 0/0 is a likeness that nobody knows. Thread: any.
 */
#ifndef YK_API_LIKENESS_H
#define YK_API_LIKENESS_H

#include "api/object.h"

enum { YK_LIKENESS_BYTES_MAX = 8192 };

/* Under these Kubernetes, or Spark, gives each pod of a set another value, and other sets the same ones. */
static inline bool yk_label_numbers_pods(struct yk_str key)
{
    return yk_str_is(key, "statefulset.kubernetes.io/pod-name") ||
           yk_str_is(key, "apps.kubernetes.io/pod-index") ||
           yk_str_is(key, "batch.kubernetes.io/job-completion-index") || yk_str_is(key, "spark-exec-id");
}

/* Sets pod->likeness and pod->is_numbered; 0/0 for a pod that says more than YK_LIKENESS_BYTES_MAX. Allocates
 * nothing. */
void yk_pod_set_likeness(struct yk_pod *pod);

#endif
