/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: the tree that says who may use how much, and counts who uses what.
 *
 * Owns: a queue owns its children, its limits, its usage and the order of what may be tried below it. The
 * partition owns the applications and links them in their leaf queue.
 * Thread: scheduling thread only.
 * Invariant: the allocated and the pending amounts of a queue are the sums over its children and over its
 * applications (docs/design.md, Invariants 1).
 * Source: docs/reference/queues.md, section 4.
 */
#ifndef YK_OBJECTS_QUEUE_H
#define YK_OBJECTS_QUEUE_H

#include "base/list.h"
#include "base/map.h"
#include "base/owner.h"
#include "base/tree.h"
#include "config/property_set.h"
#include "objects/app_state.h"
#include "objects/limit_hold.h"
#include "objects/limit_list.h"
#include "objects/pending_count.h"
#include "objects/priority_count.h"
#include "objects/starts.h"
#include "objects/unclaimed.h"
#include "objects/wait_branch.h"
#include "resources/resvec.h"
#include "security/acl.h"

struct yk_app;
struct yk_queue_waits; /* metrics/wait_histogram.h */

enum yk_object_state { YK_STATE_ACTIVE, YK_STATE_DRAINING, YK_STATE_STOPPED };
/* The name of the state, as REST shows it; static. */
const char *yk_object_state_name(enum yk_object_state state);

/* The name of the queue for restored applications that have no other queue (R8); a child of the root. */
#define YK_RECOVERY_QUEUE "@recovery@"

/* A child template: settings for the dynamic queues that are made below a queue. Written by: partition. */
struct yk_queue_template {
    bool is_set;
    uint64_t max_apps;                  /* 0: unlimited */
    struct yk_property_set *properties; /* of dynamic leaves; the template has a reference. NULL: none */
    bool has_guaranteed, has_max;       /* whether `guaranteed` and `max` are set */
    struct yk_resvec guaranteed, max;   /* base units */
};

/* Drops the reference to the properties, and frees the amounts. Use the template again only after it was
 * zeroed. */
void yk_queue_template_done(struct yk_queue_template *queue_template);
/* Copies `from` over `to`, which was initialised before. `to` takes over the reference of `from` to its
 * properties: if `from` stays in use, the caller adds one with yk_property_set_hold(). Before the call, the
 * caller drops the reference to the old `to->properties`. */
void yk_queue_template_copy(struct yk_queue_template *to, const struct yk_queue_template *from);

/* The wait of a leaf for headroom of one queue on its path. Written by: pending. */
struct yk_capacity_wait {
    struct yk_queue *leaf;
    struct yk_list in_queue; /* in wait.leaves of the queue */
};

/* The values that order a queue among its siblings in the order of gangs (gangs/gang_order.h).
 * Written by: gangs. */
struct yk_gang_standing {
    uint64_t epoch;          /* number of the count for which the values were computed; 0: never */
    int32_t priority;        /* the highest priority of gangs and asks that wait below */
    bool is_below_guarantee; /* like yk_queue.is_below_guarantee */
    double share;            /* like yk_queue.share, without the amounts that incomplete gangs hold */
    /* Submission time of the oldest application with an incomplete gang below; INT64_MAX: there is none. */
    int64_t oldest_wall_ns;
};

/* The incomplete gangs in a queue and below it, for the order of gangs (gangs/gang_order.h).
 * Written by: gangs. */
struct yk_queue_gangs {
    /* Number of the last count that found such a gang; the next three fields are of that count. */
    uint64_t epoch;
    int32_t priority;       /* the highest priority that one of them gives this queue */
    int64_t oldest_wall_ns; /* submission time of the oldest of their applications */
    struct yk_resvec held;  /* sum of their allocated placeholders */
    struct yk_gang_standing standing;
};

/* Quota preemption of a queue (reservation/quota_preemption.h). Written by: reservation. */
struct yk_queue_quota {
    /* In the partition's reservation.quota_preemptions from the begin of a delay until the queue has been
     * evaluated. It then stays for a pause if limits of victims refused some. */
    struct yk_list in_due;
    int64_t due_mono_ns; /* while `in_due` is linked: end of the delay or of the pause */
    bool is_running;     /* the evaluation of quotas that is under way has looked for victims in it */
};

/* Failed attempts to preempt for a leaf, counted per interval (reservation/preempt.h).
 * Written by: reservation. */
struct yk_queue_preempt {
    int64_t since_mono_ns; /* begin of the interval */
    uint32_t attempts;     /* failed attempts in it */
};

