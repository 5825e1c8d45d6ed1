/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks and allocations. The same object, struct yk_ask, is an ask until it starts on a node, and an
 * allocation from then on. Between the decision on its node and its start, an ask may have YK_ASK_REPLACING.
 *
 * Asks of one application that have the same struct yk_group_key, such as shape and priority, form a group.
 * The cycle looks at groups, so a thousand equal asks cost as much as one. Within a group pending asks are
 * ordered by creation time, then arrival.
 *
 * Owns: an ask owns its key, unless YK_ASK_KEY_STAYS is set, and its struct yk_ask_extra. A group owns the
 * order of its asks. Applications own asks and groups; the partition owns foreign asks.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.6.
 */
#ifndef YK_OBJECTS_ASK_H
#define YK_OBJECTS_ASK_H

#include "base/heap.h"
#include "base/list.h"
#include "base/owner.h"
#include "base/pool.h"
#include "base/tree.h"
#include "objects/shape.h"
#include "objects/tags.h"
#include "objects/wait_branch.h"

struct yk_app;
struct yk_node;
struct yk_queue;
struct yk_task_group;  /* objects/gang.h */
struct yk_limit_place; /* objects/limit_waits.h */
struct yk_reservation; /* objects/reservation.h */
struct yk_nomination;  /* reservation/nomination.h */
struct yk_handover;    /* gangs/handover.h */

/* Why an ask waits. yk_wait_text() has the sentences. */
enum yk_wait {
    YK_WAIT_NONE = 0, /* no reason: the ask can be tried */
    /* A queue runs as many applications as it may. A result of yk_limit_gate_run_or_park() only: no group has
     * this `wait`. */
    YK_WAIT_APP_LIMIT,
    YK_WAIT_USER_QUOTA,    /* a limit of its user or group refuses it, or is held for earlier asks */
    YK_WAIT_QUEUE_QUOTA,   /* a queue has no headroom, or holds it for earlier asks */
    YK_WAIT_NODES,         /* no node fits */
    YK_WAIT_PLACEHOLDER,   /* its task group has placeholders that have not ended */
    YK_WAIT_REQUIRED_NODE, /* the only node on which it may run is not there, or does not take it */
    YK_WAIT_GANG,          /* a placeholder: its gang gets nodes only for all placeholders at once */
};
enum { YK_WAIT_COUNT = YK_WAIT_GANG + 1 };
/* The sentence that REST shows for a reason; static. */
const char *yk_wait_text(enum yk_wait wait);

/* Why an attempt to preempt for an ask failed (docs/reference/scheduling.md 3.8). */
enum yk_preempt_note {
    YK_PREEMPT_NOT_YET,    /* a precondition, such as the delay, does not hold */
    YK_PREEMPT_GUARANTEES, /* no guarantee covers it, or no victim may be taken */
    YK_PREEMPT_SHORT,      /* all victims together are not enough for the headroom of its queues */
    YK_PREEMPT_NO_HELP,    /* the end of victims lets it run on no node, or is not needed */
    /* Not tried: the last attempt for any ask is too recent, or too many failed for its leaf. */
    YK_PREEMPT_EXHAUSTED,
    YK_PREEMPT_TOO_LATE, /* the node of the plan could not be reserved */
};
enum { YK_PREEMPT_NOTES = YK_PREEMPT_TOO_LATE + 1 };
/* The sentence that REST shows for a failed attempt; static. */
const char *yk_preempt_text(enum yk_preempt_note note);

/* Attempts with one result (docs/reference/scheduling.md 3.8). Written by: its holder. */
struct yk_wait_log {
    int64_t last_wall_ns; /* time of the last attempt; meaningless while `count` is 0 */
    uint32_t count;       /* number of attempts */
};

