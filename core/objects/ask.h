/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks and allocations. One object serves from the request to the end: without a node it is an ask,
 * with a node an allocation.
 *
 * Pending asks of one application that have the same shape and priority form a group; the cycle looks at
 * groups, so a thousand equal asks cost as much as one. Within a group asks are ordered by creation time,
 * then arrival.
 *
 * Owns: an ask its key, unless YK_ASK_KEY_STAYS, and struct yk_ask_extra; a group the order of its asks.
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
struct yk_limit_hold;  /* objects/limit_hold.h */
struct yk_limit_place; /* objects/limit_waits.h */
struct yk_reservation; /* objects/reservation.h */
struct yk_nomination;  /* reservation/nomination.h */
struct yk_handover;    /* gangs/handover.h */

/* Why an ask waits. Sentences are made only when they are shown (yk_wait_text()). */
enum yk_wait {
    YK_WAIT_NONE = 0,      /* nothing: it was not tried yet, or can be tried */
    YK_WAIT_APP_LIMIT,     /* a queue runs as many applications as it may */
    YK_WAIT_USER_QUOTA,    /* above the user's or group's limit */
    YK_WAIT_QUEUE_QUOTA,   /* a queue has no headroom */
    YK_WAIT_NODES,         /* no node fits */
    YK_WAIT_PLACEHOLDER,   /* it will replace a placeholder of its task group */
    YK_WAIT_REQUIRED_NODE, /* the only node on which it may run has no capacity */
    YK_WAIT_GANG,          /* a placeholder: not all placeholders of its gang fit now */
};
enum { YK_WAIT_COUNT = YK_WAIT_GANG + 1 };
/* The sentence for REST; static. */
const char *yk_wait_text(enum yk_wait wait);

/* Why an attempt to preempt for an ask failed (docs/reference/scheduling.md 3.8). */
enum yk_preempt_note {
    YK_PREEMPT_NOT_YET,    /* a precondition, such as the delay, does not hold */
    YK_PREEMPT_GUARANTEES, /* its queue would be above its guarantee */
    YK_PREEMPT_SHORT,      /* all victims together are not enough for the guarantee */
    YK_PREEMPT_NO_HELP,    /* no node would have enough capacity without its victims */
    YK_PREEMPT_EXHAUSTED,  /* all nodes were tried */
    YK_PREEMPT_TOO_LATE,   /* victims ended meanwhile */
};
enum { YK_PREEMPT_NOTES = YK_PREEMPT_TOO_LATE + 1 };
/* The sentence for REST; static. */
const char *yk_preempt_text(enum yk_preempt_note note);

/* Attempts with one result: their number and the last time; for REST (docs/reference/scheduling.md 3.8).
 * Written by: its holder. */
struct yk_wait_log {
    int64_t last_wall_ns;
    uint32_t count;
};

/* What refuses asks, mostly a limit, so that no node would help them (report/refusal.h). */
enum yk_refusal_kind {
    YK_REFUSAL_NONE = 0,
    YK_REFUSAL_QUEUE,      /* the maximum of a queue */
    YK_REFUSAL_USER,       /* the limit of a user in a queue */
    YK_REFUSAL_GROUP,      /* the same of a group of users */
    YK_REFUSAL_QUEUE_APPS, /* a number of running applications: of a queue, a user, a group */
    YK_REFUSAL_USER_APPS,
    YK_REFUSAL_GROUP_APPS,
    YK_REFUSAL_GANG, /* the gang is larger than a limit: it can never start */
    /* No limits: what else keeps asks from being tried, so that no node would help them. */
    YK_REFUSAL_START,         /* the queue starts one application at a time */
    YK_REFUSAL_PLACEHOLDER,   /* the placeholder that the ask replaces has no node yet */
    YK_REFUSAL_REQUIRED_NODE, /* the one node that it may use does not take it */
};
/* Written by: its holder. */
struct yk_refusal {
    enum yk_refusal_kind kind;
    uint32_t depth; /* of the queue, on the path of the application's leaf */
};

/* The last reports of what the asks of a group wait for (report/outstanding.h, report/report.h).
 * Written by: report. */