/* Victims in a queue and in the queues below it, counted per minute (preemption/victim_limits.h).
 * Written by: preemption. */
struct yk_queue_victims {
    int64_t since_mono_ns; /* begin of the minute */
    uint64_t count;        /* victims in it */
};

/* Which applications may start (pending/active.h, pending/stateaware.h). Written by: pending. */
struct yk_queue_start {
    /* Of a leaf: struct yk_app, by in_active. At the last attempt to start one of them, a queue ran its
     * maximum number of applications. */
    struct yk_tree held_apps;
    struct yk_list in_held;       /* in start.held_leaves of that queue: none of held_apps is tried */
    struct yk_list held_leaves;   /* struct yk_queue, by start.in_held: their held_apps wait for this queue */
    struct yk_tree accepted_apps; /* struct yk_app, by start.in_accepted; of a stateaware leaf (O7) */
    struct yk_app *may_start;     /* the application of accepted_apps that may start; NULL: none */
    struct yk_list in_leaves;     /* in the partition's pending.leaves_to_start while may_start is set */
};

/* Of a leaf: applications that wait for headroom of a queue on the path. Of every queue: leaves that wait for
 * its headroom (pending/queue_wait.h). Written by: pending. */
struct yk_queue_wait {
    struct yk_tree apps;             /* struct yk_app, by in_active: none of their asks can be tried */
    struct yk_app *next;             /* the application of `apps` to look at next; NULL: none */
    struct yk_resvec least;          /* in no type larger than any size that waits in `apps` */
    struct yk_capacity_wait *places; /* owned: one for each queue on the path; index: its depth */
    /* struct yk_capacity_wait, by in_queue: leaves that wait for this queue. */
    struct yk_list leaves;
    uint64_t headroom_sequence; /* of the root only: grows each time that a queue may have more headroom */
};

/* Applications (of a leaf) and children that wait for nodes, in the order of the cycle
 * (pending/wait_order.h). Written by: pending. */
struct yk_queue_waiting {
    struct yk_tree apps;          /* struct yk_app, by wait.branch */
    struct yk_tree children;      /* struct yk_queue, by waiting.branch */
    struct yk_wait_branch branch; /* the place of this queue in waiting.children of its parent */
};

/* What was reported about the queue. Written by: report. */
struct yk_queue_report {
    /* In the partition's outstanding.leaves: its wait.apps have to be reported. */
    struct yk_list in_skipped;
    struct yk_queue *refused_by;    /* the queue that last refused asks in `wait.apps`; never dereferenced */
    struct yk_unclaimed *unclaimed; /* owned: what is left of its maximum; NULL: not computed */
    struct yk_queue_waits *waits;   /* owned; NULL: none (report/wait_metrics.h) */
    struct yk_leaf_starts starts;   /* of a leaf (report/drain.h) */
};

/* Reservations and nominations for a leaf. Written by: reservation. */
struct yk_queue_reservation {
    uint64_t leaf_scan;              /* number of the last count in reservation_share.c that counted it */
    struct yk_list nominated_groups; /* struct yk_group, by reservation.in_nominated */
    /* In the partition's reservation.nominated_leaves while there are such groups. */
    struct yk_list in_nominated;
};

/* Removal, draining and protection of a queue. Written by: partition. */
struct yk_queue_housekeeping {
    struct yk_list in_due;      /* in the partition's housekeeping.due_queues: it may be removable */
    struct yk_list in_draining; /* in the partition's housekeeping.draining while it drains */
    /* Time of the last report that the queue drains; before the first report, the time when draining
     * began. */
    int64_t draining_told_mono_ns;
    int64_t fell_below_wall_ns; /* when an allocation ended and it fell below its guarantee; 0: never */
};

/* Quotas of the namespace of a dynamic leaf that name types which no node and no ask has yet
 * (partition/dynamic_queue_limits.h). The texts may stay for a while after the configuration has named the
 * leaf, and mean nothing then: a reader checks `managed` first. Written by: partition. */
struct yk_queue_type_wait {
    char *namespace_max, *namespace_guaranteed; /* owned; NULL: none */
    struct yk_list in_type_waits;               /* in the partition's housekeeping.type_waits */
};

