/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks and allocations: one object through its whole life. An ask has no node; with a node it is an
 * allocation.
 *
 * Pending asks of one application that have the same shape and priority form a group; the cycle looks at
 * groups, so a thousand equal asks cost as much as one. Within a group asks are ordered by creation time,
 * then arrival.
 *
 * Owns:   ask: key, unless it stays, and what few have (struct yk_ask_extra). Group: the order of its asks.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 2.6.
 */
#ifndef YK_OBJECTS_ASK_H
#define YK_OBJECTS_ASK_H

#include "base/heap.h"
#include "base/list.h"
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
struct yk_reservation; /* reservation/reservations.h */
struct yk_nomination;  /* reservation/nomination.h */
struct yk_handover;    /* gangs/handover.h */

/* Why an ask is waiting; "no" on the hot path. Sentences are made at the edge (yk_wait_text()). */
enum yk_wait {
    YK_WAIT_NONE = 0,      /* not tried yet, or can be tried */
    YK_WAIT_APP_LIMIT,     /* a queue runs as many applications as it may */
    YK_WAIT_USER_QUOTA,    /* above the user's or group's limit */
    YK_WAIT_QUEUE_QUOTA,   /* a queue has no room */
    YK_WAIT_NODES,         /* no node fits */
    YK_WAIT_PLACEHOLDER,   /* its task group has placeholders, one of which it is to replace */
    YK_WAIT_REQUIRED_NODE, /* the only node it may run on does not take it */
    YK_WAIT_GANG,          /* a placeholder: not all placeholders of its gang fit now */
};
enum { YK_WAIT_COUNT = YK_WAIT_GANG + 1 };
const char *yk_wait_text(enum yk_wait wait);

/* What became of an attempt to preempt for an ask (scheduling.md 3.8). */
enum yk_preempt_note {
    YK_PREEMPT_NOT_YET,    /* preconditions */
    YK_PREEMPT_GUARANTEES, /* it would be above what is guaranteed to its queue */
    YK_PREEMPT_SHORT,
    YK_PREEMPT_NO_HELP,
    YK_PREEMPT_EXHAUSTED,
    YK_PREEMPT_TOO_LATE, /* victims ended meanwhile */
};
enum { YK_PREEMPT_NOTES = YK_PREEMPT_TOO_LATE + 1 };
const char *yk_preempt_text(enum yk_preempt_note note);

/* How often an attempt ended so; kept for REST (scheduling.md 3.8). */
struct yk_wait_log {
    int64_t last_wall_ns;
    uint32_t count;
};

/* A limit that refuses asks, so that no node would help them (report/refusal.h). */
enum yk_refusal_kind {
    YK_REFUSAL_NONE = 0,
    YK_REFUSAL_QUEUE,      /* the maximum of a queue */
    YK_REFUSAL_USER,       /* the limit of a user in a queue */
    YK_REFUSAL_GROUP,      /* the same of a group of users */
    YK_REFUSAL_QUEUE_APPS, /* a number of running applications: of a queue, a user, a group */
    YK_REFUSAL_USER_APPS,
    YK_REFUSAL_GROUP_APPS,
    YK_REFUSAL_GANG, /* the gang is larger than a limit: it can never start */
};
struct yk_refusal {
    enum yk_refusal_kind kind;
    uint32_t depth; /* of the queue, on the path of the application's leaf */
};

/* What the asks of a group were reported to wait for (report/outstanding.h). Owner: core/report. */
struct yk_group_report {
    uint32_t unreported;          /* pending asks whose last report was not that they lack a node */
    uint32_t unskipped;           /* pending asks whose last report was not that they wait for a limit */
    struct yk_list in_skipped;    /* of the partition: some of these are to be reported */
    struct yk_refusal skipped_by; /* the limit in the last report of those that wait for one */
    struct yk_ask *next;          /* the next ask to report; NULL: reports begin with the first */
    uint32_t before;              /* asks before that one, */
    uint32_t failed;              /* of which so many are reported as FAILED */
    uint32_t forgotten;           /* flags to clear in all asks before the next report */
    bool joined_before;           /* an ask was added before `next` */
    struct yk_list in_lacking;    /* of the partition: may lack nodes */
    struct yk_refusal beyond_by;  /* in the last walk: refuses all but the first `fitting` asks */
    uint32_t fitting;
};

