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

/* Events on their way to a resource manager (report/rm_events.h). Written by: report. */
struct yk_rm_events {
    struct yk_si_event *items; /* owned; texts in the arena */
    size_t count, capacity;
    struct yk_arena texts;
    struct yk_timer push; /* armed while there is something */
};

/* One resource manager: its callbacks, its settings and its queue configuration. Written by: scheduler, except
 * where a field says otherwise. */
struct yk_rm {
    struct yk_core *core; /* borrowed */
    char *id;             /* owned */
    char *policy_group;
    struct yk_si_callbacks callbacks;
    void *context;
    struct yk_tags build_info;
    struct yk_tags extra_config;
    struct yk_tags first_extra_config;   /* as it was when it registered: settings that apply at restart */
    struct yk_config *config;            /* active; owned; NULL while it registers */
    struct yk_config_change last_change; /* what it did when it became active */
    struct yk_config_history *config_history; /* owned; NULL: nothing so far; written by: report */
    struct yk_rm_events events;               /* not handed over yet; written by: report */
};

/* What the next step of a look at the waiting gangs does. */
enum yk_gang_phase {
    YK_GANG_NO_LOOK,     /* none is under way */
    YK_GANG_UPDATE,      /* who waits longer, is held, can never start */
    YK_GANG_COUNT,       /* what incomplete gangs hold */
    YK_GANG_CHOOSE,      /* who may start, or give way */
    YK_GANG_NODES,       /* what is used above the capacity of nodes */
    YK_GANG_PLAN,        /* dry runs for gangs, */
    YK_GANG_SERVE_NODES, /* for asks that wait for nodes, */
    YK_GANG_SERVE_LIMITS /* and for asks that wait for limits */
};

/* A look that is under way. Written by: gangs. */
struct yk_gang_look {
    enum yk_gang_phase phase, dry_runs; /* the latter: phase after YK_GANG_CHOOSE */
    int64_t now_ns;                     /* when it began */
    int64_t next_ns;            /* when to look again, if nothing changes before; INT64_MAX: not at all */
    struct yk_list *next;       /* of yk_gang_waits.gangs: the next one in YK_GANG_UPDATE, _COUNT, _CHOOSE */
    size_t next_node;           /* in YK_GANG_NODES */
    struct yk_tree order;       /* struct yk_gang, by in_order: may start, or hold something */
    struct yk_list serving;     /* struct yk_group, by in_takers: for YK_GANG_SERVE_NODES */
    size_t computed;            /* gangs of which it was found out whether they can ever start */
    size_t failed;              /* dry runs for gangs */
    size_t groups_left, served; /* to be served: groups; were: asks of the first one */
    struct yk_resvec most;      /* what is free, and what incomplete gangs hold */
    bool has_overcommitment;    /* in `most` */
    uint64_t supply_epoch;      /* of the count of the next two (gangs/gang_supply.h) */
    struct yk_bitset supply_nodes; /* indexes of nodes where incomplete gangs hold something */
    struct yk_resvec most_on_node; /* of each type: most that one of these has, with what they hold there */
    bool found;                    /* something that starts */
};

/* Gangs that wait for their placeholders (gangs/gang_wait.h). Written by: gangs. */
struct yk_gang_waits {
    struct yk_list gangs;      /* struct yk_gang, by in_waiting: incomplete, by arrival */
    struct yk_list takers;     /* struct yk_group, by in_takers: asks that these gangs may give way to */
    struct yk_list tried;      /* the same: those that wait for a limit, tried since the last change */
    struct yk_list settled;    /* struct yk_handover, by in_settled: to be settled in the next turn */
    struct yk_timer timer;     /* for the next look */
    int64_t last_look_mono_ns; /* INT64_MIN: never */
    bool due;                  /* a look, in the next turn with nothing else to try */
    bool changed;              /* since the last look began */
    uint64_t capacity_epoch;   /* grows with each change of nodes, queues or limits */
    uint64_t order_epoch;      /* of yk_gang_order_begin() */
    uint64_t looks, steps;     /* so far */
    struct yk_gang_look look;
};