struct yk_queue {
    /*
     * The fields that a decision reads come first, in as few cache lines as possible: with thousands of
     * queues most of these lines are not in the cache. This part has most of what orders a queue among its
     * siblings.
     */
    YK_OWNED_BY(pending) struct {
        struct yk_tree_link in_active; /* in active_children of the parent */
        double share;                  /* fair share in use (M20) */
        /* Its usage is below its guarantee in each guaranteed type, and pending asks need some of them
         * (O8). */
        bool is_below_guarantee;
        int32_t priority; /* effective priority of the asks below (R46), or YK_PRIORITY_NONE */
    };
    YK_OWNED_BY(objects) struct {
        double pending_sum;      /* sum of the pending amounts over all types; breaks ties */
        uint32_t depth;          /* root: 0 */
        struct yk_queue *parent; /* owns this queue; NULL: it is the root */
        char *path;              /* owned: "root.a.b" */
        bool has_fair_max;       /* whether `fair_max` is set */
        bool has_nominations;    /* `nominated` has amounts, not counting those of dry runs */
        uint32_t running_apps;   /* applications in this branch that are Starting or Running */
        /* Applications in this branch that got a placeholder while Accepted and have not run since. */
        uint32_t allocating_accepted;
    };
    YK_OWNED_BY(partition) struct {
        /* Number of the last decision for it. Of queues that are equal otherwise, the one with the smallest
         * number comes first. */
        uint64_t served;
        enum yk_object_state state;
        bool managed; /* true: in the configuration; false: dynamic, made by a placement rule */
        bool is_leaf;
        /* Whether `max` and `guaranteed` are set; if not, their amounts mean nothing: check this first. */
        bool has_max, has_guaranteed;
        uint64_t max_apps;                 /* maximum number of running applications; 0: unlimited */
        struct yk_queue_settings settings; /* the values of `properties`, parsed */
        /* Of a leaf: numbers of allocations that began and that ended there. */
        uint64_t containers_allocated, containers_released;
    };
    /* Queues and applications below that may be tried. */
    YK_OWNED_BY(pending) struct {
        struct yk_priority_count priorities; /* of applications and of children */
        struct yk_tree active_children;      /* struct yk_queue, by in_active */
        struct yk_tree active_apps;          /* struct yk_app, by in_active */
        struct yk_limit_hold hold;           /* capacity held below its maximum (pending/limit_hold.h) */
    };
    YK_OWNED_BY(pending) struct yk_queue_waiting waiting;
    YK_OWNED_BY(pending) struct yk_queue_wait wait;   /* Read by: report, scheduler. */
    YK_OWNED_BY(pending) struct yk_queue_start start; /* Read by: report, scheduler. */
    /* Each vector begins a cache line, which holds the resource types that most asks use. Changed by
     * functions of this header. */
    YK_OWNED_BY(objects) struct {
        _Alignas(YK_LINE_BYTES) struct yk_resvec allocated;
        struct yk_resvec pending;
        /* The part of `allocated` that was asked to end (reservation/victims.h). */
        struct yk_resvec preempting;
        struct yk_resvec nominated; /* held for asks that wait for victims (reservation/nomination.h) */
        struct yk_resvec fair_max;  /* see yk_queue_update_fair_max() */
    };
    /* Replaced on a configuration reload. */
    YK_OWNED_BY(partition) struct {
        struct yk_resvec max, guaranteed;   /* the maximum of the root is the capacity of all nodes */
        int64_t state_wall_ns;              /* when it came to `state` */
        struct yk_property_set *properties; /* effective ones; the queue has a reference */
        struct yk_acl submit_acl, admin_acl;
        struct yk_queue_template child_template; /* its own, or that of a queue above (T2) */
        bool own_template;                       /* child_template is its own */
        struct yk_list apps;                     /* struct yk_app, by in_leaf; of a leaf */
        uint32_t app_count;                      /* length of `apps` */
        uint64_t apps_joined;                    /* number of applications that have joined so far */
        /* Of a leaf: number of applications in each state now; for Completed and Failed, the number of all
         * that came to the state there; for Rejected and Expired, 0. */
        uint64_t apps_by_state[YK_APP_STATE_COUNT];
    };
    YK_OWNED_BY(limits) struct {
        /* Owned: limits of users and groups; NULL: none. Set by limits/apply.h. */
        struct yk_limit_list *limits;
        struct yk_list usages; /* struct yk_usage, by in_queue: usage of each user and group here */
    };
    YK_OWNED_BY(objects) struct {
        char *name;                 /* owned, lower case; fixed for life */
        struct yk_strmap children;  /* name -> struct yk_queue, owned */
        struct yk_list child_list;  /* struct yk_queue, by in_children, by creation */
        struct yk_list in_children; /* in child_list of the parent */
        /* For metrics. The first two: bits of the dense types that had an amount so far
         * (yk_resvec_dense_types()). */
        uint32_t allocated_types, pending_types;
        uint64_t pending_asks[YK_PENDING_COUNT]; /* of a leaf (objects/pending_count.h) */
        /* Bit i is set if pending_asks[i] was above 0 at some time. */
        uint8_t pending_seen;
    };
    YK_OWNED_BY(report) struct {
        /* Numbers of victims since it was made; index: enum yk_preemption_kind (report/preemption_log.h). */
        uint64_t preempted_for[4]; /* victims for asks, or for the maximum, of this queue itself */
        uint64_t evicted[4];       /* of a leaf: victims that were its allocations */
        /* Of a leaf: numbers of applications that wait; index: enum yk_si_reason. */
        uint32_t apps_by_reason[YK_REASON_COUNT];
    };
    YK_OWNED_BY(report) struct yk_queue_report report; /* Read by: web. */
    YK_OWNED_BY(gangs) struct yk_queue_gangs gangs;
    YK_OWNED_BY(reservation) struct yk_queue_reservation reservation; /* Read by: pending. */
    YK_OWNED_BY(reservation) struct yk_queue_quota quota;             /* Read by: web. */
    YK_OWNED_BY(reservation) struct yk_queue_preempt preempt;
    YK_OWNED_BY(preemption) struct yk_queue_victims ended;
    YK_OWNED_BY(partition) struct yk_queue_housekeeping housekeeping; /* Read by: reservation, web. */
    YK_OWNED_BY(partition) struct yk_queue_type_wait type_wait;       /* Read by: web. */
};

