/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes Events about a new pod: one if the pod names several applications, one if it names several queues
 * (P05), and one if it waits for scheduling gates (P22).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.3, 2.10, 3.8.
 */
#ifndef YK_BIND_POD_WARNINGS_H
#define YK_BIND_POD_WARNINGS_H

#include "bind/event_recorder.h"

/* Writes the Events about `pod`, which was just added to the cache from `object`. To be called once for each
 * pod, when it is added. No effect if `pod` has a node or belongs to another scheduler. `unique`: as in
 * yk_pod_application_id(). */
void yk_pod_warnings_report(struct yk_recorder *events, const struct yk_cache_pod *pod,
                            const struct yk_pod *object, bool unique);

#endif