/* Why the asks of a group are not tried (report/refusal.h). */
enum yk_refusal_kind {
    YK_REFUSAL_NONE = 0, /* nothing refuses them, or they wait for nodes */
    /* Limits. */
    YK_REFUSAL_QUEUE,      /* the maximum of a queue */
    YK_REFUSAL_USER,       /* the limit of a user in a queue */
    YK_REFUSAL_GROUP,      /* the limit of a group of users in a queue */
    YK_REFUSAL_QUEUE_APPS, /* the maximum number of running applications of a queue */
    YK_REFUSAL_USER_APPS,  /* the maximum number of running applications of a user in a queue */
    YK_REFUSAL_GROUP_APPS, /* the maximum number of running applications of a group of users in a queue */
    YK_REFUSAL_GANG,       /* the gang is larger than a limit: it can never start */
    /* Other reasons. */
    YK_REFUSAL_START,         /* the queue starts one application at a time */
    YK_REFUSAL_PLACEHOLDER,   /* they wait for placeholders of their task group */
    YK_REFUSAL_REQUIRED_NODE, /* the one node that they may use is not there, or does not take them */
};
/* What refuses an ask, and in which queue. Written by: its holder. */
struct yk_refusal {
    enum yk_refusal_kind kind;
    /* Depth of the queue that has the limit, on the path of the leaf; root: 0. For YK_REFUSAL_START, depth of
     * the leaf. Means nothing for YK_REFUSAL_NONE, _GANG, _PLACEHOLDER and _REQUIRED_NODE. */
    uint32_t depth;
};

/* The last reports of what the asks of a group wait for (report/outstanding.h, report/report.h).
 * Written by: report. But yk_group_insert() and yk_group_remove() keep `unreported`, `unskipped`, `next`,
 * `before` and `joined_before` up to date. */
struct yk_group_report {
    uint32_t unreported; /* number of pending asks whose last report did not say that they lack a node */
    uint32_t unskipped;  /* number of pending asks whose last report did not say that they wait for a limit */
    /* In the partition's outstanding.groups: the reports of its asks have to change. */
    struct yk_list in_skipped;
    /* The limit that was named in the last report of asks that wait for a limit. */
    struct yk_refusal skipped_by;
    struct yk_ask *next;         /* the next ask to report; NULL: reports begin with the first ask */
    uint32_t before;             /* number of asks before `next` */
    uint32_t failed;             /* number of asks, from the first on, to report as FAILED */
    uint32_t forgotten;          /* flags to clear in all asks before the next report */
    bool joined_before;          /* an ask was added before `next` */
    struct yk_list in_lacking;   /* in the partition's outstanding.lacking: its asks may lack nodes */
    struct yk_refusal beyond_by; /* what refused all but the first `fitting` asks in the last walk */
    uint32_t fitting;
    uint32_t attempts;       /* failed attempts to place an ask since one was allocated (wait_metrics.h) */
    int64_t no_node_mono_ns; /* time of the last event that no node takes its asks; 0: never */
};

/* Preemption for the asks of a group (reservation/preempt.h). Written by: reservation. But yk_group_insert()
 * and yk_group_remove() keep `passed` up to date. */
struct yk_group_preempt {
    struct yk_heap_entry in_due; /* in `due` of struct yk_preempt: not tried before `due_mono_ns` */
    int64_t due_mono_ns;
    uint64_t due_sequence;   /* orders groups with the same `due_mono_ns` */
    struct yk_list in_tries; /* in `now` of struct yk_preempt, or in `idle` until something changes */
    int64_t pause_mono_ns;   /* end of the pause after a failed attempt */
    /* The search for an ask to preempt for goes on after this one; NULL: it begins with the first ask. */
    struct yk_ask *passed;
    struct yk_wait_log log[YK_PREEMPT_NOTES]; /* index: enum yk_preempt_note */
};

/* The wait of a group for limits of its user and of its group of users (pending/limit_wait.h,
 * pending/limit_hold.h). Written by: pending. */
struct yk_group_limit {
    struct yk_wait_branch branch; /* its place in place->groups while `place` is set */
    /* The place of its application, for the user or for the group, whose limits refuse it; NULL: no limit
     * refuses it. */
    struct yk_limit_place *place;
    struct yk_list
        holds; /* struct yk_limit_hold, by in_holder: limits below which freed amounts are held for it */
    /* In the partition's pending.holders_on_nodes: it has holds, waits for nodes, and is to be looked at. */
    struct yk_list in_holders;
};

/* The wait of a group for nodes (pending/wait_order.h, pending/active.h), and failed attempts by reason.
 * Written by: pending. */
