/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters and histograms of the core. Plain numbers: they are counted on the scheduling thread, and copied
 * there for each scrape.
 * Gauges that follow from state (nodes, queues, applications now) are not kept here but read when asked for.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_METRICS_H
#define YK_METRICS_METRICS_H

#include "base/base.h"
#include "metrics/size_histogram.h"
#include "metrics/step_histogram.h"
#include "metrics/wait_histogram.h"

enum { YK_HISTOGRAM_BUCKETS = 8 }; /* and one for +Inf */
extern const double yk_histogram_bounds[YK_HISTOGRAM_BUCKETS];

struct yk_histogram {
    uint64_t counts[YK_HISTOGRAM_BUCKETS + 1]; /* per bucket, not cumulated */
    double sum;
    uint64_t unmeasured; /* happened since the last that was measured, which will stand for them */
};

/* Why a pod is to be tried. */
enum yk_incoming {
    YK_INCOMING_ADDED,       /* it is new */
    YK_INCOMING_HEADROOM,    /* a queue has more headroom */
    YK_INCOMING_LIMIT,       /* a limit of a user, of a group or of applications was eased */
    YK_INCOMING_NODE,        /* a node has more capacity */
    YK_INCOMING_PLACEHOLDER, /* its placeholders are there, or no longer needed */
    YK_INCOMING_GANG,        /* its gang can start whole, or one by one */
};
enum { YK_INCOMING_COUNT = YK_INCOMING_GANG + 1 };

/* Whether a queue, or one above it, has a guarantee. */
enum yk_queue_class { YK_QUEUE_BEST_EFFORT, YK_QUEUE_GUARANTEED };
enum { YK_QUEUE_CLASSES = YK_QUEUE_GUARANTEED + 1 };

enum { YK_METRIC_PREEMPTION_KINDS = 4 }; /* enum yk_preemption_kind */

/* Written by: partition, report, reservation, scheduler, each the numbers that it counts. */
struct yk_metrics {
    uint64_t containers_allocated, containers_released, containers_rejected, scheduling_errors;
    uint64_t apps_new, apps_accepted, apps_rejected; /* submissions by result */
    uint64_t apps_completed, apps_failed;            /* ever */
    uint64_t nodes_decommissioned, nodes_failed;     /* ever */
    uint64_t config_reloads_ok, config_reloads_refused;
    int64_t config_success_wall_ns;
    struct yk_histogram scheduling_latency, scheduling_cycle; /* seconds, like all of them */
    struct yk_histogram sorting_apps, sorting_queues; /* orders are kept: the way to what is first in them */
    struct yk_histogram trynode, trynode_evaluation;  /* the node that took the ask; the search for it */
    struct yk_histogram trypreemption;
    struct yk_wait_histogram pod_scheduling[YK_QUEUE_CLASSES]; /* from the creation of an ask to its node */
    /* Attempts to find a node for an ask. */
    uint64_t attempts_scheduled, attempts_unschedulable;
    struct yk_step_histogram attempt_scheduled, attempt_unschedulable, algorithm;
    struct yk_size_histogram pod_attempts; /* until an ask got its node */
    uint64_t incoming[YK_INCOMING_COUNT];  /* pods */
    /* Preemption by kind: attempts, and victims of those that succeeded. */
    uint64_t preemption_attempts[YK_METRIC_PREEMPTION_KINDS];
    struct yk_size_histogram victims[YK_METRIC_PREEMPTION_KINDS];
    struct yk_wait_histogram gang_wait; /* from the first allocated placeholder to the last one */
};

/* Counts `value` (in seconds) once, and once more for each event of `unmeasured`, which is 0 afterwards. */
void yk_histogram_observe(struct yk_histogram *histogram, double value);

#endif