/* Preemption for the asks of a group (reservation/preempt.h). Owner: core/reservation. */
struct yk_group_preempt {
    struct yk_heap_entry in_due; /* of the partition: not tried before `due_mono_ns` */
    int64_t due_mono_ns;
    uint64_t due_sequence;
    struct yk_list in_tries; /* of the partition: to be tried, or idle until something changes */
    int64_t pause_mono_ns;   /* after a failed attempt: not tried before */
    struct yk_ask *passed;   /* up to this one, in order, all have their victims or need none */
    struct yk_wait_log log[YK_PREEMPT_NOTES];
};

struct yk_group {
    struct yk_app *app;               /* owns it */
    struct yk_shape *shape;           /* counted */
    struct yk_task_group *task_group; /* of all its asks; NULL: none */
    bool placeholders;                /* all its asks are, or none is */
    char *required_node;              /* owned: the only node they may run on; NULL: any */
    int32_t priority;
    uint32_t ask_count;   /* asks and allocations that refer to it */
    struct yk_tree asks;  /* pending: struct yk_ask, by in_group */
    struct yk_ask *first; /* of `asks`; NULL when empty */
    struct yk_group_report report;
    struct yk_tree_link in_pending; /* of the application while it has pending asks */
    struct yk_tree_link in_active;  /* of the application while it may be tried */
    struct yk_list in_shape;
    struct yk_list in_blocked; /* of the partition, while it waits for its node (required_node) */
    struct yk_wait_branch
        limit_waiting; /* of limit_place->groups, while a limit of user or group refuses it */
    struct yk_limit_place *limit_place; /* of its application (pending/limit_wait.h); NULL: no limit does */
    struct yk_wait_branch waiting; /* of the application, while it waits for nodes (pending/wait_order.h) */
    struct yk_limit_hold *holds;   /* what comes free below that limit is held for it; NULL: nothing */
    /* Reservations for its asks (reservation/make_reservation.h). */
    struct yk_list
        in_overtaken; /* of the partition: asks that come later were placed where this one could run */
    int64_t overtaken_mono_ns; /* while linked: since when */
    double overtaken; /* what later asks took since, in asks of the group, less the asks that started */
    bool has_started; /* an ask of it, since then */
    int64_t run_ns;   /* how long its allocations that ended lately have run; 0: none has ended */
    struct yk_list in_takers;    /* of the partition: incomplete gangs may give way to its asks */
    struct yk_list reservations; /* struct yk_reservation, by in_group: of its asks, by creation */
    uint32_t blocked;            /* of these: held up by a queue or user when they were looked at */
    uint32_t nominated;          /* asks to which room was promised (reservation/nomination.h) */
    struct yk_list in_nominated; /* of the leaf, while there are such */
    enum yk_wait wait;
    struct yk_wait_log log[YK_WAIT_COUNT]; /* of the attempts of its first asks */
    struct yk_queue *waits_for;            /* YK_WAIT_QUEUE_QUOTA: the queue without room */
    int64_t no_node_mono_ns;               /* when it was told last that no node takes it; 0: never */
    struct yk_group_preempt preempt;
};

enum {
    YK_ASK_PLACEHOLDER = 1u << 0,
    YK_ASK_ORIGINATOR = 1u << 1,
    YK_ASK_PREEMPT_SELF = 1u << 2,  /* may be preempted */
    YK_ASK_PREEMPT_OTHER = 1u << 3, /* may preempt */
    YK_ASK_FOREIGN = 1u << 4,
    YK_ASK_STATIC = 1u << 5,      /* foreign and never preemptable */
    YK_ASK_ATTEMPTED = 1u << 7,   /* passed the user's headroom once */
    YK_ASK_SCALE_UP = 1u << 8,    /* reported to the autoscaler */
    YK_ASK_OVER_QUOTA = 1u << 9,  /* told that it exceeds the quota of its user or group */
    YK_ASK_OVER_QUEUE = 1u << 10, /* told that it does not fit in its queue */
    YK_ASK_RELEASED = 1u << 11,   /* a placeholder that the resource manager was asked to end */
    /* Decided: it takes the place of `peer`, or of what its handover ends, once that is gone. */
    YK_ASK_REPLACING = 1u << 12,
    YK_ASK_PREEMPTED = 1u << 13, /* an allocation that the resource manager was asked to end for others */
    YK_ASK_PREEMPTION_TRIGGERED = 1u << 14, /* pending: others were asked to end for it */
    YK_ASK_KEY_STAYS = 1u << 15,            /* its key is borrowed */
};
enum { /* also in its flags: what it was told last to wait for, either or neither */
       YK_ASK_TOLD_FAILED = 1u << 20,
       YK_ASK_TOLD_SKIPPED = 1u << 21,
};

