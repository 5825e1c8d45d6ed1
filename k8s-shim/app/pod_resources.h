/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and limits of each pod, in the Prometheus text format and with the names and labels of kube-scheduler's
 * `/metrics/resources`. Pods of other schedulers are there while they are on a node.
 *
 * Thread: scheduling thread; a few dozen pods per call. A pod that is replaced meanwhile may be missing, or be there twice.
 * Source: docs/reference/rest.md, section 10.5.
 */
#ifndef YK_APP_POD_RESOURCES_H
#define YK_APP_POD_RESOURCES_H

#include "app/apps.h"

/* Appends the next piece. `at` is all 0 at first. True: more follows. If the table of pods grows meanwhile, the rest cannot
 * be told from what was written: `out` fails. */
YK_NODISCARD bool yk_pod_resources_put(const struct yk_apps *apps, struct yk_si_dump *at, struct yk_buf *out);

#endif
