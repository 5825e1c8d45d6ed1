/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: the tree that says who may use how much, and counts who uses what.
 *
 * Owns: its children, limits, usage and the order of what may be tried below it. Applications are linked in
 * by partition/partition.c, which owns them.
 * Thread: scheduling thread only.
 * Invariant: a parent's allocated and pending are the sums of its children's and of its own applications'
 * (docs/design.md, Invariants 1).
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
#include "objects/queue_starts.h"
#include "objects/unclaimed.h"
#include "objects/wait_branch.h"
#include "resources/resvec.h"
#include "security/acl.h"

struct yk_app;
struct yk_queue_waits; /* metrics/wait_histogram.h */

enum yk_object_state { YK_STATE_ACTIVE, YK_STATE_DRAINING, YK_STATE_STOPPED };
/* The name of the state, as REST shows it; static. */
const char *yk_object_state_name(enum yk_object_state state);

#define YK_RECOVERY_QUEUE "@recovery@"

/* Written by: partition. */
struct yk_queue_template {
    bool is_set;
    uint64_t max_apps;
    struct yk_property_set *properties; /* held; of dynamic leaves */
    bool has_guaranteed, has_max;
    struct yk_resvec guaranteed, max;
};

/* Drops the reference to the properties, and frees the amounts. */
void yk_queue_template_done(struct yk_queue_template *queue_template);
/* Copies `from` into `to`, which is zeroed or was emptied by yk_queue_template_done(). Adds a reference to
 * the properties. */
void yk_queue_template_copy(struct yk_queue_template *to, const struct yk_queue_template *from);

/* Of a leaf for one queue on its path. Written by: pending. */
struct yk_capacity_wait {
    struct yk_queue *leaf;
    struct yk_list in_queue;
};

/* The values that order a queue among its siblings in the order of gangs (gangs/gang_order.h).
 * Written by: gangs. */
struct yk_gang_standing {
    uint64_t epoch; /* of the count for which it was computed; 0: none */
    int32_t priority;
    bool is_below_guarantee;
    double share; /* without what incomplete gangs hold */
    int64_t oldest_wall_ns;
};

/* The incomplete gangs below a queue, for the order of gangs (gangs/gang_order.h). Written by: gangs. */
struct yk_queue_gangs {
    uint64_t epoch; /* of the last count that found one; the next three are of that count */
    int32_t priority;
    int64_t oldest_wall_ns;
    struct yk_resvec held;
    struct yk_gang_standing standing;
};

/* Quota preemption of a queue (reservation/quota_preemption.h). Written by: reservation. */
struct yk_queue_quota {
    struct yk_list in_due; /* linked: its delay runs */
    int64_t due_mono_ns;   /* end of the delay */
    bool is_running;
};

/* Attempts to preempt for a leaf (reservation/preempt.h). Written by: reservation. */
struct yk_queue_preempt {
    int64_t since_mono_ns;
    uint32_t attempts; /* since then, without success */
};

/* Victims of a queue and the queues below it (preemption/victim_limits.h). Written by: preemption. */
struct yk_queue_victims {
    int64_t since_mono_ns; /* begin of the minute that is counted */
    uint64_t count;
};

/* Applications that may start, or not (pending/active.h, pending/stateaware.h). Written by: pending. */
struct yk_queue_start {
    struct yk_tree held_apps;     /* struct yk_app: a queue ran its maximum of them at the last attempt */
    struct yk_list in_held;       /* linked: none of held_apps is tried */
    struct yk_list held_leaves;   /* struct yk_queue, by start.in_held: their held_apps wait for this queue */
    struct yk_tree accepted_apps; /* struct yk_app, by start.in_accepted; of a stateaware leaf (O7) */
    struct yk_app *may_start;     /* the application of accepted_apps that may start; NULL: none */
    struct yk_list in_leaves;     /* of the partition, while may_start is set */
};

/* Applications that wait for headroom on the path, and leaves that wait for headroom here
 * (pending/queue_wait.h). Written by: pending. */
struct yk_queue_wait {
    struct yk_tree apps;             /* struct yk_app, by in_active: none of their asks can be tried */
    struct yk_app *next;             /* of `apps`: looked at next; NULL: none */
    struct yk_resvec least;          /* the smallest amount per type that they wait for */
    struct yk_capacity_wait *places; /* owned: one for each queue on the path, by depth */
    struct yk_list leaves;           /* struct yk_capacity_wait, by in_queue */
    uint64_t headroom_sequence;      /* of the root: grows with each release */
};

/* Applications and children that wait for nodes, in order, and the place of this queue among its siblings
 * in that order (pending/wait_order.h). Written by: pending. */
struct yk_queue_waiting {
    struct yk_tree apps, children;
    struct yk_wait_branch branch;
};