struct yk_group_report {
    uint32_t unreported;          /* pending asks whose last report was not that they lack a node */
    uint32_t unskipped;           /* pending asks whose last report was not that they wait for a limit */
    struct yk_list in_skipped;    /* of the partition: some of `unskipped` are to be reported */
    struct yk_refusal skipped_by; /* the limit in the last report of those that wait for one */
    struct yk_ask *next;          /* the next ask to report; NULL: reports begin with the first */
    uint32_t before;              /* number of asks before `next` */
    uint32_t failed;              /* number of those that are reported as FAILED */
    uint32_t forgotten;           /* flags to clear in all asks before the next report */
    bool joined_before;           /* an ask was added before `next` */
    struct yk_list in_lacking;    /* of the partition: may lack nodes */
    struct yk_refusal beyond_by;  /* in the last walk: refuses all but the first `fitting` asks */
    uint32_t fitting;
    uint32_t attempts;       /* of its first ask, without success (report/wait_metrics.h) */
    int64_t no_node_mono_ns; /* time of the last event that no node takes it; 0: never */
};

/* Preemption for the asks of a group (reservation/preempt.h). Written by: reservation. */
struct yk_group_preempt {
    struct yk_heap_entry in_due; /* of the partition: not tried before `due_mono_ns` */
    int64_t due_mono_ns;
    uint64_t due_sequence;
    struct yk_list in_tries; /* of the partition: to be tried, or idle until something changes */
    int64_t pause_mono_ns;   /* after a failed attempt: not tried before */
    struct yk_ask *passed;   /* the asks up to this one have victims or need none; NULL: none has */
    struct yk_wait_log log[YK_PREEMPT_NOTES];
};

/* Its waits for limits of its user and group (pending/limit_wait.h, pending/limit_hold.h).
 * Written by: pending. */
struct yk_group_limit {
    struct yk_wait_branch branch; /* of place->groups, while a limit of user or group refuses it */
    struct yk_limit_place *place; /* of its application; NULL: no limit refuses */
    struct yk_limit_hold *hold;   /* the limit below which freed amounts are held for it; NULL: none */
};

/* Its waits for nodes (pending/wait_order.h, pending/active.h), and failed attempts by reason.
 * Written by: pending. */
struct yk_group_waiting {
    struct yk_wait_branch branch;          /* of the application, while it waits for nodes */
    struct yk_list in_required;            /* of the partition, while it waits for its node (required_node) */
    struct yk_wait_log log[YK_WAIT_COUNT]; /* of the attempts of its first asks */
};

/* Reservations and nominations of its asks (reservation/make_reservation.h, reservation/nomination.h).
 * Written by: reservation. */
struct yk_group_reservation {
    /* Of the partition: asks that come later were placed where this one could run. */
    struct yk_list in_overtaken;
    int64_t overtaken_mono_ns; /* while linked: since when */
    /* Amount that later asks took since then, in asks of the group, less asks that started. */
    double overtaken;
    bool has_started;            /* an ask of the group started since then */
    int64_t run_ns;              /* run time of its allocations that ended recently; 0: none has ended */
    struct yk_list list;         /* struct yk_reservation, by in_group: of its asks, by creation */
    uint32_t blocked;            /* of these, that a queue or user could not use at the last look */
    uint32_t nominated;          /* asks with a nomination */
    struct yk_list in_nominated; /* of the leaf, while `nominated` > 0 */
};

struct yk_group {
    YK_OWNED_BY(objects) struct {
        struct yk_app *app;               /* owns it */
        struct yk_shape *shape;           /* counted */
        struct yk_task_group *task_group; /* of all its asks; NULL: none */
        bool placeholders;                /* true: all its asks are placeholders; false: none is */
        char *required_node;              /* owned: the only node on which its asks may run; NULL: any */
        int32_t priority;
        uint32_t ask_count;   /* asks and allocations that refer to it */
        struct yk_tree asks;  /* pending: struct yk_ask, by in_group */
        struct yk_ask *first; /* of `asks`; NULL when empty */
        enum yk_wait wait;
        struct yk_queue *waits_for; /* YK_WAIT_QUEUE_QUOTA: the queue without headroom */
        struct yk_list in_shape;
    };
    YK_OWNED_BY(report) struct yk_group_report report;
    YK_OWNED_BY(pending) struct {
        struct yk_tree_link in_pending; /* of the application while it has pending asks */
        struct yk_tree_link in_active;  /* of the application while it may be tried */
    };
    YK_OWNED_BY(pending) struct yk_group_limit limit;
    YK_OWNED_BY(pending) struct yk_group_waiting waiting; /* Read by: reservation, web. */
    YK_OWNED_BY(gangs) struct {
        struct yk_list in_takers; /* of the partition: incomplete gangs may give way to its asks */
    };
    YK_OWNED_BY(reservation) struct yk_group_reservation reservation; /* Read by: gangs, scheduler, web. */
    YK_OWNED_BY(reservation) struct yk_group_preempt preempt;         /* Read by: report, web. */
};

