/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications: asks and allocations that are ordered, counted and limited together.
 *
 * Owns: its asks (pending or allocated) and their groups.
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

/* Written by: objects. */
struct yk_app_state_entry {
    int64_t wall_ns;
    enum yk_app_state state;
};

/* What keeps the application from being tried, nodes apart (pending/limit_gate.h, pending/stateaware.h).
 * Written by: pending. */
struct yk_app_start {
    bool held;                         /* its queues ran their maximum at the last attempt to start it */
    bool held_by_queue, held_by_quota; /* the last report about starting it (R38) */
    struct yk_list in_gated;           /* gate->gated_apps while its user or group may not start it */
    struct yk_tree_link in_gate;       /* gate->gated at the same time */
    struct yk_usage *gate;             /* the entry of its user or group, then; else NULL */
    struct yk_tree_link in_accepted;   /* leaf->accepted_apps while it waits to start (stateaware) */
    struct yk_list in_impossible; /* of the partition: it can never start, so its stateaware leaf skips it */
};

/* What its asks wait for (pending/wait_order.h, pending/queue_wait.h, pending/limit_wait.h).
 * Written by: pending. */
struct yk_app_wait {
    struct yk_tree groups;         /* struct yk_group: those that wait for nodes */
    struct yk_wait_branch branch;  /* of the leaf */
    bool may_wait;                 /* nothing but nodes keeps the application from being tried */
    bool for_queue;                /* none of its asks can be tried before a queue has more headroom */
    uint32_t queue_groups;         /* groups that wait for headroom of a queue; see also headroom_seen */
    uint64_t headroom_seen;        /* the root's headroom_sequence when these were looked at */
    struct yk_limit_waits *limits; /* owned: its waits for limits; NULL: none */
};

/* Pauses after failed attempts to find nodes (pending/backoff.h). Written by: pending. */
struct yk_app_backoff {
    uint64_t unplaced;     /* failed attempts to find a node since the last success or pause (O6) */
    struct yk_timer pause; /* armed: its asks are not tried */
};

/* What was reported about it (report/outstanding.h, wait_metrics.h, timeline.h). Written by: report. */
struct yk_app_report {
    struct yk_list in_skipped;    /* of the partition: the limit that its asks wait for is to be reported */
    struct yk_queue *wait_leaf;   /* in whose counts it waits; NULL: none */
    uint8_t wait_reason;          /* enum yk_si_reason, there */
    struct yk_timeline *timeline; /* owned; NULL: no entries */
};

/* Its pending asks (objects/pending_count.h). Written by: objects. */
struct yk_app_pending_count {
    uint32_t asks[YK_PENDING_COUNT]; /* by what their group waits for */
    bool in_leaf;                    /* counted in the leaf, too */
};

/* Its life (partition/lifecycle.h). Written by: partition. */
struct yk_app_life {
    bool removing;                 /* being removed: it does not complete */
    enum yk_si_failure failure;    /* why it fails, if it does */
    struct yk_timer timer;         /* of its state */
    char *rejected_message;        /* owned; NULL unless rejected */
    int64_t start_wall_ns;         /* first time Running; 0: never */
    int64_t finish_wall_ns;        /* 0: not yet */
    struct yk_list in_ended;       /* partition's completed or rejected list */
    struct yk_app_history history; /* of ended allocations, until the application ends */
};

/* The user and the group that it counts for (limits/usage.h). Written by: limits. */
struct yk_app_limit {
    struct yk_usage *user;  /* its user's entry for the leaf; NULL when `leaf` is */
    struct yk_usage *group; /* the same of the group it counts for (L8); NULL: none, or not chosen yet */
    bool group_chosen;      /* also if there is none */
    bool counted;           /* among the running applications of its user and group (L10) */
    struct yk_list in_user, in_group;
};