/* What waiting asks wait for, and what of that is not reported yet (report/outstanding.h).
 * Written by: report. */
struct yk_outstanding {
    struct yk_timer begin; /* the next walk begins */
    struct yk_timer step;  /* while a walk is under way or something is to be reported: the next step */
    /* struct yk_group, by in_lacking: those that may lack nodes, in the order in which they began to wait. */
    struct yk_list lacking;
    struct yk_list place; /* of the walk, in `lacking` behind what it has visited; unlinked: no walk */
    uint64_t walk;        /* number of the last walk that began */
    /* To be reported, by in_skipped: struct yk_group, struct yk_app with all of its groups, struct yk_queue
     * with all of its applications. */
    struct yk_list groups, apps, leaves;
    struct yk_app *next_app; /* of the first leaf: not in `apps` yet; NULL: begin with its first */
};

/* Applications whose user is not known yet (partition/submissions.h). Written by: partition. */
struct yk_submissions {
    struct yk_strmap by_id; /* id -> struct yk_submission, owned */
    struct yk_list list;    /* the same, in order of arrival */
};

enum { YK_REQUIRED_WAITS = 1024 }; /* lists of who waits for a node, so that each is short */

struct yk_preemption_log; /* report/preemption_log.h */

/* Reservations (reservation/reservations.h, make_reservation.h, use_reservation.h, required_node.h).
 * Written by: reservation. */
struct yk_reserving {
    struct yk_list list;             /* struct yk_reservation, by in_partition: by creation */
    struct yk_list waiting;          /* the same by in_waiting: those for asks that wait */
    struct yk_list nominated_leaves; /* struct yk_queue, by reservation.in_nominated (nomination.h) */
    uint32_t count, waiting_count;
    uint64_t sequence;
    bool is_due;              /* some may have to be made, handed on or dropped */
    struct yk_tree active;    /* struct yk_reservation, by in_active: to be looked at */
    struct yk_timer timer;    /* when reservations have to be looked at again */
    struct yk_list overtaken; /* struct yk_group, by reservation.in_overtaken: in the order of that */
    uint32_t overtaken_count;
    struct yk_list ended_nodes;      /* struct yk_node, by in_ended: reservations may move there */
    struct yk_list unreserved_nodes; /* struct yk_node, by in_unreserved: others may be woken for them */
    int64_t longest_run_ns;          /* of allocations that ended lately */
    uint64_t leaf_scan;              /* number of the last count of leaves (make_reservation.c) */
    uint64_t candidates_epoch;       /* grows when a node may be reserved that could not be before */
    bool looks_for_useless;          /* reservations may be of no use while others wait */
    int64_t useless_look_mono_ns;    /* not before this */
    /* struct yk_group, by waiting.in_required: their node is not there or too small; by the node's name. */
    struct yk_list required_waits[YK_REQUIRED_WAITS];
    struct yk_list settled_nominations; /* struct yk_nomination (reservation/nomination.h) */
    struct yk_list quota_preemptions;   /* struct yk_queue, by quota.in_due: waiting for quota preemption */
    struct yk_timer quota_timer;        /* rule R43: every second while one waits */
};

/* What waits, and what may end that (core/pending). Written by: pending. */
struct yk_partition_pending {
    struct yk_list leaves_to_start; /* struct yk_queue, by start.in_leaves (stateaware.h) */
    struct yk_list impossible_apps; /* struct yk_app, by start.in_impossible (stateaware.h) */
    struct yk_list eased_usages;    /* struct yk_usage, by in_eased (limit_wait.h) */
    struct yk_list ended_holds;     /* struct yk_limit_hold, by in_ended (limit_hold.h) */
    struct yk_list freed_nodes;     /* struct yk_node, by in_freed (freed_nodes.h) */
    struct yk_list retry_shapes;    /* struct yk_shape, by in_retry (freed_nodes.h) */
    bool shares_stale;              /* another pass over the fair shares is due (fair_shares.h) */
    struct yk_queue *shares_next;   /* the next queue of the pass that is under way; NULL: none is */
};

