/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events about a pod of this scheduler that is seen for the first time and has no node: contradictory
 * statements (P05), and scheduling gates that it waits for (P22).
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.3, 2.10, 3.8.
 */
#ifndef YK_BIND_POD_WARNINGS_H
#define YK_BIND_POD_WARNINGS_H

#include "bind/event_recorder.h"

/* Writes the Events about a pod that was just added to the cache as `pod`. `object` is borrowed. `unique`:
 * see yk_pod_application_id(). */
void yk_pod_warnings_report(struct yk_recorder *events, const struct yk_cache_pod *pod,
                            const struct yk_pod *object, bool unique);

#endif
