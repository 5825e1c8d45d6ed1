/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters and histograms of the core. They are plain numbers. The scheduling thread counts them, and copies
 * them for each scrape. Gauges that can be computed from the state (such as the number of nodes) are not
 * stored here.
 *
 * Thread: scheduling thread only, for the original; a copy belongs to the thread that has it.
 * Source: docs/reference/rest.md, section 10.
 */
#ifndef YK_METRICS_METRICS_H
#define YK_METRICS_METRICS_H

#include "base/base.h"
#include "metrics/size_histogram.h"
#include "metrics/step_histogram.h"
#include "metrics/wait_histogram.h"

enum { YK_HISTOGRAM_BUCKETS = 8 }; /* not counting the one for +Inf */
/* Upper bounds in seconds, from 100 µs to 1,000 s. */
extern const double yk_histogram_bounds[YK_HISTOGRAM_BUCKETS];

/* A histogram of durations. A zeroed one is empty. */
struct yk_histogram {
    uint64_t counts[YK_HISTOGRAM_BUCKETS + 1]; /* per bucket, not cumulative */
    double sum;                                /* seconds */
    /* Number of durations since the last measured one. They were not measured: each is counted as if it was
     * as long as the next measured one. */
    uint64_t unmeasured;
};

/* Why a pending ask is tried, or tried again. */
enum yk_incoming {
    YK_INCOMING_ADDED,       /* it was added to the pending asks */
    YK_INCOMING_HEADROOM,    /* a queue has more headroom */
    YK_INCOMING_LIMIT,       /* a limit of a user or group, or of running applications, allows more */
    YK_INCOMING_NODE,        /* a node may take it now */
    YK_INCOMING_PLACEHOLDER, /* the placeholders of its task group have ended */
    YK_INCOMING_GANG,        /* a placeholder: those of its gang may be placed one by one again */
};
enum { YK_INCOMING_COUNT = YK_INCOMING_GANG + 1 };

/* Classes of queues: without any guarantee on the path, and with a guarantee of the queue or of one above
 * it. */
enum yk_queue_class { YK_QUEUE_BEST_EFFORT, YK_QUEUE_GUARANTEED };
enum { YK_QUEUE_CLASSES = YK_QUEUE_GUARANTEED + 1 };

enum { YK_METRIC_PREEMPTION_KINDS = 4 }; /* values of enum yk_preemption_kind (report/preemption_log.h) */

/* What the core has counted since the start. Written by: partition, report, reservation, scheduler, each the
 * numbers that it counts. */
struct yk_metrics {
    uint64_t containers_allocated, containers_released, containers_rejected, scheduling_errors;
    uint64_t apps_new, apps_accepted, apps_rejected; /* submissions by result */
    uint64_t apps_completed, apps_failed;
    uint64_t nodes_decommissioned, nodes_failed;
    uint64_t config_reloads_ok, config_reloads_refused;
    int64_t config_success_wall_ns; /* time of the last accepted queue configuration */
    /* Time of a call of yk_core_schedule(), divided by the number of its decisions; time of the call. */
    struct yk_histogram scheduling_latency, scheduling_cycle;
    /* Time until the first application was found in the order of its leaf; time until the first leaf was
     * found in the order of queues. Nothing is sorted: the orders are kept up to date. */
    struct yk_histogram sorting_apps, sorting_queues;
    /* Time of the allocation on the node that was found; time of the search for a node. */
    struct yk_histogram trynode, trynode_evaluation;
    struct yk_histogram trypreemption; /* time of an attempt to preempt for a guarantee */
    /* Time from the creation of an ask that is no placeholder to the decision on its node. */
    struct yk_wait_histogram pod_scheduling[YK_QUEUE_CLASSES];
    /* Attempts to place an ask, by result. */
    uint64_t attempts_scheduled, attempts_unschedulable;
    /* Times of whole attempts, by result; times of the search for a node in attempts. */
    struct yk_step_histogram attempt_scheduled, attempt_unschedulable, algorithm;
    struct yk_size_histogram pod_attempts; /* attempts per ask until it got its node */
    uint64_t incoming[YK_INCOMING_COUNT];  /* asks that were to be tried; index: enum yk_incoming */
    /* Attempts to preempt, and victims per attempt that succeeded; index: enum yk_preemption_kind. */
    uint64_t preemption_attempts[YK_METRIC_PREEMPTION_KINDS];
    struct yk_size_histogram victims[YK_METRIC_PREEMPTION_KINDS];
    struct yk_wait_histogram gang_wait; /* time from the first allocated placeholder of a gang to the last */
};

/* Counts `value` (seconds) once, and once more for each duration in `unmeasured`, which is 0 afterwards. */
void yk_histogram_observe(struct yk_histogram *histogram, double value);

#endif