/* What few asks have at any one time. Kept apart while any of it is there. */
struct yk_ask_extra {
    struct yk_reservation *reservation; /* of a node, while it waits; NULL: none */
    struct yk_nomination
        *nomination; /* pending: of what others end for; a victim: whom it ends for; NULL: none */
    struct yk_handover *handover; /* decided: it waits for others to end; an allocation: it ends for that */
    struct yk_ask *peer;          /* of a replacement: the placeholder of the real one, and the other way */
    struct yk_ask_place *place;   /* of a placeholder that is free to be replaced; owned */
    int64_t placeholder_wall_ns;  /* creation of the placeholder it has replaced; 0: none */
    int64_t run_limit_ns;         /* it ends this long after it has started at the latest; 0: no limit */
    struct yk_tags tags;
    const struct yk_resvec *foreign_size; /* counted (resources/shared.h); foreign ones only */
    int32_t foreign_priority;
};

/* What an allocated placeholder has while it is free to be replaced: its place among the others. */
struct yk_ask_place {
    struct yk_tree_link in_task_group; /* yk_ask_of_place() */
    struct yk_ask *ask;
};

/* There are many: what only those need that wait, and what only those need that do not, is in the same room.
 */
struct yk_ask {
    union {
        struct yk_tree_link in_group; /* linked: pending */
        struct {                      /* while it is not; the link goes on saying so */
            struct yk_list in_node;   /* linked while `node` is set: on node->allocations or node->foreign */
            int64_t bind_wall_ns;     /* of the decision; 0: placed by others. See yk_ask_bind_wall_ns() */
        };
    };
    struct yk_group *group; /* application, size and priority; NULL for foreign ones */
    struct yk_node *node;   /* where it stands; NULL: nowhere */
    uint32_t flags;
    uint32_t key_hash; /* of the key, in app->asks or partition->foreign */
    const char *key;   /* owned, unless YK_ASK_KEY_STAYS */
    void *cookie;      /* the resource manager's */
    int64_t create_wall_ns;
    uint64_t sequence;          /* arrival */
    struct yk_ask_extra *extra; /* owned; NULL: nothing of it */
};

/* Taken from `pool`, of items of sizeof(struct yk_ask), and given back to the same. */
struct yk_ask *yk_ask_new(struct yk_pool *pool, const struct yk_si_allocation *from, int64_t now_wall_ns,
                          uint64_t sequence);
/* Its key; `ask` is a struct yk_ask. */
struct yk_str yk_ask_key(const void *ask);
/* key_hash, which is set when the ask is put into a set. */
uint32_t yk_ask_key_hash(const void *ask);
/* Must be in no group, on no node. NULL is fine. */
void yk_ask_free(struct yk_pool *pool, struct yk_ask *ask);

static inline bool yk_ask_is_pending(const struct yk_ask *ask)
{
    return ask->node == NULL && (ask->flags & YK_ASK_REPLACING) == 0;
}
/* 0 while pending. */
static inline int64_t yk_ask_bind_wall_ns(const struct yk_ask *ask)
{
    return yk_ask_is_pending(ask) ? 0 : ask->bind_wall_ns;
}
/* The one it belongs to; NULL for foreign ones. */
static inline struct yk_app *yk_ask_app(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->app : NULL;
}
static inline const struct yk_resvec *yk_ask_size(const struct yk_ask *ask)
{
    return ask->group != NULL ? &ask->group->shape->size : ask->extra->foreign_size;
}
static inline int32_t yk_ask_priority(const struct yk_ask *ask)
{
    return ask->group != NULL ? ask->group->priority : ask->extra->foreign_priority;
}

