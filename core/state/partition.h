/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A partition: its queues, nodes and applications, and what each module keeps about them.
 *
 * This header has the data only. The steps that change more than one object are in partition/partition.h.
 *
 * Owns:   queues, nodes, applications (live and ended), foreign allocations, shapes.
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_PARTITION_H
#define YK_STATE_PARTITION_H

#include "base/arena.h"
#include "base/owner.h"
#include "base/vec.h"
#include "config/config.h"
#include "events/event.h"
#include "limits/usage.h"
#include "metrics/metrics.h"
#include "objects/app.h"
#include "objects/node.h"
#include "objects/queue.h"
#include "placement/placement.h"
#include "policies/node_order.h"
#include "security/users.h"
#include "state/config_change.h"
#include "state/node_signatures.h"
#include "state/steps.h"
#include "state/wait_listener.h"

struct yk_core;

struct yk_config_history; /* report/config_history.h */

/* Events that the resource manager has not got yet (report/rm_events.h). Written by: report. */
struct yk_rm_events {
    struct yk_si_event *items; /* owned; their texts are in `texts` */
    size_t count, capacity;
    struct yk_arena texts;
    struct yk_timer push; /* hands them over; armed while there are some */
};

/* One resource manager: its callbacks, its settings and its queue configuration. Written by: scheduler,
 * except where a field says otherwise. */
struct yk_rm {
    struct yk_core *core; /* borrowed */
    char *id;             /* owned */
    char *policy_group;   /* owned */
    struct yk_si_callbacks callbacks;
    void *context; /* the argument `rm` of the callbacks; borrowed */
    struct yk_tags build_info;
    struct yk_tags extra_config;       /* as of the last reload that succeeded, or of the registration */
    struct yk_tags first_extra_config; /* as of the registration, for settings that apply only at a restart */
    struct yk_config *config;          /* the active configuration; owned; NULL while it registers */
    struct yk_config_change last_change;      /* what `config` changed when it became active */
    struct yk_config_history *config_history; /* owned; NULL: nothing so far; written by: report */
    struct yk_rm_events events;               /* written by: report */
};

/* What the next step of a look at the waiting gangs does. */
enum yk_gang_phase {
    YK_GANG_NO_LOOK,     /* nothing: no look is under way */
    YK_GANG_UPDATE,      /* finds gangs that wait longer now, are held back or can never start */
    YK_GANG_COUNT,       /* adds up what incomplete gangs hold in queues and on nodes */
    YK_GANG_CHOOSE,      /* finds gangs that may start, or that may give up their nodes */
    YK_GANG_NODES,       /* adds up what is used above the capacity of nodes */
    YK_GANG_PLAN,        /* dry runs for gangs */
    YK_GANG_SERVE_NODES, /* dry runs for asks that wait for nodes */
    YK_GANG_SERVE_LIMITS /* dry runs for asks that wait for limits */
};

/* A look that is under way. Written by: gangs. */
struct yk_gang_look {
    enum yk_gang_phase phase, dry_runs; /* the present phase; the phase that follows YK_GANG_CHOOSE */
    int64_t now_ns;                     /* mono time at which the look began */
    int64_t next_ns;      /* mono time of the next look if nothing changes before; INT64_MAX: none */
    struct yk_list *next; /* of yk_gang_waits.gangs: the next gang in YK_GANG_UPDATE, _COUNT, _CHOOSE */
    size_t next_node;     /* index of the next node in YK_GANG_NODES */
    /* struct yk_gang, by in_order: gangs that may start, or that hold placeholders */
    struct yk_tree order;
    struct yk_list serving; /* struct yk_group, by in_takers: for YK_GANG_SERVE_NODES */
    size_t computed;        /* number of gangs for which the look found out whether they can ever start */
    size_t failed;          /* number of failed dry runs for gangs */
    /* How many more groups may be served; how many asks of the first of them were served. */
    size_t groups_left, served;
    struct yk_resvec most;   /* free amounts, plus what incomplete gangs hold */
    bool has_overcommitment; /* `most` contains what is used above the capacity of nodes */
    /* Number of the count that set `supply_nodes` and `most_on_node` (gangs/gang_supply.h). */
    uint64_t supply_epoch;
    struct yk_bitset supply_nodes; /* indexes of nodes where incomplete gangs hold something */
    /* for each type: the most that one of these nodes has, free or held by such gangs */
    struct yk_resvec most_on_node;
    bool found; /* the look has found something that starts */
};