/* What was reported about the queue. Written by: report. */
struct yk_queue_report {
    struct yk_list in_skipped;      /* of the partition: its wait.apps wait for another queue now */
    struct yk_queue *refused_by;    /* the queue without headroom at the last attempt; compared only */
    struct yk_unclaimed *unclaimed; /* owned: rest of its maximum (report/unclaimed.h); NULL: not computed */
    struct yk_queue_waits *waits;   /* owned; NULL: none (report/wait_metrics.h) */
    struct yk_queue_starts starts;  /* of a leaf (report/drain.h) */
};

/* Reservations and nominations for a leaf. Written by: reservation. */
struct yk_queue_reservation {
    uint64_t leaf_scan;              /* the last count in which it was seen (make_reservation.c) */
    struct yk_list nominated_groups; /* struct yk_group, by reservation.in_nominated */
    struct yk_list in_nominated;     /* of the partition, while there are such groups */
};

/* Removal, draining and protection of a queue. Written by: partition. */
struct yk_queue_housekeeping {
    struct yk_list in_due;         /* of the cleaner's list */
    struct yk_list in_draining;    /* of the list of those that drain */
    int64_t draining_told_mono_ns; /* time of the last report that it drains, or of the begin */
    int64_t fell_below_wall_ns; /* when the end of an allocation last left it below its guarantee; 0: never */
};

/* Owned: quotas of the namespace of a dynamic leaf while they name types that no node and no ask has
 * (partition/dynamic_queue_limits.h). Written by: partition. */
struct yk_queue_type_wait {
    char *namespace_max, *namespace_guaranteed;
    struct yk_list in_type_waits;
};

struct yk_queue {
    /*
     * The fields that a decision reads come first, in as few cache lines as possible: with thousands of
     * queues most of these lines are not in the cache. The order among siblings is the first part.
     */
    YK_OWNED_BY(pending) struct {
        struct yk_tree_link in_active; /* of the parent */
        double share;                  /* fair share in use (M20) */
        bool is_below_guarantee;       /* in each guaranteed type, of which some is pending (O8) */
        int32_t priority; /* effective, of what is pending below (R46); YK_PRIORITY_NONE: nothing */
    };
    YK_OWNED_BY(objects) struct {
        double pending_sum;      /* grows with `pending` in every type: breaks ties */
        uint32_t depth;          /* root: 0 */
        struct yk_queue *parent; /* NULL for the root; owns us */
        char *path;              /* owned: "root.a.b" */
        bool has_fair_max;
        bool has_nominations;         /* some of `nominated` */
        uint32_t running_apps;        /* in this branch */
        uint32_t allocating_accepted; /* Accepted applications in this branch that have an allocation */
    };
    YK_OWNED_BY(partition) struct {
        uint64_t served; /* sequence of its last decision: least recently served first */
        enum yk_object_state state;
        bool managed; /* in the configuration; false: made by a placement rule */
        bool is_leaf;
        bool has_max, has_guaranteed;
        uint64_t max_apps;                 /* 0: unlimited */
        struct yk_queue_settings settings; /* typed, from `properties` */
        uint64_t containers_allocated, containers_released;
    };
    /* Queues and applications below that may be tried. */
    YK_OWNED_BY(pending) struct {
        struct yk_priority_count priorities; /* of applications and of children */
        struct yk_tree active_children;      /* struct yk_queue, by in_active */
        struct yk_tree active_apps;          /* struct yk_app, by in_active */
        struct yk_limit_hold hold;           /* of its maximum (pending/limit_hold.h) */
    };
    YK_OWNED_BY(pending) struct yk_queue_waiting waiting;
    YK_OWNED_BY(pending) struct yk_queue_wait wait;   /* Read by: report, scheduler. */
    YK_OWNED_BY(pending) struct yk_queue_start start; /* Read by: report, scheduler. */
    /* Each vector begins a cache line, which holds the resource types that most asks use. Changed by functions
     * of this header. */
    YK_OWNED_BY(objects) struct {
        _Alignas(YK_LINE_BYTES) struct yk_resvec allocated;
        struct yk_resvec pending;
        struct yk_resvec preempting; /* of `allocated`: its end was asked for (reservation/victims.h) */
        struct yk_resvec nominated;  /* to asks that wait for victims (reservation/nomination.h) */
        struct yk_resvec fair_max;   /* R25; has_fair_max */
    };
    /* Replaced on a configuration reload. */
    YK_OWNED_BY(partition) struct {
        struct yk_resvec max, guaranteed;   /* meaningful where has_...; root's max is the sum of the nodes */
        int64_t state_wall_ns;              /* since when it is in `state` */
        struct yk_property_set *properties; /* effective; held */
        struct yk_acl submit_acl, admin_acl;
        struct yk_queue_template child_template; /* effective for dynamic leaves below (T2) */
        bool own_template;
        struct yk_list apps; /* struct yk_app, by in_leaf */
        uint32_t app_count;
        uint64_t apps_joined;                       /* total */
        uint64_t apps_by_state[YK_APP_STATE_COUNT]; /* number in the state now; for final states, the total */
    };
    YK_OWNED_BY(limits) struct {
        struct yk_limit_list *limits; /* owned: of users and groups; NULL: none. Set by limits/apply.h only */
        struct yk_list usages;        /* struct yk_usage, by in_queue: usage of each user and group here */
    };
    YK_OWNED_BY(objects) struct {
        char *name;                /* owned, lower case; fixed for life */
        struct yk_strmap children; /* name -> struct yk_queue, owned */
        struct yk_list child_list; /* struct yk_queue, by in_children, by creation */
        struct yk_list in_children;
        /* Metrics. */
        uint32_t allocated_types, pending_types; /* dense types ever counted (yk_resvec_dense_types()) */
        uint64_t pending_asks[YK_PENDING_COUNT]; /* of a leaf (objects/pending_count.h) */
        uint8_t pending_seen;                    /* a bit for each of them that was ever above 0 */
    };
    YK_OWNED_BY(report) struct {
        uint64_t preempted_for[4]; /* victims by kind, for asks here (report/preemption_log.h) */
        uint64_t evicted[4];       /* victims by kind, of applications here (likewise) */
        uint32_t apps_by_reason[YK_REASON_COUNT]; /* applications that wait, by reason */
    };
    YK_OWNED_BY(report) struct yk_queue_report report; /* Read by: web. */
    YK_OWNED_BY(gangs) struct yk_queue_gangs gangs;
    YK_OWNED_BY(reservation) struct yk_queue_reservation reservation; /* Read by: pending. */
    YK_OWNED_BY(reservation) struct yk_queue_quota quota;             /* Read by: web. */
    YK_OWNED_BY(reservation) struct yk_queue_preempt preempt;
    YK_OWNED_BY(preemption) struct yk_queue_victims ended;
    YK_OWNED_BY(partition) struct yk_queue_housekeeping housekeeping; /* Read by: reservation. */
    YK_OWNED_BY(partition) struct yk_queue_type_wait type_wait;       /* Read by: web. */
};