/* Makes a queue below `parent` (NULL: a root queue), in state Active, with the default settings, without
 * limits, ACLs and properties. The parent owns it; the caller owns a root. `name` is copied in lower case;
 * the parent has no child of that name. `managed`: it is in the configuration. `now_wall_ns`: since when it
 * is Active. The caller sets what else the queue has, calls yk_queue_update_fair_max() if it has a maximum,
 * and reports it (yk_report_queue_added()). */
struct yk_queue *yk_queue_new(struct yk_queue *parent, struct yk_str name, bool is_leaf, bool managed,
                              int64_t now_wall_ns);
/* Removes the queue from its parent and frees it with all queues below. None of them has applications, usages
 * or leaves that wait for it. Before, unless the whole partition ends, the caller calls
 * yk_fair_shares_forget() for each of them, and reports the removal (yk_report_queue_removed()). NULL is
 * fine. */
void yk_queue_free(struct yk_queue *queue);
YK_DEFINE_FREEP(yk_queue)

/* The queue with that full path ("root.a"; ASCII letters in any case), or NULL. Borrowed from the tree. */
struct yk_queue *yk_queue_find(struct yk_queue *root, struct yk_str path);
/* The child of that name, or NULL. `name` is in lower case. O(1). */
struct yk_queue *yk_queue_child(const struct yk_queue *parent, struct yk_str name);
/* The deepest existing queue on `path`, which is a full path like that of yk_queue_find(). NULL: `path` does
 * not begin with the name of the root. `*ret_rest`: the part of the path that does not exist, borrowed from
 * `path`; its `p` is NULL if the whole path exists. If the result is NULL, `*ret_rest` is the whole path. */
struct yk_queue *yk_queue_find_deepest(struct yk_queue *root, struct yk_str path, struct yk_str *ret_rest);
/* Whether `queue` is the queue for restored applications that have no other queue (R8). */
bool yk_queue_is_recovery(const struct yk_queue *queue);
/* Whether the queue drains, or a queue above it does (R20). */
bool yk_queue_is_draining(const struct yk_queue *queue);
/* Whether `queue` is `top` or below `top`. False if `queue` is NULL. O(depth). */
bool yk_queue_is_in_branch(const struct yk_queue *queue, const struct yk_queue *top);
/* Replaces the two queues by the siblings in whose branches they are. Both become the same queue if they are
 * equal or one is above the other. O(depth). */
void yk_queue_find_siblings(const struct yk_queue **a, const struct yk_queue **b);
/* The fair share of the queue (queues.md M20) if the amounts `used` were allocated. O(types). */
double yk_queue_share_of(const struct yk_queue *queue, const struct yk_resvec *used);
/* For a walk over the branch of `top`, depth first, parents before children: the queue after `queue`; NULL at
 * the end. Begin with `queue` = `top`, which is the first one. */