/* Gangs that wait for their placeholders (gangs/gang_wait.h). Written by: gangs. */
struct yk_gang_waits {
    struct yk_list gangs;      /* struct yk_gang, by in_waiting: incomplete gangs, by arrival */
    struct yk_list takers;     /* struct yk_group, by in_takers: groups for which gangs may ease limits */
    struct yk_list tried;      /* as `takers`: those that were tried since the last change */
    struct yk_list settled;    /* struct yk_handover, by in_settled: the next turn settles them */
    struct yk_timer timer;     /* for the next look */
    int64_t last_look_mono_ns; /* INT64_MIN: there was none */
    bool due;                  /* a look begins in the next turn that has nothing else to try */
    bool changed;              /* something has changed since the last look ended its first phase */
    uint64_t capacity_epoch;   /* grows with each change of nodes, queues or limits */
    uint64_t order_epoch;      /* grows with each yk_gang_order_begin() */
    uint64_t looks, steps;     /* number of looks and of their steps so far */
    struct yk_gang_look look;
};

/* Reports to the resource manager of what waiting asks wait for (report/outstanding.h).
 * Written by: report. */
struct yk_outstanding {
    struct yk_timer begin; /* begins the next walk */
    /* For the next step; a step arms it if it leaves something to visit or to report. */
    struct yk_timer step;
    /* struct yk_group, by in_lacking: groups that may lack nodes, in the order in which they began to
     * wait. */
    struct yk_list lacking;
    struct yk_list place; /* of the walk: an item of `lacking` behind the visited groups; unlinked: no walk */
    uint64_t walk;        /* number of the last walk that began */
    /* To be reported, by in_skipped: struct yk_group, struct yk_app with all of its groups, struct yk_queue
     * with all of its applications. */
    struct yk_list groups, apps, leaves;
    struct yk_app *next_app; /* the next application of the first leaf; NULL: its first one */
};

/* Applications whose user is not known yet (partition/submissions.h). Written by: partition. */
struct yk_submissions {
    struct yk_strmap by_id; /* id -> struct yk_submission, owned */
    struct yk_list list;    /* the same, in order of arrival */
};

/* Number of lists of groups that wait for a required node: so large that each list is short. */
enum { YK_REQUIRED_WAITS = 1024 };

struct yk_preemption_log; /* report/preemption_log.h */

/* Reservations (reservation/reservations.h, make_reservation.h, use_reservation.h, required_node.h).
 * Written by: reservation. */
struct yk_reserving {
    struct yk_list list;    /* struct yk_reservation, by in_partition, in the order of creation */
    struct yk_list waiting; /* struct yk_reservation, by in_waiting: those for asks that wait for nodes */
    struct yk_list nominated_leaves; /* struct yk_queue, by reservation.in_nominated (nomination.h) */
    uint32_t count, waiting_count;   /* items of `list` and of `waiting` */
    uint64_t sequence;               /* of the reservation that was made last */
    bool is_due;                     /* reservations may have to be made, given to another ask or dropped */
    struct yk_tree active; /* struct yk_reservation, by in_active: those that have to be looked at */
    struct yk_timer timer; /* when reservations have to be looked at again */
    /* struct yk_group, by reservation.in_overtaken, in the order in which they were overtaken. */
    struct yk_list overtaken;
    uint32_t overtaken_count;
    struct yk_list ended_nodes;      /* struct yk_node, by in_ended: reservations may move to these nodes */
    struct yk_list unreserved_nodes; /* struct yk_node, by in_unreserved: other asks may be woken for these */
    int64_t longest_run_ns;          /* of the allocations that ended lately */
    uint64_t leaf_scan;              /* number of the last count of leaves (reservation_share.c) */
    uint64_t candidates_epoch;       /* grows when a node may be reserved that could not be before */
    bool looks_for_useless;          /* there may be reservations of no use, while other asks wait */
    int64_t useless_look_mono_ns;    /* mono time before which reservations of no use are not looked for */
    /* struct yk_group, by waiting.in_required: groups that wait until their required node is added or
     * changes. The hash of the name of the node decides in which list a group is. */
    struct yk_list required_waits[YK_REQUIRED_WAITS];
    struct yk_list settled_nominations; /* struct yk_nomination (reservation/nomination.h) */
    struct yk_list quota_preemptions;   /* struct yk_queue, by quota.in_due: waiting for quota preemption */
    struct yk_timer quota_timer;        /* rule R43: runs while one waits, if quota_preemption_enabled */
};

