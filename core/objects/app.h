/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications: asks and allocations that are ordered, counted and limited together.
 *
 * Owns: an application owns its asks (pending or allocated) and their groups.
 * Thread: scheduling thread only.
 * Invariant: allocated (placeholders apart) and pending are the sums over its asks (docs/design.md,
 * Invariants 1).
 * Source: docs/reference/scheduling.md 2.1 to 2.6.
 */
#ifndef YK_OBJECTS_APP_H
#define YK_OBJECTS_APP_H

#include "base/owner.h"
#include "base/text_set.h"
#include "base/timer.h"
#include "objects/app_history.h"
#include "objects/app_state.h"
#include "objects/ask.h"
#include "objects/gang.h"
#include "objects/limit_waits.h"
#include "objects/pending_count.h"
#include "objects/queue.h"
#include "objects/timeline.h"

struct yk_partition;
struct yk_usage; /* limits/usage.h */

enum { YK_APP_STATE_LOG_MAX = 64 };

/* One entry of the state log. Written by: objects. */
struct yk_app_state_entry {
    int64_t wall_ns; /* time of the change */
    enum yk_app_state state;
};

/* What keeps the application from starting, apart from nodes (pending/limit_gate.h, pending/stateaware.h).
 * Written by: pending. */
struct yk_app_start {
    /* At the last attempt to start it, a queue ran its maximum number of applications. */
    bool held;
    /* What the last events about its start said (R38): a queue, or its user or group, runs its maximum number
     * of applications. */
    bool held_by_queue, held_by_quota;
    /* Links in gate->gated_apps and gate->gated while `gate` is set. */
    struct yk_list in_gated;
    struct yk_tree_link in_gate;
    struct yk_usage *gate; /* of the user or group whose maximum keeps it from starting; NULL: none does */
    struct yk_tree_link in_accepted; /* in leaf->start.accepted_apps while it waits to start (stateaware) */
    /* In the partition's pending.impossible_apps: with the present nodes and maxima it can never start, so
     * its stateaware leaf skips it. */
    struct yk_list in_impossible;
};

/* What the asks of the application wait for (pending/wait_order.h, pending/queue_wait.h,
 * pending/limit_wait.h). Written by: pending. */
struct yk_app_wait {
    struct yk_tree groups;        /* struct yk_group, by waiting.branch: those that wait for nodes */
    struct yk_wait_branch branch; /* its place in leaf->waiting.apps */
    bool may_wait;                /* nothing but nodes keeps the application from being tried */
    bool for_queue;               /* none of its asks can be tried before a queue has more headroom */
    uint32_t queue_groups;        /* number of its groups that wait for headroom of a queue */
    /* The root's headroom_sequence at the last check of the groups that wait for headroom. */
    uint64_t headroom_seen;
    struct yk_limit_waits *limits; /* owned: its waits for limits; NULL: none */
};

/* Pauses after failed attempts to find nodes (pending/backoff.h). Written by: pending. */
struct yk_app_backoff {
    uint64_t unplaced;     /* asks for which no node was found since the last success or pause (O6) */
    struct yk_timer pause; /* while armed, no ask of the application is tried */
};

/* What was reported about the application (report/outstanding.h, wait_metrics.h, timeline.h).
 * Written by: report. */
struct yk_app_report {
    /* In the partition's outstanding.apps: the limits that its asks wait for may have to be reported. */
    struct yk_list in_skipped;
    struct yk_queue *wait_leaf;   /* the leaf that counts it in apps_by_reason; NULL: none */
    uint8_t wait_reason;          /* enum yk_si_reason under which `wait_leaf` counts it */
    bool was_running;             /* its time until Running is in the metrics already */
    bool is_outdated;             /* `wait_reason` may be that of asks that no longer wait */
    struct yk_timeline *timeline; /* owned; NULL: no entries */
    /* Owned: starts of its asks, and those of its asks that its leaf counts as added (report/drain.h); NULL:
     * none so far. */
    struct yk_starts *starts, *added;
};

/* The pending asks of the application (objects/pending_count.h). Written by: objects. */
struct yk_app_pending_count {
    uint32_t asks[YK_PENDING_COUNT]; /* index: enum yk_pending_status that follows from the group's wait */
    bool in_leaf;                    /* the leaf counts these asks in its pending_asks, too */
};

/* Why the application was rejected, as far as users can do different things about it. */
enum yk_app_rejection {
    YK_APP_REJECTION_PLACE = 0, /* no queue takes it; also while it is not rejected */
    YK_APP_REJECTION_GANG_SIZE, /* its gang is larger than a maximum of the queue or of a queue above */
    YK_APP_REJECTION_NO_GANGS,  /* the policy of the queue takes no gangs */
};