struct yk_app {
    /* The fields that a decision reads come first, as in struct yk_queue. The order within the leaf: */
    YK_OWNED_BY(pending) struct {
        /* Of the leaf: active_apps, queue_wait_apps if `wait.for_queue`, held_apps if `start.held`. */
        struct yk_tree_link in_active;
        int32_t priority; /* highest pending (yk_group_lends_priority()); YK_PRIORITY_NONE: nothing */
    };
    YK_OWNED_BY(objects) struct {
        int shares_max; /* for how many `shares` has room */
        int share_count;
        double *shares;         /* owned; usage ratio for the fair policy (O5), ascending; NULL elsewhere */
        int64_t submit_wall_ns; /* moved back to the oldest ask's creation */
        char *id;               /* owned */
        struct yk_queue *leaf;  /* NULL before it was placed and after it ended */
    };
    YK_OWNED_BY(partition) struct {
        struct yk_partition *partition;
        enum yk_app_state state;
        bool allocating_accepted; /* counted in yk_queue.allocating_accepted */
        uint32_t allocation_count, placeholder_count;
    };
    YK_OWNED_BY(limits) struct yk_app_limit limit; /* Read by: all. */
    /* Its asks in the order of the cycle. */
    YK_OWNED_BY(pending) struct {
        struct yk_tree pending_groups; /* all with pending asks, by in_pending */
        struct yk_tree active_groups;  /* those that may be tried, by in_active */
    };
    YK_OWNED_BY(pending) struct yk_app_wait wait;       /* Read by: report, scheduler, state. */
    YK_OWNED_BY(pending) struct yk_app_start start;     /* Read by: partition, report, scheduler. */
    YK_OWNED_BY(pending) struct yk_app_backoff backoff; /* Read by: report, web. */
    YK_OWNED_BY(gangs) struct {
        uint32_t handed_over; /* asks that have nodes and wait until others end there (gangs/handover.h) */
    };
    YK_OWNED_BY(objects) struct yk_app_pending_count pending_count; /* Read by: report, web. */
    YK_OWNED_BY(partition) struct {
        /* Usage. */
        _Alignas(YK_LINE_BYTES) struct yk_resvec allocated;
        struct yk_resvec pending, max_used, allocated_placeholder;
        /* Asks. */
        struct yk_text_set asks;     /* struct yk_ask by its key, owned */
        struct yk_group *last_group; /* the last one that an ask joined; NULL: none, or it was freed */
        struct yk_gang *gang;        /* owned; NULL: none of its asks names a task group */
        char *queue_path;            /* owned: of the leaf, kept after the end */
        struct yk_list in_leaf;
    };
    YK_OWNED_BY(partition) struct yk_app_life life;  /* Read by: report, web. */
    YK_OWNED_BY(report) struct yk_app_report report; /* Read by: web. */
    /* Fixed for life, or changed by functions of this header. */
    YK_OWNED_BY(objects) struct {
        struct yk_idmap groups_by_shape; /* shape and priority -> struct yk_group, owned */
        bool forced;                     /* tag application.create.force */
        char *user;                      /* owned */
        char **groups;                   /* owned, in order */
        size_t group_count;
        struct yk_tags tags;
        void *cookie;                         /* the resource manager's */
        char *submitted_queue;                /* owned: as submitted */
        struct yk_app_state_entry *state_log; /* owned */
        uint32_t state_log_count;
    };
};

/* Makes an application in state New, in no queue and no partition. `now_wall_ns`: its submission time. The
 * caller frees it with yk_app_free(). */
struct yk_app *yk_app_new(const struct yk_si_new_app *from, const char *user, const char *const *groups,
                          size_t group_count, int64_t now_wall_ns);
/* Frees the application, which has no asks. NULL is fine. */
void yk_app_free(struct yk_app *app);
YK_DEFINE_FREEP(yk_app)

/* Frees the memory of maps that are empty; they can be used again. For ended applications, which are kept for
 * days. */
void yk_app_shrink(struct yk_app *app);

/* The ask or allocation with that key, or NULL. Borrowed from the application until the ask ends. O(1). */
struct yk_ask *yk_app_find_ask(const struct yk_app *app, struct yk_str key);
/* What the asks of a group have in common. Written by: the caller. */
struct yk_group_key {
    struct yk_shape *shape;
    int32_t priority;
    struct yk_task_group *task_group;
    bool placeholders;
    const char *required_node; /* borrowed for the call, copied by a new group; NULL: none */
};
/* The group of asks with that key; made if there is none. The application owns it. Each call adds one
 * reference for the caller, who drops it with yk_group_put(). The caller's reference to `key->shape` is
 * taken: the group keeps one reference, and a second one is dropped. `shapes` owns the shape. */
struct yk_group *yk_app_group(struct yk_app *app, const struct yk_group_key *key, struct yk_shapes *shapes);
/* The task group of that name. Makes it, and the gang of the application, if they are new. The gang owns it.
 * No reference is added (yk_task_group.users). `name` is copied. */
struct yk_task_group *yk_app_task_group(struct yk_app *app, const char *name);
/* Adds one reference (yk_group.ask_count). */
void yk_group_hold(struct yk_group *group);
/* Drops one reference (yk_group.ask_count). The last one frees the group and drops its reference to its
 * shape; no ask of it may be pending then. */
void yk_group_put(struct yk_group *group, struct yk_shapes *shapes);
/* Sets the submission time to `wall_ns` if that is earlier. Returns whether it changed. */
bool yk_app_note_create_time(struct yk_app *app, int64_t wall_ns);
/* Sets `app->leaf` (borrowed; NULL: none) and nothing else: the caller links the application in the leaf's
 * lists and counts it there. */
void yk_app_set_leaf(struct yk_app *app, struct yk_queue *leaf);
/* Recomputes the usage ratio against its leaf's guaranteed resources, if the leaf sorts by it. */
void yk_app_update_shares(struct yk_app *app);
/* Appends its present state to the state log, with time `wall_ns`. The latest YK_APP_STATE_LOG_MAX entries
 * are kept. */
void yk_app_log_state(struct yk_app *app, int64_t wall_ns);

#endif
