/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of `yunikorn simulate`: a cluster, its queues, and what happens when. Read from strict YAML.
 *
 * Owns:   all of it lives in the scenario's arena; immutable once read.
 * Thread: any, one object at a time.
 * Source: docs/reference/simulate.md, which has the grammar.
 */
#ifndef YK_SIMULATE_SCENARIO_H
#define YK_SIMULATE_SCENARIO_H

#include "simulate/cluster.h"

enum {
    YK_SCENARIO_NODES_MAX = 20000,
    YK_SCENARIO_PODS_MAX = 1000 * 1000,
    YK_SCENARIO_STEPS_MAX = 10000,
    YK_SCENARIO_SAMPLES_MAX = 100 * 1000,
    YK_SCENARIO_BYTES_MAX = 4 << 20,
};

struct yk_scenario_nodes { /* <name>-0 ... <name>-<count - 1> */
    struct yk_str name;
    uint64_t count;
    struct yk_pairs labels;
    struct yk_amounts allocatable;
    struct yk_taint *taints;
    uint32_t taint_count;
};

struct yk_scenario_submit {
    struct yk_str application; /* with several: <application>-1 ... <application>-<applications> */
    struct yk_str queue;       /* absent: placement rules decide */
    struct yk_str user, namespace_, priority_class;
    uint64_t applications, pods; /* `pods` of each application */
    int64_t run_ns;              /* 0: until deleted */
    int64_t deadline_ns;         /* activeDeadlineSeconds, whole seconds; 0: none */
    int64_t every_ns;            /* between two pods of an application; 0: all at once */
    int32_t priority;
    bool daemon_set; /* one pod for each node there is now, owned by a DaemonSet; `pods` is 1 */
    struct yk_pairs labels, annotations, node_selector;
    struct yk_amounts requests;
    struct yk_toleration *tolerations;
    uint32_t toleration_count;
};

struct yk_scenario_delete { /* youngest pods first */
    struct yk_str application;
    uint64_t pods; /* 0: all */
};

struct yk_scenario_resize {
    struct yk_str *names; /* of nodes */
    uint32_t name_count;
    struct yk_amounts allocatable; /* replaces the whole list */
};

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
    int64_t at_ns;
    struct yk_str note; /* shown with the progress; absent: none */
    enum yk_step_kind kind;
    union {
        struct yk_scenario_submit submit;
        struct yk_scenario_delete delete_;
        struct yk_str queues; /* RELOAD: the new queues.yaml */
        struct yk_scenario_nodes nodes;
        struct {
            struct yk_str *items;
            uint32_t count;
        } names;
        struct yk_scenario_resize resize;
        struct yk_fault fault;
        struct yk_scenario_break break_;
    } with;
};

/* The goals of steady.h; docs/reference/simulate.md defines each. */
enum yk_goal {
    YK_GOAL_JAIN_MEAN,
    YK_GOAL_JAIN_MIN,
    YK_GOAL_USED,
    YK_GOAL_OVERTAKEN,
    YK_GOAL_KILLS,
    YK_GOAL_RESERVED,
    YK_GOAL_COUNT,
};

/* The name of a goal in scenarios and results; static. */
const char *yk_goal_name(enum yk_goal goal);

struct yk_scenario_expectation {
    struct yk_str application, queue;      /* absent: of all */
    int64_t at_ns;                         /* when cores are looked at; -1: absent, as the following */
    int64_t cores_at_least, cores_at_most; /* thousandths, in use by the queue */
    int64_t wait_at_most_ns;               /* of each pod, those that still wait included */
    int64_t ended_at_most_ns;              /* since the start, of all its pods */
    int64_t bound_at_least, bound_at_most; /* pods */
    int64_t killed_at_most;                /* pods */
    int64_t status_patches_at_most;        /* requests that wrote the status of a pod, in the whole run */
};

struct yk_scenario_maximum { /* of a queue, by the limits of its users */
    struct yk_str queue;
    struct yk_amounts amounts;
};

struct yk_scenario_steady {
    int64_t settle_ns;                       /* 0: two longest run times */
    int64_t longest_run_ns;                  /* 0: the longest of all submit steps */
    struct yk_str exceptions[YK_GOAL_COUNT]; /* why a goal does not apply; absent: it does */
    struct yk_scenario_maximum *maxima;
    uint32_t maximum_count;
    struct yk_scenario_expectation *expectations;
    uint32_t expectation_count;
};

struct yk_scenario {
    struct yk_arena arena; /* holds all of it */
    struct yk_str name;
    uint64_t seed;
    struct yk_scenario_nodes *nodes;
    uint32_t node_group_count;
    struct yk_str queues;     /* queues.yaml */
    struct yk_pairs settings; /* further entries of the ConfigMap */
    int64_t sample_ns;        /* between two samples; 0: none are taken */
    bool no_reservations;     /* none for asks that wait */
    struct yk_scenario_steady steady;
    struct {
        int64_t request_ns, watch_ns, watch_jitter_ns, start_ns, termination_ns, node_lost_ns;
    } times;
    struct yk_scenario_step *steps; /* as written; the runner orders them by time, stably */
    uint32_t step_count;
    struct {
        int64_t at_ns;  /* the end at the latest */
        bool when_idle; /* earlier when the timeline is done and all pods that end have ended */
    } end;
};

/* Parses a scenario. The caller frees `*ret_scenario`. Errors: YK_ERR_INVALID with the line, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk_scenario_parse(struct yk_str text, struct yk_scenario **ret_scenario,
                                              struct yk_err *err);
/*
 * Parses steps without a scenario: a mapping with the key `timeline` only, for a cluster that runs already.
 * The result has steps and nothing else. Errors: as yk_scenario_parse().
 */
YK_NODISCARD enum yk_status yk_scenario_parse_steps(struct yk_str text, struct yk_scenario **ret_steps,
                                                    struct yk_err *err);
void yk_scenario_free(struct yk_scenario *scenario);
YK_DEFINE_FREEP(yk_scenario)

#endif
