/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of this process, from the kernel and from core/base.
 *
 * Thread: I/O thread.
 */
#ifndef YK_WEB_PROCESS_METRICS_H
#define YK_WEB_PROCESS_METRICS_H

#include "base/str.h"

/* Appends the metrics with the origin PROCESS in the Prometheus text format (docs/reference/rest.md 10.3).
 * Reads files of /proc. */
void yk__process_metrics(struct yk_buf *out);

#endif
