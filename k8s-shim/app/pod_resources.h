/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and limits of each pod, in the Prometheus text format and with the names and labels of kube-scheduler's
 * `/metrics/resources`. Pods of other schedulers are there while they are on a node.
 *
 * Thread: scheduling thread; a few dozen pods per call. A pod that is there all the time is written once; one that is replaced
 * meanwhile may be missing, or be there twice.
 * Source: docs/reference/rest.md, section 10.5.
 */
#ifndef YK_APP_POD_RESOURCES_H
#define YK_APP_POD_RESOURCES_H

#include "app/apps.h"

/* Appends the next piece of the requests or of the limits: struct yk_si_callbacks, pod_resources. */
YK_NODISCARD bool yk_pod_resources_put(const struct yk_apps *apps, struct yk_si_dump *at, struct yk_buf *out);

#endif