struct yk_group_waiting {
    struct yk_wait_branch branch; /* its place in app->wait.groups while it waits for nodes */
    /* In a list of the partition's reservation.required_waits while it waits for `required_node`. */
    struct yk_list in_required;
    /* Failed attempts for its first ask, and begins of waits; index: enum yk_wait. */
    struct yk_wait_log log[YK_WAIT_COUNT];
    struct yk_list in_looks; /* in a list of the partition's looks (pending/impossible.h) */
    bool is_impossible;      /* an empty cluster would have no room for one of its asks */
};

/* Reservations and nominations of its asks (reservation/make_reservation.h, reservation/nomination.h).
 * Written by: reservation. */
struct yk_group_reservation {
    /* In the partition's reservation.overtaken: asks that come later in the order were placed on nodes that
     * could take an ask of this group. `overtaken` and `has_started` count from the time of linking. */
    struct yk_list in_overtaken;
    int64_t overtaken_mono_ns; /* time of linking */
    int64_t served_mono_ns;    /* the last start of an ask of the group; of none since linking: that time */
    /* What later asks took, expressed as a number of asks of this group, less the number of its asks that
     * started. */
    double overtaken;
    bool has_started; /* an ask of the group started */
    /* About the longest run time among its allocations that ended recently; 0: none has ended. */
    int64_t run_ns;
    struct yk_list list;         /* struct yk_reservation, by in_group: those of its asks, by creation */
    uint32_t blocked;            /* number of entries of `list` with `blocked` */
    uint32_t nominated;          /* number of asks with a nomination */
    struct yk_list in_nominated; /* in leaf->reservation.nominated_groups while `nominated` > 0 */
};

/* Pending asks, and allocations, of one application with the same struct yk_group_key. */
struct yk_group {
    YK_OWNED_BY(objects) struct {
        struct yk_app *app;               /* owns it */
        struct yk_shape *shape;           /* the group has a reference */
        struct yk_task_group *task_group; /* of all its asks; the group has a reference. NULL: none */
        bool placeholders;                /* true: all its asks are placeholders; false: none is */
        char *required_node;              /* owned: the only node on which its asks may run; NULL: any */
        int32_t priority;                 /* a larger number is served first */
        uint32_t ask_count;               /* references: its asks and allocations, and yk_group_hold() */
        struct yk_tree asks;              /* struct yk_ask, by in_group: the pending ones, in order */
        struct yk_ask *first;             /* the first of `asks`; NULL: there is none */
        enum yk_wait wait;                /* changed only by yk_pending_set_wait() */
        struct yk_queue *waits_for;       /* the queue that refuses it, if `wait` is YK_WAIT_QUEUE_QUOTA */
        struct yk_list in_shape;          /* in shape->groups */
    };
    YK_OWNED_BY(report) struct yk_group_report report;
    YK_OWNED_BY(pending) struct {
        struct yk_tree_link in_pending; /* in app->pending_groups while it has pending asks */
        struct yk_tree_link in_active;  /* in app->active_groups while it may be tried */
    };
    YK_OWNED_BY(pending) struct yk_group_limit limit;
    YK_OWNED_BY(pending) struct yk_group_waiting waiting; /* Read by: reservation, web. */
    YK_OWNED_BY(gangs) struct {
        /* In the partition's gang_waits.takers, gang_waits.tried or gang_waits.look.serving: incomplete gangs
         * may give way to its asks. */
        struct yk_list in_takers;
    };
    YK_OWNED_BY(reservation) struct yk_group_reservation reservation; /* Read by: gangs, scheduler, web. */
    YK_OWNED_BY(reservation) struct yk_group_preempt preempt;         /* Read by: report, web. */
};