/* Flags of an ask. Each group of flags has the modules that set and clear them. */
enum {
    /* Written by: objects. Fixed for life. */
    YK_ASK_PLACEHOLDER = 1u << 0,
    YK_ASK_ORIGINATOR = 1u << 1,
    YK_ASK_PREEMPT_SELF = 1u << 2,  /* may be preempted */
    YK_ASK_PREEMPT_OTHER = 1u << 3, /* may preempt */
    YK_ASK_FOREIGN = 1u << 4,
    YK_ASK_STATIC = 1u << 5,     /* foreign and never preemptable */
    YK_ASK_KEY_STAYS = 1u << 15, /* its key is borrowed */
    /* Written by: reservation, scheduler. */
    YK_ASK_ATTEMPTED = 1u << 7, /* passed the user's headroom once */
    /* Written by: report. */
    YK_ASK_SCALE_UP = 1u << 8,    /* reported to the autoscaler */
    YK_ASK_OVER_QUOTA = 1u << 9,  /* reported that it exceeds the quota of its user or group */
    YK_ASK_OVER_QUEUE = 1u << 10, /* reported that it does not fit into its queue */
    /* Written by: partition. */
    YK_ASK_RELEASED = 1u << 11, /* a placeholder that the resource manager was asked to end */
    /* Written by: gangs, partition. Decided: it starts when `peer`, or the victims of its handover, have ended. */
    YK_ASK_REPLACING = 1u << 12,
    /* Written by: reservation. */
    YK_ASK_PREEMPTED = 1u << 13, /* an allocation that the resource manager was asked to end for others */
    /* Written by: partition, reservation. */
    YK_ASK_PREEMPTION_TRIGGERED = 1u << 14, /* pending: others were asked to end for it */
};
enum { /* also in its flags: the last report of what it waits for; at most one of them. Written by: report */
       YK_ASK_TOLD_FAILED = 1u << 20,
       YK_ASK_TOLD_SKIPPED = 1u << 21,
};

/* Fields that few asks use at a time. Allocated while any of them is set. Written by: objects. */
struct yk_ask_extra {
    struct yk_reservation *reservation; /* of a node, while it waits; NULL: none */
    struct yk_nomination
        *nomination;              /* a pending ask: its own; a victim: that of the ask for which it ends */
    struct yk_handover *handover; /* a decided ask: its own; an allocation: the one for which it ends */
    struct yk_ask *peer;          /* of a replacement: the placeholder of the real ask, and the reverse */
    struct yk_ask_place *place;   /* of a placeholder that is free to be replaced; owned */
    int64_t placeholder_wall_ns;  /* creation time of the placeholder that it replaced; 0: none */
    int64_t run_limit_ns;         /* longest time from its start to its end; 0: no limit */
    struct yk_tags tags;
    const struct yk_resvec *foreign_size; /* counted (resources/shared.h); of foreign allocations only */
    int32_t foreign_priority;
};

/* The place of an allocated placeholder among those of its task group that are free to be replaced.
 * Written by: objects. */
struct yk_ask_place {
    struct yk_tree_link in_task_group; /* yk_ask_of_place() */
    struct yk_ask *ask;
};

/* There are many asks. Fields for pending asks and fields for the others share memory. */
struct yk_ask {
    YK_OWNED_BY_ALL struct {
        union {
            struct yk_tree_link in_group; /* linked: pending. Written by: objects */
            struct {                      /* while it is not pending */
                /* Written by: objects. Linked while `node` is set: in node->allocations or node->foreign. */
                struct yk_list in_node;
                /* Written by: gangs, partition. Time of the decision; 0: not ours. Read with
                 * yk_ask_bind_wall_ns(). */
                int64_t bind_wall_ns;
                uint32_t unused; /* the heights of the link */
                /* Written by: yk_ask_set_bound(). Since bind_wall_ns, rounded up: when the resource manager
                 * reported that the object is on its node; 0: it did not. */
                uint32_t bound_after_ms;
            };
        };
    };
    YK_OWNED_BY(partition) struct {
        struct yk_group *group; /* application, size and priority; NULL for foreign ones */
    };
    YK_OWNED_BY(objects) struct {
        struct yk_node *node; /* its node; NULL: none */
    };
    YK_OWNED_BY_ALL struct {
        uint32_t flags; /* YK_ASK_, whose enumeration names the modules that write them */
    };
    YK_OWNED_BY(partition) struct {
        uint32_t key_hash; /* of the key, in app->asks or partition->foreign */
    };
    YK_OWNED_BY(objects) struct {
        const char *key; /* owned, unless YK_ASK_KEY_STAYS */
        void *cookie;    /* the resource manager's */
        int64_t create_wall_ns;
        uint64_t sequence;          /* arrival */
        struct yk_ask_extra *extra; /* owned; NULL: no field of it is set */
    };
};