/* The states and the end of the application (partition/lifecycle.h). Written by: partition. */
struct yk_app_life {
    bool removing;              /* being removed: it does not complete */
    enum yk_si_failure failure; /* the reason, set when it fails or its gang times out */
    enum yk_app_rejection rejection;
    bool is_superseded;            /* rejected, and a later application of that id was accepted */
    struct yk_timer timer;         /* for the next change of its state */
    char *message;                 /* owned; why it was rejected or failed; NULL: not known, or neither */
    int64_t start_wall_ns;         /* first time Starting or Running; 0: never */
    int64_t finish_wall_ns;        /* when it ended or was rejected; 0: not yet */
    struct yk_list in_ended;       /* in the partition's `completed` or `rejected` */
    struct yk_app_history history; /* of ended allocations, until the application ends */
};

/* The user and the group that the application counts for (limits/usage.h). Written by: limits. */
struct yk_app_limit {
    struct yk_usage *user; /* usage of its user in `leaf`; NULL while `leaf` is NULL */
    /* Usage in `leaf` of the group that it counts for (L8); NULL: none, or not chosen. */
    struct yk_usage *group;
    bool group_chosen;                /* the group was chosen, or it is known that there is none */
    bool counted;                     /* it counts as a running application of its user and group (L10) */
    struct yk_list in_user, in_group; /* in the lists of applications of `user` and `group` */
};

struct yk_app {
    /* The fields that a decision reads come first, as in struct yk_queue. This part has the place of the
     * application in the order of its leaf. */
    YK_OWNED_BY(pending) struct {
        /* Unlinked, or in one tree of the leaf: in start.held_apps if `start.held`, in wait.apps if
         * `wait.for_queue`, else in active_apps. */
        struct yk_tree_link in_active;
        /* Highest priority of its pending groups for which yk_group_lends_priority() holds; YK_PRIORITY_NONE:
         * there is none. */
        int32_t priority;
    };
    YK_OWNED_BY(objects) struct {
        int shares_max;  /* number of elements that `shares` has memory for */
        int share_count; /* number of elements in use */
        double *shares;  /* owned; usage ratios, ascending; only for the policy fair (O5) */
        /* Submission time, or the creation time of its oldest ask if that is earlier. */
        int64_t submit_wall_ns;
        char *id;              /* owned */
        struct yk_queue *leaf; /* NULL before it was placed and after it ended */
    };
    YK_OWNED_BY(partition) struct {
        struct yk_partition *partition;
        enum yk_app_state state;
        bool allocating_accepted;                     /* counted in yk_queue.allocating_accepted */
        uint32_t allocation_count, placeholder_count; /* allocations; placeholders among them */
    };
    YK_OWNED_BY(limits) struct yk_app_limit limit; /* Read by: all. */
    /* The asks of the application in the order of the cycle. */
    YK_OWNED_BY(pending) struct {
        struct yk_tree pending_groups; /* struct yk_group, by in_pending: all with pending asks */
        struct yk_tree active_groups;  /* struct yk_group, by in_active: those that may be tried */
    };
    YK_OWNED_BY(pending) struct yk_app_wait wait;       /* Read by: report, scheduler, state. */
    YK_OWNED_BY(pending) struct yk_app_start start;     /* Read by: partition, report, scheduler. */
    YK_OWNED_BY(pending) struct yk_app_backoff backoff; /* Read by: report, web. */
    YK_OWNED_BY(gangs) struct {
        /* Number of its asks that are in a handover (gangs/handover.h). */
        uint32_t handed_over;
    };
    YK_OWNED_BY(objects) struct yk_app_pending_count pending_count; /* Read by: report, web. */
    YK_OWNED_BY(partition) struct {
        /* While it is in a leaf: its index in apps_by_number of the partition, the smallest that was free. */
        uint32_t number;
    };
    YK_OWNED_BY(partition) struct {
        /* Amounts in base units. `allocated` is without placeholders. `max_used`: for each type, the most
         * that `allocated` or `allocated_placeholder` has been so far. */
        _Alignas(YK_LINE_BYTES) struct yk_resvec allocated;
        struct yk_resvec pending, max_used, allocated_placeholder;
        /* Asks. */
        struct yk_text_set asks;     /* struct yk_ask by its key, owned */
        struct yk_group *last_group; /* the group that an ask joined last; NULL: none, or it was freed */
        struct yk_gang *gang;        /* owned; NULL: none of its asks names a task group */
        char *queue_path;            /* owned: of the leaf, kept after the end */
        struct yk_list in_leaf;      /* in leaf->apps */
    };
    YK_OWNED_BY(partition) struct yk_app_life life;  /* Read by: report, web. */
    YK_OWNED_BY(report) struct yk_app_report report; /* Read by: web. */
    /* Fixed for life, or changed by functions of this header. */
    YK_OWNED_BY(objects) struct {
        struct yk_idmap groups_by_shape; /* hash of a struct yk_group_key -> struct yk_group, owned */
        bool forced;                     /* tag application.create.force */
        char *user;                      /* owned */
        char **groups;                   /* owned, in order */
        size_t group_count;
        struct yk_tags tags;
        void *cookie;                         /* of the resource manager; the core does not dereference it */
        char *submitted_queue;                /* owned: the queue as submitted; "": none */
        struct yk_app_state_entry *state_log; /* owned; oldest first */
        uint32_t state_log_count;
    };
};