/* Flags of an ask. `Written by:` names the modules that set and clear the flags that follow it. */
enum {
    /* Written by: objects. Fixed for life. */
    YK_ASK_PLACEHOLDER = 1u << 0,
    YK_ASK_ORIGINATOR = 1u << 1,    /* the ask that made the application */
    YK_ASK_PREEMPT_SELF = 1u << 2,  /* without it, others are preferred as victims */
    YK_ASK_PREEMPT_OTHER = 1u << 3, /* may preempt; an ask with a required node may also without it */
    YK_ASK_FOREIGN = 1u << 4,       /* an allocation of another scheduler */
    YK_ASK_STATIC = 1u << 5,        /* foreign, and expected never to end */
    YK_ASK_KEY_STAYS = 1u << 15,    /* its key is borrowed from the resource manager for its whole life */
    /* Written by: reservation, scheduler. */
    YK_ASK_ATTEMPTED = 1u << 7, /* the limits of its user and group allowed it at least once */
    /* Written by: report. */
    YK_ASK_SCALE_UP = 1u << 8, /* reported to the autoscaler */
    /* The last event about the limits of its user and group said that it exceeds one of them. */
    YK_ASK_OVER_QUOTA = 1u << 9,
    /* The last event about the headroom of its queues said that it does not fit. */
    YK_ASK_OVER_QUEUE = 1u << 10,
    /* Written by: partition. A placeholder that the resource manager was asked to end because it is replaced
     * or not needed. */
    YK_ASK_RELEASED = 1u << 11,
    YK_ASK_TOO_SMALL = 1u << 16, /* so, because a real ask is larger */
    /* Written by: gangs, partition, preemption. Its node was decided; it starts when the placeholder that it
     * replaces, or the victims of its handover, have ended. */
    YK_ASK_REPLACING = 1u << 12,
    /* Written by: reservation. */
    YK_ASK_PREEMPTED = 1u << 13, /* a victim: the resource manager was asked to end this allocation */
    /* Written by: partition, reservation. */
    YK_ASK_PREEMPTION_TRIGGERED = 1u << 14, /* a pending ask: allocations were asked to end for it */
};
/* Flags too: what the last report of the ask said it waits for. At most one is set. Written by: report. */
enum {
    YK_ASK_TOLD_FAILED = 1u << 20,  /* it lacks a node */
    YK_ASK_TOLD_SKIPPED = 1u << 21, /* a limit refuses it */
};

/* Fields that few asks use at a time. Allocated while any of them is set. Written by: objects. */
struct yk_ask_extra {
    struct yk_reservation *reservation; /* of a node for this pending ask; NULL: none */
    /* Of a pending ask: its own. Of a victim: the nomination of the ask for which it ends. NULL: none. */
    struct yk_nomination *nomination;
    /* Of an ask with YK_ASK_REPLACING: its own. Of an allocation: the handover for which it ends. NULL:
     * none. */
    struct yk_handover *handover;
    /* Of a real ask: the placeholder it replaces; of a placeholder: the real ask; or NULL. */
    struct yk_ask *peer;
    struct yk_ask_place *place;  /* owned; of a placeholder that is free to be replaced; else NULL */
    int64_t placeholder_wall_ns; /* creation time of the placeholder that it replaced; 0: none */
    int64_t run_limit_ns;        /* longest time from its start to its end; 0: no limit */
    struct yk_tags tags;
    const struct yk_resvec *foreign_size; /* shared (resources/shared.h); NULL unless foreign */
    int32_t foreign_priority;             /* of foreign allocations only */
};

/* The place of an allocated placeholder among those of its task group that are free to be replaced.
 * Written by: objects. */
struct yk_ask_place {
    /* In task_group->placeholders; yk_ask_of_place() returns `ask` for it. */
    struct yk_tree_link in_task_group;
    struct yk_ask *ask;
};

/* An ask or allocation. There are many, so fields of pending asks share memory with fields of the others. */
struct yk_ask {
    YK_OWNED_BY_ALL struct {
        union {
            struct yk_tree_link in_group; /* in group->asks while it is pending. Written by: objects */
            struct {                      /* while it is not pending */
                /* Written by: objects. Linked while `node` is set: in node->allocations or node->foreign. */
                struct yk_list in_node;
                /* Written by: gangs, partition. Time of the decision on its node; if the resource manager has
                 * reported when the allocation started, that time; 0: foreign. Read with
                 * yk_ask_bind_wall_ns(). */
                int64_t bind_wall_ns;
                uint32_t unused; /* keeps the place of the heights in `in_group` */
                /* Written by: partition, yk_ask_set_bound(). Milliseconds from bind_wall_ns until the
                 * resource manager reported that its object is on the node, rounded up; 0: not reported. */
                uint32_t bound_after_ms;
            };
        };
    };
    YK_OWNED_BY(partition) struct {
        /* Has its application, size and priority. The ask has a reference. NULL: foreign, or in no group
         * yet. */
        struct yk_group *group;
    };
    YK_OWNED_BY(objects) struct {
        struct yk_node *node; /* the node it is allocated on; NULL: none */
    };
    YK_OWNED_BY_ALL struct {
        uint32_t flags; /* YK_ASK_...; the enumeration says which modules write each flag */
    };
    YK_OWNED_BY(partition) struct {
        /* Hash of the key, for the set that holds the ask: app->asks or partition->foreign. */
        uint32_t key_hash;
    };
    YK_OWNED_BY(objects) struct {
        const char *key; /* owned, unless YK_ASK_KEY_STAYS */
        void *cookie;    /* of the resource manager; the core does not dereference it */
        int64_t create_wall_ns;
        uint64_t sequence;          /* order of arrival in the partition */
        struct yk_ask_extra *extra; /* owned; NULL: no field of it is set */
    };
};

