/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics about waiting and preemption. Scheduling thread. Source: docs/reference/rest.md, section 10. */
#ifndef YK_WEB_METRICS_WAITING_PRIV_H
#define YK_WEB_METRICS_WAITING_PRIV_H

#include "base/str.h"
#include "metrics/metrics.h"
#include "objects/queue.h"

struct yk__waiting_families { /* lines of each family; zeroed they are empty */
    struct yk_buf apps, preempted, waits;
};
void yk__waiting_families_done(struct yk__waiting_families *families);

/* Appends the metrics that belong to no queue. */
void yk__metrics_of_pods(struct yk_buf *out, const struct yk_metrics *metrics);
/* Adds the lines of one queue. O(1). */
void yk__metrics_of_waiting(struct yk__waiting_families *families, const struct yk_queue *queue);
/* Appends the families. */
void yk__metrics_of_waiting_end(struct yk__waiting_families *families, struct yk_buf *out);

#endif
