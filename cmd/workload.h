/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workload of a simulation: applications that create their pods, and counts of what happens to the pods.
 *
 * The workload acts as the controllers of Kubernetes do: a pod that is lost, because its node was removed or
 * it was preempted, is replaced by a pod with another name.
 *
 * Owns:   the applications and all figures; pods belong to the cluster.
 * Units:  times in ns, amounts in base units.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_WORKLOAD_H
#define YK_CMD_WORKLOAD_H

#include "base/map.h"
#include "base/vec.h"
#include "simulate/scenario.h"

/* Durations in ns, in the order in which they were measured, or sorted by yk_quantiles_of(). */
struct yk_waits {
    int64_t *items; /* owned */
    size_t count, capacity;
};

/* The pods of all applications that name one queue. */
struct yk_queue_row {
    char *name; /* owned; as in the submit step; "(by rule)": no queue is named */
    uint64_t submitted, bound, waiting;
    uint64_t killed;                /* pods that the scheduler ended after they were bound */
    struct yk_resvec used, highest; /* `used`: in use by bound pods now; `highest`: the most so far */
};

/* The pods of all applications of the submit steps with one name and queue. */
struct yk_application_row {
    char *name; /* owned */
    struct yk_queue_row *queue;
    uint64_t applications; /* number of these applications */
    uint64_t submitted, bound, running, ended;
    uint64_t removed;      /* pods that were removed before they ended */
    uint64_t resubmitted;  /* pods that have replaced removed pods */
    uint64_t killed;       /* pods that the scheduler ended after they were bound */
    uint64_t refused;      /* pods that failed before they were bound */
    uint64_t open;         /* pods that will end by themselves and have not ended */
    struct yk_waits waits; /* of each bound pod, from creation to binding */
    int64_t last_end_ns;   /* since the start; 0: no pod has ended */
};

/* Pods that failed before they were bound, by application and message. */
struct yk_workload_refusal {
    const struct yk_application_row *row; /* NULL: all pods that have no entry of their own */
    char *reason;                         /* the message of their status, one line; owned */
    uint64_t pods;
};

enum { YK_WORKLOAD_RELOADS_MAX = 100 }; /* reloads of which the use of the queues is stored */

/* Use of a queue around a reload of the configuration. */
struct yk_reload_queue {
    const struct yk_queue_row *queue;
    uint64_t waiting;        /* pods at the reload */
    struct yk_resvec before; /* in use at the reload */
    struct yk_resvec after;  /* in use at most, from the reload to the next one */
};

struct yk_workload_reload {
    int64_t at_ns;                  /* since the start */
    struct yk_reload_queue *queues; /* owned; of the queues that pods had named by then */
    size_t queue_count;
};

/* Use of the whole cluster over time. */
struct yk_cluster_usage {
    /* Now. `used`: by pods of submit steps, not by others, such as placeholders. */
    struct yk_resvec used, allocatable;
    /* By type: the largest `used` divided by `allocatable` so far. It can be above 1 if nodes became
     * smaller. */
    double highest_share[YK_RESTYPE_MAX];
    int64_t since_ns; /* since the start: the sums below cover the time until then */
    double used_sum[YK_RESTYPE_MAX], allocatable_sum[YK_RESTYPE_MAX]; /* by type: amount times seconds */
};

/* Written by: workload.c, but `cluster` and `next_observer` by the caller. */
struct yk_workload {
    struct yk_cluster *cluster; /* borrowed; set after yk_workload_init(), before the first submission */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    int64_t start_ns;               /* of the monotonic clock */
    struct yk_vec applications;     /* struct yk_application_row, owned */
    struct yk_vec queues;           /* struct yk_queue_row, owned */
    struct yk_vec reloads;          /* struct yk_workload_reload, owned: the last ones */
    uint64_t reloads_left_out;      /* number of earlier reloads, which are not in `reloads` */
    struct yk_vec refusals;         /* struct yk_workload_refusal, owned; at most 20 */
    struct yk_vec sources;          /* struct source of workload.c, owned: the applications */
    struct yk_strmap sources_by_id; /* id of an application -> its source */
    struct yk_cluster_usage usage;
    uint64_t submitted, bound, running, ended, refused, waiting; /* pods */
    uint64_t changes;       /* grows with each moment of a pod of an application */
    int64_t last_change_ns; /* when `changes` grew last, since the start */
    /* Called after `observer`; borrowed; NULL: there is none. */
    const struct yk_cluster_observer *next_observer;
    struct yk_cluster_observer observer; /* the cluster must call it */
};

/* Makes an empty workload, whose time begins now. `timers` and `clock` are borrowed for life. The caller then
 * makes a cluster that calls `workload->observer`, sets `cluster`, and ends the workload with
 * yk_workload_close() and then yk_workload_done(). `workload` must not move in memory. */
void yk_workload_init(struct yk_workload *workload, struct yk_timers *timers, const struct yk_clock *clock);
/* Stops creating pods and counting. Call it before the cluster is freed. Cluster and timers are not used
 * after that; the figures stay. Moments of pods still go to `next_observer`, unless the caller sets it to
 * NULL. */
void yk_workload_close(struct yk_workload *workload);
void yk_workload_done(struct yk_workload *workload);
/* Creates the applications of `submit` and, from timers, their pods. Creates their namespace if there is
 * none. `submit`, whose texts end with a NUL, is borrowed until yk_workload_close(). An application that
 * exists already gets the pods in addition. */
void yk_workload_submit(struct yk_workload *workload, const struct yk_scenario_submit *submit);
/* Deletes `pods` pods (0: all) of the applications with this name or id, the youngest first. `application`
 * must end with a NUL. Placeholders that the scheduler has created for the applications are deleted and
 * counted, too. Deleted pods are not replaced. Pods that a submit step has not created yet are still created.
 * Returns how many pods were deleted. */
size_t yk_workload_delete(struct yk_workload *workload, struct yk_str application, uint64_t pods);
/* The configuration of the queues changes now: stores the use of the queues in `reloads`, for the report. If
 * there are YK_WORKLOAD_RELOADS_MAX already, drops the oldest. The caller changes the configuration, after
 * this call. */
void yk_workload_reload(struct yk_workload *workload);
/* The caller has added, removed or resized nodes of the cluster: sums up their amounts again. */
void yk_workload_nodes_changed(struct yk_workload *workload);
/* Whether all pods were created, all pods that end by themselves have ended, and either no pod waits, or
 * nothing has happened to pods for a minute. Not the whole condition for the end of a run: steps of the
 * timeline may be left, or the scheduler may be starting (yk_simulation_is_over()). */
bool yk_workload_is_idle(const struct yk_workload *workload);
/* Updates the sums over time in `usage` up to now. Call it before the sums are read, and as long as the clock
 * exists. */
void yk_workload_settle(struct yk_workload *workload);

#endif