/* Makes an ask from `from`, in no group, on no node and counted nowhere. Tags and the size of a foreign ask
 * are copied. The caller sets `key_hash`. An ask of an application has its size, priority, class, task group
 * and required node from its group: the caller also sets `group`, with a reference (yk_app_group()). The key
 * is copied unless `from->key_stays`: then it is borrowed for the life of the ask. `pool` has items of
 * sizeof(struct yk_ask); give the ask back with yk_ask_free() and the same pool. `now_wall_ns`: the creation
 * time if `from` has none. `sequence`: unique in the partition and rising, orders asks by arrival. */
struct yk_ask *yk_ask_new(struct yk_pool *pool, const struct yk_si_allocation *from, int64_t now_wall_ns,
                          uint64_t sequence);
/* The key of an ask; `ask` is a struct yk_ask. For struct yk_text_set. Borrowed from the ask. */
struct yk_str yk_ask_key(const void *ask);
/* The key_hash of an ask; `ask` is a struct yk_ask. For struct yk_text_set. The caller sets the field to the
 * hash of the key before the ask is added to a set. */
uint32_t yk_ask_key_hash(const void *ask);
/* Gives the ask back to `pool`, and frees what it owns. The ask is not pending in a group, is on no node and
 * in no set, has no place among placeholders, and has no reservation, nomination, handover or peer. Its
 * reference to its group is not dropped: call yk_group_put() first. NULL is fine. */
void yk_ask_free(struct yk_pool *pool, struct yk_ask *ask);

/* Whether the ask has no node, and none was decided for it. Also true for an ask that is not in group->asks
 * yet, or no longer (yk_accounting_sub_pending()). */
static inline bool yk_ask_is_pending(const struct yk_ask *ask)
{
    return ask->node == NULL && (ask->flags & YK_ASK_REPLACING) == 0;
}
/* Time of the decision on the node of the ask; if the resource manager has reported when the allocation
 * started, that time; 0: the ask is pending or foreign. */
static inline int64_t yk_ask_bind_wall_ns(const struct yk_ask *ask)
{
    return yk_ask_is_pending(ask) ? 0 : ask->bind_wall_ns;
}
/* Time when the resource manager reported that the object of the allocation is on its node, up to 1 ms too
 * late; 0: not reported. */
static inline int64_t yk_ask_bound_wall_ns(const struct yk_ask *ask)
{
    int64_t decided_ns = yk_ask_bind_wall_ns(ask);
    bool is_bound = decided_ns != 0 && ask->node != NULL && ask->bound_after_ms != 0;
    return is_bound ? decided_ns + (int64_t)ask->bound_after_ms * YK_NS_PER_MS : 0;
}
/* Notes that the resource manager reported at `now_wall_ns` that the object of the allocation is on its
 * node. Only the first report counts. No effect if yk_ask_bind_wall_ns() is 0 or the ask has no node. */
static inline void yk_ask_set_bound(struct yk_ask *ask, int64_t now_wall_ns)
{
    int64_t after_ms = (now_wall_ns - yk_ask_bind_wall_ns(ask) + YK_NS_PER_MS - 1) / YK_NS_PER_MS;
    if (yk_ask_bind_wall_ns(ask) != 0 && ask->node != NULL && ask->bound_after_ms == 0)
        ask->bound_after_ms = (uint32_t)YK_MIN(YK_MAX(after_ms, (int64_t)1), (int64_t)UINT32_MAX);
}
/* The application of the ask; NULL: it is foreign, or in no group yet. */
static inline struct yk_app *yk_ask_app(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->app : NULL;
}
/* The size of the ask in base units. The ask is foreign or in a group. Borrowed until the size changes or the
 * ask ends. */
