/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: the tree that says who may use how much, and counts who uses what.
 *
 * Owns:      its children, limits, usage and the order of what may be tried below it. Applications are linked
 * in by partition/partition.c, which owns them. Thread:    scheduling thread only. Invariant: a parent's
 * allocated and pending are the sums of its children's and of its own applications' (docs/design.md,
 * Invariants 1). Source:    docs/reference/queues.md, section 4.
 */
#ifndef YK_OBJECTS_QUEUE_H
#define YK_OBJECTS_QUEUE_H

#include "base/list.h"
#include "base/map.h"
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
const char *yk_object_state_name(enum yk_object_state state);

#define YK_RECOVERY_QUEUE "@recovery@"

struct yk_queue_template {
    bool is_set;
    uint64_t max_apps;
    struct yk_property_set *properties; /* held; of dynamic leaves */
    bool has_guaranteed, has_max;
    struct yk_resvec guaranteed, max;
};

/* Puts the properties, and frees the amounts. */
void yk_queue_template_done(struct yk_queue_template *queue_template);
/* `to` is initialised; its old properties are not put. */
void yk_queue_template_copy(struct yk_queue_template *to, const struct yk_queue_template *from);

struct yk_capacity_wait { /* of a leaf for one queue on its path */
    struct yk_queue *leaf;
    struct yk_list in_queue;
};

/* Of a queue among its siblings, in the order of gangs (gangs/gang_order.h). */
struct yk_gang_standing {
    uint64_t epoch; /* of the count for which it was computed; 0: none */
    int32_t priority;
    bool is_below_guarantee;
    double share; /* without what incomplete gangs hold */
    int64_t oldest_wall_ns;
};

/* The incomplete gangs below a queue, for the order of gangs (gangs/gang_order.h). Owner: core/gangs. */
struct yk_queue_gangs {
    uint64_t epoch; /* of the last count that found one; the next three are of that count */
    int32_t priority;
    int64_t oldest_wall_ns;
    struct yk_resvec held;
    struct yk_gang_standing standing;
};

/* Quota preemption of a queue (reservation/quota_preemption.h). Owner: core/reservation. */
struct yk_queue_quota {
    struct yk_list in_due; /* linked: its delay runs */
    int64_t due_mono_ns;   /* end of the delay */
    bool is_running;
};

/* Attempts to preempt for a leaf (reservation/preempt.h). Owner: core/reservation. */
struct yk_queue_preempt {
    int64_t since_mono_ns;
    uint32_t attempts; /* since then, without success */
};

/* Victims of a queue and the queues below it, for preemption.budget (preemption/victim_limits.h). Owner:
 * core/preemption. */
struct yk_queue_victims {
    int64_t since_mono_ns; /* begin of the minute that is counted */
    uint64_t count;
};