/* Makes an ask from `from`, in no group and on no node. `pool` has items of sizeof(struct yk_ask); free the
 * ask with the same pool. `sequence` orders asks by arrival. */
struct yk_ask *yk_ask_new(struct yk_pool *pool, const struct yk_si_allocation *from, int64_t now_wall_ns,
                          uint64_t sequence);
/* Its key; `ask` is a struct yk_ask. */
struct yk_str yk_ask_key(const void *ask);
/* Returns its key_hash, which the text set sets when the ask is added; `ask` is a struct yk_ask. */
uint32_t yk_ask_key_hash(const void *ask);
/* Gives the ask back to `pool`, and frees what it owns. The ask is in no group and on no node. NULL is
 * fine. */
void yk_ask_free(struct yk_pool *pool, struct yk_ask *ask);

/* Whether it has no node and none was decided for it. */
static inline bool yk_ask_is_pending(const struct yk_ask *ask)
{
    return ask->node == NULL && (ask->flags & YK_ASK_REPLACING) == 0;
}
/* Time of the decision that made it an allocation; 0: pending, or not made by this process. */
static inline int64_t yk_ask_bind_wall_ns(const struct yk_ask *ask)
{
    return yk_ask_is_pending(ask) ? 0 : ask->bind_wall_ns;
}
/* When the resource manager reported that its object is on its node; 0: it did not. */
static inline int64_t yk_ask_bound_wall_ns(const struct yk_ask *ask)
{
    int64_t decided_ns = yk_ask_bind_wall_ns(ask);
    bool is_bound = decided_ns != 0 && ask->node != NULL && ask->bound_after_ms != 0;
    return is_bound ? decided_ns + (int64_t)ask->bound_after_ms * YK_NS_PER_MS : 0;
}
/* Notes that the resource manager reported at `now_wall_ns` that the object of the allocation is on its
 * node. No effect on an ask that is pending, and when it was noted before. */
static inline void yk_ask_set_bound(struct yk_ask *ask, int64_t now_wall_ns)
{
    int64_t after_ms = (now_wall_ns - yk_ask_bind_wall_ns(ask) + YK_NS_PER_MS - 1) / YK_NS_PER_MS;
    if (yk_ask_bind_wall_ns(ask) != 0 && ask->node != NULL && ask->bound_after_ms == 0)
        ask->bound_after_ms = (uint32_t)YK_MIN(YK_MAX(after_ms, (int64_t)1), (int64_t)UINT32_MAX);
}
/* Its application; NULL: it is foreign. */
static inline struct yk_app *yk_ask_app(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->app : NULL;
}
/* Its size in base units. Borrowed until the size changes or the ask ends. */
static inline const struct yk_resvec *yk_ask_size(const struct yk_ask *ask)
{
    return ask->group != NULL ? &ask->group->shape->size : ask->extra->foreign_size;
}
/* Its priority; a larger number is served first. */
static inline int32_t yk_ask_priority(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->priority : ask->extra->foreign_priority;
}

/* The functions below read a field of struct yk_ask_extra. This one: its reservation, borrowed; NULL: none.
 * */
static inline struct yk_reservation *yk_ask_reservation(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->reservation : NULL;
}
/* Its nomination, borrowed (see the field); NULL: none. */
static inline struct yk_nomination *yk_ask_nomination(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->nomination : NULL;
}
/* Its handover, borrowed (see the field); NULL: none. */
static inline struct yk_handover *yk_ask_handover(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->handover : NULL;
}
/* Whether the ask waits for allocations that end for it. With a nomination it is pending, with a handover it
 * has its node. False for victims. */
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
/* Creation time of the placeholder that it replaced; 0: it replaced none. */
static inline int64_t yk_ask_placeholder_wall_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->placeholder_wall_ns : 0;
}
/* Longest time from its start to its end; 0: no limit. */
static inline int64_t yk_ask_run_limit_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->run_limit_ns : 0;
}
/* The tags that the resource manager sent with the ask; yk_rm_call_ask_tags() also asks the resource manager
 * for those it did not send. Never NULL. */
