/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of this process, from the kernel and from base.
 * Thread: I/O thread.
 */
#ifndef YK_WEB_PROCESS_METRICS_H
#define YK_WEB_PROCESS_METRICS_H

#include "base/str.h"

/* Appends the rows with the origin PROCESS in the Prometheus text format (docs/reference/rest.md 10.3). I/O thread: it
 * reads files. */
void yk__process_metrics(struct yk_buf *out);

#endif