/* What is to be looked at because waiting groups may start (core/pending). Written by: pending. */
struct yk_partition_pending {
    struct yk_list leaves_to_start; /* struct yk_queue, by start.in_leaves (stateaware.h) */
    struct yk_list impossible_apps; /* struct yk_app, by start.in_impossible (stateaware.h) */
    struct yk_list eased_usages;    /* struct yk_usage, by in_eased (limit_wait.h) */
    struct yk_list ended_holds;     /* struct yk_limit_hold, by in_ended (limit_hold.h) */
    struct yk_list holds;           /* struct yk_limit_hold, by in_force (limit_hold.h) */
    bool look_at_holds;             /* asks that holds keep waiting may come before their holders now */
    int64_t holds_look_mono_ns;     /* when they were looked at last because of that */
    /* struct yk_group, by limit.in_holders: holders of limits that are to reserve a node (limit_hold.h) */
    struct yk_list holders_on_nodes;
    struct yk_list freed_nodes;   /* struct yk_node, by in_freed (freed_nodes.h) */
    struct yk_list retry_shapes;  /* struct yk_shape, by in_retry (freed_nodes.h) */
    bool shares_stale;            /* another pass over the fair shares is due (fair_shares.h) */
    struct yk_queue *shares_next; /* the next queue of the pass that is under way; NULL: none is */
};

/* Groups with pending asks, by whether they can ever start, and their shapes, by whether they fit on an empty node
 * (pending/impossible.h). Written by: pending. */
struct yk_partition_looks {
    /* struct yk_group, by waiting.in_looks: with is_impossible, and without. Those of the first two lists are to be
     * looked at. */
    struct yk_list impossible_due, due, impossible, possible;
    /* struct yk_shape, by in_looks: with fits_nowhere, and without. Those of the first two lists are to be looked at.
     * The others with fits_nowhere are in `too_large` if they do not fit into `largest`, else in `unfit`; the others
     * without it are in lists of nodes (yk_node.fitting_shapes). */
    struct yk_list unfit_due, fit_due, too_large, unfit;
    struct yk_resvec largest; /* of each type, at least the largest amount that a node has */
    /* How many times a node got smaller or was removed since `largest` was computed; 0: it is exact. */
    uint32_t smaller_count;
    uint32_t next_node; /* index of the node with which the next search begins */
};

/* What a turn of the cycle passes on to the next one (state/turn.h). Written by: state. */
struct yk_partition_turn {
    bool order_changed; /* reserved capacity has to be offered again (yk_turn_order_changed()) */
    bool was_long;      /* the last turn looked at many nodes, so its caller looks at the clock */
    bool was_step;      /* the last turn was one step of longer work, so its caller handles events */
};

/* Periodic work (partition/housekeeping.h, dynamic_queue_limits.h). Written by: partition. */
struct yk_partition_housekeeping {
    /* struct yk_queue, by housekeeping.in_due: queues that may have become removable. */
    struct yk_list due_queues;
    struct yk_timer cleaner; /* rule R17: fires 10 s after `due_queues` got its first item, and empties it */
    /* struct yk_queue, by housekeeping.in_draining: the one reported longest ago first. */
    struct yk_list draining;
    struct yk_timer draining_watch; /* rule R21: armed while a queue drains */
    struct yk_list type_waits;      /* struct yk_queue, by type_wait.in_type_waits */
    uint64_t types_seen;            /* yk_restype_additions() when `type_waits` was looked at last */
    struct yk_timer expired_sweep;  /* removes applications that ended long ago */
};