/* Makes a queue below `parent` (NULL: a root queue), in state Active and without limits. The parent owns it;
 * the caller owns a root. `name` is copied in lower case; the parent has no child of that name. `managed`:
 * it is in the configuration. */
struct yk_queue *yk_queue_new(struct yk_queue *parent, struct yk_str name, bool is_leaf, bool managed,
                              int64_t now_wall_ns);
/* Removes the queue from its parent and frees it with all queues below, which have no application. NULL is
 * fine. */
void yk_queue_free(struct yk_queue *queue);
YK_DEFINE_FREEP(yk_queue)

/* The queue of that full path ("root.a"; ASCII letters in any case), or NULL. Borrowed from the tree. */
struct yk_queue *yk_queue_find(struct yk_queue *root, struct yk_str path);
/* The child of that name in lower case, or NULL. O(1). */
struct yk_queue *yk_queue_child(const struct yk_queue *parent, struct yk_str name);
/* The deepest queue on `path` that exists. `*ret_rest`: the missing rest of the path, borrowed from `path`;
 * empty if the whole path exists. */
struct yk_queue *yk_queue_find_deepest(struct yk_queue *root, struct yk_str path, struct yk_str *ret_rest);
/* Whether it is the queue of applications that are restored and have no other (R8). */
bool yk_queue_is_recovery(const struct yk_queue *queue);
/* Whether the queue drains, or a queue above it does (R20). */
bool yk_queue_is_draining(const struct yk_queue *queue);
/* The next queue of the branch below `top`, depth first, parents before children; start with `queue` = top.
 * NULL at the end. */
struct yk_queue *yk_queue_next(const struct yk_queue *queue, const struct yk_queue *top);

/* The nearest queue of the same tree that has both below it, or is one of them. O(depth). */
const struct yk_queue *yk_queue_above_both(const struct yk_queue *a, const struct yk_queue *b);

/* Whether the user may submit to the queue: submit or admin ACL here or on any ancestor (A5). */
bool yk_queue_may_submit(const struct yk_queue *queue, const char *user, const char *const *groups,
                         size_t group_count);

/* Whether the user administers the queue: admin ACL here or on any ancestor (A5, A8). */
bool yk_queue_may_administer(const struct yk_queue *queue, const char *user, const char *const *groups,
                             size_t group_count);

/*
 * Whether `size` fits into the headroom of the queues on the path. The root is left out, because its maximum
 * is the capacity of the nodes, which are asked themselves. If false, `*ret_refusing` (may be NULL) is the
 * queue without headroom that is nearest to the root. O(depth * types).
 */