/* Makes an application in state New, in no queue and no partition. Texts and tags are copied; `from->cookie`
 * is stored. `from->partition`, `from->ugi` and the fields of the gang are not used: the caller sets
 * `partition` and, for a gang, `gang` (yk_gang_new()), and counts the application as New. `user` NULL is "".
 * `groups`: the `group_count` groups of the user, in their order, copied; may be NULL if `group_count` is 0.
 * `now_wall_ns`: its submission time. The caller frees the application with yk_app_free(). */
struct yk_app *yk_app_new(const struct yk_si_new_app *from, const char *user, const char *const *groups,
                          size_t group_count, int64_t now_wall_ns);
/* Frees the application with its gang (yk_gang_free()). It has no asks, no groups, no leaf and no armed timer
 * (`life.timer`, `backoff.pause`), and is in no list or tree. NULL is fine. */
void yk_app_free(struct yk_app *app);
YK_DEFINE_FREEP(yk_app)

/* Frees the memory of the maps of asks and groups that are empty, and the counts of starts; all can be used
 * again. Meant for ended applications, which are kept for days. */
void yk_app_shrink(struct yk_app *app);

/* The ask or allocation with that key, or NULL. Borrowed from the application until the ask ends. O(1). */
struct yk_ask *yk_app_find_ask(const struct yk_app *app, struct yk_str key);
/* What the asks of a group have in common. Written by: the caller. */
struct yk_group_key {
    struct yk_shape *shape; /* from yk_shape_get() */
    int32_t priority;
    struct yk_task_group *task_group; /* from yk_app_task_group() of the same application; NULL: none */
    bool placeholders;                /* the asks are placeholders */
    const char *required_node;        /* the only node for the asks; a new group copies it; NULL: any node */
};
/* Finds or makes the group of asks with that key. The application owns the group. Each call adds one
 * reference for the caller, who drops it with yk_group_put(). The caller's reference to `key->shape` is
 * taken: a new group keeps it; if the group exists, it has one already, and the caller's is dropped.
 * `shapes`: the set that made the shape. */
struct yk_group *yk_app_group(struct yk_app *app, const struct yk_group_key *key, struct yk_shapes *shapes);
/* Finds or makes the task group of that name, and makes the gang of the application if it has none. The gang
 * owns the task group. `name` is copied. No reference is added (yk_task_group.users): the caller then calls
 * yk_app_group(), because a new group adds one. The task group is valid at least until yk_group_put() frees
 * the last group that refers to it. */
struct yk_task_group *yk_app_task_group(struct yk_app *app, const char *name);
/* Adds one reference to the group (yk_group.ask_count), for the caller, who drops it with yk_group_put(). */
void yk_group_hold(struct yk_group *group);
/* Drops one reference to the group (yk_group.ask_count). The last one removes the group from its application,
 * frees it, and drops its references to its shape, in `shapes`, and to its task group. By then, the group has
 * no pending ask and is in no tree of the application, waits for no limit (yk_group_limit.place) and holds
 * none, has no reservation, does not count as overtaken, and is not noted for preemption. After
 * yk_accounting_sub_pending() for its last pending ask, all this is so. */
void yk_group_put(struct yk_group *group, struct yk_shapes *shapes);
/* Sets the submission time to `wall_ns` if that is earlier. Returns whether it changed; if so, the caller
 * updates the place of the application in its leaf (yk_active_update_app()). */
bool yk_app_note_create_time(struct yk_app *app, int64_t wall_ns);
/* Sets `app->leaf` (borrowed; NULL: none) and nothing else: the caller links the application in the leaf's
 * lists, counts it there and in its usages (yk_usage_join()), and sets `app->queue_path`. For an application
 * that was placed, call yk_app_move() or yk_lifecycle_leave_queue() instead. */
void yk_app_set_leaf(struct yk_app *app, struct yk_queue *leaf);
/* Recomputes `app->shares` from `app->allocated` and the guaranteed amounts of its leaf, which is set. No
 * effect if the leaf does not order applications by share. Call it after one of these changed; the caller
 * then calls yk_active_update_app(), which orders the application by the new shares. */
void yk_app_update_shares(struct yk_app *app);
/* A step of yk_lifecycle_fire(), after each change of `app->state`: appends its present state to the state
 * log, with time `wall_ns`. When YK_APP_STATE_LOG_MAX entries are in the log, its first half stays, and the
 * oldest entry of the second half is removed. */
void yk_app_log_state(struct yk_app *app, int64_t wall_ns);

#endif