struct yk_partition {
    YK_OWNED_BY(partition) struct {
        struct yk_core *core;                         /* borrowed */
        struct yk_rm *rm;                             /* borrowed */
        const struct yk_wait_listener *wait_listener; /* never NULL */
        const struct yk_steps *steps;                 /* never NULL */
        char *name;                                   /* owned: "default" */
        char *full_name;                              /* owned: "[mycluster]default" */
        enum yk_object_state state;
        int64_t state_wall_ns;
        bool removing; /* the partition is being removed with all of its applications */
        bool preemption_enabled, quota_preemption_enabled;
        struct yk_queue *root;          /* owned */
        struct yk_placement *placement; /* owned */
        struct yk_users *users;         /* owned: finds the groups of users, with a cache */
        uint64_t served_sequence;       /* of the last queue that was served (yk_queue.served) */
        /* Nodes. */
        struct yk_vec nodes; /* struct yk_node by index; NULL: free index */
        struct yk_strmap nodes_by_id;
        uint32_t node_count;
        /* Applications. */
        struct yk_strmap apps;        /* id -> struct yk_app that has not ended */
        struct yk_vec apps_by_number; /* those in a leaf; index: yk_app.number; NULL: free number */
        struct yk_bitset free_app_numbers;
        struct yk_list completed;        /* struct yk_app, by life.in_ended: Completed, Failed, Expired */
        struct yk_list rejected;         /* struct yk_app, by life.in_ended */
        struct yk_strmap rejected_by_id; /* id -> struct yk_app in `rejected`, which has one for each id */
        uint32_t completed_count, rejected_count;
        uint32_t apps_by_state[YK_APP_STATE_COUNT]; /* numbers of applications, also of ended ones */
        struct yk_list replaceable;   /* struct yk_gang, by in_replaceable: asks may replace placeholders */
        struct yk_list replace_waits; /* as `replaceable`: gangs for whose asks no node was found */
        struct yk_text_set foreign;   /* struct yk_ask of other schedulers, by key */
        struct yk_pool ask_pool;      /* memory of all asks, also of foreign ones */
        uint64_t ask_sequence;        /* of the ask that was added last */
        uint64_t allocation_count;    /* allocations of this scheduler, with placeholders */
        struct yk_preempt *preempt;   /* owned (reservation/preempt.h) */
        struct yk_submissions submissions; /* applications that wait for their user to be known */
    };
    /* The functions of the headers of these types change them, and every module may call these functions. */
    YK_OWNED_BY_ALL struct {
        struct yk_usages usages; /* what each user and group has in each queue */
        struct yk_shapes shapes;
        struct yk_node_order node_order;
        struct yk_node_signatures node_signatures; /* of all `nodes` */
    };
    YK_OWNED_BY(partition) struct yk_partition_housekeeping housekeeping; /* Read by: web. */
    YK_OWNED_BY(pending) struct yk_partition_pending pending; /* Read by: reservation, scheduler. */
    YK_OWNED_BY(reservation) struct yk_reserving reservation; /* Read by: gangs, partition, scheduler, web. */
    YK_OWNED_BY(gangs) struct yk_gang_waits gang_waits;
    YK_OWNED_BY(report) struct yk_outstanding outstanding;
    YK_OWNED_BY(report) struct {
        /* Owned; NULL: no preemption so far (report/preemption_log.h). */
        struct yk_preemption_log *preemptions;
    };
    YK_OWNED_BY(state) struct yk_partition_turn turn; /* Read by: scheduler. */
    YK_OWNED_BY(pending) struct yk_partition_looks looks;
};

/* The node with that id, borrowed until it is removed; NULL: there is none, or it is being removed. O(1). */
struct yk_node *yk_partition_find_node(const struct yk_partition *partition, const char *node_id);
/* The application with that id that has not ended, borrowed until it ends or is removed; NULL: there is none.
 * Rejected applications, ended ones and submissions that wait for their user are not found. O(1). */
struct yk_app *yk_partition_find_app(const struct yk_partition *partition, const char *application_id);

#endif
