/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of `yunikorn simulate`: a cluster, its queues, and a timeline of steps that change them.
 * Scenarios are read from YAML; unknown keys are errors.
 *
 * Owns:   everything that a scenario points to is in its arena, and does not change after it was read.
 * Thread: any.
 * Source: docs/reference/simulate.md, which has the grammar.
 */
#ifndef YK_SIMULATE_SCENARIO_H
#define YK_SIMULATE_SCENARIO_H

#include "simulate/cluster.h"

enum {
    YK_SCENARIO_NODES_MAX = 20000,        /* all nodes, with those that steps add */
    YK_SCENARIO_PODS_MAX = 1000 * 1000,   /* pods of all steps; a DaemonSet has one for each node */
    YK_SCENARIO_STEPS_MAX = 10000,        /* steps of the timeline */
    YK_SCENARIO_SAMPLES_MAX = 100 * 1000, /* samples until the end */
    YK_SCENARIO_BYTES_MAX = 4 << 20,      /* length of the text */
};

/* Equal nodes with the names <name>-0 to <name>-<count - 1>. */
struct yk_scenario_nodes {
    struct yk_str name;
    uint64_t count; /* at least 1 */
    struct yk_pairs labels;
    struct yk_amounts allocatable;
    struct yk_taint *taints;
    uint32_t taint_count;
};

/* Creates pods of new applications. */
struct yk_scenario_submit {
    /* The ID of the application. If `applications` is above 1, IDs are <application>-1 to
     * <application>-<applications>. */
    struct yk_str application;
    struct yk_str queue; /* absent: placement rules decide */
    /* The user that the annotation user.info of the pods names. Absent: the pods have no such annotation, and
     * the scheduler takes "nobody" as their user. */
    struct yk_str user;
    struct yk_str namespace_;
    struct yk_str priority_class; /* absent: none */
    uint64_t applications;        /* at least 1 */
    uint64_t pods;                /* pods of each application; 0 only with `daemon_set` */
    /* From the start of a pod until it succeeds; 0: it runs until it is deleted, or until its deadline. */
    int64_t run_ns;
    int64_t deadline_ns; /* activeDeadlineSeconds in ns, whole seconds: the pod fails then; 0: none */
    int64_t every_ns;    /* between two pods of an application; 0: all pods at once */
    int32_t priority;    /* of the pods */
    /* Each application has one pod, owned by a DaemonSet, for each node that exists at the time of the
     * step. */
    bool daemon_set;
    struct yk_pairs labels, annotations, node_selector;
    struct yk_amounts requests; /* of each pod */
    struct yk_toleration *tolerations;
    uint32_t toleration_count;
};

/* Deletes pods of an application, the youngest first. */
struct yk_scenario_delete {
    struct yk_str application;
    uint64_t pods; /* number of pods; 0: all */
};

/* Changes the allocatable amounts of nodes. */
struct yk_scenario_resize {
    struct yk_str *names; /* of nodes */
    uint32_t name_count;
    struct yk_amounts allocatable; /* replaces all amounts */
};

/* Breaks watches: yk_cluster_break_watch(). */
struct yk_scenario_break {
    enum yk_kind kind;
    enum yk_watch_fault how;
    int64_t gap_ns;
};

enum yk_step_kind {
    YK_STEP_NONE,
    YK_STEP_SUBMIT,
    YK_STEP_DELETE,
    YK_STEP_RELOAD,
    YK_STEP_ADD_NODES,
    YK_STEP_REMOVE_NODES,
    YK_STEP_RESIZE_NODES,
    YK_STEP_CORDON,
    YK_STEP_UNCORDON,
    YK_STEP_DRAIN,
    YK_STEP_FAULT,
    YK_STEP_CLEAR_FAULTS,
    YK_STEP_BREAK_WATCH,
};

struct yk_scenario_step {
    int64_t at_ns;          /* since the start of the simulation */
    struct yk_str note;     /* shown with the progress; absent: none */
    enum yk_step_kind kind; /* NONE: only the note is shown */
    union {
        struct yk_scenario_submit submit;
        struct yk_scenario_delete delete_;
        struct yk_str queues;           /* RELOAD: the new queues.yaml */
        struct yk_scenario_nodes nodes; /* ADD_NODES */
        struct {
            struct yk_str *items;
            uint32_t count;
        } names; /* of nodes: REMOVE_NODES, CORDON, UNCORDON, DRAIN */
        struct yk_scenario_resize resize;
        struct yk_fault fault;
        struct yk_scenario_break break_;
    } with; /* CLEAR_FAULTS and NONE have no value */
};