static inline const struct yk_resvec *yk_ask_size(const struct yk_ask *ask)
{
    return ask->group != NULL ? &ask->group->shape->size : ask->extra->foreign_size;
}
/* The priority of the ask; a larger number is served first. The ask is foreign or in a group. */
static inline int32_t yk_ask_priority(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->priority : ask->extra->foreign_priority;
}

/* The reservation of a node for this pending ask; NULL: none. The partition owns it. */
static inline struct yk_reservation *yk_ask_reservation(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->reservation : NULL;
}
/* The nomination of this pending ask, or the nomination of the ask for which this victim ends; NULL: there is
 * none. */
static inline struct yk_nomination *yk_ask_nomination(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->nomination : NULL;
}
/* The handover of this ask, whose node was decided, or the handover for which this allocation ends; NULL:
 * there is none. */
static inline struct yk_handover *yk_ask_handover(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->handover : NULL;
}
/* Whether the ask waits for allocations that end for it: it is pending and has a nomination, or its node was
 * decided and it has a handover. False for victims. */
static inline bool yk_ask_is_nominated(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PREEMPTED) == 0 &&
           (yk_ask_nomination(ask) != NULL || yk_ask_handover(ask) != NULL);
}
/* The placeholder that this real ask replaces, or the real ask that replaces this placeholder. NULL:
 * neither. */
static inline struct yk_ask *yk_ask_peer(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->peer : NULL;
}
/* Creation time of the placeholder that the ask replaced; 0: it replaced none. */
static inline int64_t yk_ask_placeholder_wall_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->placeholder_wall_ns : 0;
}
/* Longest time from the start of the ask to its end, in nanoseconds; 0: no limit. */
static inline int64_t yk_ask_run_limit_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->run_limit_ns : 0;
}
/* The tags that the resource manager sent with the ask, borrowed from it. yk_rm_call_ask_tags() also returns
 * tags that the resource manager gives only on request. */
const struct yk_tags *yk_ask_tags(const struct yk_ask *ask);
/* Sets the size of a foreign ask, in base units; `size` is copied. The ask is on no node: the caller calls
 * yk_node_unbook() before, and yk_node_book() afterwards. */
void yk_ask_set_foreign_size(struct yk_ask *ask, const struct yk_resvec *size);
/* The next functions only store a value. A stored object is borrowed until the next call of the same
 * function. Before the object is freed, the caller calls the function with NULL. */
/* Sets what yk_ask_reservation() returns; NULL: none. A step of yk_reserve() and yk_unreserve(), which other
 * modules call. */
void yk_ask_set_reservation(struct yk_ask *ask, struct yk_reservation *reservation);
/* Sets what yk_ask_nomination() returns, for the nominated ask or one of its victims; NULL: none. A step of
 * functions of reservation/nomination.h and reservation/victims.h, which other modules call. */
void yk_ask_set_nomination(struct yk_ask *ask, struct yk_nomination *nomination);
/* Sets what yk_ask_handover() returns, for an ask of the handover or one of its victims; NULL: none. */
void yk_ask_set_handover(struct yk_ask *ask, struct yk_handover *handover);
/* Sets what yk_ask_peer() returns for this ask; the caller does the same for the peer. NULL: none. The caller
 * also sets or clears YK_ASK_REPLACING of the real ask and calls yk_gang_count_replacing(). */
void yk_ask_set_peer(struct yk_ask *ask, struct yk_ask *peer);
/* Sets the longest time from the start of the ask to its end, in nanoseconds; 0: no limit. Arms no timer. If
 * the ask is in a partition already, the caller then calls yk_turn_order_changed(), because the ask may use a
 * reserved node now. */
void yk_ask_set_run_limit_ns(struct yk_ask *ask, int64_t limit_ns);
/* Sets the creation time of the placeholder that this ask replaced; 0: none. */
void yk_ask_set_placeholder_wall_ns(struct yk_ask *ask, int64_t wall_ns);

/* The place of an allocated placeholder among those of its task group that may be replaced, owned by the ask;
 * NULL: it is not among them. */