const struct yk_tags *yk_ask_tags(const struct yk_ask *ask);
/* Sets the size of a foreign ask that is on no node; `size` is copied. */
void yk_ask_set_foreign_size(struct yk_ask *ask, const struct yk_resvec *size);
/* The functions below set a field of struct yk_ask_extra. This one: its reservation, borrowed; NULL: none. */
void yk_ask_set_reservation(struct yk_ask *ask, struct yk_reservation *reservation);
/* Sets its nomination, borrowed; NULL: none. */
void yk_ask_set_nomination(struct yk_ask *ask, struct yk_nomination *nomination);
/* Sets its handover, borrowed; NULL: none. */
void yk_ask_set_handover(struct yk_ask *ask, struct yk_handover *handover);
/* Sets the peer of this ask only, borrowed; the caller sets that of the other one, too. NULL: none. */
void yk_ask_set_peer(struct yk_ask *ask, struct yk_ask *peer);
/* Sets the longest time from its start to its end; 0: no limit. */
void yk_ask_set_run_limit_ns(struct yk_ask *ask, int64_t limit_ns);
/* Sets the creation time of the placeholder that it replaced; 0: none. */
void yk_ask_set_placeholder_wall_ns(struct yk_ask *ask, int64_t wall_ns);

/* Its place among the placeholders of its task group that may be replaced; NULL: it is not among them. */
static inline struct yk_ask_place *yk_ask_place(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->place : NULL;
}
/* The placeholder whose place this is. */
static inline struct yk_ask *yk_ask_of_place(const struct yk_tree_link *in_task_group)
{
    return YK_CONTAINER(in_task_group, struct yk_ask_place, in_task_group)->ask;
}
/* Adds an allocated placeholder to those of its task group that may be replaced (yk_task_group.placeholders). It
 * is not among them yet. */
void yk_ask_enter_place(struct yk_ask *placeholder);
/* Removes the placeholder from those that may be replaced; no effect if it is not among them. */
void yk_ask_leave_place(struct yk_ask *placeholder);
/* Compares two elements of type struct yk_ask * by arrival, the earlier one first; for yk_vec_sort(). */
int yk_ask_arrival_order(const void *a, const void *b);
/* Order of two places: the order of their asks (yk_ask_order()). */
int yk_ask_place_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

/* The reason why a group waits that no limit refuses: YK_WAIT_NODES, or YK_WAIT_NONE if it can be tried. */
static inline enum yk_wait yk_group_wait_for_nodes(const struct yk_group *group)
{
    return group->required_node == NULL && group->shape->parked ? YK_WAIT_NODES : YK_WAIT_NONE;
}

/* Adds a pending ask to the order of its group. `ask->group` is `group` and keeps its reference. */
void yk_group_insert(struct yk_group *group, struct yk_ask *ask);
/* Removes the ask from the order of its group. The group may be empty then; it is not freed. */
void yk_group_remove(struct yk_group *group, struct yk_ask *ask);

/* Sets the queue without headroom, for a group that waits with YK_WAIT_QUEUE_QUOTA; NULL: none. */
void yk_group_set_waits_for(struct yk_group *group, struct yk_queue *queue);

/* Negative: `a` comes first. Both have pending asks of the same application. */
int yk_group_compare(const struct yk_group *a, const struct yk_group *b);
/* Whether the priority of the group counts for its application and queues. An ask that waits for the one node
 * where it may run cannot use what other asks of its queue get (docs/reference/queues.md, R46). */
static inline bool yk_group_lends_priority(const struct yk_group *group)
{
    return group->wait != YK_WAIT_REQUIRED_NODE;
}
/* Order of the pending groups of an application, by `in_pending`: first those that lend their priority, then
 * priority descending, then their first asks. Both have pending asks. */
int yk_group_order_pending(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Order of the groups of an application that may be tried, by `in_active`: priority descending, then their
 * first asks. Both have pending asks. */
int yk_group_order_active(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Order of asks within a group: creation time, then arrival. */
int yk_ask_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
