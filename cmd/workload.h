/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs in a simulation: applications that submit their pods, and the count of what became of them.
 *
 * It plays the controllers: a pod that is lost (its node went, it was preempted) is submitted again under
 * another name.
 * Owns: the applications and all figures; pods belong to the cluster.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_WORKLOAD_H
#define YK_CMD_WORKLOAD_H

#include "base/map.h"
#include "base/vec.h"
#include "simulate/scenario.h"

struct yk_waits {   /* durations, ns */
    int64_t *items; /* owned */
    size_t count, capacity;
};

struct yk_queue_row { /* the pods that name one queue */
    char *name;       /* owned; as submitted, "(by rule)" when none is named */
    uint64_t submitted, bound, waiting;
    uint64_t killed; /* by the scheduler, after they were bound */
    struct yk_resvec used, highest;
};

struct yk_application_row { /* one submit step's name; it may stand for several applications */
    char *name;
    struct yk_queue_row *queue;
    uint64_t applications, submitted, bound, running, ended, removed, resubmitted;
    uint64_t killed;       /* by the scheduler, after they were bound */
    uint64_t refused;      /* failed before it was bound */
    uint64_t open;         /* pods with an end that have not come to it */
    struct yk_waits waits; /* from creation to binding */
    int64_t last_end_ns;   /* since the start */
};

struct yk_workload_refusal { /* pods that failed before they were bound, and what their status says */
    const struct yk_application_row *row; /* NULL: of any, for any reason */
    char *reason;                         /* owned, one line */
    uint64_t pods;
};

struct yk_reload_queue {
    const struct yk_queue_row *queue;
    uint64_t waiting;
    struct yk_resvec before, after; /* in use at the reload; most that was in use until the next one */
};

struct yk_workload_reload {
    int64_t at_ns;
    struct yk_reload_queue *queues; /* owned; as many as there were queues */
    size_t queue_count;
};

struct yk_cluster_usage { /* of the whole cluster, over time */
    struct yk_resvec used, allocatable;
    double highest_share[YK_RESTYPE_MAX];
    int64_t since_ns; /* what stands above stands since then */
    double used_sum[YK_RESTYPE_MAX], allocatable_sum[YK_RESTYPE_MAX]; /* amount times seconds */
};

struct yk_workload {
    struct yk_cluster *cluster; /* borrowed; set after both were made */
    struct yk_timers *timers;
    const struct yk_clock *clock;
    int64_t start_ns;
    struct yk_vec applications; /* struct yk_application_row, owned */
    struct yk_vec queues;       /* struct yk_queue_row, owned */
    struct yk_vec reloads;      /* struct yk_workload_reload, owned */
    struct yk_vec refusals;     /* struct yk_workload_refusal, owned */
    struct yk_vec sources;      /* who submits pods; owned */
    struct yk_strmap sources_by_id;
    struct yk_cluster_usage usage;
    uint64_t submitted, bound, running, ended, refused, waiting;
    uint64_t changes;       /* of all the figures above; to see whether anything happened */
    int64_t last_change_ns; /* since the start */
    const struct yk_cluster_observer *next_observer; /* is called after this one; NULL: none. Borrowed */
    struct yk_cluster_observer observer;             /* for the cluster's options */
};

/* Makes an empty workload; its time begins now. `timers` and `clock` are borrowed for life. End it with
 * yk_workload_done(). */
void yk_workload_init(struct yk_workload *workload, struct yk_timers *timers, const struct yk_clock *clock);
/* Stops submitting, and uses the cluster and the timers no longer. The figures stay. */
void yk_workload_close(struct yk_workload *workload);
void yk_workload_done(struct yk_workload *workload);
/* Begins to submit the pods of `submit`, which is borrowed for life. */
void yk_workload_submit(struct yk_workload *workload, const struct yk_scenario_submit *submit);
/* Deletes `pods` (0: all) of an application, the youngest first; returns how many. */
size_t yk_workload_delete(struct yk_workload *workload, struct yk_str application, uint64_t pods);
/* The configuration of the queues changes now: stores what is in use, for the report. */
void yk_workload_reload(struct yk_workload *workload);
/* Nodes were added, removed or resized: updates the sums of capacity. */
void yk_workload_nodes_changed(struct yk_workload *workload);
/* Whether all pods were submitted, every pod with an end has ended, and the others are bound or nothing
 * changes any longer. */
bool yk_workload_is_idle(const struct yk_workload *workload);
/* Updates the sums over time up to now. */
void yk_workload_settle(struct yk_workload *workload);

#endif