static inline struct yk_ask_place *yk_ask_place(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->place : NULL;
}
/* The placeholder whose place embeds `in_task_group`; for walks over yk_task_group.placeholders. */
static inline struct yk_ask *yk_ask_of_place(const struct yk_tree_link *in_task_group)
{
    return YK_CONTAINER(in_task_group, struct yk_ask_place, in_task_group)->ask;
}
/* A step of yk_gang_placeholder_allocated(), which other modules call: adds an allocated placeholder, whose
 * group has a task group, to those of its task group that may be replaced (yk_task_group.placeholders). It is
 * not among them yet. */
void yk_ask_enter_place(struct yk_ask *placeholder);
/* Removes the placeholder from those that may be replaced; no effect if it is not among them. Call it when
 * the placeholder was asked to end, got a peer, or no longer is an allocation. Changes no counts of the task
 * group. */
void yk_ask_leave_place(struct yk_ask *placeholder);
/* Compares two asks by arrival, the earlier one first: negative, 0 or positive. `a` and `b` are struct
 * yk_ask; for yk_vec_sort(). */
int yk_ask_arrival_order(const void *a, const void *b);
/* Order of the placeholders in yk_task_group.placeholders: creation time, then arrival. Negative: `a` comes
 * first. */
int yk_ask_place_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

/* What a group waits for if nothing but nodes keeps its asks from starting: YK_WAIT_NODES if it may use any
 * node and its shape is parked, else YK_WAIT_NONE. Does not check other reasons, such as limits, or
 * placeholders of its gang. */
static inline enum yk_wait yk_group_wait_for_nodes(const struct yk_group *group)
{
    return group->required_node == NULL && group->shape->parked ? YK_WAIT_NODES : YK_WAIT_NONE;
}

/*
 * Adds a pending ask to group->asks; the ask is not in it. `ask->group` is `group` already. Updates
 * `group->first`, and the fields of `group->report` and `group->preempt` that count or point to asks. Adds no
 * reference, and does not change pending counts (yk_pending_add()), pending amounts, `group->wait`, or the
 * trees whose order depends on `group->first`: app->pending_groups, app->active_groups, app->wait.groups,
 * and groups of group->limit.place. A step of yk_active_add_ask(), which updates the counts, the wait and the
 * trees. To add a pending ask, call yk_accounting_add_pending(), which does all this except for the
 * reference: the caller has it already.
 */
void yk_group_insert(struct yk_group *group, struct yk_ask *ask);
/* Removes an ask from group->asks, and updates and leaves unchanged the same fields as yk_group_insert().
 * Drops no reference, so the group is not freed, even if it has no pending ask left. A step of
 * yk_active_remove_ask(), which updates the counts, the wait and the trees. To remove a pending ask, call
 * yk_accounting_sub_pending(), which does all this except for the reference. */
void yk_group_remove(struct yk_group *group, struct yk_ask *ask);

/* Stores the queue that refuses a group whose `wait` is YK_WAIT_QUEUE_QUOTA, borrowed; NULL: none.
 * Does not change `wait`, and links the leaf in no list: to let a group wait, call yk_park_group(). */
void yk_group_set_waits_for(struct yk_group *group, struct yk_queue *queue);

/* Order of two groups: priority descending, then their first asks. Negative: `a` comes first. Both have
 * pending asks and belong to the same application. */
int yk_group_compare(const struct yk_group *a, const struct yk_group *b);
/* Whether the priority of the group counts for its application and queues. It does not count if the asks wait
 * for the one node where they may run, or can never start with the present nodes and maxima: when their queue
 * comes first because of a priority, only other asks of the queue would get capacity (docs/reference/queues.md,
 * R46). */
static inline bool yk_group_lends_priority(const struct yk_group *group)
{
    return group->wait != YK_WAIT_REQUIRED_NODE && !group->waiting.is_impossible;
}
/* Order of the pending groups of an application, by `in_pending`: first those that lend their priority, then
 * priority descending, then their first asks. Both have pending asks. Negative: `a` comes first. */
int yk_group_order_pending(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Order of the groups of an application that may be tried, by `in_active`: yk_group_compare(). */
int yk_group_order_active(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Order of asks within a group, by `in_group`: creation time, then arrival. Negative: `a` comes first. */
int yk_ask_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