struct yk_queue {
    /*
     * What a decision touches comes first, in as few cache lines as possible: with thousands of queues each
     * line is one that has to be waited for. First the order among siblings.
     */
    struct yk_tree_link in_active; /* of the parent */
    double share;                  /* fair share in use (M20) */
    bool is_below_guarantee;       /* in each guaranteed type, of which some is pending (O8) */
    uint64_t served;               /* sequence of its last decision: least recently served first */
    double pending_sum;            /* grows with `pending` in every type: breaks ties */
    int32_t priority;              /* effective, of what is pending below (R46); YK_PRIORITY_NONE: nothing */
    uint32_t depth;                /* root: 0 */
    struct yk_queue *parent;       /* NULL for the root; owns us */
    char *path;                    /* owned: "root.a.b" */
    enum yk_object_state state;
    bool managed; /* in the configuration; else made by a placement rule */
    bool is_leaf;
    bool has_max, has_guaranteed, has_fair_max;
    bool has_nominations;                /* some of `promised` */
    uint32_t running_apps;               /* in this branch */
    uint32_t allocating_accepted;        /* Accepted applications in this branch that already got something */
    uint64_t max_apps;                   /* 0: unlimited */
    struct yk_priority_count priorities; /* of applications and of children */
    struct yk_queue_settings settings;   /* typed, from `properties` */
    uint64_t containers_allocated, containers_released;
    /* What may be tried below. */
    struct yk_tree active_children; /* struct yk_queue, by in_active */
    struct yk_tree active_apps;     /* struct yk_app, by in_active */
    struct yk_tree held_apps;       /* the same: those for whom a queue ran its maximum at the last attempt */
    struct yk_list in_held;         /* linked: none of our held_apps is tried */
    struct yk_app *waiting_next;    /* of queue_wait_apps: to be looked at next; NULL: none */
    /* What waits for nodes, in order (pending/wait_order.h): applications here, children, and the queue's
     * own place among its siblings. */
    struct yk_tree waiting_apps, waiting_children;
    struct yk_wait_branch waiting;
    struct yk_app *may_start;          /* of accepted_apps: the one that is let through */
    struct yk_list in_leaves_to_start; /* of the partition, while may_start is set */
    /* Each begins a line: what most things ask for is in it. */
    _Alignas(YK_LINE_BYTES) struct yk_resvec allocated;
    struct yk_resvec pending;
    struct yk_resvec fair_max;        /* R25; has_fair_max */
    struct yk_resvec max, guaranteed; /* meaningful where has_...; root's max is the sum of the nodes */
    struct yk_resvec preempting;      /* of `allocated`: its end was asked for (reservation/victims.h) */
    struct yk_resvec nominated;       /* to asks that wait for victims (reservation/nomination.h) */
    /* Fixed for life. */
    char *name; /* owned, lower case */
    /* Replaced on a configuration reload. */
    int64_t state_wall_ns;              /* since when it is in `state` */
    struct yk_property_set *properties; /* effective; held */
    struct yk_acl submit_acl, admin_acl;
    struct yk_limit_list *limits; /* owned: of users and groups; NULL: none. Set by limits/apply.h only */
    struct yk_queue_template child_template; /* effective for dynamic leaves below (T2) */
    bool own_template;
    /* What waits here: applications that lack room on the path, and leaves that wait for room here
     * (pending/queue_wait.h). */
    struct yk_tree queue_wait_apps;          /* struct yk_app, by in_active: nothing of them can be tried */
    struct yk_resvec waiting_least;          /* fits into every size that queue_wait_apps wait for */
    struct yk_capacity_wait *capacity_waits; /* owned: one for each queue on the path, by depth */
    struct yk_queue *refused_by;             /* the queue that had no room for it last; compared only */
    struct yk_queue_gangs gangs;
    uint64_t leaf_scan; /* of a leaf: the last count in which it was seen (reservation/make_reservation.c) */
    struct yk_list in_skipped; /* of the partition: what its queue_wait_apps wait for is another queue now */
    struct yk_unclaimed *unclaimed;  /* owned: of its maximum (report/unclaimed.h); NULL: nothing so far */
    struct yk_limit_hold hold;       /* of its maximum (pending/limit_hold.h) */
    struct yk_list waiting_leaves;   /* struct yk_capacity_wait, by in_queue */
    struct yk_list nominated_groups; /* struct yk_group, by in_nominated: of a leaf */
    uint64_t headroom_sequence;      /* of the root: grows with each release */
    struct yk_list held_leaves;      /* struct yk_queue, by in_held: their held_apps wait for this queue */
    struct yk_list usages;           /* struct yk_usage, by in_queue: what each user and group has here */
    struct yk_tree accepted_apps;    /* struct yk_app, by in_accepted; of a stateaware leaf (O7) */
    /* Members. */
    struct yk_strmap children; /* name -> struct yk_queue, owned */
    struct yk_list child_list; /* struct yk_queue, by in_children, by creation */
    struct yk_list in_children;
    struct yk_list apps; /* struct yk_app, by in_leaf */
    uint32_t app_count;
    /* Housekeeping and metrics. */
    struct yk_list in_due;         /* of the cleaner's list */
    struct yk_list in_draining;    /* of the list of those that drain */
    int64_t draining_told_mono_ns; /* when that was last said, or when it began */
    struct yk_queue_quota quota;
    struct yk_queue_preempt preempt;
    struct yk_queue_victims ended;
    int64_t fell_below_wall_ns; /* when an allocation that ended last left it below its guarantee; 0: never */
    /* Owned: quotas of the namespace of a dynamic leaf, while they name types that no node and no pod has. */
    char *namespace_max, *namespace_guaranteed;
    struct yk_list in_type_waits;
    uint64_t apps_by_state[YK_APP_STATE_COUNT]; /* now in the state; ended ones only grow */
    uint32_t allocated_types,
        pending_types;    /* dense types ever counted there (yk_resvec_dense_types()); for metrics */
    uint64_t apps_joined; /* ever */
    uint64_t pending_asks[YK_PENDING_COUNT];  /* of a leaf (objects/pending_count.h) */
    uint8_t pending_seen;                     /* of these: a bit for each that ever was above 0 */
    uint64_t preempted_for[4];                /* victims by kind, for asks here (report/preemption_log.h) */
    struct yk_queue_waits *waits;             /* owned; NULL: nothing so far (report/wait_metrics.h) */
    uint32_t apps_by_reason[YK_REASON_COUNT]; /* applications that wait, by reason */
    struct yk_queue_starts starts;            /* of a leaf (report/drain.h) */
};

