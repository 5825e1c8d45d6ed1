/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes requests and limits of each pod in the Prometheus text format, with the names and labels of
 * `/metrics/resources` of kube-scheduler. Pods of other schedulers are included while they are on a node.
 *
 * The text is written in pieces of a few dozen pods. A pod that exists all the time is written once. A pod
 * that is replaced before the text is complete may be missing or be included twice.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 10.5.
 */
#ifndef YK_APP_POD_RESOURCES_H
#define YK_APP_POD_RESOURCES_H

#include "app/apps.h"

/* Appends the next piece of the requests or of the limits; does what the callback `pod_resources` of struct
 * yk_si_callbacks (si.h) has to do. */
YK_NODISCARD bool yk_pod_resources_put(const struct yk_apps *apps, struct yk_si_dump *at, struct yk_buf *out);

#endif