/* What the turns of the cycle say to the next one (state/turn.h). Written by: state. */
struct yk_partition_turn {
    bool order_changed; /* reserved capacity was not offered since the order of what waits changed */
    bool was_long;      /* the last turn looked at all nodes: time to look at the clock */
    bool was_step;      /* the last turn was a step of something longer: time to hear what came */
};

/* What is looked after from time to time (partition/housekeeping.h, dynamic_queue_limits.h).
 * Written by: partition. */
struct yk_partition_housekeeping {
    struct yk_list due_queues; /* struct yk_queue, by housekeeping.in_due: may have become removable */
    struct yk_timer cleaner;   /* rule R17: every 10 s while something is due */
    struct yk_list draining;   /* struct yk_queue, by housekeeping.in_draining: reported longest ago first */
    struct yk_timer draining_watch; /* rule R21: while one drains */
    struct yk_list type_waits;      /* struct yk_queue, by type_wait.in_type_waits */
    uint64_t types_seen;            /* yk_restype_additions() when these were looked at last */
    struct yk_timer expired_sweep;  /* of ended applications */
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
        bool removing; /* it is taken apart, with all of its applications */
        bool preemption_enabled, quota_preemption_enabled;
        struct yk_queue *root;
        struct yk_placement *placement;
        struct yk_users *users; /* who submits: resolver and its cache */
        uint64_t served_sequence;
        /* Nodes. */
        struct yk_vec nodes; /* struct yk_node by index; NULL: free index */
        struct yk_strmap nodes_by_id;
        uint32_t node_count;
        /* Applications. */
        struct yk_strmap apps;    /* id -> struct yk_app: live */
        struct yk_list completed; /* struct yk_app, by life.in_ended: Completed, Failed, Expired */
        struct yk_list rejected;
        struct yk_strmap rejected_by_id; /* id -> struct yk_app: the last one of that id, the only one kept */
        uint32_t completed_count, rejected_count;
        uint32_t apps_by_state[YK_APP_STATE_COUNT]; /* live and ended */
        struct yk_list replaceable;   /* struct yk_gang, by in_replaceable: asks may replace placeholders */
        struct yk_list replace_waits; /* the same: those for which no node was found */
        struct yk_text_set foreign;   /* key -> struct yk_ask */
        struct yk_pool ask_pool;      /* all of them, foreign or not */
        uint64_t ask_sequence;
        uint64_t allocation_count;         /* ours, placeholders included */
        struct yk_preempt *preempt;        /* owned (reservation/preempt.h) */
        struct yk_submissions submissions; /* applications that wait for their user to be known */
    };
    /* These have functions of their own, which any module may call. */
    YK_OWNED_BY_ALL struct {
        struct yk_usages usages; /* what each user and group has, per queue */
        struct yk_shapes shapes;
        struct yk_node_order node_order;
        struct yk_node_signatures node_signatures; /* what `nodes` know of themselves */
    };
    YK_OWNED_BY(partition) struct yk_partition_housekeeping housekeeping; /* Read by: web. */
    YK_OWNED_BY(pending) struct yk_partition_pending pending; /* Read by: reservation, scheduler. */
    YK_OWNED_BY(reservation) struct yk_reserving reservation; /* Read by: gangs, partition, scheduler, web. */
    YK_OWNED_BY(gangs) struct yk_gang_waits gang_waits;
    YK_OWNED_BY(report) struct yk_outstanding outstanding;
    YK_OWNED_BY(report) struct {
        struct yk_preemption_log
            *preemptions; /* owned; NULL: no preemption so far (report/preemption_log.h) */
    };
    YK_OWNED_BY(state) struct yk_partition_turn turn; /* Read by: scheduler. */
};

/* The node of that id, borrowed until it leaves; NULL: there is none. O(1). */
struct yk_node *yk_partition_find_node(const struct yk_partition *partition, const char *node_id);
/* The live application of that id, or NULL. O(1). */
struct yk_app *yk_partition_find_app(const struct yk_partition *partition, const char *application_id);

#endif