/* A queue below `parent` (NULL: a root), Active, without limits. The parent owns it. Name is lower-cased. */
struct yk_queue *yk_queue_new(struct yk_queue *parent, struct yk_str name, bool is_leaf, bool managed,
                              int64_t now_wall_ns);
/* Removes the queue from its parent and frees it with all queues below, which have no application. NULL is
 * fine. */
void yk_queue_free(struct yk_queue *queue);
YK_DEFINE_FREEP(yk_queue)

/* The queue of that full path ("root.a"), any case, or NULL. */
struct yk_queue *yk_queue_find(struct yk_queue *root, struct yk_str path);
struct yk_queue *yk_queue_child(const struct yk_queue *parent, struct yk_str name);
/* The deepest queue that exists on `path`; `*ret_rest` is what is missing below it, NULL/0 if nothing. */
struct yk_queue *yk_queue_find_deepest(struct yk_queue *root, struct yk_str path, struct yk_str *ret_rest);
bool yk_queue_is_recovery(const struct yk_queue *queue);
/* Draining itself or below a draining one (R20). */
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
 * Whether `size` fits into what the queues on the path leave free, the root excluded: whether the nodes have
 * capacity is asked of the nodes. `*ret_refusing` (may be NULL) is then the queue nearest to the root without
 * room. O(depth * types).
 */
bool yk_queue_has_headroom(struct yk_queue *queue, const struct yk_resvec *size,
                           struct yk_queue **ret_refusing);
/* The same for one to whom `own` of what is promised there belongs. */
bool yk_queue_has_headroom_for(struct yk_queue *queue, const struct yk_resvec *size,
                               const struct yk_resvec *own, struct yk_queue **ret_refusing);
/* Whether every maximum on the path, the root's apart, allows the size when nothing else is used. O(depth).
 */
bool yk_queue_allows(const struct yk_queue *queue, const struct yk_resvec *size);
/* Books on the whole path, never asking for room (R30). */
void yk_queue_add_allocated(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_sub_allocated(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_add_pending(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_sub_pending(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_add_preempting(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_sub_preempting(struct yk_queue *queue, const struct yk_resvec *size);
/*
 * Holds `size` on the whole path for an ask, of what is free now and of what is being preempted: for others
 * the room is max - max(allocated, allocated - preempting + promised).
 */
void yk_queue_add_nominated(struct yk_queue *queue, const struct yk_resvec *size);
void yk_queue_sub_nominated(struct yk_queue *queue, const struct yk_resvec *size);

/* What this very queue's maximum leaves free, of its types; it has one. */
void yk_queue_own_headroom(const struct yk_queue *queue, struct yk_resvec *ret_headroom);
/* R26: what the path leaves free; types in no maximum are absent. False: unlimited. */
bool yk_queue_headroom(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_headroom);
/* R24: the maximum over the path without the root. False: none. */
bool yk_queue_effective_max(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_max);
/* R28: what the path really guarantees: no more than each ancestor does. False: nothing. */
bool yk_queue_actual_guaranteed(const struct yk_queue *queue, struct yk_resvec *ret_guaranteed);
/* Recomputes fair_max of `queue` from its parent's (R25). */
void yk_queue_update_fair_max(struct yk_queue *queue);

/*
 * R35: whether one more application may start below; `*ret_refusing` is the queue at its maximum.
 * `counted` says the application is among the allocating accepted ones already.
 */
bool yk_queue_may_start_app(struct yk_queue *queue, bool counted, struct yk_queue **ret_refusing);
/* Whether this very queue lets one more application start. */
bool yk_queue_has_own_slot(const struct yk_queue *queue);
void yk_queue_count_running(struct yk_queue *queue, int by);
void yk_queue_count_allocating(struct yk_queue *queue, int by);

/* R46: the priority that a parent sees for what has `current` below `queue`. */
int32_t yk_queue_effective_priority(const struct yk_queue *queue, int32_t current);

#endif