struct yk_queue *yk_queue_next(const struct yk_queue *queue, const struct yk_queue *top);

/* The deepest queue whose branch has both `a` and `b`. Both are in the same tree. O(depth). */
const struct yk_queue *yk_queue_above_both(const struct yk_queue *a, const struct yk_queue *b);

/* Whether a submit or admin ACL of the queue, or of a queue above it, allows the user with these
 * `group_count` groups (A5). False for the recovery queue. */
bool yk_queue_may_submit(const struct yk_queue *queue, const char *user, const char *const *groups,
                         size_t group_count);

/* Whether an admin ACL of the queue, or of a queue above it, allows the user with these `group_count` groups
 * (A5, A8). */
bool yk_queue_may_administer(const struct yk_queue *queue, const char *user, const char *const *groups,
                             size_t group_count);

/*
 * Whether `size` fits into the headroom of `queue` and of every queue above it but the root. The root is left
 * out, because its maximum is the capacity of the nodes, and a search for a node checks that. Types that a
 * maximum lacks are unlimited. `*ret_refusing` (the argument may be NULL) is set to the queue without
 * headroom that is nearest to the root; NULL if the result is true. O(depth * types).
 *
 * Amounts that are nominated for other asks do not count as free. For an ask that may be nominated itself,
 * call yk_nomination_has_headroom() instead. True is not enough to start an ask: limits of users
 * (yk_usage_without_headroom()) and holds for earlier groups (yk_limit_held_queue()) are not checked.
 */
bool yk_queue_has_headroom(struct yk_queue *queue, const struct yk_resvec *size,
                           struct yk_queue **ret_refusing);
/* Like yk_queue_has_headroom(), for an ask with a nomination: the part `own` of the nominated amounts of
 * these queues is held for this ask, so it counts as free. `own` NULL: nothing. */
bool yk_queue_has_headroom_for(struct yk_queue *queue, const struct yk_resvec *size,
                               const struct yk_resvec *own, struct yk_queue **ret_refusing);
/* Whether `size` fits into the maximum of `queue` and of every queue above it but the root, if nothing else
 * is used. Says nothing about nodes: the capacity of the nodes is the maximum of the root. O(depth). */
bool yk_queue_allows(const struct yk_queue *queue, const struct yk_resvec *size);
/*
 * The next functions change amounts (base units) of `queue` and of every queue above it. They neither check
 * limits (R30) nor wake anything, and do not update the order of queues: the caller does all this. After a
 * change of allocated or pending amounts, it calls yk_active_update_queue(); after allocated or nominated
 * amounts became less, also yk_wake_for_headroom(). For one ask of an application, other modules call the
 * functions of partition/accounting.h, which change all amounts that belong together. A dry run takes back
 * its changes before anything else happens, and updates no order.
 */
/* Adds `size` to the allocated amounts. */
void yk_queue_add_allocated(struct yk_queue *queue, const struct yk_resvec *size);
/* Subtracts `size`, which yk_queue_add_allocated() added. The caller then calls
 * yk_quota_preemption_lowered(). */
void yk_queue_sub_allocated(struct yk_queue *queue, const struct yk_resvec *size);
/* Adds `size` to the pending amounts. */
void yk_queue_add_pending(struct yk_queue *queue, const struct yk_resvec *size);
/* Subtracts `size`, which yk_queue_add_pending() added. */
void yk_queue_sub_pending(struct yk_queue *queue, const struct yk_resvec *size);
/* Adds `size` to `preempting`: an allocation of that size was asked to end. This leaves more headroom in
 * queues with nominations: for each of them (`has_nominations`) the caller calls
 * yk_wake_queue_for_headroom(). yk_victims_take() does all this. */
void yk_queue_add_preempting(struct yk_queue *queue, const struct yk_resvec *size);
/* Subtracts `size`, which yk_queue_add_preempting() added. */
void yk_queue_sub_preempting(struct yk_queue *queue, const struct yk_resvec *size);
/*
 * Adds `size` to `nominated`: it is held for an ask that waits for victims. The headroom of other asks is
 * then max - max(allocated, allocated - preempting + nominated). The caller does the same for the user and
 * the group (yk_usage_add_nominated()).
 */