/* What is seldom there (struct yk_ask_extra says more), and setting it, NULL for none. */
static inline struct yk_reservation *yk_ask_reservation(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->reservation : NULL;
}
static inline struct yk_nomination *yk_ask_nomination(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->nomination : NULL;
}
static inline struct yk_handover *yk_ask_handover(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->handover : NULL;
}
/* It waits for allocations that end for it: with a nomination it is pending, with a handover it has its node.
 */
static inline bool yk_ask_is_nominated(const struct yk_ask *ask)
{
    return (ask->flags & YK_ASK_PREEMPTED) == 0 &&
           (yk_ask_nomination(ask) != NULL || yk_ask_handover(ask) != NULL);
}
static inline struct yk_ask *yk_ask_peer(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->peer : NULL;
}
static inline int64_t yk_ask_placeholder_wall_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->placeholder_wall_ns : 0;
}
static inline int64_t yk_ask_run_limit_ns(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->run_limit_ns : 0;
}
/* Its own, as the resource manager sent them: yk_rm_call_ask_tags() adds those of the resource manager. Never
 * NULL. */
const struct yk_tags *yk_ask_tags(const struct yk_ask *ask);
/* Of a foreign one that stands nowhere. */
void yk_ask_set_foreign_size(struct yk_ask *ask, const struct yk_resvec *size);
void yk_ask_set_reservation(struct yk_ask *ask, struct yk_reservation *reservation);
void yk_ask_set_nomination(struct yk_ask *ask, struct yk_nomination *nomination);
void yk_ask_set_handover(struct yk_ask *ask, struct yk_handover *handover);
void yk_ask_set_peer(struct yk_ask *ask, struct yk_ask *peer);
void yk_ask_set_run_limit_ns(struct yk_ask *ask, int64_t limit_ns);
void yk_ask_set_placeholder_wall_ns(struct yk_ask *ask, int64_t wall_ns);

/* A placeholder stands among those of its task group that may be replaced: NULL, or where. */
static inline struct yk_ask_place *yk_ask_place(const struct yk_ask *ask)
{
    return ask->extra != NULL ? ask->extra->place : NULL;
}
static inline struct yk_ask *yk_ask_of_place(const struct yk_tree_link *in_task_group)
{
    return YK_CONTAINER(in_task_group, struct yk_ask_place, in_task_group)->ask;
}
/* Adds an allocated placeholder to `places`, or takes it out if it is there. */
void yk_ask_enter_place(struct yk_ask *placeholder, struct yk_tree *places);
void yk_ask_leave_place(struct yk_ask *placeholder, struct yk_tree *places);
/* Of those in a set, which has no order: in what order they arrived. For yk_vec_sort(). */
int yk_ask_arrival_order(const void *a, const void *b);
/* Order of places: that of their asks. */
int yk_ask_place_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

/* What a group waits for that nothing but nodes can hold back. */
static inline enum yk_wait yk_group_wait_for_nodes(const struct yk_group *group)
{
    return group->required_node == NULL && group->shape->parked ? YK_WAIT_NODES : YK_WAIT_NONE;
}

/* Adds a pending ask to its group's order, or takes it out. */
void yk_group_insert(struct yk_group *group, struct yk_ask *ask);
void yk_group_remove(struct yk_group *group, struct yk_ask *ask);

/* Negative: `a` comes first. Both have pending asks of the same application. */
int yk_group_compare(const struct yk_group *a, const struct yk_group *b);
/* Whether the priority of the group counts for its application and queues. An ask that waits for the one node
 * where it may run cannot use what other asks of its queue get (docs/reference/queues.md, R46). */
static inline bool yk_group_lends_priority(const struct yk_group *group)
{
    return group->wait != YK_WAIT_REQUIRED_NODE;
}
/* Orders of groups within an application: priority descending, then their first asks. Only groups with
 * pending asks. Of the pending ones those go first that lend their priority. */
int yk_group_order_pending(const struct yk_tree_link *a, const struct yk_tree_link *b);
int yk_group_order_active(const struct yk_tree_link *a, const struct yk_tree_link *b);
/* Order of asks within a group: creation time, then arrival. */
int yk_ask_order(const struct yk_tree_link *a, const struct yk_tree_link *b);

#endif