/* The goals of a simulation in steady load; docs/reference/simulate.md defines each. */
enum yk_goal {
    YK_GOAL_JAIN_MEAN,
    YK_GOAL_JAIN_MIN,
    YK_GOAL_USED,
    YK_GOAL_OVERTAKEN,
    YK_GOAL_KILLS,
    YK_GOAL_RESERVED,
    YK_GOAL_COUNT,
};

/* The name of a goal in scenarios and results, such as "jainMean"; static. */
const char *yk_goal_name(enum yk_goal goal);

/* What a scenario expects. A bound of -1 is absent. */
struct yk_scenario_expectation {
    struct yk_str application, queue;      /* of the pods that the bounds are about; absent: of any */
    int64_t at_ns;                         /* time since the start when cores are compared; -1: absent */
    int64_t cores_at_least, cores_at_most; /* milli-CPU in use by the queue at `at_ns` */
    int64_t wait_at_most_ns;               /* wait of each pod, also of those that still wait at the end */
    int64_t ended_at_most_ns;              /* time since the start when all pods have ended */
    int64_t bound_at_least, bound_at_most; /* number of pods that were bound */
    int64_t killed_at_most;                /* number of pods */
    int64_t status_patches_at_most;        /* requests that wrote the status of any pod, in the whole run */
};

/* The most that a queue can use because of the limits of users and groups. */
struct yk_scenario_maximum {
    struct yk_str queue;
    struct yk_amounts amounts;
};

struct yk_scenario_steady {
    /* How long entitlements must be stable before samples count; 0: twice the longest run time. */
    int64_t settle_ns;
    /* Longest run time of a pod; 0: the longest of all submit steps, or a minute if they have none. */
    int64_t longest_run_ns;
    struct yk_str exceptions[YK_GOAL_COUNT]; /* reason why a goal does not apply; absent: the goal applies */
    struct yk_scenario_maximum *maxima;
    uint32_t maximum_count;
    struct yk_scenario_expectation *expectations;
    uint32_t expectation_count;
};

struct yk_scenario {
    struct yk_arena arena; /* owns everything that the scenario points to */
    struct yk_str name;    /* absent: none */
    uint64_t seed;
    struct yk_scenario_nodes *nodes; /* at the start */
    uint32_t node_group_count;
    struct yk_str queues;     /* queues.yaml */
    struct yk_pairs settings; /* further entries of the ConfigMap */
    int64_t sample_ns;        /* between two samples; 0: none are taken */
    bool no_reservations;     /* the core makes no reservations for asks that wait */
    struct yk_scenario_steady steady;
    struct {
        int64_t request_ns, watch_ns, watch_jitter_ns, start_ns, termination_ns, node_lost_ns;
    } times;                        /* as in struct yk_cluster_options */
    struct yk_scenario_step *steps; /* in the order of the text, not of their times */
    uint32_t step_count;
    struct {
        int64_t at_ns; /* the latest end, since the start */
        /* The run ends earlier if all steps are done, all pods that end by themselves have ended, and no
         * other pod waits or nothing has happened for a minute. */
        bool when_idle;
    } end;
};

/* Parses a scenario and checks its limits. Values that the text leaves out get their defaults. `queues` is
 * not checked. The caller frees `*ret_scenario` with yk_scenario_free(). Errors: YK_ERR_INVALID, `err` names
 * the line of the error, if it is in a line; YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_scenario_parse(struct yk_str text, struct yk_scenario **ret_scenario,
                                              struct yk_err *err);
/*
 * Parses steps for a cluster that runs already: a mapping with the only key `timeline`. In the result, all
 * fields but `steps`, `step_count` and `arena` are 0. The limits hold for these steps alone. The caller frees
 * `*ret_steps` with yk_scenario_free(). Errors: as yk_scenario_parse().
 */
YK_NODISCARD enum yk_status yk_scenario_parse_steps(struct yk_str text, struct yk_scenario **ret_steps,
                                                    struct yk_err *err);
void yk_scenario_free(struct yk_scenario *scenario);
YK_DEFINE_FREEP(yk_scenario)

#endif