void yk_queue_add_nominated(struct yk_queue *queue, const struct yk_resvec *size);
/* Subtracts `size`, which yk_queue_add_nominated() added. The caller also calls yk_usage_sub_nominated(). */
void yk_queue_sub_nominated(struct yk_queue *queue, const struct yk_resvec *size);

/* For a dry run: adds `size` to `nominated` (`sign` 1), or subtracts what an earlier call added (`sign` -1).
 * Does not set `has_nominations`: yk_queue_has_headroom() ignores amounts of a dry run in a queue without
 * other nominations. */
void yk_queue_try_nominated(struct yk_queue *queue, const struct yk_resvec *size, int sign);
/* Adds `delta` (may be negative) to the allocated amounts: an allocation changed its size. The caller then
 * calls yk_quota_preemption_lowered() and, if an amount grew, yk_quota_preemption_raised(). */
void yk_queue_resize_allocated(struct yk_queue *queue, const struct yk_resvec *delta);
/* Adds `delta` (may be negative) to `preempting`: an allocation that was asked to end changed its size. */
void yk_queue_resize_preempting(struct yk_queue *queue, const struct yk_resvec *delta);

/* In the next four functions, the caller initialises the amounts; they are replaced, in base units. */
/* Sets `ret_headroom` to the headroom of this queue alone, in the types of its maximum; negative where the
 * maximum is exceeded. The queue has a maximum. */
void yk_queue_own_headroom(const struct yk_queue *queue, struct yk_resvec *ret_headroom);
/* Sets `ret_headroom` to the smallest headroom, type by type, of `queue` and the queues above it (R26). Types
 * without a maximum are absent. `with_root`: including the root, whose maximum is the capacity of the nodes.
 * False: none of these queues has a maximum, and `ret_headroom` is empty. */
bool yk_queue_headroom(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_headroom);
/* Sets `ret_max` to the smallest maximum, type by type, of `queue` and the queues above it (R24).
 * `with_root`: including the root. False: none of these queues has a maximum, and `ret_max` is empty. */
bool yk_queue_effective_max(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_max);
/* Sets `ret_guaranteed` to the smallest guarantee, type by type, of `queue` and the queues above it; a type
 * that only some of them guarantee is included (R28). False: none of them has a guarantee, and
 * `ret_guaranteed` is empty. */
bool yk_queue_actual_guaranteed(const struct yk_queue *queue, struct yk_resvec *ret_guaranteed);
/* Recomputes fair_max of `queue` alone (R25): the fair_max of its parent, in which the amounts of its own
 * maximum replace those of the same types; for the root, its maximum. If the root has no maximum, no queue
 * has a fair_max (`has_fair_max`). When a maximum changes, the queues below have to be recomputed after it,
 * and then the shares and the order of queues: yk_wake_queue_for_limits() does all of this. */
void yk_queue_update_fair_max(struct yk_queue *queue);

/*
 * Whether one more application may start in `queue` and all queues above it (R35). `counted`: the application
 * is counted in `allocating_accepted` already (`app->allocating_accepted`); the result is then true.
 * `*ret_refusing` (the argument may be NULL) is set to the queue at its maximum that is nearest to the root;
 * NULL if the result is true. Ask for Accepted applications only: others have started. True is not enough to
 * start one: yk_limit_gate_check_start() also checks its user and group.
 */
bool yk_queue_may_start_app(struct yk_queue *queue, bool counted, struct yk_queue **ret_refusing);
/* Whether the maximum of running applications of this queue alone lets one more application start. Those in
 * `allocating_accepted` count as running here. */
bool yk_queue_has_own_slot(const struct yk_queue *queue);
/* Adds `by` (1, 0 or -1) to `running_apps` of `queue` and of every queue above it. After -1 the caller calls
 * yk_wake_for_app_slot(). */
void yk_queue_count_running(struct yk_queue *queue, int by);
/* Adds `by` (1, 0 or -1) to `allocating_accepted` of `queue` and of every queue above it. The caller sets
 * `app->allocating_accepted`. After -1 it calls yk_wake_for_app_slot(), unless it then counts the application
 * as running (yk_queue_count_running()). */
void yk_queue_count_allocating(struct yk_queue *queue, int by);

/* The priority that `queue` has for its parent, if the highest priority below it is `current` (R46):
 * `current` plus the offset of the queue, or the offset alone if its policy is "fence". YK_PRIORITY_NONE
 * stays YK_PRIORITY_NONE. */
int32_t yk_queue_effective_priority(const struct yk_queue *queue, int32_t current);

#endif