bool yk_queue_has_headroom(struct yk_queue *queue, const struct yk_resvec *size,
                           struct yk_queue **ret_refusing);
/* Like yk_queue_has_headroom(), for an ask whose own nomination holds `own` of the nominated amounts of
 * these queues: `own` counts as free. */
bool yk_queue_has_headroom_for(struct yk_queue *queue, const struct yk_resvec *size,
                               const struct yk_resvec *own, struct yk_queue **ret_refusing);
/* Whether every maximum on the path, the root's apart, allows the size when nothing else is used.
 * O(depth). */
bool yk_queue_allows(const struct yk_queue *queue, const struct yk_resvec *size);
/* Adds `size` to the allocated amounts of `queue` and of every queue above it. Like the other functions that
 * change amounts, it does not check limits (R30). */
void yk_queue_add_allocated(struct yk_queue *queue, const struct yk_resvec *size);
/* Takes back what yk_queue_add_allocated() added. */
void yk_queue_sub_allocated(struct yk_queue *queue, const struct yk_resvec *size);
/* Adds `size` to the pending amounts of `queue` and of every queue above it. */
void yk_queue_add_pending(struct yk_queue *queue, const struct yk_resvec *size);
/* Takes back what yk_queue_add_pending() added. */
void yk_queue_sub_pending(struct yk_queue *queue, const struct yk_resvec *size);
/* Adds `size` to `preempting` of `queue` and of every queue above it: an allocation was asked to end. */
void yk_queue_add_preempting(struct yk_queue *queue, const struct yk_resvec *size);
/* Takes back what yk_queue_add_preempting() added. */
void yk_queue_sub_preempting(struct yk_queue *queue, const struct yk_resvec *size);
/*
 * Holds `size` on the whole path for an ask that waits for victims. The headroom of other asks is then
 * max - max(allocated, allocated - preempting + nominated).
 */
void yk_queue_add_nominated(struct yk_queue *queue, const struct yk_resvec *size);
/* Takes back what yk_queue_add_nominated() added. */
void yk_queue_sub_nominated(struct yk_queue *queue, const struct yk_resvec *size);

/* For a dry run: adds `size` (`sign` 1) or takes it back (-1). The headroom functions ignore what a dry run
 * holds. */
void yk_queue_try_nominated(struct yk_queue *queue, const struct yk_resvec *size, int sign);
/* Adds `delta` (may be negative) to the allocated amounts of `queue` and of every queue above it: an
 * allocation changed its size. */
void yk_queue_resize_allocated(struct yk_queue *queue, const struct yk_resvec *delta);
/* Adds `delta` to `preempting` on the same path, for an allocation that was asked to end. */
void yk_queue_resize_preempting(struct yk_queue *queue, const struct yk_resvec *delta);

/* Sets `ret_headroom` (initialised) to the headroom of this queue alone, in the types of its maximum;
 * negative where it is exceeded. The queue has a maximum. */
void yk_queue_own_headroom(const struct yk_queue *queue, struct yk_resvec *ret_headroom);
/* Sets `ret_headroom` to the headroom over the path (R26); types without a maximum are absent. `with_root`:
 * including the root, whose maximum is the capacity of the nodes. False: no queue has a maximum, and
 * `ret_headroom` is empty. */
bool yk_queue_headroom(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_headroom);
/* Sets `ret_max` to the effective maximum over the path (R24); `with_root`: including the root. False: no
 * queue has a maximum, and `ret_max` is empty. */
bool yk_queue_effective_max(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_max);
/* Sets `ret_guaranteed` to the guarantee of the queue, limited by that of each ancestor (R28). False: nothing
 * is guaranteed, and `ret_guaranteed` is empty. */
bool yk_queue_actual_guaranteed(const struct yk_queue *queue, struct yk_resvec *ret_guaranteed);
/* Recomputes fair_max of `queue` from its parent's (R25). */
void yk_queue_update_fair_max(struct yk_queue *queue);

/*
 * Whether one more application may start in this queue and those above (R35). `counted`: the application is
 * counted in `allocating_accepted` already. If false, `*ret_refusing` is the queue at its maximum.
 */
bool yk_queue_may_start_app(struct yk_queue *queue, bool counted, struct yk_queue **ret_refusing);
/* Whether this queue alone lets one more application start. */
bool yk_queue_has_own_slot(const struct yk_queue *queue);
/* Counts `by` (1 or -1) running applications more on the whole path. */
void yk_queue_count_running(struct yk_queue *queue, int by);
/* Counts `by` (1 or -1) Accepted applications with allocations more on the whole path. */
void yk_queue_count_allocating(struct yk_queue *queue, int by);

/* The priority that the parent sees of `queue` when the highest priority below it is `current` (R46). */
int32_t yk_queue_effective_priority(const struct yk_queue *queue, int32_t current);

#endif
